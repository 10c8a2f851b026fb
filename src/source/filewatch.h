/* SPDX-License-Identifier: MIT */
/*
 * Tells whether a file was written since a moment: its bytes, not its name, mode or links.
 *
 * Every write(2) and truncation on this machine is seen once it has returned, however coarse
 * the file system's clock (inotify(7)); and while it is under way, since the time of the
 * change is set before the first byte changes. So bytes that were read, and of which
 * filewatch_look() says afterwards that nothing was written, are those of that moment.
 * (Where the file system has a clock of whole seconds, once it has returned.)
 * Not seen are stores through a writable mapping of a file system that does not tell of them
 * (tmpfs), and writes on another machine until its time or size comes here.
 */
#ifndef GPUDUMPFS_SOURCE_FILEWATCH_H
#define GPUDUMPFS_SOURCE_FILEWATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct filewatch;

enum filewatch_state { FILEWATCH_SAME, FILEWATCH_SHORTENED, FILEWATCH_WRITTEN };

/*
 * From now on, and not before, the file of the descriptor may be read; the descriptor stays the
 * caller's. *status is the file's at that moment. Waits until its clock has passed the last
 * write, some milliseconds. 0, -errno of the file, -ENOMEM. Any thread.
 */
int filewatch_create(int fd, struct stat *status, struct filewatch **out);

void filewatch_destroy(struct filewatch **watch);

/* What is known by now, for good once it is not FILEWATCH_SAME. Two system calls. Any thread. */
enum filewatch_state filewatch_look(struct filewatch *watch);

/* Looks at several, for what filewatch_seen() says then: a system call for each, and one for all.
 */
void filewatch_look_at(struct filewatch *const *looked, size_t count);

/* What filewatch_look() has said last. */
enum filewatch_state filewatch_seen(const struct filewatch *watch);

/* Whether two looks saw the same file, neither written nor renamed nor made another's between. */
bool filewatch_is_same(const struct stat *one, const struct stat *other);

#endif
