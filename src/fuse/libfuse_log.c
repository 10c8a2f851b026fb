/* SPDX-License-Identifier: MIT */
#include "base/locks.h"
#include "base/log.h"
#include "fuse/internal.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Guards the line that log_line() gathers. */
static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;

static void library_lock_take(void) ACQUIRE(lock_of_library_log)
{
    pthread_mutex_lock(&library_lock);
}

static void library_lock_give(void) RELEASE(lock_of_library_log)
{
    pthread_mutex_unlock(&library_lock);
}

/* Gathers lines, since libfuse writes some in parts. Its levels are those of syslog. */
__attribute__((format(printf, 2, 0))) static void log_line(enum fuse_log_level level,
                                                           const char *format, va_list arguments)
{
    static char line[512] GUARDED_BY(lock_of_library_log);
    static size_t length GUARDED_BY(lock_of_library_log);
    int added;

    library_lock_take();
    added = vsnprintf(line + length, sizeof(line) - length, format, arguments);
    if (added > 0)
        length = strnlen(line, sizeof(line));
    if (length > 0 && (line[length - 1] == '\n' || length == sizeof(line) - 1)) {
        log_write((int)level, "%s", line);
        length = 0;
    }
    library_lock_give();
}

void libfuse_log_begin(void)
{
    fuse_set_log_func(log_line);
}
