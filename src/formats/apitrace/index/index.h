/* SPDX-License-Identifier: MIT */
/*
 * The results of one pass over a trace (apitrace.md 2.7, 3): definitions, the offset of each call,
 * the order in which calls are listed, frames, blobs, and which calls concern shaders, textures,
 * markers and errors. Afterwards nothing changes, and any thread may read.
 *
 * Calls have two orders. A call's `number` is its position in the order of enter events, as in the
 * trace. Its `order` is its position in the listing, which has the calls as they return, and at the
 * end those that never do (apitrace.md 3.1, 3.2). In a trace of one thread both are usually the
 * same. Frames are ranges of the listing, and the replay runs calls in the order of the listing.
 *
 * For a trace that grows (follow.md) the pass waits for more, in a thread of its own. It indexes
 * frames one after the other, and shows them when the caller knows what else they need. The
 * contents of shown frames are available to any thread, and never change.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_INDEX_H
#define GPUDUMPFS_APITRACE_INDEX_INDEX_H

#include "cache/follow.h"
#include "formats/apitrace/decode/definitions.h"
#include "formats/apitrace/index/calls.h"

struct apitrace_property {
    struct apitrace_name name, value;
    uint32_t number; /* position in the trace */
};

/* Calls that are listed one after the other and have consecutive numbers. */
struct apitrace_run {
    uint32_t order, number; /* of the first call */
};

struct apitrace_frame_record {
    uint64_t first, end; /* orders of its first call and after its last one, in the listing */
    uint64_t bytes; /* of the stream, from the end of the previous frame to the end of this one */
    uint32_t min_number, max_number; /* smallest and greatest number of its calls */
    uint32_t hidden, draws;
    uint32_t function; /* whose call ends it; APITRACE_NO_FUNCTION if it is unfinished */
};

/*
 * A blob that is printed. Blobs are those of listed calls, by number, then in the order of
 * printing.
 */
struct apitrace_blob {
    uint64_t position, size; /* offset and size in the stream */
    uint32_t number;
    uint32_t argument; /* number of the argument, or APITRACE_RESULT */
    uint32_t ordinal;  /* index within the call */
};

/* An ordinal during the pass: earlier blobs of the same argument are replaced. */
#define APITRACE_BLOB_REPLACED UINT32_MAX

struct apitrace_thread {
    uint64_t calls;
    uint32_t id, first, last;
    uint32_t depth; /* of markers, during the pass */
};

/* Lists of call numbers, in the order of the listing. */
enum apitrace_note {
    APITRACE_NOTE_ERRORS,
    APITRACE_NOTE_MARKERS,   /* each number is followed by the marker's depth */
    APITRACE_NOTE_STRINGS,   /* calls of glGetString */
    APITRACE_NOTE_SHADERS,   /* calls that create shaders or provide their sources */
    APITRACE_NOTE_TEXTURES,  /* calls that upload pixels, or determine how these are read */
    APITRACE_NOTE_RESOURCES, /* calls that make or fill resources of Direct3D */
    APITRACE_NOTES,
};

struct apitrace_notes {
    uint32_t *numbers;
    uint64_t count, room;
};

/* Sums over the trace. */
struct apitrace_totals {
    uint64_t end;     /* of the last event in the stream */
    uint64_t packets; /* calls that were entered */
    uint64_t rows;    /* calls from the first on that are all listed */
    uint64_t hidden, fake, incomplete, threads, functions;
    uint64_t notes[APITRACE_NOTES];
    enum apitrace_api api;
};

struct apitrace_index_params {
    const struct source *source;
    const struct source_params *source_params; /* must outlive the index if the source grows */
    uint64_t max_memory;
    unsigned threads; /* maximum number that may run at the same time */
    struct problems *problems;
    struct text *message; /* for a sentence with -EPROTO; used only during the opening */
    /*
     * A stream of at least this many bytes is not read when it is opened, but later
     * (apitrace_index_go()), if there is address space for arrays that do not move; 0: never.
     * `source_params` must then outlive the index.
     */
    uint64_t later;
    bool keep; /* keep the index of such a stream for its next opening, if the file allows it */
    /*
     * Of a source that grows: called after the end of each frame. A result other than 0 ends the
     * pass.
     */
    int (*indexed)(void *context);
    void *context;
};

struct apitrace_indexing;

struct apitrace_index {
    struct apitrace_stream stream;
    struct follow follow; /* packets below its count may be shown, unless they are not listed yet */
    _Atomic bool headed;  /* the header of the stream has been read */
    struct apitrace_definitions definitions;
    struct apitrace_calls calls;

    unsigned version;
    uint64_t semantic_version;
    uint64_t header_size;                 /* bytes in the stream */
    struct apitrace_property *properties; /* sorted by name, then by position in the trace */
    uint64_t property_count, property_room;
    /* May move, since all properties are read before other threads look at them. */
    struct apitrace_memory property_memory;
    enum apitrace_api api;

    uint64_t end;    /* of the last complete event in the stream */
    uint64_t listed; /* number of listed calls */
    struct apitrace_run *runs;
    _Atomic uint64_t run_count;
    uint64_t run_room;
    struct apitrace_frame_record *frames;
    uint64_t frame_count, frame_room, finished_frames;
    struct apitrace_totals *totals; /* up to each frame's end; NULL if the index does not grow */
    _Atomic uint64_t total_count;
    uint64_t total_room;
    struct apitrace_blob *blobs;
    uint64_t blob_count, blob_room;
    struct apitrace_thread *threads; /* sorted by id */
    uint64_t thread_count, thread_room;
    struct apitrace_notes notes[APITRACE_NOTES];
    uint64_t *function_calls; /* listed calls of each function, by its number */
    uint64_t function_room;
    uint64_t hidden, fake, incomplete;

    struct apitrace_memory memory;      /* without calls and definitions */
    struct apitrace_indexing *indexing; /* while the pass runs in steps */
    bool unread;                        /* the pass may have more to read */
    /* `keeps`: it will be kept once it is complete; `kept`: it was loaded from a kept index. */
    bool keeps, kept;
    uint64_t problems; /* number of reported problems before events were read */
    struct apitrace_index_params params;
};

/*
 * Opens the stream and indexes it to its end, or to the first invalid byte, which is reported as a
 * problem; what precedes it stays available. Returns 0, -EPROTO for an unknown version, -EINTR,
 * -ENOMEM, or -errno of the spool. Call apitrace_index_clear() on *out even if it fails. If the
 * stream grows or is to be read later, nothing is indexed yet.
 */
int apitrace_index_open(const struct apitrace_index_params *params, struct apitrace_index *out);

/*
 * Keeps the index of a stream that was read later for its next opening, if that is requested, the
 * index is complete, and the trace has no problems. Does so only once. No other thread may be
 * running the pass.
 */
void apitrace_index_keep(struct apitrace_index *index);

/*
 * kept_index.c: loads a kept index into an index of which only the header was read. Returns 0 or
 * -errno; all errors except -ENOENT and -ENOTSUP (source/kept.h) are logged in verbose mode.
 */
int apitrace_kept_index_load(struct apitrace_index *index);

/* Saves a complete index, to be kept. Returns the same. */
int apitrace_kept_index_save(struct apitrace_index *index);

/*
 * Discards an unusable kept index: goes back to where only the header was read. Returns 0 or
 * -errno.
 */
int apitrace_index_forget(struct apitrace_index *index);

/*
 * Indexes a stream that grows to its end, waiting for it. Returns 0, -EINTR, -ENOMEM or another
 * -errno.
 */
int apitrace_index_follow(struct apitrace_index *index);

void apitrace_index_clear(struct apitrace_index *index);

/*
 * Shows the first `frames` frames, which must be indexed; with `final`, everything. Called by the
 * thread that runs the pass.
 */
void apitrace_index_show(struct apitrace_index *index, uint64_t frames, bool final);

/*
 * Continues the pass over a stream that is read later: by `events` events, or, with `frame`, at
 * most to the next end of a frame. All calls listed by then have records, which never change, and
 * any thread may read them. One thread at a time. Returns 0, with *ended set at the end, -EINTR, or
 * -ENOMEM, after which the pass cannot continue.
 */
int apitrace_index_go(struct apitrace_index *index, uint64_t events, bool frame,
                      const struct cancel *cancel, bool *ended);

/*
 * pass.c: reads the events of `stream`, the index's or a copy of it, from offset `position` after
 * the header. apitrace_pass_go() has the arguments and results of apitrace_index_go(). Problems of
 * the trace are reported and are no failure.
 */
struct apitrace_pass;

int apitrace_pass_create(struct apitrace_index *index, const struct apitrace_stream *stream,
                         uint64_t position, struct apitrace_pass **out);
int apitrace_pass_go(struct apitrace_pass *pass, uint64_t events, bool frame,
                     const struct cancel *cancel, bool *ended);
void apitrace_pass_destroy(struct apitrace_pass **pass);

/* Appends the sums so far to the totals, at the end of a frame. Returns 0 or -ENOMEM. */
int apitrace_index_sum_up(struct apitrace_index *index);

/*
 * Called at the end of the pass: sorts the blobs, and removes those that are replaced or belong to
 * one of the calls `cut`.
 */
void apitrace_index_order_blobs(struct apitrace_index *index, const uint64_t cut[2]);

/* Returns whether more may come. Like all functions below, for any thread. */
static inline bool apitrace_index_grows(const struct apitrace_index *index)
{
    return follow_grows(&index->follow);
}

/* Returns the sums over what is shown. */
struct apitrace_totals apitrace_index_totals(const struct apitrace_index *index);

/* Returns the record of a call, number < calls.count. */
struct apitrace_record apitrace_index_at(const struct apitrace_index *index, uint64_t number);

/* Gets the record of a call that is shown. Returns 0, or -ENOENT if there is none, or not yet. */
int apitrace_index_record(const struct apitrace_index *index, uint64_t number,
                          struct apitrace_record *out);

/* Returns the number of the call at a position in the listing, order < listed. */
uint64_t apitrace_index_listed(const struct apitrace_index *index, uint64_t order);

/*
 * Returns the frame of a call by its position in the listing; UINT64_MAX if it is not listed, or
 * not yet.
 */
uint64_t apitrace_index_frame(const struct apitrace_index *index, uint64_t order);

/* Returns whether a call is listed in a frame. */
bool apitrace_index_in_frame(const struct apitrace_index *index, uint64_t frame, uint64_t number);

/* Returns the index of the first blob of a call whose number is at least `number`. */
uint64_t apitrace_index_blobs(const struct apitrace_index *index, uint64_t number);

/* Returns the function of a record; NULL if it has none. */
const struct apitrace_function *apitrace_index_function(const struct apitrace_index *index,
                                                        const struct apitrace_record *record);

/* Returns the function's name as used in file names; "unnamed" if there is no function. */
const char *apitrace_index_name(const struct apitrace_index *index,
                                const struct apitrace_record *record);

#endif
