/* SPDX-License-Identifier: MIT */
/*
 * Opens a dump on disk with an edit in an early frame, and reads it with several threads while the
 * part after the edit is still being copied and indexed. Each file must be that of the same bytes
 * in a file of their own.
 */
#include "tests/bench/load.h"
#include "tests/formats/psx/build.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "formats/format.h"
#include "formats/psx/dump.h"
#include "formats/psx/index/origin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VSYNCS = 90, EARLY = 12, ROUNDS = 4, READERS = 3, MAGIC = 14, NAME = 64 };

static const struct {
    const char *folder, *file;
} kinds[] = {{"vram/", ".bin"},
             {"frames/", ".png"},
             {"by-frame/", "/commands.txt"},
             {"by-frame/", "/draws.tsv"}};
static const char *const whole[] = {"packets.tsv", "frames.tsv"};
static const unsigned frames[] = {0, EARLY, VSYNCS / 2, VSYNCS - 2};

enum { KINDS = 4, WHOLE = 2, FRAMES = 4, FILES = KINDS * (FRAMES + 1) + WHOLE };

struct opened {
    struct format_dump dump;
    struct tree *tree;
};

struct wanted {
    char name[NAME];
    char *bytes;
    size_t size;
};

struct round {
    uint64_t random;
    unsigned frame; /* the frame that is edited */
    struct source_edit edit;
    uint8_t *bytes; /* of the edited dump */
    size_t size;
    struct opened edited;
    struct wanted wanted[FILES];
    atomic_uint next, wrong;
};

static char *folder, *path, *edited_path;
static uint8_t *bytes;
static size_t size;
static struct options options;
static struct opened original;

static void open_at(const char *place, struct format_dump *out)
{
    struct source_params params = {0};
    struct text message = TEXT_INIT;

    assert_int_equal(format_open(place, &options, &params, &message, out), 0);
    text_clear(&message);
}

static void make_tree(struct opened *opened, unsigned threads)
{
    assert_int_equal(format_tree(&opened->dump, threads, &opened->tree), 0);
}

static void close_opened(struct opened *opened)
{
    tree_destroy(&opened->tree);
    format_close(&opened->dump);
}

static int set_up(void **state)
{
    FILE *file;

    (void)state;
    folder = support_folder();
    path = support_path(folder, "load.psxgpu");
    edited_path = support_path(folder, "edited.psxgpu");
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(load_write("typical", VSYNCS, file), 0);
    assert_int_equal(fclose(file), 0);
    bytes = support_read(path, &size);
    assert_int_equal(format_options_init(&options), 0);
    open_at(path, &original.dump);
    make_tree(&original, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    close_opened(&original);
    options_clear(&options);
    free(bytes);
    free(path);
    free(edited_path);
    support_remove(&folder);
    return 0;
}

/*
 * Inserts a fill and some comments at a frame's start, which moves everything after it and
 * renumbers packets.
 */
static void edit(struct round *round)
{
    const struct psx_index *index = &psx_dump_of(tree_dump(original.tree))->index;
    struct psx_build put;
    uint64_t at;

    round->frame = 1 + (unsigned)(support_random(&round->random) >> 16) % (EARLY - 1);
    at = index->frames[round->frame].offset;
    psx_build_start(&put, PSX_MAGIC_14);
    GP0(&put, 0x02000000 | (uint32_t)(support_random(&round->random) >> 20), 0, 0x01FF03F0);
    for (unsigned n = (unsigned)(support_random(&round->random) >> 16) % 4; n > 0; n--)
        psx_build_string(&put, PSX_PACKET_COMMENT, "edited", 6);
    round->size = size + put.size - MAGIC;
    round->bytes = malloc(round->size);
    assert_non_null(round->bytes);
    memcpy(round->bytes, bytes, at);
    memcpy(round->bytes + at, put.bytes + MAGIC, put.size - MAGIC);
    memcpy(round->bytes + at + put.size - MAGIC, bytes + at, size - at);
    round->edit = (struct source_edit){at, 0, round->bytes + at, put.size - MAGIC};
    psx_build_free(&put);
}

static void name_file(unsigned kind, unsigned frame, struct wanted *out)
{
    snprintf(out->name, NAME, "%s%06u%s", kinds[kind].folder, frame, kinds[kind].file);
}

static void name_files(struct round *round)
{
    struct wanted *next = round->wanted;

    for (unsigned kind = 0; kind < KINDS; kind++) {
        name_file(kind, round->frame, next++);
        for (unsigned n = 0; n < FRAMES; n++)
            name_file(kind, frames[n], next++);
    }
    for (unsigned n = 0; n < WHOLE; n++)
        snprintf((next++)->name, NAME, "%s", whole[n]);
}

/* Reads the expected files from a plain dump of the same bytes and the same name. */
static void read_wanted(struct round *round)
{
    struct opened scratch = {0};

    support_write(edited_path, round->bytes, round->size);
    open_at(edited_path, &scratch.dump);
    make_tree(&scratch, 0);
    name_files(round);
    for (unsigned n = 0; n < FILES; n++)
        round->wanted[n].bytes =
            walk_read(scratch.tree, round->wanted[n].name, &round->wanted[n].size);
    close_opened(&scratch);
}

static void open_edited(struct round *round)
{
    const struct format_origin origin = {tree_dump(original.tree), &round->edit, 1};
    struct source_params params = {0};
    struct text message = TEXT_INIT;

    assert_int_equal(format_open_edited(&original.dump, &origin, &options, &params, &message,
                                        &round->edited.dump),
                     0);
    text_clear(&message);
    make_tree(&round->edited, 2);
}

/* Reads the files that no other reader has taken yet. */
static void *read_some(void *context)
{
    struct round *round = context;
    unsigned n;

    while ((n = atomic_fetch_add(&round->next, 1)) < FILES) {
        const struct wanted *wanted = &round->wanted[n * 7 % FILES];
        size_t length;
        char *found = walk_read(round->edited.tree, wanted->name, &length);

        if (length != wanted->size || memcmp(found, wanted->bytes, length) != 0) {
            print_message("%s differs\n", wanted->name);
            atomic_fetch_add(&round->wrong, 1);
        }
        free(found);
    }
    return NULL;
}

static void check(struct round *round)
{
    pthread_t readers[READERS];

    edit(round);
    read_wanted(round);
    open_edited(round);
    assert_int_not_equal(psx_dump_of(tree_dump(round->edited.tree))->index.taken.count, 0);
    for (unsigned n = 0; n < READERS; n++)
        assert_int_equal(pthread_create(&readers[n], NULL, read_some, round), 0);
    for (unsigned n = 0; n < READERS; n++)
        pthread_join(readers[n], NULL);
    assert_int_equal(atomic_load(&round->wrong), 0);
    close_opened(&round->edited);
    for (unsigned n = 0; n < FILES; n++)
        free(round->wanted[n].bytes);
    free(round->bytes);
}

static void readers_of_all_frames_see_the_edited_dump(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed += support_stride()) {
        struct round round = {.random = seed};

        check(&round);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(readers_of_all_frames_see_the_edited_dump, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
