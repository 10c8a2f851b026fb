/* SPDX-License-Identifier: MIT */
#include "tree/tables.h"

#include "tests/support/fake.h"
#include "tests/support/support.h"
#include "tests/support/tree_play.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Writes rows of the fake's packets. */
static int packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                       struct text *text)
{
    struct dump_packet packet = {0};
    int status = 0;

    (void)cancel;
    for (uint64_t n = first; n < end && status == 0; n++) {
        status = dump->ops->packet(dump, n, &packet);
        packet.type = n % 4;
        packet.frame = n == 0 ? DUMP_NO_FRAME : packet.frame;
        tables_packet(dump, n, &packet, text);
        text_cell(text, n * n);
        text_add_char(text, '\n');
    }
    return status;
}

static int frame_cells(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct text *text)
{
    (void)dump, (void)cancel;
    text_cell_word(text, frame % 2 == 0 ? "even" : "odd");
    return 0;
}

static void in_words(struct dump *dump, uint32_t type, struct text *text)
{
    (void)dump;
    text_printf(text, "kind-%" PRIu32, type);
}

static struct dump_ops ops; /* those of the fake, with tables */

static struct fake *create(uint64_t packets)
{
    struct fake *fake = fake_create(packets);

    ops = *fake->dump.ops;
    ops.tables.packet_columns = "square";
    ops.tables.packet_rows = packet_rows;
    ops.tables.frame_columns = "parity";
    ops.tables.frame_cells = frame_cells;
    fake->dump.ops = &ops;
    return fake;
}

/* Returns the complete listing, to be freed with free(). Stores the number of its pieces. */
static char *write_all(struct fake *fake, const struct dump_listing *listing, uint64_t key,
                       uint64_t *pieces)
{
    uint64_t of_piece = listing->piece_rows != 0 ? listing->piece_rows : DUMP_PIECE_ROWS, rows = 0;
    struct text text = TEXT_INIT;

    assert_int_equal(listing->head(&fake->dump, key, &text), 0);
    assert_int_equal(listing->count(&fake->dump, key, NULL, &rows), 0);
    for (uint64_t first = 0; first < rows; first += of_piece) {
        uint64_t end = rows - first < of_piece ? rows : first + of_piece;

        assert_int_equal(listing->rows(&fake->dump, key, first, end, NULL, &text), 0);
    }
    *pieces = (rows + of_piece - 1) / of_piece;
    text_add_char(&text, '\0');
    assert_int_equal(text_status(&text), 0);
    return text.bytes;
}

static void expect(struct fake *fake, const struct dump_listing *listing, uint64_t key,
                   const char *expected)
{
    uint64_t pieces = 0;
    char *text = write_all(fake, listing, key, &pieces);

    assert_string_equal(text, expected);
    free(text);
}

static void an_empty_dump_has_heads_alone(void **state)
{
    struct fake *fake = create(0);

    (void)state;
    expect(fake, &tables_packets, 0, "packet\toffset\tbytes\ttype\tname\tframe\tsquare\n");
    expect(fake, &tables_frames, 0, "frame\tfirst\tlast\ttime\twidth\theight\tparity\n");
    fake_free(fake);
}

static void columns_of_the_format_stand_behind_the_common_ones(void **state)
{
    struct fake *fake = create(6);

    (void)state;
    expect(fake, &tables_frame_packets, 1,
           "packet\toffset\tbytes\ttype\tname\tframe\tsquare\n"
           "4\t32\t8\t0\tgp0\t1\t16\n"
           "5\t40\t8\t1\tgp0\t1\t25\n");
    ops.tables.packet_columns = NULL;
    expect(fake, &tables_frames, 0,
           "frame\tfirst\tlast\ttime\twidth\theight\tparity\n"
           "0\t0\t3\t-\t3\t2\teven\n"
           "1\t4\t5\t0.016667\t4\t2\todd\n");
    fake_free(fake);
}

static void what_is_not_there_is_a_dash(void **state)
{
    struct fake *fake = create(40);
    uint64_t pieces = 0;
    char *text;

    (void)state;
    ops.recording.frame_time = NULL;
    text = write_all(fake, &tables_frames, 0, &pieces);
    assert_non_null(strstr(text, "\n4\t16\t19\t-\t-\t-\teven\n")); /* has no picture */
    free(text);
    ops.tables.packet_type = in_words;
    text = write_all(fake, &tables_packets, 0, &pieces);
    assert_non_null(strstr(text, "\tkind-0\t"));
    assert_non_null(strstr(text, "\t-\t0\n1\t"));
    free(text);
    fake_free(fake);
}

static unsigned cells_made;

static int slow_cells(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct text *text)
{
    (void)dump, (void)cancel;
    cells_made++;
    text_add_char(text, '\t');
    text_add_padded(text, frame + 17, 4);
    return 0;
}

static int measure_cells(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct text *text)
{
    (void)dump, (void)frame, (void)cancel;
    text_add(text, "\t0000");
    return 0;
}

static void cells_that_take_long_are_not_made_for_a_length(void **state)
{
    struct fake *fake = create(6);
    struct tree *tree;
    struct tree_file *file;
    struct tree_window window;
    int64_t size;

    (void)state;
    ops.tables.frame_cells = slow_cells;
    ops.tables.measure_frame_cells = measure_cells;
    ops.tables.frame_table = (struct dump_listing){0};
    cells_made = 0;
    tree = fake_tree(fake, 0);
    size = play_size(tree, "/frames.tsv");
    assert_int_equal(cells_made, 0);
    file = play_open(tree, "/frames.tsv");
    assert_int_equal(tree_read(file, 0, SIZE_MAX, NULL, &window), 0);
    assert_int_equal(window.length, size);
    assert_memory_equal(window.data + window.length - 6, "\t0018\n", 6);
    assert_int_equal(cells_made, 2);
    blob_unref(&window.blob);
    tree_close(&file);
    tree_destroy(&tree);
    fake_free(fake);
}

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;

    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

static void long_tables_have_several_pieces(void **state)
{
    struct fake *fake = create(4 * 1000 + 1);
    uint64_t pieces = 0;
    char *text = write_all(fake, &tables_packets, 0, &pieces);

    (void)state;
    assert_int_equal(pieces, 4);
    assert_int_equal(count_lines(text), 4002);
    assert_non_null(strstr(text, "\n4000\t"));
    free(text);
    text = write_all(fake, &tables_frames, 0, &pieces);
    assert_int_equal(pieces, 4);
    assert_int_equal(count_lines(text), 1002);
    free(text);
    fake_free(fake);
}

static bool known;
static unsigned preparations;
static int preparation;

static uint64_t late_frames(const struct dump *dump)
{
    return known ? ((const struct fake *)dump)->frames : DUMP_NOT_KNOWN;
}

static int late_frame(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    (void)dump;
    *out = (struct dump_frame){.first_packet = 1, .last_packet = 0}; /* an empty frame */
    return !known ? -EAGAIN : number < 2 ? 0 : -ENOENT;
}

static int prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    (void)dump, (void)rule, (void)key, (void)cancel;
    preparations++;
    known = preparation == 0;
    return preparation;
}

static void what_is_not_known_is_waited_for(void **state)
{
    struct fake *fake = create(8);
    uint64_t rows = 1;

    (void)state;
    known = false;
    ops.frames = late_frames;
    ops.frame = late_frame;
    ops.readiness.prepare = prepare;
    preparation = -ENOMEM;
    assert_int_equal(tables_frames.count(&fake->dump, 0, NULL, &rows), -ENOMEM);
    assert_int_equal(rows, 0);
    assert_int_equal(tables_frame_packets.count(&fake->dump, 0, NULL, &rows), -ENOMEM);
    preparation = 0;
    expect(fake, &tables_frame_packets, 0,
           "packet\toffset\tbytes\ttype\tname\tframe\tsquare\n"); /* the frame has no packets */
    assert_int_equal(tables_frame_packets.count(&fake->dump, 2, NULL, &rows), -ENOENT);
    known = false;
    ops.recording.frame_time = NULL;
    expect(fake, &tables_frames, 0,
           "frame\tfirst\tlast\ttime\twidth\theight\tparity\n"
           "0\t-\t-\t-\t-\t-\teven\n1\t-\t-\t-\t-\t-\todd\n");
    assert_int_equal(preparations, 4);
    fake_free(fake);
}

static void a_cancelled_caller_leaves(void **state)
{
    struct fake *fake = create(100);
    struct text text = TEXT_INIT;
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(tables_frames.rows(&fake->dump, 0, 0, 100, &cancel, &text), -EINTR);
    text_clear(&text);
    fake_free(fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_dump_has_heads_alone),
        cmocka_unit_test(columns_of_the_format_stand_behind_the_common_ones),
        cmocka_unit_test(what_is_not_there_is_a_dash),
        cmocka_unit_test(cells_that_take_long_are_not_made_for_a_length),
        cmocka_unit_test(long_tables_have_several_pieces),
        cmocka_unit_test(what_is_not_known_is_waited_for),
        cmocka_unit_test(a_cancelled_caller_leaves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
