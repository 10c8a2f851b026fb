/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include "base/locks.h"
#include "base/text.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

/* At most LOG_BURST messages in LOG_SECONDS; debugging messages are not limited. */
enum { LOG_BURST = 30, LOG_SECONDS = 10, LOG_LONGEST = 4096 };

static struct {
    pthread_mutex_t lock;
    const char *program GUARDED_BY(lock_of_log);
    int min;
    bool to_system GUARDED_BY(lock_of_log);
    time_t since GUARDED_BY(lock_of_log); /* beginning of the current window */
    unsigned count GUARDED_BY(lock_of_log), dropped GUARDED_BY(lock_of_log);
} journal = {.lock = PTHREAD_MUTEX_INITIALIZER, .program = "gpudumpfs", .min = LOG_WARNING};

static void take_lock(void) ACQUIRE(lock_of_log)
{
    pthread_mutex_lock(&journal.lock);
}

static void give_lock(void) RELEASE(lock_of_log)
{
    pthread_mutex_unlock(&journal.lock);
}

void log_open(const char *program, int min)
{
    take_lock();
    journal.program = program;
    journal.min = min;
    give_lock();
}

void log_connect(void)
{
    take_lock();
    openlog(journal.program, LOG_PID | LOG_NDELAY, LOG_DAEMON);
    give_lock();
}

void log_to_system(void)
{
    take_lock();
    openlog(journal.program, LOG_PID, LOG_DAEMON);
    journal.to_system = true;
    give_lock();
}

static void send_line(int level, const char *bytes, size_t length) REQUIRES(lock_of_log)
{
    if (journal.to_system)
        syslog(level, "%.*s", (int)length, bytes);
    else
        fprintf(stderr, "%s: %.*s\n", journal.program, (int)length, bytes);
}

/*
 * Returns whether another message may be sent now. At the beginning of a window, first logs how
 * many messages were left out of the previous one.
 */
static bool within_rate(void) REQUIRES(lock_of_log)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (journal.since == 0 || now.tv_sec - journal.since >= LOG_SECONDS) {
        char line[64];
        int length = snprintf(line, sizeof(line), "%u messages were suppressed", journal.dropped);

        if (journal.dropped > 0)
            send_line(LOG_WARNING, line, (size_t)length);
        journal.since = now.tv_sec;
        journal.count = journal.dropped = 0;
    }
    if (journal.count >= LOG_BURST) {
        journal.dropped++;
        return false;
    }
    journal.count++;
    return true;
}

void log_write_list(int level, const char *format, va_list arguments)
{
    char message[LOG_LONGEST];
    struct text line = TEXT_INIT;
    int length;

    if (level > journal.min)
        return;
    length = vsnprintf(message, sizeof(message), format, arguments);
    if (length < 0)
        return;
    if ((size_t)length >= sizeof(message))
        length = sizeof(message) - 1;
    while (length > 0 && message[length - 1] == '\n')
        length--;
    text_add_escaped(&line, message, (size_t)length);
    take_lock();
    if (text_status(&line) == 0 && (level == LOG_DEBUG || within_rate()))
        send_line(level, line.bytes, line.length);
    give_lock();
    text_clear(&line);
}

void log_write(int level, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    log_write_list(level, format, arguments);
    va_end(arguments);
}
