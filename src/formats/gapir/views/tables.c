#include "formats/gapir/views/views.h"

enum { ROWS = 1024 }; /* of one piece */

static uint64_t pieces_of(uint64_t rows)
{
    return (rows + ROWS - 1) / ROWS;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
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
    uint64_t end = min_u64((piece + 1) * ROWS, count(index));
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
    const struct gapir_framebuffer_shape *shape = &post->shape;

    (void)dump;
    text_add_u64(text, n);
    gapir_cells_site(text, &post->site);
    gapir_cells_extent(text, &post->bytes);
    text_cell_word(text, gapir_post_kind_name(post->kind));
    text_cell_or_none(text, shape->width != 0, shape->width);
    text_cell_or_none(text, shape->height != 0, shape->height);
    text_cell_word(text, shape->format != NULL ? shape->format->name : "-");
    text_cell_or_none(text, post->frame != GAPIR_NO_FRAME, post->frame);
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
    gapir_cells_site(text, &record->site);
    text_cell(text, record->id);
    gapir_cells_extent(text, &record->bytes);
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
    gapir_cells_site(text, &index->fences[n].site);
    text_cell(text, index->fences[n].id);
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
    text_cell(text, window->size);
    text_printf(text, "\t0x%llx", (unsigned long long)window->tag);
    text_cell_word(text, window->mapped ? "yes" : "no");
    text_cell(text, window->written_from);
    text_cell(text, window->written_to);
    text_cell(text, gapir_scan_packet(&gapir_dump_of(dump)->replay->scan, window->pc));
    text_cell(text, window->pc);
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
    text_cell(text, gapir_dump_of(dump)->replay->scan.histogram[n]);
    text_cell(text, index->executed[n]);
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
    text_cell(text, called ? calls->calls : 0);
    text_cell_or_none(text, called && calls->first_packet != GAPIR_NO_PACKET,
                      called ? calls->first_packet : 0);
    text_add_char(text, '\n');
}

static int functions_piece(struct dump *dump, uint64_t key, uint64_t piece,
                           const struct cancel *cancel, struct text *text)
{
    const struct gapir_scan *scan = &replay_of(dump)->scan;
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);
    uint64_t end = min_u64((piece + 1) * ROWS, scan->usage_count);

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
    text_cell_escaped(text, resource->id.data, resource->id.size);
    text_cell(text, resource->size);
    text_cell_or_none(text, found, found ? resource->offset : 0);
    text_cell_word(text, gapir_resource_status_name(resource->status));
    text_cell(text, replay->scan.resource_uses[n]);
    text_cell_or_none(text, replay->scan.resource_packets[n] != GAPIR_NO_PACKET,
                      replay->scan.resource_packets[n]);
    text_add_char(text, '\n');
}

static int resources_piece(struct dump *dump, uint64_t key, uint64_t piece,
                           const struct cancel *cancel, struct text *text)
{
    const struct gapir_replay *replay = replay_of(dump);
    uint64_t end = min_u64((piece + 1) * ROWS, replay->payload.resource_count);

    (void)key, (void)cancel;
    for (uint64_t n = piece * ROWS; n < end; n++)
        write_resource_row(replay, (uint32_t)n, text);
    return 0;
}

const struct dump_listing gapir_resources_listing = {
    .head = resources_head, .pieces = resources_pieces, .piece = resources_piece};

bool gapir_is_command(uint32_t label)
{
    return label != GAPIR_LABEL_START && label != GAPIR_LABEL_NONE;
}

void gapir_cell_label(struct text *text, uint32_t label)
{
    text_cell_or_none(text, gapir_is_command(label), label);
}

void gapir_write_region(const struct gapir_extent *extent, struct text *text)
{
    static const char *const names[] = {"-", "constants", "volatile", "window:"};

    text_add(text, names[extent->region]);
    if (extent->region == GAPIR_WINDOW)
        text_add_u64(text, extent->window);
}

void gapir_cells_extent(struct text *text, const struct gapir_extent *extent)
{
    text_cell(text, extent->size);
    text_add_char(text, '\t');
    gapir_write_region(extent, text);
    text_cell(text, extent->offset);
}

void gapir_cells_site(struct text *text, const struct gapir_site *site)
{
    text_cell(text, site->packet);
    text_cell(text, site->pc);
    gapir_cell_label(text, site->label);
}

void gapir_field_label(struct text *text, uint32_t label)
{
    text_add(text, "label: ");
    gapir_write_label(label, text);
    text_add_char(text, '\n');
}
