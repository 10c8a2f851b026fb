/* SPDX-License-Identifier: MIT */
/*
 * The messages of the daemon and the graphics worker about OpenGL calls (worker.md 6): this
 * backend's range of messages, and the numbers in them. Constants only; any thread.
 */
#ifndef GPUDUMPFS_WORKER_APITRACE_PROTOCOL_H
#define GPUDUMPFS_WORKER_APITRACE_PROTOCOL_H

#include <stdint.h>

/* Kinds of messages: 32 to 47 (worker/message.h). */
enum apitrace_message {
    APITRACE_MESSAGE_RESET = 32,
    APITRACE_MESSAGE_FEED,
    APITRACE_MESSAGE_PICTURE,
    APITRACE_MESSAGE_TEXTURE,
    APITRACE_MESSAGE_MEMORY,
    APITRACE_MESSAGE_MARK, /* sets a mark before the next call; feeds then fail with -EXDEV at a
                              call that cannot be undone */
    APITRACE_MESSAGE_BACK, /* goes back to the mark, and keeps it or drops it */
    /*
     * Selects what feeds with APITRACE_FEED_WATCH watch. A feed that runs calls without that flag
     * ends the watch.
     */
    APITRACE_MESSAGE_WATCH = 40,
    APITRACE_MESSAGE_WATCHED, /* reports what was seen, and ends the watch */
    APITRACE_MESSAGE_DRAW_TEXT = 42,
    APITRACE_MESSAGE_DRAW_PARTS,
    APITRACE_MESSAGE_DRAW_PART,
};

enum { APITRACE_SESSION_DRAWABLES_MAX = 65536 };

#define APITRACE_NO_CALL UINT64_MAX

enum apitrace_feed_flag {
    /*
     * Leaves out draws and clears of framebuffer 0, where the trace allows that, to reach a later
     * frame fast. All other calls are run as usual.
     */
    APITRACE_FEED_DISCARD = 1,
    APITRACE_FEED_END = 2,    /* these bytes are the last; calls that never returned are run, too */
    APITRACE_FEED_AFTER = 4,  /* stops after the call `stop`, not before it */
    APITRACE_FEED_STAY = 8,   /* runs nothing; only reports the progress */
    APITRACE_FEED_WATCH = 16, /* looks at the drawable after each call that may draw on it */
};

/*
 * Why a feed returned. In each state, bytes that were fed but not run stay in the worker. A feed is
 * a message with the next bytes of the event stream, whose calls the worker runs.
 */
enum apitrace_feed_state {
    /*
     * All complete events were run: feed the bytes at `next`. If a long event was incomplete, the
     * worker may wait for many more bytes before it tries again; a feed without bytes makes it try
     * with those that it has.
     */
    APITRACE_FEED_HUNGRY,
    APITRACE_FEED_STOPPED, /* stopped at the call `stop`: continue, with or without bytes, with
                              another `stop` */
    APITRACE_FEED_PAUSED,  /* half a second has passed: continue in the same way, with the same
                              `stop` */
    APITRACE_FEED_ENDED,   /* all calls were run, after APITRACE_FEED_END */
};

enum apitrace_picture_kind {
    APITRACE_PICTURE_COLOUR, /* RGB8, 3 bytes a pixel */
    APITRACE_PICTURE_DEPTH,  /* f32, little-endian; -ENOENT if there is no depth buffer */
    APITRACE_PICTURE_TARGET, /* RGB8; what draws of the last call's thread go to */
};

/* Texts about the state that the last call saw; the session is at the place after that call. */
enum apitrace_draw_text {
    APITRACE_DRAW_STATE,           /* state.txt */
    APITRACE_DRAW_UNIFORMS,        /* uniforms.tsv */
    APITRACE_DRAW_TEXTURES,        /* textures/textures.tsv */
    APITRACE_DRAW_VERTICES,        /* buffers/attributes.tsv */
    APITRACE_DRAW_MESH,            /* buffers/mesh.obj */
    APITRACE_DRAW_LOGS,            /* program/info-log.txt */
    APITRACE_DRAW_TRANSFORMED,     /* buffers/transformed.obj */
    APITRACE_DRAW_PRIMITIVES,      /* buffers/primitives.tsv */
    APITRACE_DRAW_PRIMITIVES_MESH, /* buffers/primitives.obj */
    APITRACE_DRAW_TEXTS
};

enum apitrace_watch_kind {
    APITRACE_WATCH_PIXEL,    /* each change of one pixel */
    APITRACE_WATCH_IDS,      /* the call that wrote each pixel last */
    APITRACE_WATCH_COVERAGE, /* how often each pixel was written, and edges of primitives */
};

enum apitrace_watch_flag {
    APITRACE_WATCH_MAY_SPOIL = 1, /* the session is not used for later calls */
    APITRACE_WATCH_NARROW = 2,    /* draws may leave out all other pixels */
};

/* The handle with which a watch names what is drawn on before anything is made current. */
#define APITRACE_WATCH_IMPLICIT (UINT64_MAX - 2)
/* The handle for anything on which the calls draw; for APITRACE_WATCH_COVERAGE only. */
#define APITRACE_WATCH_ANY (UINT64_MAX - 3)

/* A pixel of APITRACE_WATCH_COVERAGE. */
enum apitrace_covered_pixel {
    APITRACE_COVERED_COUNT = 0xFFFF, /* number of writes; this value also means more */
    APITRACE_COVERED_EDGE = 1 << 16, /* edge of a primitive, or line or point, even if hidden */
};

/* How coverage was found. */
enum apitrace_covered_by {
    APITRACE_COVERED_FRAGMENTS = 1, /* by counting the fragments that passed all tests */
    APITRACE_COVERED_EDGES = 2,
    APITRACE_COVERED_CHANGES = 4, /* by what a call changed or cleared, counted once */
    /* Drawing again made the session count or store twice: all that follows in it is wrong. */
    APITRACE_COVERED_SPOILS = 8,
    APITRACE_COVERED_BITS = 15,
};

/*
 * Planes of a watched pixel, as a set: of those that can be read, or of those that a call certainly
 * wrote, even if it wrote what was there before.
 */
enum apitrace_watch_plane {
    APITRACE_PLANE_COLOUR = 1,
    APITRACE_PLANE_DEPTH = 2,
    APITRACE_PLANE_STENCIL = 4,
    APITRACE_PLANES = 7,
    /* As APITRACE_PLANE_COLOUR, of a call that is known to have drawn because the pixel changed. */
    APITRACE_PLANE_DRAWN = 8,
};

/* What became of the fragments that a call had for a watched pixel. */
enum apitrace_pixel_outcome {
    APITRACE_PIXEL_WRITTEN,
    APITRACE_PIXEL_UNCHANGED, /* some fragments passed all tests, but the pixel kept its contents */
    APITRACE_PIXEL_CULLED,    /* no fragment passed; the last ones were removed by face culling */
    APITRACE_PIXEL_SCISSOR,   /* no fragment passed; the last ones failed this test, as for the next
                                 three */
    APITRACE_PIXEL_ALPHA,
    APITRACE_PIXEL_STENCIL,
    APITRACE_PIXEL_DEPTH,
    APITRACE_PIXEL_OUTCOMES,
};

enum { APITRACE_WATCHED_MAX = 1 << 20 }; /* calls reported for one pixel */

#define APITRACE_WATCHED_NOBODY UINT32_MAX /* in APITRACE_WATCH_IDS: no call wrote the pixel */

/*
 * What can be read when the session is at the place after a draw. Attachments with all their layers
 * have these below each other.
 */
enum apitrace_part_kind {
    APITRACE_PART_COLOUR,   /* RGBA8, rows from the top; `number` is that of the attachment */
    APITRACE_PART_DEPTH,    /* f32, rows from the top */
    APITRACE_PART_STENCIL,  /* a byte a pixel, rows from the top */
    APITRACE_PART_TEXTURE,  /* a level; `number` is the unit, with APITRACE_IMAGE_UNIT an image
                               unit. Read with APITRACE_MESSAGE_TEXTURE */
    APITRACE_PART_BUFFER,   /* `number` is an enum apitrace_buffer_role, `level` the slot */
    APITRACE_PART_SHADER,   /* `number` is the index of its stage in a pipeline; `target` that of an
                               assembly program, or 0; `format` APITRACE_SPIRV, or 0 */
    APITRACE_PART_COVERAGE, /* `number` is a set of enum apitrace_covered_by; read with a watch */
    APITRACE_PARTS
};

enum { APITRACE_IMAGE_UNIT = 1 << 16 }; /* a flag beside the number of a unit */
enum { APITRACE_SPIRV = 0x9551 };       /* GL_SHADER_BINARY_FORMAT_SPIR_V */

enum apitrace_buffer_role {
    APITRACE_BUFFER_VERTICES, /* `level`: the first slot whose array is in this buffer */
    APITRACE_BUFFER_MEMORY,   /* the same, for vertices in the trace's memory instead of a buffer */
    APITRACE_BUFFER_INDICES,
    APITRACE_BUFFER_UNIFORMS, /* `level`: the binding point, as for the next two */
    APITRACE_BUFFER_STORAGE,
    APITRACE_BUFFER_COUNTERS,
    APITRACE_BUFFER_INDIRECT,
    APITRACE_BUFFER_TEXELS,   /* of the texture buffer that unit `level` samples */
    APITRACE_BUFFER_FEEDBACK, /* written by transform feedback at binding point `level` */
    APITRACE_BUFFER_ROLES
};

/* A part as it is sent: each field as u32, except `bytes`, which is u64; in this order. */
struct apitrace_draw_part {
    uint32_t kind, number, target, object, level, width, height, slices, format;
    uint64_t bytes;
};

enum {
    APITRACE_PART_BYTES = 9 * 4 + 8,
    APITRACE_DRAW_PARTS_MAX = 4096, /* a worker sends fewer; keys of names have a part's index */
    APITRACE_DRAW_COLOURS_MAX = 8   /* colours are the first parts; limited for the same reason */
};

#endif
