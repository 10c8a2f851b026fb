/* SPDX-License-Identifier: MIT */
/*
 * Detects whether a file was written since a certain moment: its bytes, not its name, mode or
 * links.
 *
 * Every write(2) and truncation on this machine is detected once it has returned, however coarse
 * the file system's clock (inotify(7)). It is also detected while it is in progress, since the time
 * of the change is set before the first byte changes (but not if the file system's clock has whole
 * seconds). If filewatch_look() reports after a read that nothing was written, the bytes read are
 * therefore those of the moment.
 *
 * Not detected are stores through a writable mapping on a file system that does not report them
 * (tmpfs), and writes on another machine until the new time or size has arrived here.
 */
#ifndef GPUDUMPFS_SOURCE_FILEWATCH_H
#define GPUDUMPFS_SOURCE_FILEWATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct filewatch;

enum filewatch_state { FILEWATCH_SAME, FILEWATCH_SHORTENED, FILEWATCH_WRITTEN };

/*
 * Begins to watch the file of a descriptor, which stays the caller's. The file must not be read
 * before this returns; *status is its status at that moment. Waits some milliseconds, if necessary,
 * until the file's clock has passed the last write. Returns 0, -errno of the file, or -ENOMEM. Any
 * thread.
 */
int filewatch_create(int fd, struct stat *status, struct filewatch **out);

/* Ends a watch and sets the pointer to NULL. *watch may be NULL. */
void filewatch_destroy(struct filewatch **watch);

/*
 * Checks the file, and returns the state. A state other than FILEWATCH_SAME is final. Takes two
 * system calls. Any thread.
 */
enum filewatch_state filewatch_look(struct filewatch *watch);

/*
 * Checks several files; filewatch_seen() returns the results. Takes a system call for each, and one
 * for all of them.
 */
void filewatch_look_at(struct filewatch *const *looked, size_t count);

/* Returns the state that the last check found. */
enum filewatch_state filewatch_seen(const struct filewatch *watch);

/*
 * Returns whether both are the status of the same file, which was neither written, renamed nor
 * replaced in between.
 */
bool filewatch_is_same(const struct stat *one, const struct stat *other);

#endif
