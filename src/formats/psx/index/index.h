/* SPDX-License-Identifier: MIT */
/*
 * What is known of a dump without drawing anything, in two passes. The packet pass, at
 * open, or of a long dump behind it, walks the packet headers: frames, times, display registers, so
 * picture sizes. The command pass, in the background or by the first reader that needs it, follows
 * the command stream: counts per frame, and the parser's state at each frame's
 * start and every so often inside long frames, from where any text can be
 * written without reading from the dump's beginning (psx-dump.md 3, 4); and what
 * each stretch between two such checkpoints does to which tiles of VRAM.
 *
 * After psx_index_open() the packet pass's part is read-only. While it is early
 * (psx_index_is_early()) others read of it first_picture and begin_packet, which stay once they are
 * told, size, and what opening has set: data, magic, model, texel_cache. The command part is
 * written by one thread at a time and read by any once a psx_index_wait_*() has said so.
 *
 * Of a dump that grows (follow.md 3) both passes go on as bytes come, in one thread,
 * and neither ends before they do. What is indexed then always ends where a frame does;
 * what is shown, which is known to its last figure, may be a little less.
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
 * Checkpoints: all that a walk over the command stream needs to go on from
 * there, kept small. Of sixteen checkpoints that follow each other the first is kept
 * whole and the others as the words in which they differ from it. Appended by
 * one thread; read by any, up to psx_parser_states_count().
 */

/* Between two steps of a walk. Plain data. */
struct psx_parser_state {
    uint64_t packet; /* that it stands in, or before */
    uint64_t offset; /* of that packet's header */
    uint64_t frame;  /* PSX_INITIAL before the first */
    uint32_t word;   /* words of the packet that are behind it */
    /* Of this frame, so far: lines of commands.txt begun; draws and uploads carried out. */
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
    uint32_t *words;   /* address space for the largest number; used as it fills */
    uint32_t *offsets; /* of each checkpoint, in words */
    uint64_t max;
    uint64_t used; /* of words */
    atomic_uint_fast64_t count;
};

/* Room for `max` checkpoints. 0 or -ENOMEM. */
int psx_parser_states_init(struct psx_parser_states *checkpoints, uint64_t max);
void psx_parser_states_clear(struct psx_parser_states *checkpoints);

/* -ENOSPC when there is no room left. */
int psx_parser_states_add(struct psx_parser_states *checkpoints,
                          const struct psx_parser_state *checkpoint);

static inline uint64_t psx_parser_states_count(const struct psx_parser_states *checkpoints)
{
    return atomic_load_explicit(&checkpoints->count, memory_order_acquire);
}

/* number < psx_parser_states_count() */
void psx_parser_states_get(const struct psx_parser_states *checkpoints, uint64_t number,
                           struct psx_parser_state *out);

/*
 * From one opening of the dump to the next (kept_index.h). What is restored are checkpoints that
 * `is_good` says, one by one in their order, are such; else the reader is told to refuse. The
 * restored ones are to be cleared in any case, and are complete.
 */
typedef bool psx_parser_state_check(void *context, uint64_t number,
                                    const struct psx_parser_state *checkpoint);
void psx_parser_states_keep(const struct psx_parser_states *checkpoints,
                            struct kept_writer *writer);
void psx_parser_states_restore(struct psx_parser_states *checkpoints, struct kept_reader *reader,
                               psx_parser_state_check *is_good, void *context);

/* The number of the last checkpoint not after that word; 0 if all are. */
uint64_t psx_parser_states_find(const struct psx_parser_states *checkpoints, uint64_t packet,
                                uint32_t word);

#define PSX_NO_PACKET UINT64_MAX
#define PSX_INITIAL   UINT64_MAX /* in place of a frame: before Trace begin */

enum {
    PSX_GROUP = 1024,     /* packets from one known offset to the next */
    PSX_STRINGS = 64,     /* game, video and comment packets that metadata.txt shows */
    PSX_CLOCK = 33868800, /* cycles a second */
};

/* A frame as the packet pass knows it. It ends where the next one begins. */
struct psx_frame {
    uint64_t packet;            /* the first */
    uint64_t offset;            /* of that packet */
    uint64_t cycles;            /* at its VSync; one-word stamps unwrapped */
    struct psx_display display; /* at its VSync */
    uint8_t stamp_words;        /* of its VSync's time: 0 (none), 1, 2 */
    bool unfinished;            /* the dump ends before its VSync */
    uint8_t field;              /* the field that is displayed while it is drawn */
    uint8_t told_field;         /* 1 more than that which a comment tells; 0: none does */
    uint32_t defects;           /* of its packets, as the packet pass met them */
};

/* A frame as the command pass knows it. Counts stop at their largest value. */
struct psx_frame_counts {
    uint32_t gp0_words, gp1_words;
    uint32_t commands; /* lines of commands.txt */
    uint32_t draws, fills, uploads, copies, reads;
    uint32_t same_vram; /* so many frames before it VRAM was the same already */
    uint32_t same_picture;
    uint32_t defects; /* of its commands */
};

struct psx_totals {
    uint64_t types[256]; /* packets of each type */
    uint64_t vsyncs;
    uint64_t gp0_words, gp1_words; /* by the packet pass; the rest by the command pass */
    uint64_t commands, draws, uploads, copies, reads;
    uint64_t interlaced_480; /* frames in 480i */
    uint32_t restore_mask;   /* E6 that the restore upload did not heed; 0: none */
};

/* Packets of the dump that was edited, in whole frames, which the packet pass has taken over. */
struct psx_taken {
    uint64_t packet, offset, count, size;  /* the first in this dump, how many, their bytes */
    uint64_t packet_before, offset_before; /* the first in that one */
};

struct psx_taken_packets {
    const struct psx_index *origin; /* borrowed; NULL: none were taken */
    struct psx_taken *list;         /* in order */
    size_t count, room;
};

/* The packet pass' share of the index's memory. */
struct psx_packet_index_limits {
    uint64_t packets, frames;
};

/* Whether anything is displayed at its VSync. */
bool psx_frame_has_picture(const struct psx_frame *frame);

struct psx_command_index;
struct psx_origin;
struct psx_packet_index;
struct growing_source;

struct psx_index {
    const uint8_t *data;
    _Atomic uint64_t size; /* of what is indexed: less than the dump's beyond a limit */
    enum psx_magic magic;
    struct psx_defects defects;
    enum psx_field_option field_option;
    enum psx_gpu_option gpu_option;
    bool texel_cache; /* psx-texel-cache=on */

    _Atomic uint64_t packets;
    uint64_t *groups; /* offset of every PSX_GROUP-th packet that was walked */
    struct psx_taken_packets taken;
    _Atomic bool early;             /* the packet pass is under way, behind the opening */
    _Atomic uint64_t first_picture; /* while it is: a frame, PSX_INITIAL: none was met */
    uint8_t *readback_groups;       /* a bit each: has packets 03 or 04 */
    _Atomic uint64_t begin_packet;  /* PSX_NO_PACKET: none */

    _Atomic uint64_t frame_count;
    struct psx_frame *frames; /* frame_count + 1: the last only tells where the others end */
    struct psx_display initial_display; /* where frame 0 starts */
    _Atomic uint64_t first_stamped;     /* the first frame with a time; frame_count: none */

    int version;              /* of the version packet; -1: none */
    enum psx_gpu_model model; /* that it is drawn as */
    uint32_t vram_lines;      /* of that model */
    struct {
        uint64_t packet, offset;
    } strings[PSX_STRINGS];
    _Atomic unsigned string_count;
    struct psx_totals totals; /* of the passes: others ask psx_index_totals() */

    struct follow follow;                  /* what the tree may ask for */
    struct growing_source *growth;         /* NULL: the dump does not grow */
    _Atomic bool open;                     /* more may come; set once, lowered once */
    struct psx_packet_index *packet_index; /* of a growing dump, or an early index */
    uint64_t max_frames;                   /* the same: of arrays of frames */
    uint64_t seen;                         /* bytes that the packet pass has looked at */
    struct psx_totals shown GUARDED_BY(lock_of_psx_index); /* the totals of what is shown */
    void (*shows)(void *context); /* before anything of such a dump is shown; or NULL */
    void *context;

    struct psx_frame_counts *counts; /* frame_count */
    uint32_t *frame_checkpoints; /* frame_count + 1: numbers of the checkpoints where they start */
    struct psx_parser_states checkpoints;
    struct psx_tile_summary_store summaries; /* of the stretches from one checkpoint to the next */
    struct psx_upload_list uploads;          /* of the same stretches */
    struct psx_stale_runs stale_runs;
    struct psx_command_index *command_index;
    uint64_t max_checkpoints;
    uint64_t interval;                 /* cost from one checkpoint to the next, within frames */
    _Atomic uint64_t unknown_met[256]; /* by GP0 byte: 1 more than the packet that had it first */
    bool keeps, kept;                  /* it is to be kept; it was, and is complete */
    struct psx_origin *origin;         /* the dump that this one was made of by edits; or NULL */
    struct psx_parser_state *noted
        GUARDED_BY(lock_of_psx_index); /* see psx_index_note_checkpoint() */
    pthread_mutex_t lock;              /* of `noted` and `shown` */
    struct index_task
        pass; /* the command pass: packets that checkpoints reach, frames whose counts are final */
};

static inline void psx_index_lock(struct psx_index *index) ACQUIRE(lock_of_psx_index)
{
    pthread_mutex_lock(&index->lock);
}

static inline void psx_index_unlock(struct psx_index *index) RELEASE(lock_of_psx_index)
{
    pthread_mutex_unlock(&index->lock);
}

/* The totals as far as is shown; of a dump that does not grow, once all is known. */
void psx_index_totals(struct psx_index *index, struct psx_totals *out);

/* Whether a frame is shown. */
static inline bool psx_index_shows(const struct psx_index *index, uint64_t frame)
{
    return frame < index->follow.frames;
}

/* The packet of that number; -ENOENT beyond the end. Walks at most PSX_GROUP headers. */
int psx_index_packet(const struct psx_index *index, uint64_t number, struct psx_packet *out);

/* The frame that a packet belongs to; PSX_INITIAL before the first and after the last. */
uint64_t psx_index_frame_of(const struct psx_index *index, uint64_t packet);

/* The smallest packet >= from of type 03 or 04; PSX_NO_PACKET: none. */
uint64_t psx_index_next_readback(const struct psx_index *index, uint64_t from);

/*
 * These return 0 when the command part is known so far; they run the command
 * pass themselves if no thread does. -EINTR when cancelled, -ENOMEM.
 */
int psx_index_wait_frame(struct psx_index *index, uint64_t frame, const struct cancel *cancel);
int psx_index_wait_packet(struct psx_index *index, uint64_t packet, const struct cancel *cancel);
int psx_index_wait_all(struct psx_index *index, const struct cancel *cancel);

/* Whether the packet pass is under way; then nothing but waiting may be asked of the index. */
static inline bool psx_index_is_early(const struct psx_index *index)
{
    return index->early;
}

/* Waits for its end, as those below. Any index. */
int psx_index_wait_packets(struct psx_index *index, const struct cancel *cancel);

/* The same for all that is shown of a dump that grows, which is known already. */
int psx_index_wait_shown(struct psx_index *index, const struct cancel *cancel);

/* Whether more may be shown later. */
static inline bool psx_index_grows(const struct psx_index *index)
{
    return index->growth != NULL && follow_grows(&index->follow);
}

/* Whether psx_index_wait_frame() or psx_index_wait_packet() would return 0 at once. */
bool psx_index_knows_frame(struct psx_index *index, uint64_t frame);
bool psx_index_knows_packet(struct psx_index *index, uint64_t packet);

/* The checkpoint at a frame's start (frame_count: where the last one ends), once known. */
void psx_index_frame_checkpoint(const struct psx_index *index, uint64_t frame,
                                struct psx_parser_state *out);

/* What slices are made of, of the command pass or of a sketch (sketch.h). Borrowed. */
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

/* The last known checkpoint not after word `word` of packet `packet`, once known. */
void psx_index_checkpoint_before(const struct psx_index *index, uint64_t packet, uint32_t word,
                                 struct psx_parser_state *out);

/*
 * Texts of packets are usually read in order. Where the walk of one ended is
 * noted, and serves the next one, if that is nearer than `checkpoint` and not beyond
 * the packet's start.
 */
void psx_index_note_checkpoint(struct psx_index *index, const struct psx_parser_state *checkpoint);
void psx_index_use_noted(struct psx_index *index, uint64_t packet,
                         struct psx_parser_state *checkpoint);

/*
 * A checkpoint that was kept before its frame was known, in a dump that grows or by a sketch
 * (sketch.h), lacks the frame's field, or behind the last frame that frame's; in any other this
 * changes nothing.
 */
static inline void psx_parser_state_set_field(struct psx_parser_state *checkpoint,
                                              const struct psx_index *index)
{
    uint64_t frame = checkpoint->frame, count = index->frame_count;

    if (frame != PSX_INITIAL && count > 0)
        checkpoint->state.registers.field = index->frames[frame < count ? frame : count - 1].field;
}

#endif
