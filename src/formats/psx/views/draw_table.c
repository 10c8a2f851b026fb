/*
 * draws.tsv: a frame's drawing commands as rows, numbered and taken apart as in
 * commands.txt. The last column is what only a replay can tell; its width is fixed.
 */
#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/frame_trace.h"
#include "formats/psx/views/command_lines.h"
#include "formats/psx/views/commands.h"
#include "formats/psx/views/frame_files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct rows {
    struct psx_lines lines;    /* text, cancel, and room for a polyline */
    const struct blob *pixels; /* NULL: zeros will do */
};

static int table_head(struct dump *dump, uint64_t frame, struct text *text)
{
    (void)dump;
    (void)frame;
    text_add(text,
             "draw\tpacket\tkind\tvertices\tcolours\tpage\tclut\tblend\tarea\tcommand\top\tuv\t"
             "depth\twindow\tdither\tmask\tsize\traw\tbox\tcull\tword\tpixels\n");
    return 0;
}

static void add_rgb(struct text *text, uint32_t colour)
{
    text_add_hex(text, (colour & 0xFF) << 16 | (colour & 0xFF00) | (colour >> 16 & 0xFF), 6);
}

static void add_pair(struct text *text, int64_t a, int64_t b)
{
    text_add_i64(text, a);
    text_add_char(text, ',');
    text_add_i64(text, b);
}

/* Vertices, then colours. */
static void add_vertices(struct text *text, const struct psx_vertex *vertices, uint64_t count,
                         bool gouraud)
{
    unsigned listed = count < PSX_POLYLINE_LISTED ? (unsigned)count : PSX_POLYLINE_LISTED;

    for (unsigned i = 0; i < listed; i++) {
        text_add(text, i > 0 ? "/" : "");
        add_pair(text, vertices[i].x, vertices[i].y);
    }
    if (count > listed)
        text_printf(text, "/+%" PRIu64, count - listed);
    text_add_char(text, '\t');
    for (unsigned i = 0; i < (gouraud ? listed : 1); i++) {
        text_add(text, i > 0 ? "/" : "");
        add_rgb(text, vertices[i].colour);
    }
    text_add_char(text, '\t');
}

static void add_shape(struct text *text, const struct psx_command *command,
                      const struct psx_draw *draw)
{
    switch (draw->kind) {
    case GP0_POLYLINE:
        add_vertices(text, command->polyline->listed, command->polyline->vertices, draw->gouraud);
        break;
    case GP0_FILL:
        add_pair(text, draw->x, draw->y);
        text_add_char(text, '\t');
        add_rgb(text, draw->vertex[0].colour);
        text_add_char(text, '\t');
        break;
    case GP0_COPY:
        add_pair(text, draw->from_x, draw->from_y);
        text_add_char(text, '/');
        add_pair(text, draw->x, draw->y);
        text_add(text, "\t-\t");
        break;
    default:
        add_vertices(text, draw->vertex, draw->vertex_count, draw->gouraud);
        break;
    }
}

static void add_number_or_none(struct text *text, bool is_there, uint64_t number)
{
    if (is_there)
        text_add_u64(text, number);
    else
        text_add_char(text, '-');
    text_add_char(text, '\t');
}

static void add_page(struct text *text, const struct psx_draw *draw)
{
    add_number_or_none(text, draw->textured, draw->page);
    if (draw->depth <= PSX_DEPTH_8)
        text_add_hex(text, draw->clut, 4);
    else
        text_add(text, draw->textured ? "none" : "-");
    text_add_char(text, '\t');
    add_number_or_none(text, draw->semi, draw->blend);
}

static void add_uv(struct text *text, const struct psx_draw *draw)
{
    static const char *const depths[] = {"4", "8", "15", "-"};

    for (unsigned i = 0; draw->textured && i < draw->vertex_count; i++) {
        text_add(text, i > 0 ? "/" : "");
        add_pair(text, draw->vertex[i].u, draw->vertex[i].v);
    }
    text_add(text, draw->textured ? "\t" : "-\t");
    text_add(text, depths[draw->depth]);
    text_add_char(text, '\t');
}

static void add_modes(struct text *text, const struct psx_draw *draw,
                      const struct psx_registers *registers)
{
    uint32_t window = registers->e[2], mask = registers->e[6];
    bool has_size = draw->kind == GP0_RECTANGLE || draw->kind == GP0_FILL || draw->kind == GP0_COPY;

    if (draw->textured) {
        add_pair(text, (window & 0x1F) * 8, (window >> 5 & 0x1F) * 8);
        text_add_char(text, ',');
        add_pair(text, (window >> 10 & 0x1F) * 8, (window >> 15 & 0x1F) * 8);
    } else {
        text_add_char(text, '-');
    }
    text_printf(text, "\t%d\t%u,%u\t", draw->dither, mask & 1, mask >> 1 & 1);
    if (has_size)
        add_pair(text, draw->width, draw->height);
    else
        text_add_char(text, '-');
    text_printf(text, "\t%d\t", draw->raw);
}

static void add_box(struct text *text, const struct psx_command *command,
                    const struct psx_draw *draw)
{
    static const char *const reasons[] = {
        [PSX_CULL_NO] = "-",
        [PSX_CULL_SIZE] = "size",
        [PSX_CULL_CLIP] = "clip",
        [PSX_CULL_EMPTY] = "empty",
    };
    struct psx_box box;
    enum psx_cull cull = psx_draw_box(draw, &command->registers, &box);

    if (draw->kind == GP0_POLYLINE) {
        box = command->polyline->box;
        cull = command->polyline->cull;
    }
    if (cull == PSX_CULL_NO) {
        add_pair(text, box.x, box.y);
        text_add_char(text, ',');
        add_pair(text, box.width, box.height);
    } else {
        text_add_char(text, '-');
    }
    text_add_char(text, '\t');
    text_add(text, reasons[cull]);
}

static uint32_t pixels_of(const struct blob *pixels, uint64_t draw)
{
    if (pixels == NULL || draw >= pixels->size / 4)
        return 0;

    uint32_t count;

    memcpy(&count, pixels->data + 4 * draw, sizeof(count));
    return count;
}

static void write_row(const struct rows *rows, const struct psx_walk *walk,
                      const struct psx_step *step, const struct psx_command *command)
{
    struct text *text = rows->lines.text;
    struct psx_area area = psx_registers_area(&command->registers);
    struct psx_draw draw;

    psx_draw_decode(&command->event, &command->registers, &draw);
    text_printf(text, "%" PRIu32 "\t%" PRIu64 "\t%s\t", walk->at.draws, step->number,
                psx_gp0_table[command->op].name);
    add_shape(text, command, &draw);
    add_page(text, &draw);
    text_printf(text, "%d,%d,%d,%d\t%" PRIu32 "\t%02X\t", area.x0, area.y0, area.x1, area.y1,
                walk->at.lines, command->op);
    add_uv(text, &draw);
    add_modes(text, &draw, &command->registers);
    add_box(text, command, &draw);
    text_printf(text, "\t%" PRIu32 "\t%010" PRIu32 "\n", step->word,
                pixels_of(rows->pixels, walk->at.draws));
}

static int write_step(const struct rows *rows, const struct psx_walk *walk,
                      const struct psx_step *step)
{
    struct psx_command command = {.polyline = rows->lines.polyline};
    uint64_t end_packet = 0;
    int status = 0;

    if (step->kind != PSX_STEP_GP0 || !step->event.begins ||
        !psx_kind_draws(psx_gp0_table[step->packet.payload[4 * (uint64_t)step->word + 3]].kind))
        return 0;
    status = psx_command_follow(walk, step, rows->lines.cancel, &command, &end_packet);
    if (status == 0 && command.carried_out)
        write_row(rows, walk, step, &command);
    return status;
}

static int write_rows(struct psx_dump *dump, uint64_t checkpoint, const struct rows *rows)
{
    struct psx_parser_state start, end;
    struct psx_walk walk;
    struct psx_step step;
    int status = 0;

    psx_parser_states_get(&dump->index.checkpoints, checkpoint, &start);
    psx_parser_states_get(&dump->index.checkpoints, checkpoint + 1, &end);
    psx_walk_resume(&walk, &dump->index, &start);
    while (status == 0 && psx_parser_state_is_before(&walk.at, end.packet, end.word) &&
           psx_walk_next(&walk, &step)) {
        status = write_step(rows, &walk, &step);
        psx_walk_apply(&walk, &step);
        if (cancel_requested(rows->lines.cancel))
            status = -EINTR;
    }
    return status;
}

static int write_piece(struct dump *dump, uint64_t frame, uint64_t piece, bool measured,
                       const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct blob *pixels = NULL;
    struct rows rows;
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    if (status == 0 && !measured)
        status = psx_frame_trace_pixels(psx, frame, cancel, &pixels);
    if (status != 0)
        return status;
    rows.pixels = pixels;
    status = psx_lines_init(&rows.lines, text, cancel, 0, counts);
    if (status == 0)
        status = write_rows(psx, psx->index.frame_checkpoints[frame] + piece, &rows);
    psx_lines_clear(&rows.lines);
    blob_unref(&pixels);
    return status;
}

static int table_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text)
{
    return write_piece(dump, frame, piece, false, cancel, text);
}

static int table_measure(struct dump *dump, uint64_t frame, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    return write_piece(dump, frame, piece, true, cancel, text);
}

const struct dump_listing psx_draw_table = {.head = table_head,
                                            .pieces = psx_commands_pieces,
                                            .piece = table_piece,
                                            .measure = table_measure};
