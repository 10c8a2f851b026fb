/* SPDX-License-Identifier: MIT */
/*
 * What the daemon and the graphics worker say to each other of OpenGL calls (worker.md 6):
 * this backend's range of messages, and the numbers in them. Constant; any thread.
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
    APITRACE_MESSAGE_MARK, /* before the call that is next; feeds are -EXDEV at what crosses it */
    APITRACE_MESSAGE_BACK, /* to there, where the mark stays or does not */
    /* What feeds with APITRACE_FEED_WATCH look at; one that runs calls without ends it. */
    APITRACE_MESSAGE_WATCH = 40,
    APITRACE_MESSAGE_WATCHED, /* what they have seen; the watch ends */
    APITRACE_MESSAGE_DRAW_TEXT = 42,
    APITRACE_MESSAGE_DRAW_PARTS,
    APITRACE_MESSAGE_DRAW_PART,
};

enum { APITRACE_SESSION_DRAWABLES_MAX = 65536 };

#define APITRACE_NO_CALL UINT64_MAX

enum apitrace_feed_flag {
    /*
     * Draws and clears of framebuffer 0 are left out: to reach a later frame fast, where
     * the trace allows it. All else is run as usual.
     */
    APITRACE_FEED_DISCARD = 1,
    APITRACE_FEED_END = 2,    /* these bytes are the last; calls that never returned are run, too */
    APITRACE_FEED_AFTER = 4,  /* stops behind the call `stop`, not before it */
    APITRACE_FEED_STAY = 8,   /* runs nothing: tells where it stands */
    APITRACE_FEED_WATCH = 16, /* looks at the drawable after each call that may draw on it */
};

/* Why a feed came back. What has been fed and not run stays in the worker in any case. */
enum apitrace_feed_state {
    /*
     * What is whole was run: go on with the bytes at `next`. Of a long event that was not whole,
     * another look may wait for many more; fed without any, it is looked at with what there is.
     */
    APITRACE_FEED_HUNGRY,
    APITRACE_FEED_STOPPED, /* at the call `stop`: go on, with bytes or without, and another `stop`
                            */
    APITRACE_FEED_PAUSED,  /* a while has passed: go on in the same way, with the same `stop` */
    APITRACE_FEED_ENDED,   /* after APITRACE_FEED_END: all was run */
};

enum apitrace_picture_kind {
    APITRACE_PICTURE_COLOUR, /* RGB8, 3 bytes a pixel */
    APITRACE_PICTURE_DEPTH,  /* f32, little-endian; -ENOENT: it has none */
    APITRACE_PICTURE_TARGET, /* RGB8: of what draws of the last call's thread go to */
};

/* Texts about what the call saw behind which the session stands. */
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
    APITRACE_WATCH_MAY_SPOIL = 1, /* the session is not used for what follows */
    APITRACE_WATCH_NARROW = 2,    /* draws may leave that pixel alone */
};

/* The handle by which a watch names what is drawn on before anything is made current. */
#define APITRACE_WATCH_IMPLICIT (UINT64_MAX - 2)
/* The same of what calls draw on, whatever it is: of APITRACE_WATCH_COVERAGE alone. */
#define APITRACE_WATCH_ANY (UINT64_MAX - 3)

/* A pixel of APITRACE_WATCH_COVERAGE. */
enum apitrace_covered_pixel {
    APITRACE_COVERED_COUNT = 0xFFFF, /* so many times, or more */
    APITRACE_COVERED_EDGE = 1 << 16, /* an edge, or a line or point, whatever hides it */
};

/* How coverage is known. */
enum apitrace_covered_by {
    APITRACE_COVERED_FRAGMENTS = 1, /* by fragments that came through all tests */
    APITRACE_COVERED_EDGES = 2,
    APITRACE_COVERED_CHANGES = 4, /* once, by what changed, or was cleared */
    /* The session has counted or stored for the draw more than once: nothing behind it is right. */
    APITRACE_COVERED_SPOILS = 8,
    APITRACE_COVERED_BITS = 15,
};

/* What a watched pixel holds, and what of it a call certainly wrote, whatever was there. */
enum apitrace_watch_plane {
    APITRACE_PLANE_COLOUR = 1,
    APITRACE_PLANE_DEPTH = 2,
    APITRACE_PLANE_STENCIL = 4,
    APITRACE_PLANES = 7,
    /* The same of colour, of a primitive that is known by what it changed. */
    APITRACE_PLANE_DRAWN = 8,
};

/* What has become of the fragments that a call had for a watched pixel. */
enum apitrace_pixel_outcome {
    APITRACE_PIXEL_WRITTEN,
    APITRACE_PIXEL_UNCHANGED, /* some came through, and it is as it was */
    APITRACE_PIXEL_CULLED,    /* none was left, the last ones by … */
    APITRACE_PIXEL_SCISSOR,
    APITRACE_PIXEL_ALPHA,
    APITRACE_PIXEL_STENCIL,
    APITRACE_PIXEL_DEPTH,
    APITRACE_PIXEL_OUTCOMES,
};

enum { APITRACE_WATCHED_MAX = 1 << 20 }; /* calls that are told of a pixel */

#define APITRACE_WATCHED_NOBODY UINT32_MAX /* in place of a call, of APITRACE_WATCH_IDS */

/* What there is to read where the session stands behind a draw. */
enum apitrace_part_kind {
    APITRACE_PART_COLOUR,   /* RGBA8, rows from the top; `number` of the attachment */
    APITRACE_PART_DEPTH,    /* f32, rows from the top */
    APITRACE_PART_STENCIL,  /* a byte a pixel, rows from the top */
    APITRACE_PART_TEXTURE,  /* a level; `number` is the unit. Read by APITRACE_MESSAGE_TEXTURE */
    APITRACE_PART_BUFFER,   /* `number` is an enum apitrace_buffer_role, `level` the slot */
    APITRACE_PART_SHADER,   /* `number` is its stage's place in a pipeline; `target` that of an
                               assembly program, or 0; `format` APITRACE_SPIRV, or 0 */
    APITRACE_PART_COVERAGE, /* `number` is of enum apitrace_covered_by; a watch tells it */
    APITRACE_PARTS
};

enum { APITRACE_SPIRV = 0x9551 }; /* GL_SHADER_BINARY_FORMAT_SPIR_V */

enum apitrace_buffer_role {
    APITRACE_BUFFER_VERTICES, /* of the array in slot `level` first */
    APITRACE_BUFFER_MEMORY,   /* the same, of the trace's memory in place of a buffer */
    APITRACE_BUFFER_INDICES,
    APITRACE_BUFFER_UNIFORMS, /* at binding point `level`, as the next two */
    APITRACE_BUFFER_STORAGE,
    APITRACE_BUFFER_COUNTERS,
    APITRACE_BUFFER_INDIRECT,
    APITRACE_BUFFER_TEXELS,   /* of the texture buffer that unit `level` samples */
    APITRACE_BUFFER_FEEDBACK, /* that transform feedback writes at binding point `level` */
    APITRACE_BUFFER_ROLES
};

/* A part as it is told: u32 for each of these but `bytes`, which is u64, in this order. */
struct apitrace_draw_part {
    uint32_t kind, number, target, object, level, width, height, slices, format;
    uint64_t bytes;
};

enum {
    APITRACE_PART_BYTES = 9 * 4 + 8,
    APITRACE_DRAW_PARTS_MAX = 4096, /* more than a worker tells; their places are in names' keys */
    APITRACE_DRAW_COLOURS_MAX = 8   /* the first parts, for the same reason */
};

#endif
