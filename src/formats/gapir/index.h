/* SPDX-License-Identifier: MIT */
/*
 * The index run: the whole program once, with the null driver, without keeping
 * the bytes that are posted (gapir.md 4.3). Loops, faults and loaded operands make
 * the number and size of posts dynamic, so it alone knows posts, frames, calls and
 * the end. Positions are numbers of executed instructions. Immutable afterwards.
 */
#ifndef GPUDUMPFS_GAPIR_INDEX_H
#define GPUDUMPFS_GAPIR_INDEX_H

#include "formats/gapir/replay/replay.h"

enum {
    GAPIR_POSTS_MAX = 1 << 20, /* of posts, notifications, fences, frames each; then `steps` */
    GAPIR_CALL_MARK = 1024,    /* calls from one mark to the next */
};

#define GAPIR_NO_FRAME  UINT32_MAX
#define GAPIR_NO_PACKET UINT32_MAX
#define GAPIR_NO_POST   UINT32_MAX

/* Where something was executed. */
struct gapir_site {
    uint64_t steps; /* executed instructions, with this one */
    uint32_t pc, packet, label;
};

enum gapir_post_kind { GAPIR_POST_DATA, GAPIR_POST_IMAGE, GAPIR_POST_END };

/* Whether the driver or the program made the pixels. */
enum gapir_content { GAPIR_BY_DRIVER, GAPIR_BY_VM, GAPIR_BY_BOTH };

struct gapir_post_record {
    struct gapir_site site;
    struct gapir_extent bytes;
    struct gapir_framebuffer_shape shape; /* GAPIR_POST_IMAGE */
    enum gapir_post_kind kind;
    enum gapir_content content;
    bool
        drawn; /* what is posted is what the graphics worker draws, not what the null driver left */
    uint32_t frame; /* that it ends */
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
    struct gapir_site site;             /* of what ends it; an unfinished one: of the run's end */
    uint64_t close;                     /* executed instructions with which its packet is left */
    uint64_t first_call, call_end;      /* its calls in executed order */
    uint32_t first_packet, last_packet; /* minimum and maximum of those that ran */
    uint32_t post;                      /* GAPIR_NO_POST: it ends with none */
    uint32_t width, height; /* without a post: of what is drawn on; 0: it has no picture */
    const struct gapir_format *format; /* of what is presented; NULL: 8-bit RGB */
    const char *end;                   /* "post", "present", "swap", "delimiter"; "-": unfinished */
};

/* When a packet ran: executed instructions when control first came, and last left. */
struct gapir_visit {
    uint64_t first, left; /* left 0: never reached */
};

struct gapir_function_calls {
    uint64_t calls;
    uint32_t first_packet;
};

struct gapir_index {
    bool refused;   /* nothing ran: volatile memory is above the limit */
    bool exhausted; /* a count of the index ended the run: other VMs would go on at `end` */
    enum gapir_fault fault;
    struct gapir_site end; /* of the fault; of a run that ends well: pc is the number of words */
    uint32_t thread;
    uint64_t moved;
    uint64_t executed[GAPIR_OPCODES];

    struct gapir_visit *visits; /* by packet */
    struct gapir_post_record *posts;
    uint32_t post_count, post_room;
    struct gapir_notification_record *notifications;
    uint32_t notification_count, notification_room;
    struct gapir_fence_record *fences;
    uint32_t fence_count, fence_room;
    struct gapir_frame_record *frames;
    uint32_t frame_count;
    struct gapir_window *windows; /* as they are at the end, without their bytes */
    uint32_t window_count;

    uint64_t calls;
    uint64_t *call_marks; /* executed instructions before call number n * GAPIR_CALL_MARK */
    uint32_t call_mark_count, call_mark_room;
    struct gapir_function_calls *functions[GAPIR_APIS];   /* by number in the API's table … */
    struct gapir_function_calls builtins[GAPIR_BUILTINS]; /* … and of api 0 */
};

/*
 * Runs a replay to its end and indexes it; a fault goes to the replay's problems.
 * 0, -EINTR, -ENOMEM. *out is to be cleared in any case.
 */
int gapir_index_run(const struct gapir_replay *replay, const struct cancel *cancel,
                    struct gapir_index *out);
void gapir_index_clear(struct gapir_index *index);

/* The executed calls of what a CALL's word means; NULL when no table has it. */
const struct gapir_function_calls *gapir_index_calls(const struct gapir_index *index,
                                                     const struct gapir_scan *scan, uint32_t word);

/* "ok", "err:code@pc", or "refused". */
void gapir_index_result(const struct gapir_index *index, char result[32]);

/* The frame that a packet first ran in, or GAPIR_NO_FRAME. */
uint32_t gapir_index_packet_frame(const struct gapir_index *index, uint32_t packet);

const char *gapir_post_kind_name(enum gapir_post_kind kind);
const char *gapir_content_name(const struct gapir_post_record *post);

#endif
