/* SPDX-License-Identifier: MIT */
#include "fuse/internal.h"
#include "fuse/mount_options.h"

/* Reading a folder takes permission to list it and to search it. */
static bool may_read(const struct stat *file, mode_t read, mode_t pass)
{
    mode_t needed = S_ISDIR(file->st_mode) ? read | pass : read;

    return (file->st_mode & needed) == needed;
}

mode_t modes_of_file(const struct mount_options *options, const struct stat *file)
{
    bool has_modes = S_ISREG(file->st_mode) || S_ISDIR(file->st_mode);
    bool others = !has_modes || may_read(file, S_IROTH, S_IXOTH);
    bool members = !has_modes || may_read(file, S_IRGRP, S_IXGRP);
    mode_t modes = S_IRUSR | S_IXUSR;

    if (others)
        modes |= S_IROTH | S_IXOTH;
    if (members && (others || file->st_gid == options->gid))
        modes |= S_IRGRP | S_IXGRP;
    return modes & ~options->umask;
}

mode_t modes_of_dump(const struct mount_options *options, const struct dump *dump)
{
    mode_t modes = modes_of_file(options, &dump->source->status);

    for (size_t i = 0; i < DUMP_BESIDE_MAX && dump->beside[i] != NULL; i++)
        modes &= modes_of_file(options, &dump->beside[i]->status);
    return modes;
}
