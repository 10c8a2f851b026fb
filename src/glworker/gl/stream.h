/* SPDX-License-Identifier: MIT */
/*
 * The event stream of a trace as it arrives, and the calls that become whole in it (apitrace.md
 * 2.3 to 2.6, 3.1, 3.2), read with the format's decoders. A call is a list of places of its
 * arguments, whose values are read when it is run. One thread per stream.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_STREAM_H
#define GPUDUMPFS_GLWORKER_GL_STREAM_H

#include "formats/apitrace/decode/events.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RETRACE_PLACES = 32,        /* arguments that are kept; GL has 23 at most */
    RETRACE_HELD_MAX = 1 << 28, /* bytes that wait for the rest of their event or call */
    RETRACE_OPEN_MAX = 65536,   /* calls that have not returned */
};

/* A call from its enter event on. */
struct retrace_event {
    uint64_t number;
    uint32_t thread;
    const struct apitrace_function *function;
    uint64_t places[RETRACE_PLACES]; /* of the values in the stream; 0: not given */
    uint64_t result;
    bool returned;
    bool fake;            /* the tracer's, not the program's */
    uint64_t enter, left; /* offsets of its two events; `left` 0: did not return */
    uint8_t *copy;        /* of the enter event, once its bytes have gone from the buffer */
    uint64_t copied;
    struct retrace_event *next; /* of those that are spare */
};

struct retrace_stream {
    uint8_t *bytes; /* from offset `begin` on */
    uint64_t begin, size, room;
    uint64_t end;   /* offset of the first byte that was not fed */
    uint64_t at;    /* of the next event */
    uint64_t retry; /* bytes from `at` on with which reading it is worth another try */
    bool headed, ended, broken;
    uint64_t calls; /* enter events so far */
    struct apitrace_definitions definitions;
    struct retrace_event **open; /* by number */
    uint32_t open_count, open_room;
    uint64_t held;               /* bytes of copies */
    struct retrace_event *ready; /* taken with retrace_stream_next(), not dropped yet */
    struct retrace_event *spare;
    char fault[100]; /* why it is broken */

    struct apitrace_stream window; /* the buffer, since the last feed … */
    struct apitrace_reader reader; /* … of whose events this one reads */
    struct apitrace_stream copy;   /* a call's enter event that has gone from there */
    struct apitrace_reader values; /* of calls, in the one or the other; of no stream: not begun */
};

int retrace_stream_init(struct retrace_stream *stream);
void retrace_stream_clear(struct retrace_stream *stream);

/* Takes bytes at the end; `last`: none will follow. 0, -ENOMEM, -EFBIG. */
int retrace_stream_feed(struct retrace_stream *stream, const uint8_t *bytes, size_t size,
                        bool last);

/*
 * The next call in listing order, the same until it is dropped. NULL: more bytes are
 * needed, or, once the stream has ended, there is none.
 */
struct retrace_event *retrace_stream_next(struct retrace_stream *stream);
void retrace_stream_drop(struct retrace_stream *stream);

/*
 * The event of that call begins at that place, from which bytes are due again. No call was open
 * there.
 */
void retrace_stream_rewind(struct retrace_stream *stream, uint64_t place, uint64_t call);

/* A reader that stands at a value of the event, until any of these functions is called again. */
struct apitrace_reader *retrace_stream_read(struct retrace_stream *stream,
                                            const struct retrace_event *event, uint64_t place);

#endif
