/* SPDX-License-Identifier: MIT */
#include "tree/tables.h"

#include "tree/rule.h"

#include <errno.h>
#include <string.h>

enum { FRAME_ROWS = 256 }; /* rows of one piece of frames.tsv */
enum { DURATION_DECIMALS = 6 };

static void write_head(const char *common, const char *own, struct text *text)
{
    text_add(text, common);
    if (own != NULL) {
        text_add_char(text, '\t');
        text_add(text, own);
    }
    text_add_char(text, '\n');
}

/* Packets. */

int tables_packets_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)key;
    write_head("packet\toffset\tbytes\ttype\tname\tframe", dump->ops->tables.packet_columns, text);
    return 0;
}

void tables_packet(struct dump *dump, uint64_t number, const struct dump_packet *packet,
                   struct text *text)
{
    text_add_u64(text, number);
    text_cell(text, packet->offset);
    text_cell(text, packet->bytes);
    text_add_char(text, '\t');
    if (dump->ops->tables.packet_type != NULL)
        dump->ops->tables.packet_type(dump, packet->type, text);
    else
        text_add_u64(text, packet->type);
    text_cell_word(text, packet->name);
    text_cell_or_none(text, packet->frame != DUMP_NO_FRAME, packet->frame);
}

static int count_packets(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = dump->ops->packets(dump);
    return 0;
}

static int write_packets(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                         const struct cancel *cancel, struct text *text)
{
    (void)key;
    return dump->ops->tables.packet_rows(dump, first, end, cancel, text);
}

/* Describes a frame; a maker may wait for what dump_ops.frame() does not know yet. */
static int describe(struct dump *dump, unsigned rule, uint64_t key, uint64_t frame,
                    const struct cancel *cancel, struct dump_frame *out)
{
    int status;

    memset(out, 0, sizeof(*out));
    status = dump->ops->frame(dump, frame, out);
    if (status != -EAGAIN)
        return status;
    status = dump->ops->readiness.prepare(dump, rule, key, cancel);
    return status == 0 ? dump->ops->frame(dump, frame, out) : status;
}

static bool has_packets(struct dump *dump, const struct dump_frame *frame)
{
    return frame->first_packet <= frame->last_packet &&
           frame->last_packet < dump->ops->packets(dump);
}

static int count_frame_packets(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                               uint64_t *rows)
{
    struct dump_frame place;
    int status = describe(dump, RULE_FRAME_PACKETS_TSV, frame, frame, cancel, &place);

    *rows =
        status == 0 && has_packets(dump, &place) ? place.last_packet - place.first_packet + 1 : 0;
    return status;
}

static int write_frame_packets(struct dump *dump, uint64_t frame, uint64_t first, uint64_t end,
                               const struct cancel *cancel, struct text *text)
{
    struct dump_frame place;
    int status = describe(dump, RULE_FRAME_PACKETS_TSV, frame, frame, cancel, &place);

    return status < 0 ? status
                      : dump->ops->tables.packet_rows(dump, place.first_packet + first,
                                                      place.first_packet + end, cancel, text);
}

const struct dump_listing tables_packets = {
    .head = tables_packets_head, .count = count_packets, .rows = write_packets};
const struct dump_listing tables_frame_packets = {
    .head = tables_packets_head, .count = count_frame_packets, .rows = write_frame_packets};

/* Frames. */

static int frames_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)key;
    write_head("frame\tfirst\tlast\ttime\twidth\theight", dump->ops->tables.frame_columns, text);
    return 0;
}

static int count_frames(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        uint64_t *frames)
{
    int status = 0;

    (void)key;
    *frames = dump->ops->frames(dump);
    if (*frames != DUMP_NOT_KNOWN)
        return 0;
    status = dump->ops->readiness.prepare(dump, RULE_FRAMES_TSV, 0, cancel);
    *frames = status == 0 ? dump->ops->frames(dump) : 0;
    return status;
}

static int write_frame(struct dump *dump, uint64_t number, bool measured,
                       const struct cancel *cancel, struct text *text)
{
    struct dump_frame frame;
    int status = describe(dump, RULE_FRAMES_TSV, 0, number, cancel, &frame);
    bool filled = frame.first_packet <= frame.last_packet;
    bool shown = frame.width != 0 && frame.height != 0;

    if (status < 0)
        return status;
    text_add_u64(text, number);
    text_cell_or_none(text, filled, frame.first_packet);
    text_cell_or_none(text, filled, frame.last_packet);
    text_add_char(text, '\t');
    if (dump->ops->recording.frame_time != NULL)
        dump->ops->recording.frame_time(dump, number, text);
    else
        text_add_char(text, '-');
    text_cell_or_none(text, shown, frame.width);
    text_cell_or_none(text, shown, frame.height);
    status = (measured ? dump->ops->tables.measure_frame_cells
                       : dump->ops->tables.frame_cells)(dump, number, cancel, text);
    text_add_char(text, '\n');
    return status;
}

static int write_some_frames(struct dump *dump, uint64_t first, uint64_t end, bool measured,
                             const struct cancel *cancel, struct text *text)
{
    int status = 0;

    for (uint64_t n = first; status == 0 && n < end; n++)
        status = cancel_requested(cancel) ? -EINTR : write_frame(dump, n, measured, cancel, text);
    return status;
}

static int write_frames(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    (void)key;
    return write_some_frames(dump, first, end, false, cancel, text);
}

static int measure_frames(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                          const struct cancel *cancel, struct text *text)
{
    (void)key;
    return write_some_frames(dump, first, end, true, cancel, text);
}

const struct dump_listing tables_frames = {
    .head = frames_head, .count = count_frames, .rows = write_frames, .piece_rows = FRAME_ROWS};
const struct dump_listing tables_measured_frames = {.head = frames_head,
                                                    .count = count_frames,
                                                    .rows = write_frames,
                                                    .measure_rows = measure_frames,
                                                    .piece_rows = FRAME_ROWS};

/* Metadata. */

void tables_source(const struct dump *dump, struct metadata *out)
{
    const struct source *source = dump->source;

    metadata_add(out, "container", "%s", source_container_name(source->container));
    metadata_add_bytes(out, "source", source_name(source), strlen(source_name(source)));
    metadata_add_u64(out, "size", source_file_size(source));
    metadata_add_u64(out, "expanded_size", source_size(source));
}

/* Finds the greatest width and height; both are 0 if no frame has a picture. */
static int find_greatest(struct dump *dump, uint64_t frames, const struct cancel *cancel,
                         uint32_t *width, uint32_t *height)
{
    struct dump_frame frame;

    *width = *height = 0;
    for (uint64_t n = 0; n < frames && dump_has_pictures(dump); n++) {
        int status = describe(dump, RULE_FRAMES_TSV, 0, n, cancel, &frame);

        if (status == 0 && n % FRAME_ROWS == 0 && cancel_requested(cancel))
            status = -EINTR;
        if (status < 0)
            return status;
        if (frame.width == 0 || frame.height == 0)
            continue;
        *width = frame.width > *width ? frame.width : *width;
        *height = frame.height > *height ? frame.height : *height;
    }
    return 0;
}

static void add_known(struct metadata *out, const char *key, bool known, uint64_t value)
{
    if (known)
        metadata_add_u64(out, key, value);
    else
        metadata_add_none(out, key);
}

int tables_totals(struct dump *dump, const struct tables_totals *totals,
                  const struct cancel *cancel, struct metadata *out)
{
    bool unfinished = totals->unfinished && totals->frames > 0;
    uint32_t width, height;
    int status = find_greatest(dump, totals->frames, cancel, &width, &height);

    if (status < 0)
        return status;
    metadata_add_u64(out, "packets", totals->packets);
    metadata_add_u64(out, "frames", totals->frames);
    metadata_add_u64(out, "frames_finished", totals->frames - unfinished);
    metadata_add_bool(out, "unfinished", unfinished);
    add_known(out, "width", width > 0, width);
    add_known(out, "height", height > 0, height);
    if (totals->duration >= 0)
        metadata_add_real(out, "duration", totals->duration, DURATION_DECIMALS);
    else
        metadata_add_none(out, "duration");
    return 0;
}
