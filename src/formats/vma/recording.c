/*
 * One walk: every line's end is found by memchr, its first four columns are read.
 * Offsets are kept for every 16th line only; the lines between are found again by
 * memchr, which costs less than a microsecond.
 */
#include "formats/vma/recording.h"

#include "formats/vma/frames.h"

#include <errno.h>
#include <stdlib.h>

static const char header[] = "Vulkan Memory Allocator,Calls recording";
static const uint8_t bom[] = {0xEF, 0xBB, 0xBF};

enum {
    SUPPORTED_MAJOR = 1,
    SUPPORTED_MINOR = 8,
    CONFIGURATION_MINOR = 3, /* the first with a configuration section */
    POLL_LINES = 1 << 16,
    BYTES_A_LINE = 8, /* what index and replay keep for a line, at most */
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
    uint64_t most = sizeof(bom) + sizeof(header) + 1;

    if (size == 0)
        return false;
    vma_line_read(data, size < most ? size : most, 0, &line);
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
        *message = "unknown version: only 1,0 to 1,8 are known";
        return -EPROTO;
    }
    return 0;
}

/* The walk over the file. */
struct walk {
    struct vma_recording *recording;
    struct vma_journal *journal;
    struct vma_line line; /* the current one */
    uint64_t offset;      /* behind the current line */
    uint64_t most;        /* lines */
    uint32_t room;        /* of recording->offsets */
};

/* Goes to the next line: 1, 0 at the end, -ENOMEM. */
static int walk_next(struct walk *walk)
{
    struct vma_recording *recording = walk->recording;
    uint32_t step = recording->packets / VMA_LINE_STEP;

    if (walk->offset >= recording->size)
        return 0;
    if (recording->packets >= walk->most) {
        problems_add(walk->journal->problems, PROBLEM_ERROR, walk->offset, recording->packets,
                     "more lines than the memory limit allows; the rest is not shown");
        recording->size = walk->offset;
        return 0;
    }
    if (recording->packets % VMA_LINE_STEP == 0) {
        if (step == walk->room) {
            uint32_t room = walk->room == 0 ? 256 : walk->room + walk->room / 2;
            uint64_t *offsets = reallocarray(recording->offsets, room, sizeof(*offsets));

            if (offsets == NULL)
                return -ENOMEM;
            recording->offsets = offsets;
            walk->room = room;
        }
        recording->offsets[step] = walk->offset;
    }
    vma_line_read(recording->data, recording->size, walk->offset, &walk->line);
    walk->offset += walk->line.bytes;
    recording->packets++;
    return 1;
}

static bool is_call(struct vma_slice text)
{
    struct vma_call_head head;

    vma_call_read_head(text, &head);
    return head.verdict == VMA_CALL_GOOD;
}

static void configuration_note(struct walk *walk, enum problem_severity severity, const char *what)
{
    vma_journal_add(walk->journal, severity, walk->line.offset, walk->recording->packets - 1, "%s",
                    what);
}

/* Config,Begin was read: all lines to Config,End, or to the first call, which is then current. */
static int read_section(struct walk *walk)
{
    struct vma_recording *recording = walk->recording;
    struct vma_configuration_reader reader = {0};
    int status;

    vma_configuration_begin(&recording->configuration);
    while ((status = walk_next(walk)) > 0) {
        struct vma_slice trimmed = vma_slice_trim(walk->line.text);

        if (vma_slice_is(trimmed, "Config,End")) {
            if (trimmed.end != walk->line.text.end)
                configuration_note(walk, PROBLEM_NOTE, "Blanks behind Config,End.");
            status = walk_next(walk);
            break;
        }
        if (is_call(walk->line.text)) {
            configuration_note(walk, PROBLEM_WARNING, "The configuration has no Config,End.");
            break;
        }
        vma_configuration_line(&recording->configuration, &reader, &walk->line,
                               recording->packets - 1, walk->journal);
    }
    if (status == 0 && !vma_slice_is(vma_slice_trim(walk->line.text), "Config,End"))
        configuration_note(walk, PROBLEM_WARNING, "The configuration has no Config,End.");
    vma_configuration_end(&recording->configuration, walk->line.offset, recording->packets - 1,
                          walk->journal);
    return status;
}

/* Header, version and configuration; 1: the first call line is current, 0: there is none. */
static int read_preamble(struct walk *walk, const char **message)
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
        configuration_note(walk, PROBLEM_WARNING, "A version newer than 1,8.");
    vma_configuration_default(&recording->configuration);
    status = walk_next(walk);
    if (status > 0 && vma_slice_is(vma_slice_trim(walk->line.text), "Config,Begin"))
        status = read_section(walk);
    else if (status > 0 && recording->minor >= CONFIGURATION_MINOR)
        configuration_note(walk, PROBLEM_WARNING,
                           "Config,Begin is missing: a default device is taken.");
    return status;
}

static int read_calls(struct walk *walk, const struct vma_recording_params *params)
{
    struct vma_recording *recording = walk->recording;
    struct vma_framer framer;
    int status = vma_framer_init(&framer, recording, params);

    recording->first_call = recording->packets - 1;
    while (status == 0) {
        status = vma_framer_line(&framer, &walk->line, recording->packets - 1);
        if (status == 0 && recording->packets % POLL_LINES == 0 && cancel_requested(params->cancel))
            status = -EINTR;
        if (status < 0)
            break;
        status = walk_next(walk);
        if (status <= 0)
            break;
        status = 0;
    }
    if (status == 0)
        status = vma_framer_finish(&framer, walk->journal);
    vma_framer_clear(&framer);
    return status;
}

int vma_recording_open(const uint8_t *data, uint64_t size,
                       const struct vma_recording_params *params, struct vma_journal *journal,
                       const char **message, struct vma_recording *out)
{
    struct walk walk = {.recording = out, .journal = journal};
    int status;

    *out = (struct vma_recording){.data = data, .size = size, .by_index = true};
    out->first_time = out->last_time = VMA_NO_TIME;
    walk.most = params->max_memory / BYTES_A_LINE;
    if (walk.most > UINT32_MAX - 1)
        walk.most = UINT32_MAX - 1;
    status = read_preamble(&walk, message);
    if (status == 0)
        out->first_call = out->packets;
    else if (status > 0)
        status = read_calls(&walk, params);
    if (status < 0)
        vma_recording_close(out);
    return status;
}

void vma_recording_close(struct vma_recording *recording)
{
    free(recording->offsets);
    free(recording->frames);
    recording->offsets = NULL;
    recording->frames = NULL;
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
    return frame + 1 < recording->frame_count ? recording->frames[frame + 1].first - 1
                                              : recording->packets - 1;
}

size_t vma_recording_bytes(const struct vma_recording *recording)
{
    return (recording->packets / VMA_LINE_STEP + 1) * sizeof(uint64_t) +
           recording->frame_count * sizeof(struct vma_frame);
}
