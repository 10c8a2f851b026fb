/* SPDX-License-Identifier: MIT */
#include "cli/dataset.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20, NPY_HEAD = 128, NPY_VERSION = 1 };

int dataset_make_folder(const char *folder, const char *name)
{
    char *path = NULL;
    int status = 0;

    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return -ENOMEM;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        status = -errno;
    free(path);
    return status;
}

/* Makes all folders of a path below `folder`. */
static int make_parents(const char *folder, const char *path)
{
    int status = 0;

    for (const char *slash = strchr(path, '/'); status == 0 && slash != NULL;
         slash = strchr(slash + 1, '/')) {
        char *parent = strndup(path, (size_t)(slash - path));

        status = parent != NULL ? dataset_make_folder(folder, parent) : -ENOMEM;
        free(parent);
    }
    return status;
}

/* Gives a complete file its name, after it is on the disk. Removes the file if that fails. */
static int end_file(FILE *stream, const char *temporary, const char *path)
{
    int status = 0;

    if (fflush(stream) != 0 || fdatasync(fileno(stream)) != 0)
        status = -errno;
    if (fclose(stream) != 0 && status == 0)
        status = -errno;
    if (status == 0 && rename(temporary, path) != 0)
        status = -errno;
    if (status != 0)
        (void)unlink(temporary);
    return status;
}

static void note_failure(struct dataset_export *export, const char *path, int status)
{
    json_array_append_new(export->failed,
                          json_pack("{s:s,s:s}", "file", path, "error", strerror(-status)));
}

/* `path` is below the export's folder; `whole` is the full path. */
static int write_file(struct dataset_export *export, const char *temporary, const char *path,
                      const char *whole, dataset_writer *write, void *context)
{
    struct dataset_file file = {.export = export, .stream = fopen(temporary, "wb")};
    int status;

    if (file.stream == NULL) {
        export->broken = -errno;
        return export->broken;
    }
    status = write(context, &file);
    if (export->broken == 0)
        export->broken = dataset_problems_note(export);
    if (export->broken == 0 && status == 0)
        export->broken = make_parents(export->folder, path);
    if (status != 0 || export->broken != 0) {
        fclose(file.stream);
        unlink(temporary);
        return status != 0 ? status : export->broken;
    }
    export->broken = end_file(file.stream, temporary, whole);
    return export->broken;
}

bool dataset_make(struct dataset_export *export, const char *path, dataset_writer *write,
                  void *context)
{
    char *temporary = NULL, *whole = NULL;
    int status = -ENOMEM;

    if (export->broken != 0)
        return false;
    if (asprintf(&temporary, "%s/" DATASET_WORK "/file-%u", export->folder, export->share) < 0)
        temporary = NULL;
    if (asprintf(&whole, "%s/%s", export->folder, path) < 0)
        whole = NULL;
    if (temporary == NULL || whole == NULL)
        export->broken = -ENOMEM;
    else if (access(whole, F_OK) == 0)
        status = 0;
    else
        status = write_file(export, temporary, path, whole, write, context);
    if (export->broken != 0)
        log_write(LOG_ERR, "%s/%s: %s", export->folder, path, strerror(-export->broken));
    else if (status != 0 && status != -ENOENT && export->finishes)
        note_failure(export, path, status);
    free(temporary);
    free(whole);
    return status == 0 && export->broken == 0;
}

int dataset_put(struct dataset_file *file, const void *bytes, size_t size)
{
    if (fwrite(bytes, 1, size, file->stream) == size)
        return 0;
    file->export->broken = -errno;
    return file->export->broken;
}

int dataset_put_contents(struct dataset_file *file, struct tree *tree, uint64_t inode)
{
    struct tree_window window = {0};
    struct tree_file *opened = NULL;
    uint64_t offset = 0;
    int status = tree_open(tree, inode, &opened);

    while (status == 0) {
        status = tree_read(opened, offset, PIECE, NULL, &window);
        if (status != 0 || window.length == 0)
            break;
        offset += window.length;
        status = dataset_put(file, window.data, window.length);
        blob_unref(&window.blob);
    }
    blob_unref(&window.blob);
    tree_close_for_good(&opened);
    return status;
}

int dataset_put_npy(struct dataset_file *file, const char *type, const uint64_t *shape,
                    unsigned dimensions)
{
    static const uint8_t magic[10] = {0x93, 'N',         'U', 'M',           'P',
                                      'Y',  NPY_VERSION, 0,   NPY_HEAD - 10, 0};
    struct text head = TEXT_INIT;
    int status;

    text_add_bytes(&head, (const char *)magic, sizeof(magic));
    text_printf(&head, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
    for (unsigned i = 0; i < dimensions; i++)
        text_printf(&head, "%" PRIu64 ",%s", shape[i], i + 1 < dimensions ? " " : "");
    text_add(&head, "), }");
    while (head.length < NPY_HEAD - 1)
        text_add_char(&head, ' ');
    text_add_char(&head, '\n');
    status = text_status(&head);
    if (status == 0)
        status = dataset_put(file, head.bytes, head.length);
    text_clear(&head);
    return status;
}

int dataset_replace(const char *folder, const char *name, const char *bytes, size_t size)
{
    char *temporary = NULL, *path = NULL;
    FILE *stream = NULL;
    int status = -ENOMEM;

    if (asprintf(&temporary, "%s/.%s", folder, name) < 0)
        temporary = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        path = NULL;
    if (temporary != NULL && path != NULL) {
        stream = fopen(temporary, "wb");
        status = stream != NULL ? 0 : -errno;
    }
    if (stream != NULL && size > 0 && fwrite(bytes, 1, size, stream) != size) {
        status = -errno;
        fclose(stream);
        (void)unlink(temporary);
    } else if (stream != NULL) {
        status = end_file(stream, temporary, path);
    }
    free(temporary);
    free(path);
    return status;
}
