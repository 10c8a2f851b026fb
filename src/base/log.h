/* SPDX-License-Identifier: MIT */
/*
 * What the user of the machine must know: to standard error until
 * log_to_system(), then to syslog as `program[pid]`. What is wrong with a dump
 * goes to problems.h instead. Messages are given as they are: control characters
 * are escaped here. Floods are cut, with a count of what was left out. Any thread.
 */
#ifndef GPUDUMPFS_BASE_LOG_H
#define GPUDUMPFS_BASE_LOG_H

#include <stdarg.h>
#include <syslog.h>

/*
 * `program` outlives the log. Messages less urgent than `min` (LOG_ERR,
 * LOG_WARNING, LOG_INFO, LOG_DEBUG) are dropped.
 */
void log_open(const char *program, int min);

/* From now on to syslog. */
void log_to_system(void);

/* Connects to syslog, for a process that may not do so later. */
void log_connect(void);

/* One message, one line; a line feed at its end is not needed. */
void log_write(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_write_list(int level, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

#endif
