/* SPDX-License-Identifier: MIT */
#include "cli/dataset.h"

#include "image/picture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PATH_ROOM = 96, PNG_HEAD = 1 << 16, NAME_MAX_BYTES = 32 };

/* A file with numbers for each pixel of a picture, which is beside it in the tree. */
struct array {
    enum dataset_part part;
    const char *name;     /* name of the folder in the data set */
    const char *file;     /* name of the file in by-frame/NNNNNN */
    const char *pictures; /* the first of these pictures with a matching size gives the shape */
    const char *type;     /* NumPy's name */
    unsigned bytes;       /* of one number */
    unsigned channels;    /* numbers for each pixel; 0: one, without a dimension of its own */
};

static const struct array arrays[] = {
    {DATASET_DRAW_IDS, "draw-ids", "draw-ids.bin", "image.png draw-ids.png", "<i4", 4, 2},
    {DATASET_DEPTH, "depth", "depth.bin", "image.png depth.png", "<f4", 4, 0},
};

/* One file being written; `frame` is the name of the folder in by-frame. */
struct job {
    struct tree *tree;
    const char *frame;
    const struct array *array;
};

static int find(const struct job *job, const char *file, int length, uint64_t *inode)
{
    char path[PATH_ROOM];

    snprintf(path, sizeof(path), "by-frame/%s/%.*s", job->frame, length, file);
    return tree_find(job->tree, path, true, inode);
}

static int write_picture(void *context, struct dataset_file *file)
{
    const struct job *job = context;
    uint64_t inode = 0;
    int status = find(job, "image.png", 9, &inode);

    return status == 0 ? dataset_put_contents(file, job->tree, inode) : status;
}

/* Reads width and height from the header of a picture. */
static int look(struct tree *tree, uint64_t inode, struct picture_shape *shape)
{
    struct tree_window window = {0};
    struct tree_file *file = NULL;
    int status = tree_open(tree, inode, &file);

    if (status == 0)
        status = tree_read(file, 0, PNG_HEAD, NULL, &window);
    if (status == 0)
        status = picture_look(window.data, window.length, shape);
    blob_unref(&window.blob);
    tree_close(&file);
    return status;
}

/* `size` is that of the array's file. Returns -EIO if no picture matches it. */
static int find_shape(const struct job *job, uint64_t size, uint64_t shape[3])
{
    const struct array *array = job->array;
    unsigned channels = array->channels != 0 ? array->channels : 1;

    for (const char *name = array->pictures; *name != '\0';) {
        size_t length = strcspn(name, " ");
        struct picture_shape picture = {0};
        uint64_t inode = 0;

        if (find(job, name, (int)length, &inode) == 0 && look(job->tree, inode, &picture) == 0 &&
            (uint64_t)picture.width * picture.height * array->bytes * channels == size) {
            shape[0] = picture.height;
            shape[1] = picture.width;
            shape[2] = array->channels;
            return 0;
        }
        name += length + (name[length] == ' ');
    }
    return -EIO;
}

static int write_array(void *context, struct dataset_file *file)
{
    const struct job *job = context;
    struct tree_attributes attributes = {0};
    uint64_t inode = 0, shape[3];
    int status = find(job, job->array->file, NAME_MAX_BYTES, &inode);

    if (status == 0)
        status = tree_stat(job->tree, inode, NULL, &attributes);
    if (status == 0 && attributes.size == 0)
        status = -ENOENT; /* the frame has no picture */
    if (status == 0)
        status = find_shape(job, attributes.size, shape);
    if (status == 0)
        status = dataset_put_npy(file, job->array->type, shape, job->array->channels != 0 ? 3 : 2);
    return status == 0 ? dataset_put_contents(file, job->tree, inode) : status;
}

void dataset_export_frame(struct dataset_export *export, const struct schema_folder *frame)
{
    struct job job = {.tree = export->program->tree, .frame = frame->name};
    char path[PATH_ROOM];

    if (export->parts & DATASET_FRAMES) {
        snprintf(path, sizeof(path), "frames/%s.png", frame->name);
        dataset_make(export, path, write_picture, &job);
    }
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
        job.array = &arrays[i];
        snprintf(path, sizeof(path), "%s/%s.npy", arrays[i].name, frame->name);
        if (export->parts & arrays[i].part)
            dataset_make(export, path, write_array, &job);
    }
    if (export->parts & DATASET_MASKS) {
        struct dataset_masks masks = {export->program->tree, frame->name};

        snprintf(path, sizeof(path), "masks/%s.npy", frame->name);
        dataset_make(export, path, dataset_write_masks, &masks);
    }
}
