/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with a dump: one line a defect, each with the byte offset and
 * the packet it stands in. Parsers and renderers add lines from any thread;
 * problems.txt shows them ordered by offset. A defect is listed once, however
 * often it is met; their number is capped, with some room left for errors of the
 * whole dump, and what is beyond the cap counted.
 *
 * A line has the shape
 *
 *     0x0000001C packet 12 error: payload is cut off, 48 of 64 bytes present
 *     - packet - note: at least 20 more, not listed
 *
 * so that awk finds the offset in $1 (`-` when there is none), the packet in $3
 * (`-`) and the severity, with a colon, in $4.
 */
#ifndef GPUDUMPFS_BASE_PROBLEMS_H
#define GPUDUMPFS_BASE_PROBLEMS_H

#include "base/locks.h"
#include "base/text.h"

#include <stdint.h>

enum problem_severity { PROBLEM_NOTE, PROBLEM_WARNING, PROBLEM_ERROR };

/* For a defect that stands in no packet, or at no offset. */
#define PROBLEM_NOWHERE UINT64_MAX

struct problems;

int problems_create(struct problems **out);
void problems_destroy(struct problems **problems) EXCLUDES(lock_of_problems);

/*
 * Adds a line unless the same one is there already. The text is escaped, and cut
 * after 400 bytes. When there is no memory for the line, it is counted only.
 */
void problems_add(struct problems *problems, enum problem_severity severity, uint64_t offset,
                  uint64_t packet, const char *format, ...) EXCLUDES(lock_of_problems)
    __attribute__((format(printf, 5, 6)));

/*
 * The same of what drawing has met, such as a worker that ended: when, and whether at all, is up to
 * the reader, so problems_count_at() leaves it out.
 */
void problems_add_drawing(struct problems *problems, enum problem_severity severity,
                          uint64_t offset, uint64_t packet, const char *format, ...)
    EXCLUDES(lock_of_problems) __attribute__((format(printf, 5, 6)));

/* For want of memory it cannot be told whether there is a defect. */
void problems_lose(struct problems *problems);

/*
 * Called after each new line, with no lock held; one listener. Waits for calls that have begun: so
 * that no listener is called that was taken away, and never to be called by a listener, nor with a
 * lock held that it takes.
 */
void problems_on_change(struct problems *problems, void (*changed)(void *context), void *context)
    EXCLUDES(lock_of_problems);

/* Lines listed, and defects that are only counted. */
uint64_t problems_count(const struct problems *problems) EXCLUDES(lock_of_problems);

/*
 * The same without what drawing has met, of a moment, a number that the caller chooses: as it is
 * when it is asked for first, and that again until another moment is asked for. 0, or -ENOMEM when
 * a defect could not be kept or looked for, so that their count is not known.
 */
int problems_count_at(struct problems *problems, uint64_t moment, uint64_t *count);

/* Whether there is a defect of at least that severity, listed or counted. */
bool problems_any(const struct problems *problems, enum problem_severity min)
    EXCLUDES(lock_of_problems);

/* Appends the first error's line (no line feed) in the order of adding; false: none. */
bool problems_first_error(const struct problems *problems, struct text *line)
    EXCLUDES(lock_of_problems);

/* The same without offset, packet and severity: what is wrong, as a sentence. */
bool problems_first_sentence(const struct problems *problems, struct text *sentence)
    EXCLUDES(lock_of_problems);

/* Appends the sentence that tells of a file, by its path: the first that begins with it and a blank
 * or colon; false: none. */
bool problems_sentence_of(const struct problems *problems, const char *path, struct text *sentence)
    EXCLUDES(lock_of_problems);

/*
 * The packets that lines stand in, one for each line, without what drawing has met, in no order:
 * to be freed. 0, -ENOMEM.
 */
int problems_packets(const struct problems *problems, uint64_t **packets, size_t *count)
    EXCLUDES(lock_of_problems);

/* Appends all lines, ordered by offset, then by the order of adding. */
void problems_write(const struct problems *problems, struct text *text) EXCLUDES(lock_of_problems);

/* How many bytes that would be. Cheap. */
uint64_t problems_length(const struct problems *problems) EXCLUDES(lock_of_problems);

#endif
