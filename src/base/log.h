/* SPDX-License-Identifier: MIT */
/*
 * Messages for the user of the machine: to standard error until log_to_system(), then to syslog as
 * `program[pid]`. Defects of a dump go to problems.h instead. Messages may contain anything:
 * control characters are escaped here. Floods are cut, and the number of messages left out is
 * logged. Any thread.
 */
#ifndef GPUDUMPFS_BASE_LOG_H
#define GPUDUMPFS_BASE_LOG_H

#include <stdarg.h>
#include <syslog.h>

/*
 * Sets the program's name, which must outlive the log, and the threshold: messages less urgent than
 * `min` (LOG_ERR, LOG_WARNING, LOG_INFO, LOG_DEBUG) are dropped.
 */
void log_open(const char *program, int min);

/* Sends messages to syslog from here on. */
void log_to_system(void);

/* Connects to syslog in advance, for a process that may not do so later. */
void log_connect(void);

/* Logs one message as one line. No line feed is needed at the end. */
void log_write(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_write_list(int level, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

#endif
