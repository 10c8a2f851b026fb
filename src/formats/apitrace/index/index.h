/* SPDX-License-Identifier: MIT */
/*
 * What one pass over a trace finds (apitrace.md 2.7, 3): definitions, where each call
 * stands, the order in which calls are listed, frames, blobs, and which calls speak of
 * shaders, textures, markers and errors. Afterwards nothing changes, and any thread
 * may read.
 *
 * Of a trace that grows (follow.md) the pass waits for what comes, in a thread of its own:
 * frames are indexed one after the other, and shown when the caller
 * knows what else they need. What the frames that are shown have is there for any thread, and for
 * good.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_INDEX_H
#define GPUDUMPFS_APITRACE_INDEX_INDEX_H

#include "cache/follow.h"
#include "formats/apitrace/decode/definitions.h"
#include "formats/apitrace/index/calls.h"

struct apitrace_property {
    struct apitrace_name name, value;
    uint32_t number; /* in the trace */
};

/* Calls that are listed one after the other and numbered so, too. */
struct apitrace_run {
    uint32_t order, number; /* of the first */
};

struct apitrace_frame_record {
    uint64_t first, end; /* of its calls in the order of the listing; end: behind the last */
    uint64_t bytes;      /* of the stream, taken since the frame before */
    uint32_t min_number, max_number; /* numbers of its calls */
    uint32_t hidden, draws;
    uint32_t function; /* that ends it; APITRACE_NO_FUNCTION: unfinished */
};

/* A blob that is printed: of listed calls, by number, then in the order of printing. */
struct apitrace_blob {
    uint64_t position, size; /* in the stream */
    uint32_t number;
    uint32_t argument; /* or APITRACE_RESULT */
    uint32_t ordinal;  /* within the call */
};

/* An ordinal while the pass runs: the argument's blobs before this one are replaced. */
#define APITRACE_BLOB_REPLACED UINT32_MAX

struct apitrace_thread {
    uint64_t calls;
    uint32_t id, first, last;
    uint32_t depth; /* of markers, while the pass runs */
};

/* Numbers of calls, in the order of the listing. */
enum apitrace_note {
    APITRACE_NOTE_ERRORS,
    APITRACE_NOTE_MARKERS,   /* each with its depth behind it */
    APITRACE_NOTE_STRINGS,   /* glGetString */
    APITRACE_NOTE_SHADERS,   /* that create or give source */
    APITRACE_NOTE_TEXTURES,  /* that upload, or tell how */
    APITRACE_NOTE_RESOURCES, /* that make those of Direct3D, and fill them */
    APITRACE_NOTES,
};

struct apitrace_notes {
    uint32_t *numbers;
    uint64_t count, room;
};

/* What there is, all in all. */
struct apitrace_totals {
    uint64_t end;     /* of the last event in the stream */
    uint64_t packets; /* calls that were entered, … */
    uint64_t rows;    /* … and those from the first on that are all listed */
    uint64_t hidden, fake, incomplete, threads, functions;
    uint64_t notes[APITRACE_NOTES];
    enum apitrace_api api;
};

struct apitrace_index_params {
    const struct source *source;
    const struct source_params *source_params; /* of an index that grows it outlives it … */
    uint64_t max_memory;
    unsigned threads; /* that may work at a time */
    struct problems *problems;
    struct text *message; /* a sentence, with -EPROTO; only while it is opened */
    /*
     * A stream of so many bytes is not read at the opening, but later (apitrace_index_go()), if
     * there is address space for arrays that do not move; 0: none is. Then `source_params` outlives
     * the index, too.
     */
    uint64_t later;
    bool keep; /* … the index of one is kept for its next opening, if its file allows */
    /* … and tells when frames have come to their ends; what it returns ends the pass. */
    int (*indexed)(void *context);
    void *context;
};

struct apitrace_indexing;

struct apitrace_index {
    struct apitrace_stream stream;
    struct follow follow; /* packets below its count may be shown; not if they are open (below) */
    _Atomic bool headed;  /* the stream's header has been read */
    struct apitrace_definitions definitions;
    struct apitrace_calls calls;

    unsigned version;
    uint64_t semantic_version;
    uint64_t header_size;                 /* bytes of the stream */
    struct apitrace_property *properties; /* sorted by name, then as in the trace */
    uint64_t property_count, property_room;
    struct apitrace_memory property_memory; /* all are there before others look: they may move */
    enum apitrace_api api;

    uint64_t end;    /* of the last whole event in the stream */
    uint64_t listed; /* calls */
    struct apitrace_run *runs;
    _Atomic uint64_t run_count;
    uint64_t run_room;
    struct apitrace_frame_record *frames;
    uint64_t frame_count, frame_room, finished_frames;
    struct apitrace_totals *totals; /* up to each frame's end; NULL: it does not grow */
    _Atomic uint64_t total_count;
    uint64_t total_room;
    struct apitrace_blob *blobs;
    uint64_t blob_count, blob_room;
    struct apitrace_thread *threads; /* by id */
    uint64_t thread_count, thread_room;
    struct apitrace_notes notes[APITRACE_NOTES];
    uint64_t *function_calls; /* listed ones, by the function's number */
    uint64_t function_room;
    uint64_t hidden, fake, incomplete;

    struct apitrace_memory memory;      /* calls and definitions left out */
    struct apitrace_indexing *indexing; /* while it is under way in steps */
    bool unread;                        /* there may be more for it to read */
    bool keeps, kept;                   /* it is to be kept; it was, and is complete */
    uint64_t problems;                  /* that there were before its events were read */
    struct apitrace_index_params params;
};

/*
 * Opens the stream and indexes it to its end, or to what cannot be right: that is a
 * problem, and what stands before it is there. 0, -EPROTO for a version that is not
 * known, -EINTR, -ENOMEM, -errno of the spool. *out is to be cleared in any case. Of a
 * stream that grows, or one that is to be read later, nothing is indexed yet.
 */
int apitrace_index_open(const struct apitrace_index_params *params, struct apitrace_index *out);

/*
 * Keeps the index of a stream that was read later for its next opening, once, if that is wanted,
 * and it is complete, with nothing wrong with the trace. No other thread goes on with it.
 */
void apitrace_index_keep(struct apitrace_index *index);

/*
 * kept_index.c: fills an index of which only the header was read from what was kept, and keeps one
 * that is complete. 0 or -errno, of which all but -ENOENT and -ENOTSUP (kept.h) is told in verbose
 * mode.
 */
int apitrace_kept_index_load(struct apitrace_index *index);
int apitrace_kept_index_save(struct apitrace_index *index);

/* For a kept index that is none: goes back to where the header alone was read. 0 or -ENOMEM. */
int apitrace_index_forget(struct apitrace_index *index);

/* Then indexes such a stream to its end, and waits for it. 0, -EINTR, -ENOMEM, and the like. */
int apitrace_index_follow(struct apitrace_index *index);

void apitrace_index_clear(struct apitrace_index *index);

/* Shows so many frames, which are indexed; with `final` all there is. Called by that thread. */
void apitrace_index_show(struct apitrace_index *index, uint64_t frames, bool final);

/*
 * Then goes on with one that is to be read later: by so many events, or, with `frame`, to where a
 * frame ends before; then all calls that are listed have records, which any thread may read, and
 * for good. One thread at a time. 0, with *ended at the end; -EINTR, -ENOMEM: it goes on no more.
 */
int apitrace_index_go(struct apitrace_index *index, uint64_t events, bool frame,
                      const struct cancel *cancel, bool *ended);

/*
 * pass.c: reads the events of `stream`, the index's or one like it, from `position` on, behind the
 * header. As above; what is wrong with the trace is a problem and no failure.
 */
struct apitrace_pass;

int apitrace_pass_create(struct apitrace_index *index, const struct apitrace_stream *stream,
                         uint64_t position, struct apitrace_pass **out);
int apitrace_pass_go(struct apitrace_pass *pass, uint64_t events, bool frame,
                     const struct cancel *cancel, bool *ended);
void apitrace_pass_destroy(struct apitrace_pass **pass);

/* For the pass: keeps the sums up to the end of a frame. 0 or -ENOMEM. */
int apitrace_index_sum_up(struct apitrace_index *index);

/*
 * The same at its end: puts blobs in their order, and leaves out those that are replaced, or of the
 * calls that are cut off.
 */
void apitrace_index_order_blobs(struct apitrace_index *index, const uint64_t cut[2]);

/* Whether more may come. Any thread; so are all below. */
static inline bool apitrace_index_grows(const struct apitrace_index *index)
{
    return follow_grows(&index->follow);
}

/* Sums over what is shown. */
struct apitrace_totals apitrace_index_totals(const struct apitrace_index *index);

/* The record of one call, number < calls.count. */
struct apitrace_record apitrace_index_at(const struct apitrace_index *index, uint64_t number);

/* The record of one call that is shown. 0, or -ENOENT: there is none, or none yet. */
int apitrace_index_record(const struct apitrace_index *index, uint64_t number,
                          struct apitrace_record *out);

/* The number of the call that is listed at a place, order < listed. */
uint64_t apitrace_index_listed(const struct apitrace_index *index, uint64_t order);

/* The frame of a call by its place in the listing; UINT64_MAX: it is not listed, or not yet. */
uint64_t apitrace_index_frame(const struct apitrace_index *index, uint64_t order);

/* Whether a call is listed in a frame. */
bool apitrace_index_in_frame(const struct apitrace_index *index, uint64_t frame, uint64_t number);

/* The place in `blobs` of the first blob of a call not before `number`. */
uint64_t apitrace_index_blobs(const struct apitrace_index *index, uint64_t number);

/* The function of a record; NULL: it has none. */
const struct apitrace_function *apitrace_index_function(const struct apitrace_index *index,
                                                        const struct apitrace_record *record);

/* The same as it stands in names: "unnamed" without a function. */
const char *apitrace_index_name(const struct apitrace_index *index,
                                const struct apitrace_record *record);

#endif
