/* SPDX-License-Identifier: MIT */
#include "tree/scripts.h"

#include "tests/support/fake.h"
#include "tests/support/support.h"
#include "tests/support/tree_play.h"

#include "tree/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void expect_script(const char *bytes, size_t length, const char *expected)
{
    struct text text = TEXT_INIT;

    scripts_add_string(&text, bytes, length);
    assert_int_equal(text_status(&text), 0);
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(text.bytes, expected, text.length);
    text_clear(&text);
}

static void strings_end_neither_themselves_nor_a_script(void **state)
{
    (void)state;
    expect_script("", 0, "\"\"");
    expect_script("plain \xC3\xA9", 8, "\"plain \xC3\xA9\"");
    expect_script("\"\\\n", 3, "\"\\u0022\\u005C\\u000A\"");
    expect_script("</script><!--", 13, "\"\\u003C/script>\\u003C!--\"");
    expect_script("\xE2\x80\xA8\xE2\x80\xAE", 6, "\"\\u2028\\u202E\"");
    expect_script("\xFF|\xC3", 3, "\"\xEF\xBF\xBD|\xEF\xBF\xBD\"");
    expect_script("\0", 1, "\"\\u0000\"");
}

/* Writes cells of each kind, the same for each frame. */
static int frame_cells(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct text *text)
{
    (void)dump, (void)frame, (void)cancel;
    text_add(text, "\t-\t-7\t007\t123456789012345\t1234567890123456\t1.5\t-0\t</script>");
    return 0;
}

static int packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                       struct text *text)
{
    struct dump_packet packet = {0};
    int status = 0;

    (void)cancel;
    for (uint64_t n = first; n < end && status == 0; n++) {
        status = dump->ops->packet(dump, n, &packet);
        tables_packet(dump, n, &packet, text);
        text_add_char(text, '\n');
    }
    return status;
}

static struct dump_ops ops; /* those of the fake, with tables */

static struct fake *create(uint64_t packets)
{
    struct fake *fake = fake_create(packets);

    ops = *fake->dump.ops;
    ops.tables.packet_table = ops.tables.frame_table = (struct dump_listing){0};
    ops.tables.packet_rows = packet_rows;
    ops.tables.frame_columns = "a\tb\tc\td\te\tf\tg\th";
    ops.tables.frame_cells = frame_cells;
    fake->dump.ops = &ops;
    return fake;
}

/* Returns a complete file, with a NUL after it, to be freed with free(). */
static char *read_all(struct tree *tree, const char *path)
{
    int64_t size = play_size(tree, path);
    char *bytes = calloc(1, (size_t)size + 1);
    struct tree_file *file = play_open(tree, path);
    struct tree_window window;

    assert_true(size >= 0);
    for (uint64_t at = 0; at < (uint64_t)size; at += window.length) {
        assert_int_equal(tree_read(file, at, (size_t)size, NULL, &window), 0);
        assert_true(window.length > 0);
        memcpy(bytes + at, window.data, window.length);
        blob_unref(&window.blob);
    }
    tree_close(&file);
    return bytes;
}

static void expect_holds(struct tree *tree, const char *path, const char *part)
{
    char *bytes = read_all(tree, path);

    if (strstr(bytes, part) == NULL)
        fail_msg("%s lacks %s: %s", path, part, bytes);
    free(bytes);
}

static void cells_are_typed(void **state)
{
    struct fake *fake = create(4);
    struct tree *tree = fake_tree(fake, 0);

    (void)state;
    expect_holds(tree, "/frames.tsv.0.js",
                 "gpudumpfsPiece({\"name\":\"frames.tsv\",\"frame\":null,\"piece\":0,\"pieces\":1");
    expect_holds(tree, "/frames.tsv.0.js", "\"columns\":[\"frame\",\"first\",\"last\"");
    expect_holds(tree, "/frames.tsv.0.js",
                 ",null,-7,\"007\",123456789012345,\"1234567890123456\",\"1.5\",\"-0\","
                 "\"\\u003C/script>\"]");
    tree_destroy(&tree);
    fake_free(fake);
}

static void each_piece_is_a_file_and_there_are_no_more(void **state)
{
    struct fake *fake = create(2 * DUMP_PIECE_ROWS + 1);
    struct tree *tree = fake_tree(fake, 0);
    uint64_t inode;

    (void)state;
    expect_holds(tree, "/packets.tsv.0.js", "\"pieces\":3,\"rows\":2049,\n\"columns\":");
    expect_holds(tree, "/packets.tsv.1.js",
                 "\"piece\":1,\"pieces\":3,\"rows\":2049,\n\"cells\":[\n"
                 "[1024,");
    expect_holds(tree, "/packets.tsv.2.js", "\"cells\":[\n[2048,");
    assert_int_equal(play_size(tree, "/packets.tsv.3.js"), -ENOENT);
    assert_int_equal(play_size(tree, "/metadata.json.1.js"), -ENOENT);
    assert_int_equal(tree_find(tree, "/packets.tsv.01.js", true, &inode), -ENOENT);
    assert_int_equal(tree_find(tree, "/packets.tsv..js", true, &inode), -ENOENT);
    assert_int_equal(tree_find(tree, "/packets.0.js", true, &inode), -ENOENT);
    assert_int_equal(tree_find(tree, "/packets.tsv.99999999.js", true, &inode), -ENOENT);
    assert_int_equal(tree_find(tree, "/latest.png.0.js", true, &inode), -ENOENT);
    assert_int_equal(tree_find(tree, "/by-frame.0.js", true, &inode), -ENOENT);
    tree_destroy(&tree);
    fake_free(fake);
}

static void lines_of_a_text_tell_their_packets(void **state)
{
    struct fake *fake = create(40);
    struct tree *tree = fake_tree(fake, 0);

    (void)state;
    expect_holds(tree, "/by-frame/000001/commands.txt.0.js", "\"frame\":1,\"piece\":0");
    expect_holds(tree, "/by-frame/000001/commands.txt.0.js", "\"packets\":[");
    expect_holds(tree, "/by-frame/000001/info.txt.0.js", "\"lines\":[\n\"frame: 000001\"");
    expect_holds(tree, "/metadata.json.0.js", "\"lines\":[\n\"{\"");
    expect_holds(tree, "/problems.txt.0.js", "\"lines\":[]");
    tree_destroy(&tree);
    fake_free(fake);
}

static void problems_are_those_of_the_moment(void **state)
{
    struct fake *fake = create(4);
    struct tree *tree = fake_tree(fake, 0);

    (void)state;
    expect_holds(tree, "/problems.txt.0.js", "\"lines\":[]");
    problems_add(fake->problems, PROBLEM_WARNING, 7, 2, "<b>new</b>");
    expect_holds(tree, "/problems.txt.0.js", "\\u003Cb>new\\u003C/b>\"");
    tree_destroy(&tree);
    fake_free(fake);
}

static bool expect_no_script(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                             uint64_t next)
{
    const size_t length = strlen(name), suffix = strlen(".js");

    (void)context, (void)inode, (void)kind, (void)next;
    assert_true(length < suffix || strcmp(name + length - suffix, ".js") != 0);
    return true;
}

static void they_are_not_listed(void **state)
{
    struct fake *fake = create(4);
    struct tree *tree = fake_tree(fake, 0);
    uint64_t cursor = 0;

    (void)state;
    assert_int_equal(tree_list(tree, TREE_ROOT, &cursor, expect_no_script, NULL), 0);
    cursor = 0;
    assert_int_equal(
        tree_list(tree, play_find(tree, "/by-frame/000000"), &cursor, expect_no_script, NULL), 0);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_page_is_told_the_names_that_there_are(void **state)
{
    struct fake *fake = create(4);
    struct tree *tree = fake_tree(fake, 0);

    (void)state;
    expect_holds(tree, "/.gpudumpfs/dump.js", "gpudumpfsDump({\n\"program\":\"gpudumpfs ");
    expect_holds(tree, "/.gpudumpfs/dump.js", "\"packets\":4,\n\"packetDigits\":8,\n\"frames\":");
    expect_holds(tree, "/.gpudumpfs/dump.js",
                 "[\"by-frame/NNNNNN/info.txt\",\"a summary of the frame");
    expect_holds(tree, "/.gpudumpfs/dump.js", "[\"things/NN-NAME/notes.txt\",");
    expect_holds(tree, "/index.html", "<script src=\".gpudumpfs/page.js\"");
    expect_holds(tree, "/by-frame/000000/index.html", "<script src=\"../../.gpudumpfs/page.js\"");
    expect_holds(tree, "/index.html", "Content-Security-Policy");
    tree_destroy(&tree);
    fake_free(fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_end_neither_themselves_nor_a_script),
        cmocka_unit_test(cells_are_typed),
        cmocka_unit_test(each_piece_is_a_file_and_there_are_no_more),
        cmocka_unit_test(lines_of_a_text_tell_their_packets),
        cmocka_unit_test(problems_are_those_of_the_moment),
        cmocka_unit_test(they_are_not_listed),
        cmocka_unit_test(a_page_is_told_the_names_that_there_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
