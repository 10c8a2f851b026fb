#include "gpudump/copy.h"
#include "gpudump/gpudump.h"

#include <errno.h>
#include <sys/stat.h>

struct destination {
    struct gpudump *gpudump;
    struct copy *copy;
    const char *path;
    bool folder; /* copies go into it by their own names */
};

static bool copy_found(void *context, const char *path, uint64_t inode)
{
    struct destination *destination = context;
    struct text name = TEXT_INIT;

    text_add(&name, destination->path);
    if (destination->folder && *path != '\0')
        text_printf(&name, "/%s", paths_last(path));
    text_add_char(&name, '\0');
    if (text_status(&name) != 0)
        gpudump_tell(destination->gpudump, path, text_status(&name));
    else
        copy_add(destination->copy, path, inode, name.bytes);
    text_clear(&name);
    return true;
}

/* As cp(1), but a folder that is needed is made. */
static int prepare_destination(struct destination *destination)
{
    struct stat there;

    if (destination->folder && mkdir(destination->path, 0777) != 0 && errno != EEXIST)
        return -errno;
    if (stat(destination->path, &there) == 0 && S_ISDIR(there.st_mode))
        destination->folder = true;
    return 0;
}

enum program_status gpudump_cp(struct gpudump *gpudump)
{
    int sources = gpudump->path_count - 1, status;
    struct copy_params params = {.tree = gpudump->program.tree,
                                 .threads = gpudump->program.options.threads,
                                 .progress = !gpudump->program.quiet};
    struct destination destination = {.gpudump = gpudump,
                                      .path = gpudump->paths[sources],
                                      .folder = sources > 1 || paths_is_pattern(gpudump->paths[0])};

    status = prepare_destination(&destination);
    if (status == 0)
        status = copy_begin(&params, &destination.copy);
    if (status != 0) {
        gpudump_tell(gpudump, destination.path, status);
        return PROGRAM_USAGE;
    }
    gpudump_each_path(gpudump, sources, copy_found, &destination);
    if (!copy_end(&destination.copy))
        gpudump->failed = true;
    return gpudump_outcome(gpudump);
}
