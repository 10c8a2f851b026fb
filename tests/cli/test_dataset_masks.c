/* SPDX-License-Identifier: MIT */
/* The masks of a frame with one draw. The tree and the file are stubs in this program. */
#include "cli/dataset.h"

#include "compare/pixels.h"
#include "tests/support/support.h"

#include <errno.h>
#include <string.h>

/* results of tree_find() for the two paths of the draw's picture */
static int beside, within;
static size_t written;

/* The linker replaces the functions of the library by these. */
int __wrap_tree_find(struct tree *tree, const char *path, bool follow, uint64_t *inode);
int __wrap_tree_list(struct tree *tree, uint64_t directory, uint64_t *cursor, tree_emit emit,
                     void *context);
int __wrap_pixels_read(struct tree *tree, uint64_t inode, const struct cancel *cancel,
                       struct pixels *out);

int __wrap_tree_find(struct tree *tree, const char *path, bool follow, uint64_t *inode)
{
    (void)tree;
    (void)follow;
    *inode = 1;
    if (strcmp(path, "by-frame/000000/draws") == 0)
        return 0;
    return strcmp(path, "by-frame/000000/draws/3-touched.png") == 0 ? beside : within;
}

int __wrap_tree_list(struct tree *tree, uint64_t directory, uint64_t *cursor, tree_emit emit,
                     void *context)
{
    (void)tree;
    (void)directory;
    (void)cursor;
    emit(context, "3.png", 2, RULE_FILE, 1);
    return 0;
}

int __wrap_pixels_read(struct tree *tree, uint64_t inode, const struct cancel *cancel,
                       struct pixels *out)
{
    (void)tree;
    (void)inode;
    (void)cancel;
    *out = (struct pixels){.width = 0, .height = 0};
    return 0;
}

int dataset_put(struct dataset_file *file, const void *bytes, size_t size)
{
    (void)file;
    (void)bytes;
    written += size;
    return 0;
}

int dataset_put_npy(struct dataset_file *file, const char *type, const uint64_t *shape,
                    unsigned dimensions)
{
    (void)file;
    (void)type;
    (void)shape;
    (void)dimensions;
    return 0;
}

/* Writes the masks with these results for the two paths. */
static int write_masks(int first, int second)
{
    struct dataset_masks masks = {.frame = "000000"};
    struct dataset_export export = {.broken = 0};
    struct dataset_file file = {.export = &export, .stream = tmpfile()};
    int status;

    assert_non_null(file.stream);
    beside = first;
    within = second;
    written = 0;
    status = dataset_write_masks(&masks, &file);
    fclose(file.stream);
    return status;
}

static void either_form_is_found(void **state)
{
    (void)state;
    assert_int_equal(write_masks(0, -ENOENT), 0);
    assert_int_equal(written, 16);
    assert_int_equal(write_masks(-ENOENT, 0), 0);
    assert_int_equal(written, 16);
    assert_int_equal(write_masks(-ENOTDIR, 0), 0);
    assert_int_equal(write_masks(-ENOENT, -ENOENT), -ENOENT);
    assert_int_equal(write_masks(-ENOENT, -ENOTDIR), -ENOENT);
}

static void what_cannot_be_sought_is_no_draw_without_a_mask(void **state)
{
    static const int errors[] = {-EIO, -ENOMEM, -EINTR};

    (void)state;
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        assert_int_equal(write_masks(errors[i], -ENOENT), errors[i]);
        assert_int_equal(write_masks(errors[i], 0), errors[i]);
        assert_int_equal(write_masks(-ENOENT, errors[i]), errors[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(either_form_is_found),
        cmocka_unit_test(what_cannot_be_sought_is_no_draw_without_a_mask),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
