/* SPDX-License-Identifier: MIT */
/*
 * Starts the worker's process, and ends it. The process inherits the standard descriptors and those
 * with the numbers below. What it writes to its standard error is kept, for the sentence that says
 * why it died. Any thread.
 */
#ifndef GPUDUMPFS_WORKER_LAUNCH_H
#define GPUDUMPFS_WORKER_LAUNCH_H

#include "worker/breadcrumb.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    LAUNCH_SOCKET = 3,     /* the process' end of the socket */
    LAUNCH_BREADCRUMB = 4, /* a page with struct breadcrumb */
    /*
     * Compiled shaders, if LAUNCH_SHADERS_FOLDER is in the environment. The links that `make`
     * creates (src/glworker/local.mk) have these numbers.
     */
    LAUNCH_SHADERS = 5,
    LAUNCH_SHADER_FILES = 3,
    LAUNCH_DESCRIPTORS = LAUNCH_SHADERS + LAUNCH_SHADER_FILES
};

#define LAUNCH_SHADERS_FOLDER "MESA_SHADER_CACHE_DIR"
/* The limit that Mesa is given for the size of all shaders together. */
#define LAUNCH_SHADERS_MAX "56M"
/* Read by llvmpipe: no pixels are drawn. */
#define LAUNCH_COMPILE_ONLY "LP_NO_RAST"
/* Read by llvmpipe: the number of threads that fill pixels beside the drawing thread. */
#define LAUNCH_RASTERIZERS "LP_NUM_THREADS"

/* Default limit of the process' address space: Mesa and LLVM map about 1 GiB at the start. */
#define LAUNCH_MEMORY (UINT64_C(6) << 30)

/* Read by the worker: it loads a Vulkan driver. */
#define LAUNCH_VULKAN "GPUDUMPFS_VULKAN"

struct launch_params {
    const char *program;
    uint64_t memory_limit; /* limit of the address space, in bytes; 0: LAUNCH_MEMORY */
    bool fast_compile;     /* it compiles shaders fast (worker_set_fast_compile()) */
    bool compile_only;     /* it compiles shaders, but draws no pixels */
    bool one_thread;       /* the drawing thread also fills pixels */
    bool vulkan;           /* it loads a Vulkan driver, not an OpenGL driver */
    const int *shaders; /* LAUNCH_SHADER_FILES descriptors of compiled shaders; NULL: no shaders are
                           kept */
    const char *folder; /* result of shader_disk_cache_folder(); used if `shaders` is not NULL */
    bool program_is_open; /* `program` is a path of a descriptor: do not close others by number */
};

/* Descriptors that a process is given beside 0 and 1, in the order in which they are passed. */
enum launch_file {
    LAUNCH_FILE_SOCKET,
    LAUNCH_FILE_BREADCRUMB,
    LAUNCH_FILE_SAID,
    LAUNCH_FILE_SHADERS, /* the first of LAUNCH_SHADER_FILES descriptors of compiled shaders, if
                            there are any */
    LAUNCH_FILES = LAUNCH_FILE_SHADERS + LAUNCH_SHADER_FILES
};

struct launch {
    pid_t pid;  /* in the daemon's PID namespace, even if a launcher is its parent */
    int socket; /* the daemon's end */
    int said;   /* file with what the process wrote to standard error */
    struct breadcrumb *breadcrumb; /* mapped */
};

/*
 * Runs the program with the address space limit as its only argument. Returns 0, or a negative
 * errno with everything cleaned up. The caller ends the process with launch_end().
 */
int launch_start(const struct launch_params *params, struct launch *out);

/* Tells the process that no caller waits for the message with that serial any more. */
void launch_withdraw(struct launch *launch, uint32_t serial);

/*
 * Kills the process if it still runs, waits for its end, copies its breadcrumb, and frees
 * everything. Appends to `reason` how it ended and the last line that it wrote. With `killed`, the
 * caller ends it on purpose: it is killed at once, and how it ended is left out. Returns whether
 * a SIGKILL that was not ours ended it, presumably sent by a third party: then what it was doing is
 * not to blame.
 */
bool launch_end(struct launch *launch, bool killed, struct breadcrumb *breadcrumb, char *reason,
                size_t size);

/*
 * Starts the program with these descriptors, whose numbers are at least LAUNCH_DESCRIPTORS; those
 * from LAUNCH_FILE_SHADERS on are used only if params->shaders is not NULL. A launcher does this
 * for a process that may start no other (base/helper.h, worker/launcher.h). Returns 0 or a negative
 * errno.
 */
int launch_spawn(const struct launch_params *params, const int files[LAUNCH_FILES], pid_t *pid);

/* What launch_reap() returns for a process that had to be killed since it did not end by itself. */
#define LAUNCH_STAYED (-1)

/*
 * Waits for the end of the process, and returns its status as waitpid() does. Kills it at once if
 * `killed`. Otherwise, kills it if it does not end by itself within 100 ms, and returns
 * LAUNCH_STAYED.
 */
int launch_reap(pid_t pid, bool killed);

/*
 * Maps the breadcrumb of a running process a second time, so that another thread may read it even
 * after launch_end(). The caller unmaps it with munmap(). Returns NULL if there is no process, or
 * no memory.
 */
const struct breadcrumb *launch_view(const struct launch *launch);

/*
 * Moves a descriptor above those that a process is given, so that placing one overwrites no other,
 * and closes the old one. Returns the new one; -1 with errno.
 */
int launch_lift(int fd);

#endif
