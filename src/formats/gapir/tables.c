#include "formats/gapir/tables.h"

#include "formats/gapir/disassembly.h"

#include <errno.h>

enum { ROWS = 1024 }; /* of one piece */

static uint64_t pieces_of(uint64_t rows)
{
    return (rows + ROWS - 1) / ROWS;
}

static void add_cell(struct text *text, uint64_t value)
{
    text_add_char(text, '\t');
    text_add_u64(text, value);
}

/* A number, or `-` for the one that means none. */
static void add_optional(struct text *text, uint64_t value, uint64_t none)
{
    text_add_char(text, '\t');
    if (value == none)
        text_add_char(text, '-');
    else
        text_add_u64(text, value);
}

static void add_word(struct text *text, const char *word)
{
    text_add_char(text, '\t');
    text_add(text, word);
}

static void add_label(struct text *text, uint32_t label)
{
    text_add_char(text, '\t');
    gapir_write_label(label, text);
}

void gapir_write_region(const struct gapir_extent *extent, struct text *text)
{
    static const char *const names[] = {"-", "constants", "volatile", "window:"};

    text_add(text, names[extent->region]);
    if (extent->region == GAPIR_WINDOW)
        text_add_u64(text, extent->window);
}

static void add_extent(struct text *text, const struct gapir_extent *extent)
{
    add_cell(text, extent->size);
    text_add_char(text, '\t');
    gapir_write_region(extent, text);
    add_cell(text, extent->offset);
}

/* packet, pc, label */
static void add_site(struct text *text, const struct gapir_site *site)
{
    add_cell(text, site->packet);
    add_cell(text, site->pc);
    add_label(text, site->label);
}

/* packets.tsv */

int gapir_packets_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "packet\toffset\tbytes\ttype\tname\tframe\tpc\twords\tinstructions\tcalls\t"
                   "posts\tinline_bytes\treached\n");
    return 0;
}

static void write_packet_row(struct gapir_dump *dump, const struct gapir_index *index,
                             uint32_t number, struct text *text)
{
    const struct gapir_packet *packet = &dump->replay->scan.packets[number];
    struct dump_packet description;

    if (dump->base.ops->packet(&dump->base, number, &description) != 0)
        return;
    text_add_u64(text, number);
    add_cell(text, description.offset);
    add_cell(text, description.bytes);
    add_label(text, packet->label);
    add_word(text, description.name);
    add_optional(text, gapir_index_packet_frame(index, number), GAPIR_NO_FRAME);
    add_cell(text, packet->pc);
    add_cell(text, packet->words);
    add_cell(text, packet->instructions);
    add_cell(text, packet->calls);
    add_cell(text, packet->posts);
    add_cell(text, packet->inline_bytes);
    add_word(text, index->visits[number].left != 0 ? "yes\n" : "no\n");
}

static int write_packet_rows(struct dump *dump, uint64_t first, uint64_t end,
                             const struct cancel *cancel, struct text *text)
{
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);

    for (uint64_t n = first; n < end && status == 0; n++)
        write_packet_row(gapir_dump_of(dump), index, (uint32_t)n, text);
    return status;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

int gapir_packets_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *pieces)
{
    (void)key, (void)cancel;
    *pieces = pieces_of(gapir_dump_of(dump)->replay->scan.packet_count);
    return 0;
}

int gapir_packets_piece(struct dump *dump, uint64_t key, uint64_t piece,
                        const struct cancel *cancel, struct text *text)
{
    uint64_t packets = gapir_dump_of(dump)->replay->scan.packet_count, first = piece * ROWS;

    (void)key;
    return write_packet_rows(dump, first, least(first + ROWS, packets), cancel, text);
}

static int packets_of_frame(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            uint64_t *first, uint64_t *end)
{
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);

    if (status != 0)
        return status;
    if (frame >= index->frame_count)
        return -ENOENT;
    *first = index->frames[frame].first_packet;
    *end = (uint64_t)index->frames[frame].last_packet + 1;
    return 0;
}

int gapir_frame_packets_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                               uint64_t *pieces)
{
    uint64_t first = 0, end = 0;
    int status = packets_of_frame(dump, key, cancel, &first, &end);

    *pieces = pieces_of(end - first);
    return status;
}

int gapir_frame_packets_piece(struct dump *dump, uint64_t key, uint64_t piece,
                              const struct cancel *cancel, struct text *text)
{
    uint64_t first, end;
    int status = packets_of_frame(dump, key, cancel, &first, &end);

    if (status != 0)
        return status;
    first += piece * ROWS;
    return write_packet_rows(dump, first, least(first + ROWS, end), cancel, text);
}

/* frames.tsv */

int gapir_frames_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "frame\tfirst\tlast\ttime\twidth\theight\tpost\tpc\tlabel\tformat\trows\tbytes\t"
                   "content\tend\n");
    return 0;
}

static void write_frame_row(struct dump *dump, const struct gapir_index *index, uint32_t number,
                            struct text *text)
{
    const struct gapir_frame_record *frame = &index->frames[number];
    const struct gapir_post_record *post =
        frame->post != GAPIR_NO_POST ? &index->posts[frame->post] : NULL;
    struct dump_frame description;

    if (dump->ops->frame(dump, number, &description) != 0)
        return;
    text_add_u64(text, number);
    add_cell(text, frame->first_packet);
    add_cell(text, frame->last_packet);
    add_word(text, "-"); /* there are no times */
    add_optional(text, description.width, 0);
    add_optional(text, description.height, 0);
    add_optional(text, frame->post, GAPIR_NO_POST);
    add_cell(text, frame->site.pc);
    add_label(text, frame->site.label);
    add_word(text, post != NULL ? post->shape.format->name : "-");
    add_word(text, post == NULL ? "-" : post->shape.bottom_up ? "bottom-up" : "top-down");
    add_optional(text, post != NULL ? post->bytes.size : UINT64_MAX, UINT64_MAX);
    add_word(text, post != NULL ? gapir_content_name(post->content) : "-");
    add_word(text, frame->end);
    text_add_char(text, '\n');
}

/* Rows of a table over the index; `write` adds row n. */
static int write_rows(struct dump *dump, uint64_t piece, const struct cancel *cancel,
                      uint64_t (*count)(const struct gapir_index *index),
                      void (*write)(struct dump *dump, const struct gapir_index *index, uint32_t n,
                                    struct text *text),
                      struct text *text)
{
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);

    if (status != 0)
        return status;
    uint64_t end = least((piece + 1) * ROWS, count(index));
    for (uint64_t n = piece * ROWS; n < end; n++)
        write(dump, index, (uint32_t)n, text);
    return 0;
}

static int count_pieces(struct dump *dump, uint64_t (*count)(const struct gapir_index *index),
                        const struct cancel *cancel, uint64_t *pieces)
{
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);

    *pieces = status == 0 ? pieces_of(count(index)) : 0;
    return status;
}

static uint64_t frame_rows(const struct gapir_index *index)
{
    return index->frame_count;
}

int gapir_frames_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        uint64_t *pieces)
{
    (void)key;
    return count_pieces(dump, frame_rows, cancel, pieces);
}

int gapir_frames_piece(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                       struct text *text)
{
    (void)key;
    return write_rows(dump, piece, cancel, frame_rows, write_frame_row, text);
}

/* Defines the listing `name` of `name_rows` rows that `write_name_row` writes. */
#define LISTING(name, header)                                                                      \
    static int name##_head(struct dump *dump, uint64_t key, struct text *text)                     \
    {                                                                                              \
        (void)dump, (void)key;                                                                     \
        text_add(text, header "\n");                                                               \
        return 0;                                                                                  \
    }                                                                                              \
    static int name##_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,         \
                             uint64_t *pieces)                                                     \
    {                                                                                              \
        (void)key;                                                                                 \
        return count_pieces(dump, name##_rows, cancel, pieces);                                    \
    }                                                                                              \
    static int name##_piece(struct dump *dump, uint64_t key, uint64_t piece,                       \
                            const struct cancel *cancel, struct text *text)                        \
    {                                                                                              \
        (void)key;                                                                                 \
        return write_rows(dump, piece, cancel, name##_rows, write_##name##_row, text);             \
    }                                                                                              \
    const struct dump_listing gapir_##name##_listing = {                                           \
        .head = name##_head, .pieces = name##_pieces, .piece = name##_piece}

/* posts.tsv */

static uint64_t posts_rows(const struct gapir_index *index)
{
    return index->post_count;
}

static void write_posts_row(struct dump *dump, const struct gapir_index *index, uint32_t n,
                            struct text *text)
{
    const struct gapir_post_record *post = &index->posts[n];
    const struct gapir_shape *shape = &post->shape;

    (void)dump;
    text_add_u64(text, n);
    add_site(text, &post->site);
    add_extent(text, &post->bytes);
    add_word(text, gapir_post_kind_name(post->kind));
    add_optional(text, shape->width, 0);
    add_optional(text, shape->height, 0);
    add_word(text, shape->format != NULL ? shape->format->name : "-");
    add_optional(text, post->frame, GAPIR_NO_FRAME);
    text_add_char(text, '\n');
}

LISTING(posts,
        "post\tpacket\tpc\tlabel\tbytes\tregion\toffset\tkind\twidth\theight\tformat\tframe");

/* notifications.tsv, fences.tsv */

static uint64_t notifications_rows(const struct gapir_index *index)
{
    return index->notification_count;
}

static void write_notifications_row(struct dump *dump, const struct gapir_index *index, uint32_t n,
                                    struct text *text)
{
    const struct gapir_notification_record *record = &index->notifications[n];

    (void)dump;
    text_add_u64(text, n);
    add_site(text, &record->site);
    add_cell(text, record->id);
    add_extent(text, &record->bytes);
    text_add_char(text, '\n');
}

LISTING(notifications, "notification\tpacket\tpc\tlabel\tid\tbytes\tregion\toffset");

static uint64_t fences_rows(const struct gapir_index *index)
{
    return index->fence_count;
}

static void write_fences_row(struct dump *dump, const struct gapir_index *index, uint32_t n,
                             struct text *text)
{
    (void)dump;
    text_add_u64(text, n);
    add_site(text, &index->fences[n].site);
    add_cell(text, index->fences[n].id);
    text_add_char(text, '\n');
}

LISTING(fences, "fence\tpacket\tpc\tlabel\tid");

/* memory/windows.tsv */

static uint64_t windows_rows(const struct gapir_index *index)
{
    return index->window_count;
}

static void write_windows_row(struct dump *dump, const struct gapir_index *index, uint32_t n,
                              struct text *text)
{
    const struct gapir_window *window = &index->windows[n];

    text_add_u64(text, n);
    text_printf(text, "\t0x%llx", (unsigned long long)window->address);
    add_cell(text, window->size);
    text_printf(text, "\t0x%llx", (unsigned long long)window->tag);
    add_word(text, window->mapped ? "yes" : "no");
    add_cell(text, window->written_from);
    add_cell(text, window->written_to);
    add_cell(text, gapir_scan_packet(&gapir_dump_of(dump)->replay->scan, window->pc));
    add_cell(text, window->pc);
    text_add_char(text, '\n');
}

LISTING(windows, "window\taddress\tbytes\tmemory\tmapped\twritten_from\twritten_to\tpacket\tpc");

/* opcodes.tsv */

static uint64_t opcodes_rows(const struct gapir_index *index)
{
    (void)index;
    return GAPIR_OPCODES;
}

static void write_opcodes_row(struct dump *dump, const struct gapir_index *index, uint32_t n,
                              struct text *text)
{
    text_add(text, gapir_opcode_table[n].name);
    add_cell(text, gapir_dump_of(dump)->replay->scan.histogram[n]);
    add_cell(text, index->executed[n]);
    text_add_char(text, '\n');
}

LISTING(opcodes, "opcode\tstatic\texecuted");

/* Tables over what the decode pass found. */

static const struct gapir_replay *replay_of(struct dump *dump)
{
    return gapir_dump_of(dump)->replay;
}

static int functions_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "api\tid\tname\tcalls\tfirst\n");
    return 0;
}

static int functions_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            uint64_t *pieces)
{
    (void)key, (void)cancel;
    *pieces = pieces_of(replay_of(dump)->scan.usage_count);
    return 0;
}

/* A usage's key is the word of its CALL without the bit for pushing. */
static void write_function_row(struct dump *dump, const struct gapir_index *index,
                               const struct gapir_usage *usage, struct text *text)
{
    const struct gapir_scan *scan = &replay_of(dump)->scan;
    const struct gapir_function_calls *calls = gapir_index_calls(index, scan, usage->key);
    bool called = calls != NULL && calls->calls != 0;

    text_add_u64(text, usage->key >> 16);
    text_printf(text, "\t0x%04x\t", usage->key & 0xffff);
    gapir_write_function(scan, usage->key, text);
    add_cell(text, called ? calls->calls : 0);
    add_optional(text, called ? calls->first_packet : GAPIR_NO_PACKET, GAPIR_NO_PACKET);
    text_add_char(text, '\n');
}

static int functions_piece(struct dump *dump, uint64_t key, uint64_t piece,
                           const struct cancel *cancel, struct text *text)
{
    const struct gapir_scan *scan = &replay_of(dump)->scan;
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);
    uint64_t end = least((piece + 1) * ROWS, scan->usage_count);

    (void)key;
    for (uint64_t n = piece * ROWS; n < end && status == 0; n++)
        write_function_row(dump, index, &scan->usages[n], text);
    return status;
}

const struct dump_listing gapir_functions_listing = {
    .head = functions_head, .pieces = functions_pieces, .piece = functions_piece};

static int resources_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "resource\tid\tbytes\tdata_offset\tstatus\tuses\tfirst\n");
    return 0;
}

static int resources_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            uint64_t *pieces)
{
    (void)key, (void)cancel;
    *pieces = pieces_of(replay_of(dump)->payload.resource_count);
    return 0;
}

static void write_resource_row(const struct gapir_replay *replay, uint32_t n, struct text *text)
{
    const struct gapir_resource *resource = &replay->resources[n];
    bool found = resource->status != GAPIR_RESOURCE_MISSING;

    text_add_u64(text, n);
    text_add_char(text, '\t');
    text_add_escaped(text, resource->id.data, resource->id.size);
    add_cell(text, resource->size);
    add_optional(text, found ? resource->offset : UINT64_MAX, UINT64_MAX);
    add_word(text, gapir_resource_status_name(resource->status));
    add_cell(text, replay->scan.resource_uses[n]);
    add_optional(text, replay->scan.resource_packets[n], GAPIR_NO_PACKET);
    text_add_char(text, '\n');
}

static int resources_piece(struct dump *dump, uint64_t key, uint64_t piece,
                           const struct cancel *cancel, struct text *text)
{
    const struct gapir_replay *replay = replay_of(dump);
    uint64_t end = least((piece + 1) * ROWS, replay->payload.resource_count);

    (void)key, (void)cancel;
    for (uint64_t n = piece * ROWS; n < end; n++)
        write_resource_row(replay, (uint32_t)n, text);
    return 0;
}

const struct dump_listing gapir_resources_listing = {
    .head = resources_head, .pieces = resources_pieces, .piece = resources_piece};
