/* SPDX-License-Identifier: MIT */
#include "tree/overview_board.h"

#include "tree/limits.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

void overview_write_head(struct board *board, const struct dump *dump, const char *what)
{
    const char *name = source_name(dump->source);
    const char *game = dump_game(dump);
    uint32_t width = board->canvas.width - 2 * OVERVIEW_MARGIN;
    struct text line = TEXT_INIT;

    board_write(board, OVERVIEW_MARGIN, OVERVIEW_MARGIN - 8, width, OVERVIEW_LARGE, name,
                strlen(name), BOARD_STRONG);
    text_add(&line, dump->format);
    if (game != NULL && *game != '\0')
        text_printf(&line, "  %s", game);
    text_printf(&line, "  %s", what);
    if (text_status(&line) == 0)
        board_write(board, OVERVIEW_MARGIN, OVERVIEW_MARGIN + 24, width, OVERVIEW_SMALL, line.bytes,
                    line.length, BOARD_FAINT);
    text_clear(&line);
}

static bool is_left_off(const struct overview_cells *cells, unsigned place)
{
    return (atomic_load(&cells->state->left_off) >> place & 1) != 0;
}

static int get_pixels(struct overview_cells *cells, unsigned place, uint64_t frame,
                      const uint32_t box[4], struct picture_pixels *out)
{
    int status = -ETIME;

    if (!is_left_off(cells, place))
        status = picture_batch_small(cells->dump->tree, frame, place + 1 == cells->count, box + 2,
                                     cells->cancel, out);
    if (status == -ETIME)
        atomic_fetch_or(&cells->state->left_off, UINT64_C(1) << place);
    return status;
}

static void write_absent(struct board *board, const uint32_t box[4], const char *words)
{
    uint32_t width = font_width(strlen(words)) * OVERVIEW_SMALL;
    uint32_t height = FONT_HEIGHT * OVERVIEW_SMALL;
    struct canvas *canvas = &board->canvas;
    int64_t x = (int64_t)box[0] + ((int64_t)box[2] - width) / 2;
    int64_t y = (int64_t)box[1] + ((int64_t)box[3] - height) / 2;

    canvas_hatch(canvas, box[0], box[1], box[2], box[3], BOARD_LINE);
    if (width + 2 * OVERVIEW_GAP > box[2] || height + OVERVIEW_GAP > box[3])
        return;
    canvas_fill(canvas, x - OVERVIEW_GAP / 2, y - 4, width + OVERVIEW_GAP, height + 8, BOARD_PANEL);
    board_write(board, x, y, box[2], OVERVIEW_SMALL, words, strlen(words), BOARD_FAINT);
}

int overview_place_frame(struct overview_cells *cells, unsigned place, uint64_t frame,
                         const uint32_t box[4])
{
    struct board *board = cells->board;
    struct picture_pixels pixels;
    int status = get_pixels(cells, place, frame, box, &pixels);

    if (status == -EINTR)
        return status;
    if (status == -EAGAIN)
        return -EIO;
    canvas_fill(&board->canvas, box[0], box[1], box[2], box[3], BOARD_PANEL);
    if (status < 0) {
        write_absent(board, box, status == -ETIME ? "left off" : "no picture");
        return 0;
    }
    status = board_place(board, &pixels, box[0], box[1], box[2], box[3]);
    picture_pixels_clear(&pixels);
    cells->made += status == 0;
    return status;
}

void overview_tell(struct tree *tree, struct overview_state *state, const char *what)
{
    if (!atomic_exchange(&state->told, true))
        limits_tell_left_off(tree, what);
}

int overview_size(const struct dump *dump, uint32_t width, uint32_t height, uint64_t *size)
{
    const struct picture_header header = {.width = width, .height = height, .colour = PICTURE_RGB};

    if (dump->options->png == PICTURE_SMALL)
        return -ENODATA;
    *size = picture_size(&header);
    return *size == 0 ? -EFBIG : 0;
}

void overview_add_count(struct text *text, unsigned shown, uint64_t count)
{
    if (shown == count)
        text_printf(text, "%" PRIu64 " frame%s", count, count == 1 ? "" : "s");
    else
        text_printf(text, "%u of %" PRIu64 " frames, evenly chosen", shown, count);
}

void overview_add_left_off(struct text *text, const struct overview_state *state)
{
    int left_off = __builtin_popcountll(atomic_load(&state->left_off));

    if (left_off > 0)
        text_printf(text, "; %d left off, since the time is used up (-o max-seconds)", left_off);
}
