/*
 * mount.fuse3(8), which becomes another user or gives its privileges away before it runs a
 * file system. It does so for `mount -t fuse.gpudumpfs`; as mount.gpudumpfs the program hands
 * itself over to it. Main thread, before anything else was made.
 */
#ifndef GPUDUMPFS_HELPER_H
#define GPUDUMPFS_HELPER_H

/*
 * Becomes mount.fuse3 with that dump, mountpoint and list of options, which runs this program
 * again. Returns only if that fails: -errno; -ENOENT: it is not installed.
 */
int helper_run(const char *dump, const char *directory, const char *options);

#endif
