/* SPDX-License-Identifier: MIT */
/*
 * `gpudump cut DUMP FILE`: writes some frames as a separate dump. A regular FILE is replaced when
 * the cut is complete. Anything else, such as a pipe or standard output (`-`), is written as the
 * cut is made.
 */
#include "cli/gpudump.h"

#include "base/file_write.h"
#include "base/log.h"
#include "tree/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_bytes(void *context, const void *bytes, size_t size)
{
    const int *fd = context;

    return file_write_all(*fd, bytes, size);
}

/*
 * Limits the range to existing frames. Returns -ENOENT, which is logged, if there are none in it.
 */
static int find_last(struct gpudump *gpudump, uint64_t first, uint64_t *last)
{
    struct dump *dump = tree_dump(gpudump->program.tree);
    uint64_t frames;
    int status = dump->ops->settle(dump, NULL);

    if (status != 0)
        return status;
    frames = dump->ops->frames(dump);
    if (first < frames && (*last < frames || *last == UINT64_MAX)) {
        *last = *last < frames ? *last : frames - 1;
        return 0;
    }
    if (gpudump->range == NULL)
        log_write(LOG_ERR, "%s: the dump has no frame", source_name(dump->source));
    else
        log_write(LOG_ERR, "--range %s: the dump has %" PRIu64 " frames, from 0", gpudump->range,
                  frames);
    gpudump->failed = true;
    return -ENOENT;
}

static int write_stream(struct gpudump *gpudump, uint64_t first, uint64_t last)
{
    struct tree *tree = gpudump->program.tree;
    struct dump *dump = tree_dump(tree);
    int fd = contents_create(tree, gpudump->paths[0]), status = fd < 0 ? fd : 0;

    if (status == 0)
        status = dump->ops->cut(dump, first, last, NULL, write_bytes, &fd);
    if (fd >= 0 && close(fd) != 0 && status == 0)
        status = -errno;
    return status == 0 ? dump_check_files(dump) : status;
}

static int write_replacement(void *context, const void *bytes, size_t size)
{
    return replacement_write(context, bytes, size);
}

static int replace(struct gpudump *gpudump, uint64_t first, uint64_t last)
{
    struct dump *dump = tree_dump(gpudump->program.tree);
    struct replacement replacement;
    int status = replacement_begin(gpudump->paths[0], &replacement);

    if (status != 0)
        return status;
    status = dump->ops->cut(dump, first, last, NULL, write_replacement, &replacement);
    if (status == 0)
        status = dump_check_files(dump);
    if (status == 0)
        return replacement_commit(&replacement);
    replacement_abandon(&replacement);
    return status;
}

static int write_cut(struct gpudump *gpudump, uint64_t first, uint64_t last)
{
    const char *path = gpudump->paths[0];
    struct stat file;
    bool is_stream = contents_is_stream(path) || (stat(path, &file) == 0 && !S_ISREG(file.st_mode));

    /* write_stream() also refuses to overwrite the dump itself. */
    if (is_stream || contents_is_of_dump(gpudump->program.tree, path))
        return write_stream(gpudump, first, last);
    return replace(gpudump, first, last);
}

enum program_status gpudump_cut(struct gpudump *gpudump)
{
    const struct dump *dump = tree_dump(gpudump->program.tree);
    uint64_t first, last;
    int status;

    if (!gpudump_read_range(gpudump->range != NULL ? gpudump->range : "", &first, &last)) {
        log_write(LOG_ERR, "--range %s: not a range such as 100-199", gpudump->range);
        return PROGRAM_USAGE;
    }
    if (dump->ops->cut == NULL) {
        log_write(LOG_ERR, "%s: a dump of this format (%s) cannot be cut",
                  source_name(dump->source), dump->format);
        return PROGRAM_USAGE;
    }
    status = find_last(gpudump, first, &last);
    if (status == 0)
        status = write_cut(gpudump, first, last);
    if (status != 0 && !gpudump->failed)
        contents_tell(gpudump, gpudump->paths[0], status);
    return gpudump_outcome(gpudump);
}
