/* SPDX-License-Identifier: MIT */
/*
 * The index run executes the complete program once, with the null driver, and does not keep the
 * bytes that are posted (gapir.md 4.3). Loops, faults and loaded operands make the number and the
 * size of posts dynamic, so only this run knows posts, frames, calls and the end. Positions are
 * counts of executed instructions. An index is immutable once it is built.
 */
#ifndef GPUDUMPFS_GAPIR_INDEX_H
#define GPUDUMPFS_GAPIR_INDEX_H

#include "formats/gapir/replay/replay.h"

enum {
    /*
     * maximum each of posts, notifications, fences and frames; one more ends the run with the fault
     * `steps`
     */
    GAPIR_POSTS_MAX = 1 << 20,
    GAPIR_CALL_MARK = 1024, /* calls from one mark to the next */
};

#define GAPIR_NO_FRAME  UINT32_MAX
#define GAPIR_NO_PACKET UINT32_MAX
#define GAPIR_NO_POST   UINT32_MAX

/* The point of the run at which something was executed. */
struct gapir_site {
    uint64_t steps; /* executed instructions, including this one */
    uint32_t pc, packet, label;
};

enum gapir_post_kind { GAPIR_POST_DATA, GAPIR_POST_IMAGE, GAPIR_POST_END };

/* Whether the pixels of a post come from the driver, from the program, or from both. */
enum gapir_content { GAPIR_BY_DRIVER, GAPIR_BY_VM, GAPIR_BY_BOTH };

struct gapir_post_record {
    struct gapir_site site;
    struct gapir_extent bytes;
    struct gapir_framebuffer_shape shape; /* valid if `kind` is GAPIR_POST_IMAGE */
    enum gapir_post_kind kind;
    enum gapir_content content;
    bool drawn;     /* the graphics worker draws the posted bytes, not the null driver */
    uint32_t frame; /* frame that this post ends, or GAPIR_NO_FRAME */
};

struct gapir_notification_record {
    struct gapir_site site;
    struct gapir_extent bytes;
    uint32_t id;
};

struct gapir_fence_record {
    struct gapir_site site;
    uint32_t id;
};

struct gapir_frame_record {
    /* the end of the frame; for an unfinished frame, the end of the run */
    struct gapir_site site;
    /* executed instructions when control left the packet of the end */
    uint64_t close;
    uint64_t first_call, call_end;      /* range of the frame's calls, in the order of execution */
    uint32_t first_packet, last_packet; /* minimum and maximum of the packets that ran */
    uint32_t post;                      /* GAPIR_NO_POST if the frame does not end with a post */
    /* without a post: size of the surface that is shown; 0 if the frame has no picture */
    uint32_t width, height;
    const struct gapir_format *format; /* of the presented image; NULL: 8-bit RGB */
    /* "post", "present", "swap", "delimiter", or "-" for an unfinished frame */
    const char *end;
};

/*
 * When a packet ran: the executed instructions when control first entered it, and when control last
 * left it.
 */
struct gapir_visit {
    uint64_t first, left; /* `left` is 0 if the packet was never reached */
};

struct gapir_function_calls {
    uint64_t calls;
    uint32_t first_packet;
};

struct gapir_index {
    bool refused; /* nothing ran, as volatile memory is above the limit */
    /* a full count of the index ended the run; other VMs would continue after `end` */
    bool exhausted;
    enum gapir_fault fault;
    /* of the fault; after a run without a fault, pc is the number of words */
    struct gapir_site end;
    uint32_t thread;
    uint64_t moved;
    uint64_t executed[GAPIR_OPCODES];

    struct gapir_visit *visits; /* indexed by packet */
    struct gapir_post_record *posts;
    uint32_t post_count, post_room;
    struct gapir_notification_record *notifications;
    uint32_t notification_count, notification_room;
    struct gapir_fence_record *fences;
    uint32_t fence_count, fence_room;
    struct gapir_frame_record *frames;
    uint32_t frame_count;
    struct gapir_window *windows; /* as they are at the end of the run, without their bytes */
    uint32_t window_count;

    uint64_t calls;
    uint64_t *call_marks; /* [n]: executed instructions before call number n * GAPIR_CALL_MARK */
    uint32_t call_mark_count, call_mark_room;
    /* indexed by the function's number in the API's table */
    struct gapir_function_calls *functions[GAPIR_APIS];
    struct gapir_function_calls builtins[GAPIR_BUILTINS]; /* the same for the builtins of api 0 */
};

/*
 * Runs a replay to its end and builds the index of the run. Reports a fault of the program in the
 * replay's problems; such a run still succeeds. Returns 0, -EINTR or -ENOMEM. Call
 * gapir_index_clear() on *out even if this fails.
 */
int gapir_index_run(const struct gapir_replay *replay, const struct cancel *cancel,
                    struct gapir_index *out);
void gapir_index_clear(struct gapir_index *index);

/* Returns the counts of the function that a CALL's word stands for, or NULL if no table has it. */
const struct gapir_function_calls *gapir_index_calls(const struct gapir_index *index,
                                                     const struct gapir_scan *scan, uint32_t word);

/* Formats the result of the run: "ok", "err:code@pc", or "refused". */
void gapir_index_result(const struct gapir_index *index, char result[32]);

/* Returns the frame in which a packet first ran, or GAPIR_NO_FRAME if it never ran. */
uint32_t gapir_index_packet_frame(const struct gapir_index *index, uint32_t packet);

const char *gapir_post_kind_name(enum gapir_post_kind kind);
const char *gapir_content_name(const struct gapir_post_record *post);

#endif
