/*
 * One call line, parsed (vma.md 2.3, 2.4). The verdict is part of the result:
 * every line of a recording gives a call, refused ones with their reason. Values
 * are slices of the dump or numbers; nothing is allocated. Any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_DECODE_CALL_H
#define GPUDUMPFS_FORMATS_VMA_DECODE_CALL_H

#include "formats/vma/decode/function.h"
#include "formats/vma/diagnostics.h"

enum vma_verdict {
    VMA_CALL_GOOD,
    VMA_CALL_BLANK,    /* nothing on the line */
    VMA_CALL_SHORT,    /* fewer than four columns */
    VMA_CALL_UNKNOWN,  /* a function that is in no table */
    VMA_CALL_MISCOUNT, /* wrong number of parameters */
    VMA_CALL_INVALID,  /* a parameter that is no number, boolean or pointer */
    VMA_CALL_CUT,      /* the file ends within the line */
};

/* The first columns of a call line. */
struct vma_call_head {
    uint32_t thread, frame_index;
    uint64_t milliseconds;
    bool thread_good, time_good, frame_good;
    bool thread_negative, frame_negative; /* good, but with a minus: taken modulo 2^32 */
    enum vma_function_id function;        /* VMA_FUNCTIONS: unknown */
    struct vma_columns rest;              /* the parameters */
    enum vma_verdict verdict;             /* GOOD, BLANK, SHORT or UNKNOWN */
};

struct vma_call {
    struct vma_call_head head;
    enum vma_verdict verdict;
    const struct vma_parameter *bad;      /* the first invalid parameter, or NULL */
    const struct vma_parameter *negative; /* the first with a minus, which wraps, or NULL */
    bool late_pool;                       /* vmaCreatePool without frameInUseCount */
    bool has_text;                        /* the text column is there, even if empty */
    struct vma_slice text, allocations, pools;
    uint64_t value[VMA_SLOTS]; /* only the slots of the function's parameters are set */
};

/* What the index needs: thread, time, frame index, function. */
void vma_call_read_head(struct vma_slice line, struct vma_call_head *out);

/* The whole line. `ended` as in struct vma_line: a line cut off and bad is VMA_CALL_CUT. */
void vma_call_read(struct vma_slice line, bool ended, struct vma_call *out);

/*
 * User data that is no string: one pointer column. False when it is no pointer;
 * *surplus tells whether columns follow it.
 */
bool vma_call_text_pointer(struct vma_slice text, uint64_t *pointer, bool *surplus);

/* Whether nothing at all is wrong with a line as it stands. */
static inline bool vma_call_is_flawless(const struct vma_call *call)
{
    return call->verdict == VMA_CALL_GOOD && call->head.thread_good && call->head.time_good &&
           call->head.frame_good && !call->head.thread_negative && !call->head.frame_negative &&
           call->negative == NULL;
}

/* Tells what is wrong with it, whatever the state that it meets. */
void vma_call_judge(const struct vma_call *call, const struct vma_line *line, uint64_t packet,
                    struct vma_diagnostics *diagnostics);

/* A sentence for the verdict, as the library's replayer words it; NULL for a good line. */
const char *vma_verdict_message(enum vma_verdict verdict);

#endif
