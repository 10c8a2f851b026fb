/*
 * What names of objects have in common: each begins with the number of the call that hands the
 * object over (apitrace.md 4.4). The key is the place in a list, which is by number. Any thread.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_OBJECT_VIEWS_H
#define GPUDUMPFS_APITRACE_VIEWS_OBJECT_VIEWS_H

#include "formats/apitrace/dump.h"

/* A list of objects, as far as names need it: each begins with its number, a uint32_t. */
struct apitrace_object_list {
    uint64_t count;
    const void *first;
    size_t size;
};

/* Whether a call is listed in a frame. */
bool apitrace_object_in_frame(const struct apitrace_index *index, uint64_t frame, uint64_t number);

/* The place of the call that a name begins with; false: there is none. */
bool apitrace_object_parse(const struct apitrace_object_list *list, const char *name,
                           uint64_t *place);

/* The next place from `from` on whose call is in the frame. 0 or -ENOENT. */
int apitrace_object_next_in_frame(struct dump *dump, const struct apitrace_object_list *list,
                                  uint64_t frame, uint64_t from, uint64_t *place);

#endif
