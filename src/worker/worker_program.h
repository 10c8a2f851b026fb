/* SPDX-License-Identifier: MIT */
/*
 * Finds gpudumpfs-glworker, and the folder beside it in which its processes find compiled shaders.
 * Any thread.
 */
#ifndef GPUDUMPFS_WORKER_WORKER_PROGRAM_H
#define GPUDUMPFS_WORKER_WORKER_PROGRAM_H

/*
 * Returns the path of the program: $GPUDUMPFS_GLWORKER, beside the running program, in ../libexec
 * from there, or where it was installed. The caller frees it. Returns NULL if it is in none of
 * these places.
 */
char *worker_program(void);

/*
 * Returns shader_disk_cache_folder() of a program. The caller frees it. Returns NULL if there is
 * none.
 */
char *worker_program_folder(const char *program);

/*
 * Sets the results of the two functions above, for a confined process, which may find nothing. A
 * launcher that starts workers (base/helper.h) has been given the same values. The strings must
 * stay valid for good; NULL: there is none. Call it once, before other threads call the two
 * functions.
 */
void worker_use_program(const char *program, const char *folder);

#endif
