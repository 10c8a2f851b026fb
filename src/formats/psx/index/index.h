/* SPDX-License-Identifier: MIT */
/*
 * What is known of a dump without drawing anything. Two passes find it out. The packet pass runs at
 * open, or after the opening of a long dump. It walks the packet headers and finds frames, times
 * and display registers, and so the sizes of pictures. The command pass runs in the background, or
 * in the first reader that needs it. It follows the command stream, and finds the counts of each
 * frame; the parser's state at each frame's start and at intervals inside long frames, from which
 * any text can be written without reading from the dump's beginning (psx-dump.md 3, 4); and what
 * each stretch between two such checkpoints does to which tiles of VRAM.
 *
 * After psx_index_open() the part of the packet pass is read-only. While the index is early
 * (psx_index_is_early()), other threads may read of it only has_frame and begin_packet, which
 * keep their values once they are set; size; and what the opening has set: data, magic, model,
 * texel_cache. The part of the command pass is written by one thread at a time, and any thread may
 * read it as far as a psx_index_wait_*() function has reported it known.
 *
 * In a growing dump (follow.md 3) one thread runs both passes as bytes come, and neither pass ends
 * before the stream does. What is indexed then always ends where a frame does. What is shown, whose
 * figures are final, may be a little less than what is indexed.
 */
#ifndef GPUDUMPFS_PSX_INDEX_INDEX_H
#define GPUDUMPFS_PSX_INDEX_INDEX_H

#include "base/locks.h"
#include "base/text.h"
#include "cache/follow.h"
#include "cache/index_task.h"
#include "formats/psx/container.h"
#include "formats/psx/diagnostics.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/registers.h"
#include "formats/psx/index/stale_runs.h"
#include "formats/psx/index/tile_summary_store.h"
#include "formats/psx/index/upload_list.h"
#include "formats/psx/options.h"
#include "source/kept.h"
#include "source/source.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Checkpoints hold all that a walk over the command stream needs to go on from there. They are
 * stored compactly: of sixteen consecutive checkpoints the first is stored completely, and the
 * others as the words in which they differ from the first. One thread appends; any thread may read
 * those below psx_parser_states_count().
 */

/* The state between two steps of a walk. Plain data. */
struct psx_parser_state {
    uint64_t packet; /* the packet that contains the position, or begins there */
    uint64_t offset; /* of that packet's header */
    uint64_t frame;  /* PSX_INITIAL before frame 0 */
    uint32_t word;   /* words of the packet before the position */
    /*
     * Of this frame so far: lines of commands.txt that have begun; draws and uploads carried out.
     */
    uint32_t lines, draws, uploads;
    uint64_t command_packet; /* where the GP0 command in progress began */
    uint64_t read_packet;    /* where the open read's C0 began */
    uint32_t command_word, read_word;
    struct psx_state state;
};

static inline bool psx_parser_state_is_before(const struct psx_parser_state *at, uint64_t packet,
                                              uint32_t word)
{
    return at->packet < packet || (at->packet == packet && at->word < word);
}

struct psx_parser_states {
    uint32_t *words;   /* address space for `max` checkpoints; takes memory as it fills */
    uint32_t *offsets; /* where each checkpoint begins, in words */
    uint64_t max;
    uint64_t used; /* words in use */
    atomic_uint_fast64_t count;
};

/* Reserves room for `max` checkpoints. Returns 0 or -ENOMEM. */
int psx_parser_states_init(struct psx_parser_states *checkpoints, uint64_t max);
void psx_parser_states_clear(struct psx_parser_states *checkpoints);

/* Appends a checkpoint. Returns 0, or -ENOSPC if there is no room left. */
int psx_parser_states_add(struct psx_parser_states *checkpoints,
                          const struct psx_parser_state *checkpoint);

static inline uint64_t psx_parser_states_count(const struct psx_parser_states *checkpoints)
{
    return atomic_load_explicit(&checkpoints->count, memory_order_acquire);
}

/* Copies out checkpoint `number`, which must be less than psx_parser_states_count(). */
void psx_parser_states_get(const struct psx_parser_states *checkpoints, uint64_t number,
                           struct psx_parser_state *out);

/* Returns whether a restored checkpoint is valid. */
typedef bool psx_parser_state_check(void *context, uint64_t number,
                                    const struct psx_parser_state *checkpoint);

/* Writes the checkpoints for the next opening of the dump (kept_index.h). */
void psx_parser_states_keep(const struct psx_parser_states *checkpoints,
                            struct kept_writer *writer);

/*
 * Reads the checkpoints of an earlier opening. Calls `is_good` for each of them, in order, and
 * refuses the reader if that returns false. No checkpoint can be added to the restored ones. Clear
 * them even if the reader has failed.
 */
void psx_parser_states_restore(struct psx_parser_states *checkpoints, struct kept_reader *reader,
                               psx_parser_state_check *is_good, void *context);

/*
 * Returns the number of the last checkpoint that is not after word `word` of packet `packet`; 0 if
 * all checkpoints are after it.
 */
uint64_t psx_parser_states_find(const struct psx_parser_states *checkpoints, uint64_t packet,
                                uint32_t word);

#define PSX_NO_PACKET UINT64_MAX
#define PSX_INITIAL   UINT64_MAX /* in place of a frame number: before Trace begin */

enum {
    PSX_GROUP = 1024,     /* packets between two known offsets */
    PSX_STRINGS = 64,     /* game, video and comment packets that metadata.txt shows */
    PSX_CLOCK = 33868800, /* cycles a second */
};

/* A frame, as the packet pass knows it. It ends where the next frame begins. */
struct psx_frame {
    uint64_t packet; /* number of its first packet */
    uint64_t offset; /* of that packet */
    uint64_t cycles; /* timestamp of its VSync; one-word timestamps are extended to 64 bits */
    struct psx_display display; /* at its VSync */
    uint8_t stamp_words;        /* words of its VSync's timestamp: 0 (none), 1, 2 */
    bool unfinished;            /* the dump ends before its VSync */
    uint8_t field;              /* the 480i field that is displayed while the frame is drawn */
    uint8_t told_field; /* 1 more than the field that a comment packet states; 0: none does */
    uint32_t defects;   /* defects of its packets that the packet pass found */
};

/* A frame, as the command pass knows it. Counts stop at UINT32_MAX. */
struct psx_frame_counts {
    uint32_t gp0_words, gp1_words;
    uint32_t commands; /* lines of commands.txt */
    uint32_t draws, fills, uploads, copies, reads;
    uint32_t same_vram;    /* number of frames directly before it that end with the same VRAM */
    uint32_t same_picture; /* the same for frames whose display is the same, too */
    uint32_t defects;      /* defects of its commands */
};

struct psx_totals {
    uint64_t types[256]; /* packets of each type */
    uint64_t vsyncs;
    uint64_t gp0_words, gp1_words;
    /* Counted by the command pass; the members above by the packet pass. */
    uint64_t commands, draws, uploads, copies, reads;
    uint64_t interlaced_480; /* frames in 480i */
    uint32_t restore_mask;   /* E6 that the upload of the restored state ignored; 0: none */
};

/* A run of complete frames that the packet pass has taken over from the dump before the edits. */
struct psx_taken {
    /* Number and offset of its first packet in this dump; how many packets and bytes it has. */
    uint64_t packet, offset, count, size;
    uint64_t packet_before, offset_before; /* its first packet in the dump before the edits */
};

struct psx_taken_packets {
    const struct psx_index *origin; /* borrowed; NULL if nothing was taken over */
    struct psx_taken *list;         /* in order */
    size_t count, room;
};

/* The most packets and frames that the index's memory allows. */
struct psx_packet_index_limits {
    uint64_t packets, frames;
};

struct psx_command_index;
struct psx_origin;
struct psx_packet_index;
struct growing_source;

struct psx_index {
    const uint8_t *data;
    _Atomic uint64_t size; /* indexed bytes: fewer than the dump has if a limit was reached */
    enum psx_magic magic;
    struct psx_defects defects;
    enum psx_field_option field_option;
    enum psx_gpu_option gpu_option;
    bool texel_cache; /* option psx-texel-cache=on */

    _Atomic uint64_t packets;
    uint64_t *groups; /* offset of every PSX_GROUP-th packet, unless it was taken over */
    struct psx_taken_packets taken;
    _Atomic bool early;            /* the packet pass is still running after the opening */
    _Atomic bool has_frame;        /* while `early`: a frame has ended */
    uint8_t *readback_groups;      /* one bit a group, set if it may have packets 03 or 04 */
    _Atomic uint64_t begin_packet; /* PSX_NO_PACKET if there is none */

    _Atomic uint64_t frame_count;
    struct psx_frame *frames; /* frame_count + 1 elements: the last one only ends the last frame */
    struct psx_display initial_display; /* at the start of frame 0 */
    _Atomic uint64_t first_stamped; /* the first frame with a time; frame_count if there is none */

    int version;              /* number in the version packet; -1 if there is none */
    enum psx_gpu_model model; /* the model that the dump is drawn as */
    uint32_t vram_lines;      /* lines of that model's VRAM */
    struct {
        uint64_t packet, offset;
    } strings[PSX_STRINGS]; /* the first game, video and comment packets */
    _Atomic unsigned string_count;
    struct psx_totals totals; /* written by the passes; other code calls psx_index_totals() */

    struct follow follow;                  /* what the tree may show */
    struct growing_source *growth;         /* NULL if the dump does not grow */
    _Atomic bool open;                     /* more may come; set at the opening, cleared once */
    struct psx_packet_index *packet_index; /* NULL unless the dump grows or the index is early */
    uint64_t max_frames;                   /* of a growing dump: room in the arrays of frames */
    uint64_t seen; /* of a growing dump: bytes that the packet pass has looked at */
    struct psx_totals shown GUARDED_BY(lock_of_psx_index); /* totals of a growing dump */
    /* Called before anything of a growing or early index is shown; NULL if not needed. */
    void (*shows)(void *context);
    void *context;

    struct psx_frame_counts *counts; /* frame_count elements */
    /* frame_count + 1 elements: the numbers of the checkpoints at the starts of frames. */
    uint32_t *frame_checkpoints;
    struct psx_parser_states checkpoints;
    struct psx_tile_summary_store summaries; /* one for each stretch between two checkpoints */
    struct psx_upload_list uploads;          /* those of the same stretches */
    struct psx_stale_runs stale_runs;
    struct psx_command_index *command_index;
    uint64_t max_checkpoints;
    uint64_t interval; /* cost between two checkpoints within a frame */
    /* By GP0 byte: 1 more than the first packet with that unknown byte; 0 if there is none. */
    _Atomic uint64_t unknown_met[256];
    bool keeps, kept;          /* will be kept for the next opening; was itself a kept one */
    struct psx_origin *origin; /* the dump before the edits; NULL if there are none */
    struct psx_parser_state *noted
        GUARDED_BY(lock_of_psx_index); /* see psx_index_note_checkpoint() */
    pthread_mutex_t lock;              /* guards `noted` and `shown` */
    struct index_task pass; /* the command pass: packets followed, frames whose counts are final */
};

static inline void psx_index_lock(struct psx_index *index) ACQUIRE(lock_of_psx_index)
{
    pthread_mutex_lock(&index->lock);
}

static inline void psx_index_unlock(struct psx_index *index) RELEASE(lock_of_psx_index)
{
    pthread_mutex_unlock(&index->lock);
}

/*
 * Copies out the totals of what is shown. If the dump does not grow, all of the index must be
 * known.
 */
void psx_index_totals(struct psx_index *index, struct psx_totals *out);

/* Returns whether a frame is shown. */
static inline bool psx_index_shows(const struct psx_index *index, uint64_t frame)
{
    return frame < index->follow.frames;
}

/*
 * Reads the packet of that number. Returns 0, or -ENOENT beyond the end. Walks at most PSX_GROUP
 * headers.
 */
int psx_index_packet(const struct psx_index *index, uint64_t number, struct psx_packet *out);

/*
 * Returns the frame that a packet belongs to; PSX_INITIAL before the first frame and after the
 * last.
 */
uint64_t psx_index_frame_of(const struct psx_index *index, uint64_t packet);

/*
 * Returns the first packet from `from` on that has type 03 or 04; PSX_NO_PACKET if there is none.
 */
uint64_t psx_index_next_readback(const struct psx_index *index, uint64_t from);

/*
 * Wait until the command part is known up to that frame or packet, or completely. These functions
 * run the command pass themselves if no other thread does. Return 0, -EINTR when cancelled, or the
 * error that ended the pass, such as -ENOMEM.
 */
int psx_index_wait_frame(struct psx_index *index, uint64_t frame, const struct cancel *cancel);
int psx_index_wait_packet(struct psx_index *index, uint64_t packet, const struct cancel *cancel);
int psx_index_wait_all(struct psx_index *index, const struct cancel *cancel);

/*
 * Returns whether the packet pass is still running. Until it has ended, the only use of the index
 * is to wait for it, apart from the members that the head of this file names.
 */
static inline bool psx_index_is_early(const struct psx_index *index)
{
    return index->early;
}

/*
 * Waits for the end of the packet pass, with the results of the functions above. Works with any
 * index, early or not.
 */
int psx_index_wait_packets(struct psx_index *index, const struct cancel *cancel);

/*
 * Waits until all that is shown is known, which is always so in a growing dump. Results as above.
 */
int psx_index_wait_shown(struct psx_index *index, const struct cancel *cancel);

/* Returns whether more may be shown later. */
static inline bool psx_index_grows(const struct psx_index *index)
{
    return index->growth != NULL && follow_grows(&index->follow);
}

/* Return whether psx_index_wait_frame() or psx_index_wait_packet() would return 0 at once. */
bool psx_index_knows_frame(struct psx_index *index, uint64_t frame);
bool psx_index_knows_packet(struct psx_index *index, uint64_t packet);

/*
 * Copies out the checkpoint at a frame's start, once it is known. `frame` may be frame_count, for
 * where the last frame ends.
 */
void psx_index_frame_checkpoint(const struct psx_index *index, uint64_t frame,
                                struct psx_parser_state *out);

/* What slices are built from: stores of the command pass or of a sketch (sketch.h). Borrowed. */
struct psx_stretches {
    const struct psx_parser_states *checkpoints;
    const struct psx_tile_summary_store *summaries;
    const struct psx_upload_list *uploads;
    const struct psx_stale_runs *stale_runs;
};

static inline struct psx_stretches psx_index_stretches(const struct psx_index *index)
{
    return (struct psx_stretches){&index->checkpoints, &index->summaries, &index->uploads,
                                  &index->stale_runs};
}

/*
 * Copies out the last known checkpoint that is not after word `word` of packet `packet`. The index
 * must be known up to there.
 */
void psx_index_checkpoint_before(const struct psx_index *index, uint64_t packet, uint32_t word,
                                 struct psx_parser_state *out);

/*
 * Notes where the walk for the text of a packet ended. Texts of packets are usually read in order,
 * so the walk for the next one can begin there. Any thread.
 */
void psx_index_note_checkpoint(struct psx_index *index, const struct psx_parser_state *checkpoint);

/*
 * Replaces *checkpoint by the noted position if that is later than *checkpoint and not after the
 * start of `packet`. Any thread.
 */
void psx_index_use_noted(struct psx_index *index, uint64_t packet,
                         struct psx_parser_state *checkpoint);

/*
 * Sets the field of a checkpoint that was stored before its frame was known, as in a growing dump
 * or by a sketch (sketch.h). A checkpoint after the last frame gets the field of the last frame.
 * Any other checkpoint is unchanged.
 */
static inline void psx_parser_state_set_field(struct psx_parser_state *checkpoint,
                                              const struct psx_index *index)
{
    uint64_t frame = checkpoint->frame, count = index->frame_count;

    if (frame != PSX_INITIAL && count > 0)
        checkpoint->state.registers.field = index->frames[frame < count ? frame : count - 1].field;
}

#endif
