/* SPDX-License-Identifier: MIT */
/*
 * Starting the worker's process, and seeing it off. It inherits descriptors beside the
 * standard ones, in the places below; what it writes to its standard error is kept, for
 * the sentence that tells why it died. Any thread.
 */
#ifndef GPUDUMPFS_WORKER_LAUNCH_H
#define GPUDUMPFS_WORKER_LAUNCH_H

#include "worker/breadcrumb.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    LAUNCH_SOCKET = 3,     /* its end of the socket */
    LAUNCH_BREADCRUMB = 4, /* a page: struct breadcrumb */
    /* Compiled shaders, if LAUNCH_SHADERS_FOLDER is in its environment: as `make` links them. */
    LAUNCH_SHADERS = 5,
    LAUNCH_SHADER_FILES = 3,
    LAUNCH_DESCRIPTORS = LAUNCH_SHADERS + LAUNCH_SHADER_FILES
};

#define LAUNCH_SHADERS_FOLDER "MESA_SHADER_CACHE_DIR"
/* What Mesa is told that they may have together. */
#define LAUNCH_SHADERS_MAX "56M"
/* llvmpipe's: no pixels are drawn. */
#define LAUNCH_COMPILE_ONLY "LP_NO_RAST"
/* llvmpipe's: how many threads fill pixels beside the one that draws. */
#define LAUNCH_RASTERIZERS "LP_NUM_THREADS"

/* Address space of the process by default: Mesa and LLVM map about 1 GiB to begin with. */
#define LAUNCH_MEMORY (UINT64_C(6) << 30)

/* Ours: the driver is one of Vulkan. */
#define LAUNCH_VULKAN "GPUDUMPFS_VULKAN"

struct launch_params {
    const char *program;
    uint64_t memory_limit; /* of address space, in bytes; 0: LAUNCH_MEMORY */
    bool fast_compile;     /* how it compiles shaders */
    bool compile_only;     /* it compiles, but draws no pixels */
    bool one_thread;       /* the thread that draws fills pixels, too */
    bool vulkan;           /* it loads a driver of Vulkan, not of OpenGL */
    const int *shaders;    /* LAUNCH_SHADER_FILES descriptors, or NULL: none are kept … */
    const char *folder;    /* … shader_disk_cache_folder() */
    bool program_is_open;  /* `program` leads to a descriptor: none are closed by their numbers */
};

/* What a process is given beside: places from 2 on, in this order. */
enum launch_file {
    LAUNCH_FILE_SOCKET,
    LAUNCH_FILE_BREADCRUMB,
    LAUNCH_FILE_SAID,
    LAUNCH_FILE_SHADERS, /* and those behind it, if there are any */
    LAUNCH_FILES = LAUNCH_FILE_SHADERS + LAUNCH_SHADER_FILES
};

struct launch {
    pid_t
        pid; /* as the daemon's process namespace numbers it, also where a launcher is its parent */
    int socket;                    /* our end */
    int said;                      /* what it wrote to standard error */
    struct breadcrumb *breadcrumb; /* mapped */
};

/*
 * Runs the program with the address space limit as its only argument. 0 or a negative
 * errno, with nothing left behind.
 */
int launch_start(const struct launch_params *params, struct launch *out);

/* Tells the process that nothing waits for the message of that serial any more. */
void launch_withdraw(struct launch *launch, uint32_t serial);

/*
 * Kills the process if it still runs, waits for its end, appends to `reason` how it
 * ended and the last line it wrote, takes over its breadcrumb, and frees everything.
 * `killed` tells that the end is our own doing, and is not worth a word. Returns
 * whether somebody else killed it, by SIGKILL: what it was about is not to blame.
 */
bool launch_end(struct launch *launch, bool killed, struct breadcrumb *breadcrumb, char *reason,
                size_t size);

/*
 * What the launcher does for a process that may start no other (base/helper.h, worker/launcher.h):
 * starts the program with these descriptors, which are above LAUNCH_DESCRIPTORS; the last of them
 * are there if params->shaders is not NULL. 0 or a negative errno.
 */
int launch_spawn(const struct launch_params *params, const int files[LAUNCH_FILES], pid_t *pid);

/* Waits for its end, kills it if need be, and tells how it ended, as waitpid() does. */
int launch_reap(pid_t pid, bool killed);

/*
 * The breadcrumb of a running process, mapped a second time, so that another thread may look at it
 * even when that process has been seen off; for munmap(). NULL: there is none, or no memory.
 */
const struct breadcrumb *launch_view(const struct launch *launch);

/*
 * The descriptor again, closed here, above those that a process gets, so that placing one
 * overwrites no other; -1 with errno.
 */
int launch_lift(int fd);

#endif
