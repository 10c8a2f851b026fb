/*
 * Chunks of a stream, expanded by a thread of their own shortly before they are read: for the
 * index pass, which reads a whole stream once, before others use it. The thread ends with the
 * expander. One reader.
 */
#ifndef GPUDUMPFS_APITRACE_CONTAINER_EXPANDER_H
#define GPUDUMPFS_APITRACE_CONTAINER_EXPANDER_H

#include "formats/apitrace/container/stream.h"

struct apitrace_expander;

/* Whether a thread would gain time: the stream stands in chunks, and they are many and large, but
 * none unusually. */
bool apitrace_expander_helps(const struct apitrace_stream *stream);

/* Begins with the chunk that holds `position`. NULL: there is no thread to be had. */
struct apitrace_expander *apitrace_expander_create(const struct apitrace_stream *stream,
                                                   uint64_t position);
void apitrace_expander_destroy(struct apitrace_expander **expander);

/* As apitrace_stream_expand(); those that follow are expanded meanwhile. */
int apitrace_expander_get(struct apitrace_expander *expander, uint64_t number, struct blob **out);

#endif
