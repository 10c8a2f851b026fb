/* SPDX-License-Identifier: MIT */
#include "cli/dataset.h"

#include "base/array.h"
#include "base/log.h"
#include "cli/condition.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void dataset_inputs_clear(struct dataset_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        free(inputs->list[i].path);
        free(inputs->list[i].name);
    }
    free(inputs->list);
    *inputs = (struct dataset_inputs){0};
}

static char *join(const char *folder, const char *name)
{
    char *path = NULL;

    return asprintf(&path, "%s/%s", folder, name) >= 0 ? path : NULL;
}

/*
 * Returns the last component of a path, without slashes at its end, followed by the range if there
 * is one.
 */
static char *name_of(const char *path, const char *range)
{
    size_t end = strlen(path), begin;
    char *name = NULL;

    while (end > 1 && path[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && path[begin - 1] != '/';)
        begin--;
    if (asprintf(&name, "%.*s%s%s", (int)(end - begin), path + begin, range != NULL ? "." : "",
                 range != NULL ? range : "") < 0)
        return NULL;
    return name;
}

static int add_input(struct dataset_inputs *inputs, const char *path, const char *range)
{
    struct dataset_input input;

    if (ARRAY_GROW(inputs->list, inputs->count, inputs->room) != 0)
        return -ENOMEM;
    input = (struct dataset_input){.path = strdup(path), .name = name_of(path, range)};
    if (input.path == NULL || input.name == NULL) {
        free(input.path);
        free(input.name);
        return -ENOMEM;
    }
    inputs->list[inputs->count++] = input;
    return 0;
}

/* Returns whether a folder is one dump: some format names a file in it as a part of a dump. */
static bool is_dump_folder(const char *path)
{
    for (const struct format *format = formats_table; format->name != NULL; format++)
        for (const char *const *name = format->ops->siblings; name != NULL && *name != NULL;
             name++) {
            char *file = join(path, *name);
            bool found = file != NULL && access(file, F_OK) == 0;

            free(file);
            if (found)
                return true;
        }
    return false;
}

static bool is_dump_file(const struct options *options, const char *path)
{
    struct source_file file = {.fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY),
                               .folder = -1};
    const struct format *format = NULL;
    struct stat status;

    /* Without memory to look at it, it is taken for one, and the export says what it is. */
    bool found = file.fd >= 0 && fstat(file.fd, &status) == 0 && S_ISREG(status.st_mode) &&
                 (format_of_file(&file, path, options, &format) != 0 || format != NULL);

    if (file.fd >= 0)
        close(file.fd);
    return found;
}

static bool is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Adds all dumps of a folder, except hidden files. */
static int add_folder(struct dataset_inputs *inputs, const struct gpudump *gpudump,
                      const char *folder, const char *range)
{
    DIR *opened = opendir(folder);
    const struct dirent *entry;
    int status = 0;

    if (opened == NULL)
        return -errno;
    while (status == 0 && (entry = readdir(opened)) != NULL) {
        char *path;

        if (entry->d_name[0] == '.')
            continue;
        path = join(folder, entry->d_name);
        if (path == NULL)
            status = -ENOMEM;
        else if (is_folder(path) ? is_dump_folder(path)
                                 : is_dump_file(&gpudump->program.options.common, path))
            status = add_input(inputs, path, range);
        free(path);
    }
    closedir(opened);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct dataset_input *)a)->name, ((const struct dataset_input *)b)->name);
}

int dataset_inputs_check_names(const struct dataset_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const char *name = inputs->list[i].name;

        if (*name == '.' || *name == '\0' || *name == '/' || strcmp(name, DATASET_MANIFEST) == 0 ||
            strcmp(name, DATASET_SUMS) == 0) {
            log_write(LOG_ERR, "%s: its name cannot be the name of a folder of a data set",
                      inputs->list[i].path);
            return -EINVAL;
        }
        if (i > 0 && strcmp(inputs->list[i - 1].name, name) == 0) {
            log_write(LOG_ERR,
                      "%s and %s would be exported to the same folder; nothing is exported",
                      inputs->list[i - 1].path, inputs->list[i].path);
            return -EINVAL;
        }
    }
    return 0;
}

int dataset_inputs_find(const struct gpudump *gpudump, char *const *paths, int count,
                        const char *range, struct dataset_inputs *out)
{
    int status = 0;

    *out = (struct dataset_inputs){0};
    for (int i = 0; status == 0 && i < count; i++) {
        const char *path = paths[i];

        if (is_folder(path) && !is_dump_folder(path))
            status = add_folder(out, gpudump, path, range);
        else
            status = access(path, F_OK) == 0 ? add_input(out, path, range) : -errno;
        if (status != 0 && status != -ENOMEM) {
            log_write(LOG_ERR, "%s: %s", path, strerror(-status));
            status = -EINVAL;
        }
    }
    if (out->count > 0)
        qsort(out->list, out->count, sizeof(*out->list), by_name);
    if (status == 0 && out->count == 0) {
        log_write(LOG_ERR, "%s: there is no dump in it", paths[0]);
        status = -EINVAL;
    }
    return status;
}

/* Describes a dump by its bytes. */

static int describe_file(const char *path, const char *name, json_t *files)
{
    char sum[DATASET_SUM];
    uint64_t size = 0, lines = 0;
    int status = dataset_sum_file(path, sum, &size, &lines);

    if (status == 0)
        json_array_append_new(files, json_pack("{s:o,s:I,s:s}", "name",
                                               condition_string(name, strlen(name)), "bytes",
                                               (json_int_t)size, "sha256", sum));
    return status;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int describe_folder(const char *folder, json_t *files)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_shown, alphasort), status = count < 0 ? -errno : 0;

    for (int i = 0; i < count; i++) {
        char *path = join(folder, entries[i]->d_name);

        if (status == 0 && path == NULL)
            status = -ENOMEM;
        if (status == 0 && !is_folder(path))
            status = describe_file(path, entries[i]->d_name, files);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

int dataset_input_describe(const struct dataset_input *input, json_t **out)
{
    json_t *files = json_array();
    char *name = name_of(input->path, NULL);
    int status = name != NULL ? 0 : -ENOMEM;

    if (status == 0)
        status = is_folder(input->path) ? describe_folder(input->path, files)
                                        : describe_file(input->path, name, files);
    *out = status == 0 ? json_pack("{s:o,s:O}", "name", condition_string(name, strlen(name)),
                                   "files", files)
                       : NULL;
    json_decref(files);
    free(name);
    return status;
}

/* Options that do not change the contents of files. */
static const char *const of_the_machine[] = {"cache",   "idle-unmount", "shader-cache", "spool",
                                             "threads", "xattr",        "max-resident"};

static bool is_of_the_machine(const char *option, size_t length)
{
    for (size_t i = 0; i < sizeof(of_the_machine) / sizeof(of_the_machine[0]); i++)
        if (strcspn(option, "=") == strlen(of_the_machine[i]) &&
            strncmp(option, of_the_machine[i], strlen(of_the_machine[i])) == 0)
            return true;
    return length == 0;
}

json_t *dataset_options(const char *list)
{
    json_t *options = json_array();

    while (list != NULL && *list != '\0') {
        size_t length = 0;

        while (list[length] != '\0' && list[length] != ',')
            length += list[length] == '\\' && list[length + 1] != '\0' ? 2 : 1;
        if (!is_of_the_machine(list, length))
            json_array_append_new(options, condition_string(list, length));
        list += length + (list[length] == ',');
    }
    return options;
}
