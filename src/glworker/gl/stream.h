/* SPDX-License-Identifier: MIT */
/*
 * The event stream of a trace as it arrives, and the calls that become complete in it (apitrace.md
 * 2.3 to 2.6, 3.1, 3.2), read with the format's decoders. A call is a list of the places of its
 * arguments, whose values are read when it is run. One thread per stream.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_STREAM_H
#define GPUDUMPFS_GLWORKER_GL_STREAM_H

#include "formats/apitrace/decode/events.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RETRACE_PLACES = 32,        /* arguments that are kept; GL functions have 23 at most */
    RETRACE_HELD_MAX = 1 << 28, /* bytes that wait for the rest of their event or call */
    RETRACE_OPEN_MAX = 65536,   /* calls that have not returned */
};

/* A call, from its enter event on. */
struct retrace_event {
    uint64_t number;
    uint32_t thread;
    const struct apitrace_function *function;
    uint64_t places[RETRACE_PLACES]; /* offsets of the values in the stream; 0 if not given */
    uint64_t result;
    bool returned;
    bool fake;            /* made by the tracer, not by the program */
    uint64_t enter, left; /* offsets of its two events; `left` is 0 if it did not return */
    uint8_t *copy;        /* of the enter event, after its bytes have left the buffer */
    uint64_t copied;
    struct retrace_event *next; /* in the list of spare events */
};

struct retrace_stream {
    uint8_t *bytes; /* from offset `begin` on */
    uint64_t begin, size, room;
    uint64_t end;   /* offset of the first byte that has not been fed */
    uint64_t at;    /* offset of the next event */
    uint64_t retry; /* reading is tried again once there are this many bytes from `at` on */
    bool headed, ended, broken;
    uint64_t calls; /* enter events so far */
    struct apitrace_definitions definitions;
    struct retrace_event **open; /* by call number */
    uint32_t open_count, open_room;
    uint64_t held;               /* bytes of copies */
    struct retrace_event *ready; /* returned by retrace_stream_next(), not dropped yet */
    struct retrace_event *spare;
    char fault[100]; /* reason why the stream is broken */

    struct apitrace_stream window; /* the buffer, since the last feed */
    struct apitrace_reader reader; /* reads events from `window` */
    struct apitrace_stream copy;   /* the enter event of a call that has left the buffer */
    /* reads values of calls from `window` or `copy`; its stream is NULL before the first value */
    struct apitrace_reader values;
};

int retrace_stream_init(struct retrace_stream *stream);
void retrace_stream_clear(struct retrace_stream *stream);

/* Appends bytes; `last` means that none will follow. Returns 0, -ENOMEM or -EFBIG. */
int retrace_stream_feed(struct retrace_stream *stream, const uint8_t *bytes, size_t size,
                        bool last);

/*
 * Returns the next call in listing order, the same one until it is dropped. Returns NULL if more
 * bytes are needed or, after the stream has ended, if there are no more calls.
 */
struct retrace_event *retrace_stream_next(struct retrace_stream *stream);
void retrace_stream_drop(struct retrace_stream *stream);

/*
 * Goes back to the event of `call`, which begins at `place`; bytes must be fed from there again. No
 * call may have been open at that place.
 */
void retrace_stream_rewind(struct retrace_stream *stream, uint64_t place, uint64_t call);

/* Returns a reader at a value of the event, valid until any of these functions is called again. */
struct apitrace_reader *retrace_stream_read(struct retrace_stream *stream,
                                            const struct retrace_event *event, uint64_t place);

#endif
