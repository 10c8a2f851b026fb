/* SPDX-License-Identifier: MIT */
#include "formats/vma/index/recording.h"

#include "base/array.h"
#include "base/locks.h"
#include "base/memory.h"
#include "formats/vma/index/frames.h"

#include <errno.h>
#include <stdlib.h>

static void take_lock(struct vma_recording *recording) ACQUIRE(lock_of_vma_counts)
{
    pthread_mutex_lock(&recording->lock);
}

static void give_lock(struct vma_recording *recording) RELEASE(lock_of_vma_counts)
{
    pthread_mutex_unlock(&recording->lock);
}

void vma_recording_counts(struct vma_recording *recording, struct vma_counts *out)
{
    take_lock(recording);
    *out = recording->counts;
    give_lock(recording);
}

void vma_recording_line(const struct vma_recording *recording, uint32_t packet,
                        struct vma_line *out)
{
    vma_line_read(recording->data, recording->size, recording->offsets[packet / VMA_LINE_STEP],
                  out);
    for (uint32_t i = 0; i < packet % VMA_LINE_STEP; i++)
        vma_recording_next(recording, out);
}

void vma_recording_next(const struct vma_recording *recording, struct vma_line *line)
{
    vma_line_read(recording->data, recording->size, line->offset + line->bytes, line);
}

enum vma_packet_kind vma_recording_kind(const struct vma_recording *recording, uint32_t packet)
{
    if (packet >= recording->first_call)
        return VMA_PACKET_CALL;
    return packet == 0 ? VMA_PACKET_HEADER : packet == 1 ? VMA_PACKET_VERSION : VMA_PACKET_CONFIG;
}

const char *vma_recording_name(const struct vma_recording *recording, uint32_t packet,
                               const struct vma_line *line)
{
    static const char *const names[] = {"header", "version", "config"};
    enum vma_packet_kind kind = vma_recording_kind(recording, packet);
    struct vma_call_head head;

    if (kind != VMA_PACKET_CALL)
        return names[kind];
    vma_call_read_head(line->text, &head);
    if (head.verdict == VMA_CALL_BLANK)
        return "blank";
    return head.verdict == VMA_CALL_GOOD ? vma_functions[head.function].name : "unknown";
}

uint32_t vma_recording_frame_of(const struct vma_recording *recording, uint32_t packet)
{
    uint32_t low = 0, high = recording->frame_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (recording->frames[middle].first <= packet)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? VMA_NO_FRAME : low - 1;
}

uint32_t vma_recording_frame_last(const struct vma_recording *recording, uint32_t frame)
{
    return recording->frames[frame + 1].first - 1;
}

size_t vma_recording_bytes(const struct vma_recording *recording)
{
    return (recording->packets / VMA_LINE_STEP + 1) * sizeof(uint64_t) +
           recording->frame_count * sizeof(struct vma_frame);
}

/*
 * One walk: memchr() finds the end of every line, and the first four columns are read. Offsets are
 * kept for every 16th line only; memchr() finds the lines between them again, which takes less than
 * a microsecond. If the recording grows, the walk remains and continues as lines become complete.
 */

static const char header[] = "Vulkan Memory Allocator,Calls recording";
static const uint8_t bom[] = {0xEF, 0xBB, 0xBF};

enum {
    SUPPORTED_MAJOR = 1,
    SUPPORTED_MINOR = 8,
    CONFIGURATION_MINOR = 3, /* the first version with a configuration section */
    POLL_LINES = 1 << 16,
    POLL_BYTES = 64 << 20, /* of lines: holes in the file can make them very long */
    BYTES_A_LINE = 8,      /* maximum of bytes that index and replay keep for a line */
    /* if the recording grows: lines that are taken before they are replayed */
    TAKEN_LINES = 1 << 14,
};

static struct vma_slice without_bom(struct vma_slice text)
{
    if (vma_slice_length(text) >= sizeof(bom) && memcmp(text.begin, bom, sizeof(bom)) == 0)
        text.begin += sizeof(bom);
    return text;
}

bool vma_recording_probe(const uint8_t *data, uint64_t size)
{
    struct vma_line line;
    uint64_t max = sizeof(bom) + sizeof(header) + 1;

    if (size == 0)
        return false;
    vma_line_read(data, size < max ? size : max, 0, &line);
    return vma_slice_is(without_bom(line.text), header);
}

static int read_version(struct vma_slice text, uint32_t *minor, const char **message)
{
    struct vma_columns columns;
    struct vma_slice major_column, minor_column;
    uint32_t major = 0;

    vma_columns_init(&columns, vma_slice_trim(text));
    vma_columns_next(&columns, &major_column);
    if (!vma_columns_next(&columns, &minor_column) || columns.next != NULL ||
        !vma_read_u32(major_column, &major) || !vma_read_u32(minor_column, minor)) {
        *message = "the second line is not a version";
        return -EPROTO;
    }
    if (major != SUPPORTED_MAJOR) {
        *message = "unknown version: only versions 1,x are read, of which 1,8 is the latest known";
        return -EPROTO;
    }
    return 0;
}

/* The walk over the file. */
struct vma_walk {
    struct vma_recording *recording;
    struct vma_diagnostics diagnostics;
    struct vma_framer framer;
    struct vma_line line; /* the current one */
    uint64_t offset;      /* after the current line */
    uint64_t max_lines;
    uint32_t packets; /* number of lines so far */
    uint64_t polled;  /* where the cancel flag was last checked */

    struct growing_source *growth; /* NULL if the recording does not grow */
    const struct cancel *cancel;
    uint64_t seen;    /* bytes that are available, as of the last check */
    uint64_t scanned; /* there is no line end between `offset` and here */
    bool ended;       /* no more bytes will come */
    bool waits;       /* the walk waits for a line that is not complete */
    bool starved;     /* there was no further complete line */
    bool reported_returns;
};

enum { NOT_YET = -EAGAIN };

/* Checks the cancel flag once for every POLL_BYTES bytes. */
static bool is_cancelled(struct vma_walk *walk, uint64_t at)
{
    if (at - walk->polled < POLL_BYTES)
        return false;
    walk->polled = at;
    return cancel_requested(walk->cancel);
}

/*
 * Advances *end past the next line feed, or to the last byte. Returns 1, 0 if there is no line
 * feed, or -EINTR.
 */
static int find_feed(struct vma_walk *walk, uint64_t *end)
{
    const uint8_t *data = walk->recording->data;

    while (*end < walk->seen) {
        uint64_t left = walk->seen - *end, part = left < POLL_BYTES ? left : POLL_BYTES;

        if (is_cancelled(walk, *end))
            return -EINTR;
        const uint8_t *feed = memchr(data + *end, '\n', part);
        if (feed != NULL) {
            *end = (uint64_t)(feed - data) + 1;
            return 1;
        }
        *end += part;
    }
    return 0;
}

/* Returns whether the next line can no longer become longer, or -EINTR. */
static int is_whole(struct vma_walk *walk)
{
    if (walk->ended)
        return true;
    if (walk->scanned < walk->offset)
        walk->scanned = walk->offset;
    uint64_t end = walk->scanned;
    int found = find_feed(walk, &end);
    if (found != 1)
        walk->scanned = end;
    return found;
}

static void look(struct vma_walk *walk)
{
    walk->ended = growing_source_has_ended(walk->growth);
    walk->seen = growing_source_size(walk->growth);
}

static int await_line(struct vma_walk *walk)
{
    int status;

    while ((status = is_whole(walk)) == 0) {
        if (!walk->waits)
            return NOT_YET;
        status = growing_source_fill(walk->growth, walk->seen + 1, -1, walk->cancel);
        look(walk);
        if (status < 0)
            return status;
    }
    return status < 0 ? status : 0;
}

static int keep_offset(struct vma_walk *walk)
{
    struct vma_recording *recording = walk->recording;
    uint64_t step = walk->packets / VMA_LINE_STEP;

    if (ARRAY_GROW(recording->offsets, step, recording->offset_room) != 0)
        return -ENOMEM;
    recording->offsets[step] = walk->offset;
    return 0;
}

static void line_note(struct vma_walk *walk, enum problem_severity severity, const char *what)
{
    vma_diagnostics_add(&walk->diagnostics, severity, walk->line.offset, walk->packets - 1, "%s",
                        what);
}

/* Reads a line whose end is not in its first part. */
static int read_long_line(struct vma_walk *walk)
{
    uint64_t end = walk->offset;
    int status = find_feed(walk, &end);

    if (status < 0)
        return status;
    vma_line_read(walk->recording->data, end, walk->offset, &walk->line);
    return 0;
}

static int read_line(struct vma_walk *walk)
{
    uint64_t left = walk->seen - walk->offset, part = left < POLL_BYTES ? left : POLL_BYTES;

    if (is_cancelled(walk, walk->offset))
        return -EINTR;
    vma_line_read(walk->recording->data, walk->offset + part, walk->offset, &walk->line);
    return walk->line.ended || part == left ? 0 : read_long_line(walk);
}

/* Advances to the next line. Returns 1, 0 at the end, NOT_YET, -ENOMEM or -EINTR. */
static int walk_next(struct vma_walk *walk)
{
    int status = await_line(walk);

    if (status < 0)
        return status;
    if (walk->offset >= walk->seen)
        return 0;
    if (walk->packets >= walk->max_lines) {
        problems_add(walk->diagnostics.problems, PROBLEM_ERROR, walk->offset, walk->packets,
                     "more lines than the memory limit allows; the rest is not shown");
        walk->seen = walk->offset;
        walk->ended = true;
        return 0;
    }
    if (walk->packets % VMA_LINE_STEP == 0)
        status = keep_offset(walk);
    if (status == 0)
        status = read_line(walk);
    if (status < 0)
        return status;
    walk->offset += walk->line.bytes;
    walk->packets++;
    if (vma_line_has_return(&walk->line) && !walk->reported_returns) {
        walk->reported_returns = true;
        line_note(walk, PROBLEM_NOTE,
                  "The line ends with CR LF, as other lines may; the CR is ignored.");
    }
    return 1;
}

static bool is_call(struct vma_slice text)
{
    struct vma_call_head head;

    vma_call_read_head(text, &head);
    return head.verdict == VMA_CALL_GOOD;
}

/*
 * Reads the lines after Config,Begin up to Config,End, or up to the first call. The line after the
 * section, or the call, is then current.
 */
static int read_section(struct vma_walk *walk)
{
    struct vma_recording *recording = walk->recording;
    struct vma_configuration_reader reader = {0};
    int status;

    vma_configuration_begin(&recording->configuration);
    while ((status = walk_next(walk)) > 0) {
        struct vma_slice trimmed = vma_slice_trim(walk->line.text);

        if (vma_slice_is(trimmed, "Config,End")) {
            if (trimmed.end != walk->line.text.end)
                line_note(walk, PROBLEM_NOTE, "Blanks after Config,End.");
            status = walk_next(walk);
            break;
        }
        if (is_call(walk->line.text)) {
            line_note(walk, PROBLEM_WARNING, "The configuration has no Config,End.");
            break;
        }
        vma_configuration_line(&recording->configuration, &reader, &walk->line, walk->packets - 1,
                               &walk->diagnostics);
    }
    if (status == 0 && !vma_slice_is(vma_slice_trim(walk->line.text), "Config,End"))
        line_note(walk, PROBLEM_WARNING, "The configuration has no Config,End.");
    vma_configuration_end(&recording->configuration, walk->line.offset, walk->packets - 1,
                          &walk->diagnostics);
    return status;
}

/*
 * Reads header, version and configuration. Returns 1 if the first call line is current, 0 if there
 * is none.
 */
static int read_preamble(struct vma_walk *walk, const char **message)
{
    struct vma_recording *recording = walk->recording;
    int status = walk_next(walk);

    if (status < 0)
        return status;
    *message = "the first line is not that of a VMA recording";
    if (status == 0 || !vma_slice_is(without_bom(walk->line.text), header))
        return -EPROTO;
    *message = "the recording has no version line";
    status = walk_next(walk);
    if (status <= 0)
        return status < 0 ? status : -EPROTO;
    status = read_version(walk->line.text, &recording->minor, message);
    if (status < 0)
        return status;
    if (recording->minor > SUPPORTED_MINOR)
        line_note(walk, PROBLEM_WARNING, "A version newer than 1,8: what it added is not known.");
    vma_configuration_default(&recording->configuration);
    status = walk_next(walk);
    if (status > 0 && vma_slice_is(vma_slice_trim(walk->line.text), "Config,Begin"))
        status = read_section(walk);
    else if (status > 0 && recording->minor >= CONFIGURATION_MINOR)
        line_note(walk, PROBLEM_WARNING, "Config,Begin is missing: a default device is used.");
    return status;
}

/* Sets the lanes of a memory map: as many as given, or as there are pools at one time. */
static void set_lanes(struct vma_recording *recording, const struct vma_recording_params *params)
{
    uint32_t wanted = params->pool_lanes, pools = recording->counts.max_pools;

    recording->pool_lanes = wanted > 0 ? wanted : pools < VMA_POOL_SLOTS ? pools : VMA_POOL_SLOTS;
    recording->shared_lane = wanted > 0 || pools > VMA_POOL_SLOTS;
}

/*
 * Publishes what was found in that many packets and frames, for other threads to read. `packets` is
 * stored last: a thread that sees a packet then also sees its bytes and its frame.
 */
static void publish(struct vma_walk *walk, uint32_t packets, uint32_t frames,
                    const struct vma_counts *counts)
{
    struct vma_recording *recording = walk->recording;

    take_lock(recording);
    recording->counts = *counts;
    give_lock(recording);
    recording->size = walk->offset;
    recording->frame_count = frames;
    recording->packets = packets;
}

static int publish_all(struct vma_walk *walk)
{
    int status = vma_framer_finish(&walk->framer, walk->packets);

    if (status < 0)
        return status;
    publish(walk, walk->packets, walk->framer.frame_count, &walk->framer.counts);
    walk->recording->complete = true;
    return 0;
}

/* Publishes all frames except the last, which may continue. */
static void publish_frames(struct vma_walk *walk)
{
    const struct vma_framer *framer = &walk->framer;
    const struct vma_frame *frames = walk->recording->frames;
    uint32_t last = framer->frame_count == 0 ? 0 : framer->frame_count - 1;

    if (last > walk->recording->frame_count)
        publish(walk, frames[last].first, last, &framer->whole);
}

/*
 * Reads from the current line to the last complete line, or to `max` packets. Returns 1 at `max`, 0
 * at the end.
 */
static int read_calls(struct vma_walk *walk, uint64_t max)
{
    int status = 1;

    while (status > 0) {
        status = vma_framer_line(&walk->framer, &walk->line, walk->packets - 1);
        if (status == 0 && walk->packets % POLL_LINES == 0 && cancel_requested(walk->cancel))
            status = -EINTR;
        if (status == 0 && walk->packets >= max)
            return 1;
        if (status == 0)
            status = walk_next(walk);
    }
    return status;
}

static void drop_walk(struct vma_recording *recording)
{
    if (recording->walk != NULL)
        vma_framer_clear(&recording->walk->framer);
    free(recording->walk);
    recording->walk = NULL;
}

/* Reserves arrays that do not move when the recording becomes longer. */
static int reserve(struct vma_walk *walk)
{
    struct vma_recording *recording = walk->recording;

    recording->offset_room = walk->max_lines / VMA_LINE_STEP + 1;
    recording->offsets = memory_reserve(recording->offset_room * sizeof(*recording->offsets));
    recording->frames = memory_reserve((VMA_FRAMES_MAX + 1) * sizeof(*recording->frames));
    return recording->offsets != NULL && recording->frames != NULL ? 0 : -ENOMEM;
}

static int open_walk(struct vma_walk *walk, const struct vma_recording_params *params,
                     const char **message)
{
    struct vma_recording *recording = walk->recording;
    int status = walk->growth != NULL ? reserve(walk) : 0;

    if (status == 0)
        status = read_preamble(walk, message);
    if (status < 0)
        return status;
    recording->first_call = status > 0 ? walk->packets - 1 : walk->packets;
    vma_framer_init(&walk->framer, recording, params, &walk->diagnostics);
    walk->waits = false;
    if (status > 0)
        status = read_calls(walk, walk->growth == NULL ? UINT64_MAX : walk->packets);
    if (status == 0)
        status = publish_all(walk);
    if (walk->growth != NULL)
        walk->cancel = NULL; /* that flag was only for opening */
    return status < 0 ? status : 0;
}

int vma_recording_open(const uint8_t *data, uint64_t size,
                       const struct vma_recording_params *params,
                       struct vma_diagnostics *diagnostics, const char **message,
                       struct vma_recording *out)
{
    struct vma_walk *walk = calloc(1, sizeof(*walk));
    int status = -ENOMEM;

    *out = (struct vma_recording){.data = data, .by_index = true};
    out->counts.first_time = out->counts.last_time = VMA_NO_TIME;
    if (walk == NULL)
        return status;
    pthread_mutex_init(&out->lock, NULL);
    *walk = (struct vma_walk){.recording = out,
                              .diagnostics = {.problems = diagnostics->problems},
                              .max_lines = params->max_memory / BYTES_A_LINE,
                              .growth = params->growth,
                              .cancel = params->cancel,
                              .seen = size,
                              .ended = params->growth == NULL,
                              .waits = true};
    if (walk->max_lines > UINT32_MAX - 1)
        walk->max_lines = UINT32_MAX - 1;
    if (walk->growth != NULL)
        look(walk);
    out->walk = walk;
    status = open_walk(walk, params, message);
    if (status == 0)
        set_lanes(out, params);
    if (status < 0)
        vma_recording_close(out);
    else if (walk->growth == NULL)
        drop_walk(out);
    return status;
}

int vma_recording_follow(struct vma_recording *recording, const struct cancel *cancel)
{
    struct vma_walk *walk = recording->walk;
    int status;

    walk->cancel = cancel;
    if (walk->starved && !walk->ended)
        (void)growing_source_await(walk->growth, &walk->seen, &walk->ended);
    look(walk);
    status = walk_next(walk);
    if (status > 0)
        status = read_calls(walk, walk->packets + (uint64_t)TAKEN_LINES);
    walk->starved = status == NOT_YET;
    if (status == 0)
        status = publish_all(walk);
    else if (status > 0 || status == NOT_YET)
        publish_frames(walk);
    if (status != -EINTR)
        growing_source_pass(walk->growth, walk->starved ? walk->seen : walk->offset);
    return status > 0 || status == NOT_YET ? 0 : status;
}

void vma_recording_close(struct vma_recording *recording)
{
    bool grows = recording->walk != NULL && recording->walk->growth != NULL;

    if (grows) {
        memory_unreserve(recording->offsets, recording->offset_room * sizeof(*recording->offsets));
        memory_unreserve(recording->frames, (VMA_FRAMES_MAX + 1) * sizeof(*recording->frames));
    } else {
        free(recording->offsets);
        free(recording->frames);
    }
    recording->offsets = NULL;
    recording->frames = NULL;
    drop_walk(recording);
    pthread_mutex_destroy(&recording->lock);
}
