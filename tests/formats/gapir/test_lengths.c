/* SPDX-License-Identifier: MIT */
/*
 * Sizes of texts that consist of the same lines: formatting one must make the size of the other
 * known.
 */
#include "config.h"

#include "examples/gapir_build.h"
#include "formats/gapir/decode/scan.h"
#include "tests/formats/gapir/shown.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Packets of this many instructions, or frames of this many calls. Marks, one for each 1,024, are
 * within them and between them.
 */
static const unsigned lengths[] = {1, 1023, 1024, 3, 5000, 1020, 1, 1, 2047, 7};

static char *write_packets(void)
{
    char *folder = support_folder();
    struct build build = {.stack_size = 64, .volatile_size = 256};

    for (unsigned n = 0; n < COUNT_OF(lengths); n++) {
        build_op(&build, GAPIR_LABEL, n);
        for (unsigned more = 1; more < lengths[n]; more++)
            if (more % 2 != 0)
                build_push(&build, GAPIR_UINT32, more);
            else
                build_op(&build, GAPIR_POP, 1);
    }
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    return folder;
}

/*
 * Writes frames whose last call is glReadPixels. Two more calls follow the end of the last frame.
 */
static char *write_frames(void)
{
    char *folder = support_folder();
    struct build build = {.stack_size = 64, .volatile_size = 256};

    for (unsigned n = 0; n < COUNT_OF(lengths); n++) {
        build_op(&build, GAPIR_LABEL, n);
        for (unsigned more = 1; more < lengths[n]; more++)
            BUILD_CALL(&build, "gles_v1.6.1", "glUniform1f", more, 0x3fc00000);
        BUILD_CALL(&build, "gles_v1.6.1", "glReadPixels", 0, 0, 2, 2, 0x1908, 0x1401, 64);
        build_post(&build, GAPIR_VOLATILE_POINTER, 64, 16);
    }
    build_op(&build, GAPIR_LABEL, COUNT_OF(lengths));
    BUILD_CALL(&build, "gles_v1.6.1", "glUniform1f", 1, 0);
    BUILD_CALL(&build, "gles_v1.6.1", "glUniform1f", 22, 0);
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    return folder;
}

/* Returns the size of a file as far as it is known without building anything, -1 if it is not. */
static int64_t known_size(const struct shown *shown, const char *path)
{
    struct tree_attributes attributes;
    uint64_t inode;

    assert_int_equal(tree_find(shown->tree, path, false, &inode), 0);
    return tree_attributes(shown->tree, inode, &attributes) == 0 ? (int64_t)attributes.size : -1;
}

static void name_packet(unsigned packet, char path[64])
{
    snprintf(path, 64, "packets/00000/%08u-label-%u.txt", packet, packet);
}

static void name_commands(unsigned frame, char path[64])
{
    snprintf(path, 64, "by-frame/%06u/commands.txt", frame);
}

/*
 * Checks that the sizes of all parts, which are known before reading or not (some may be built
 * ahead), are correct, and add up to the size of the whole.
 */
static void expect_sizes(const struct shown *shown, const char *whole, unsigned parts,
                         void (*name_part)(unsigned part, char path[64]), bool known)
{
    size_t size, sum = 0;
    char path[64];

    for (unsigned part = 0; part < parts; part++) {
        int64_t told;

        name_part(part, path);
        told = known_size(shown, path);
        free(walk_read(shown->tree, path, &size));
        assert_true(told == (int64_t)size || (!known && told == -1));
        sum += size;
    }
    assert_int_equal(known_size(shown, whole), sum);
    free(walk_read(shown->tree, whole, &size));
    assert_int_equal(size, sum);
}

/* Formatting the whole makes the sizes of its parts known, and the other way round. */
static void expect_both_ways(char *folder, const char *whole, unsigned parts,
                             void (*name_part)(unsigned part, char path[64]))
{
    struct dump *dump;
    struct shown shown;
    char path[64];
    size_t size;

    shown_open(folder, NULL, &shown);
    assert_int_equal(known_size(&shown, whole), -1);
    free(walk_read(shown.tree, whole, &size));
    expect_sizes(&shown, whole, parts, name_part, true);
    shown_close(&shown);
    shown_open(folder, NULL, &shown);
    dump = tree_dump(shown.tree);
    assert_int_equal(dump->ops->settle(dump, NULL), 0);
    name_part(0, path);
    assert_int_equal(known_size(&shown, path), -1);
    expect_sizes(&shown, whole, parts, name_part, false);
    shown_close(&shown);
    support_remove(&folder);
}

static void packets_tell_the_size_of_the_disassembly(void **state)
{
    (void)state;
    expect_both_ways(write_packets(), "disassembly.txt", COUNT_OF(lengths), name_packet);
}

/* The frame after the last one is what is left. */
static void frames_tell_the_size_of_all_calls(void **state)
{
    (void)state;
    expect_both_ways(write_frames(), "calls.txt", COUNT_OF(lengths) + 1, name_commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_tell_the_size_of_the_disassembly),
        cmocka_unit_test(frames_tell_the_size_of_all_calls),
    };

    return cmocka_run_group_tests_name("gapir_lengths", tests, NULL, NULL);
}
