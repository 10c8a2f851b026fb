/* SPDX-License-Identifier: MIT */
/*
 * The defects of a dump, one line each, with the byte offset and the packet where the defect is.
 * Parsers and renderers add lines from any thread; problems.txt shows them ordered by offset. A
 * defect is listed once, however often it is met. The number of lines is limited, with some room
 * reserved for errors that concern the whole dump; defects beyond the limit are counted.
 *
 * A line has the form
 *
 *     0x0000001C packet 12 error: payload is cut off, 48 of 64 bytes present
 *     - packet - note: at least 20 more, not listed
 *
 * so that awk finds the offset in $1 (`-` if there is none), the packet in $3 (`-` if there is
 * none) and the severity, with a colon, in $4.
 */
#ifndef GPUDUMPFS_BASE_PROBLEMS_H
#define GPUDUMPFS_BASE_PROBLEMS_H

#include "base/locks.h"
#include "base/text.h"

#include <stdint.h>

enum problem_severity { PROBLEM_NOTE, PROBLEM_WARNING, PROBLEM_ERROR };

/* For a defect that is in no packet, or at no offset. */
#define PROBLEM_NOWHERE UINT64_MAX

struct problems;

/* Creates an empty list. Returns 0 or -ENOMEM. */
int problems_create(struct problems **out);
/* Frees the list and sets the pointer to NULL. *problems may be NULL. */
void problems_destroy(struct problems **problems) EXCLUDES(lock_of_problems);

/*
 * Adds a line, unless the same line is there already. The text is escaped, and cut after 400 bytes.
 * Without memory for the line, the defect is only counted.
 */
void problems_add(struct problems *problems, enum problem_severity severity, uint64_t offset,
                  uint64_t packet, const char *format, ...) EXCLUDES(lock_of_problems)
    __attribute__((format(printf, 5, 6)));

/*
 * The same for defects met while drawing, such as a worker that crashed. When these are met, and
 * whether at all, depends on what is read, so problems_count_at() does not count them.
 */
void problems_add_drawing(struct problems *problems, enum problem_severity severity,
                          uint64_t offset, uint64_t packet, const char *format, ...)
    EXCLUDES(lock_of_problems) __attribute__((format(printf, 5, 6)));

/* Records that, for lack of memory, it is not known whether there is a defect. */
void problems_lose(struct problems *problems) EXCLUDES(lock_of_problems);

/*
 * Sets the one listener, which is called after each new line, with no lock held; NULL removes it.
 * Waits until calls of the previous listener have returned, so that it is never called after its
 * removal. Must therefore not be called by a listener, nor with a lock held that the listener
 * takes.
 */
void problems_on_change(struct problems *problems, void (*changed)(void *context), void *context)
    EXCLUDES(lock_of_problems);

/* Returns the number of defects: lines that are listed, and those that are only counted. */
uint64_t problems_count(const struct problems *problems) EXCLUDES(lock_of_problems);

/*
 * Sets *count to the number of defects except those met while drawing. The count is taken when it
 * is first requested for `moment`, a number that the caller chooses, and stays the same until
 * another moment is requested. Returns 0, or -ENOMEM if the count is not known because a defect
 * could not be kept or looked for.
 */
int problems_count_at(struct problems *problems, uint64_t moment, uint64_t *count)
    EXCLUDES(lock_of_problems);

/* Returns whether there is a defect of at least this severity, listed or counted. */
bool problems_any(const struct problems *problems, enum problem_severity min)
    EXCLUDES(lock_of_problems);

/*
 * Appends the line, without line feed, of the first error in the order of adding. Returns false if
 * there is none.
 */
bool problems_first_error(const struct problems *problems, struct text *line)
    EXCLUDES(lock_of_problems);

/*
 * Appends the text of that line without offset, packet and severity: what is wrong, as a sentence.
 * Returns false if there is no error.
 */
bool problems_first_sentence(const struct problems *problems, struct text *sentence)
    EXCLUDES(lock_of_problems);

/*
 * Appends the text of the first line that is about the file `path`: that begins with the path and a
 * blank or colon. Returns false if there is none.
 */
bool problems_sentence_of(const struct problems *problems, const char *path, struct text *sentence)
    EXCLUDES(lock_of_problems);

/*
 * Lists the packets of all lines that name one, in no order and possibly repeated, except for lines
 * met while drawing. The caller frees *packets. Returns 0 or -ENOMEM.
 */
int problems_packets(const struct problems *problems, uint64_t **packets, size_t *count)
    EXCLUDES(lock_of_problems);

/* Appends all lines, ordered by offset, then in the order of adding. */
void problems_write(const struct problems *problems, struct text *text) EXCLUDES(lock_of_problems);

/* Returns how many bytes problems_write() would append. Cheap. */
uint64_t problems_length(const struct problems *problems) EXCLUDES(lock_of_problems);

#endif
