/* SPDX-License-Identifier: MIT */
/*
 * Where gpudumpfs-glworker is, and the folder beside it that its processes find compiled shaders
 * in. Any thread.
 */
#ifndef GPUDUMPFS_WORKER_WORKER_PROGRAM_H
#define GPUDUMPFS_WORKER_WORKER_PROGRAM_H

/*
 * Its path: $GPUDUMPFS_GLWORKER, beside the running program, in ../libexec from there, or where it
 * is installed. For free(); NULL: nowhere.
 */
char *worker_program(void);

/* shader_disk_cache_folder() of a program. For free(); NULL: there is none. */
char *worker_program_folder(const char *program);

/*
 * What the two give from now on where a launcher starts workers (base/helper.h), which has been
 * told the same: a process that is confined may find nothing. Kept for good; NULL: there is none.
 * Once, before other threads ask.
 */
void worker_use_program(const char *program, const char *folder);

#endif
