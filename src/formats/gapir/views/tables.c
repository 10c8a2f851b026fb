/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

/* Counts the rows of a table over the index. */
static int count_rows(struct dump *dump, uint64_t (*count)(const struct gapir_index *index),
                      const struct cancel *cancel, uint64_t *rows)
{
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);

    *rows = status == 0 ? count(index) : 0;
    return status;
}

/* Writes rows of a table over the index; `write` appends row n. */
static int write_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                      void (*write)(struct dump *dump, const struct gapir_index *index, uint32_t n,
                                    struct text *text),
                      struct text *text)
{
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);

    for (uint64_t n = first; n < end && status == 0; n++)
        write(dump, index, (uint32_t)n, text);
    return status;
}

/* Defines the listing `name`: name##_rows() counts its rows, write_##name##_row() writes one. */
#define LISTING(name, names)                                                                       \
    static int count_##name(struct dump *dump, uint64_t key, const struct cancel *cancel,          \
                            uint64_t *rows)                                                        \
    {                                                                                              \
        (void)key;                                                                                 \
        return count_rows(dump, name##_rows, cancel, rows);                                        \
    }                                                                                              \
    static int write_##name(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,         \
                            const struct cancel *cancel, struct text *text)                        \
    {                                                                                              \
        (void)key;                                                                                 \
        return write_rows(dump, first, end, cancel, write_##name##_row, text);                     \
    }                                                                                              \
    const struct dump_listing gapir_##name##_listing = {                                           \
        .columns = names, .count = count_##name, .rows = write_##name}

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

/* Tables over the results of the decode pass. */

static const struct gapir_replay *replay_of(struct dump *dump)
{
    return gapir_dump_of(dump)->replay;
}

static int count_functions(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = replay_of(dump)->scan.usage_count;
    return 0;
}

/* A usage's key is the word of its CALL without the code and the bit for pushing. */
static void write_function_row(struct dump *dump, const struct gapir_index *index, uint32_t n,
                               struct text *text)
{
    const struct gapir_scan *scan = &replay_of(dump)->scan;
    const struct gapir_usage *usage = &scan->usages[n];
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

static int write_functions(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                           const struct cancel *cancel, struct text *text)
{
    (void)key;
    return write_rows(dump, first, end, cancel, write_function_row, text);
}

const struct dump_listing gapir_functions_listing = {
    .columns = "api\tid\tname\tcalls\tfirst", .count = count_functions, .rows = write_functions};

static int count_resources(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = replay_of(dump)->payload.resource_count;
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

static int write_resources(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                           const struct cancel *cancel, struct text *text)
{
    (void)key, (void)cancel;
    for (uint64_t n = first; n < end; n++)
        write_resource_row(replay_of(dump), (uint32_t)n, text);
    return 0;
}

const struct dump_listing gapir_resources_listing = {
    .columns = "resource\tid\tbytes\tdata_offset\tstatus\tuses\tfirst",
    .count = count_resources,
    .rows = write_resources};

/* Helpers shared by tables and texts. */

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
