/* SPDX-License-Identifier: MIT */
/*
 * The uploads of each stretch of the command stream that can be carried out by themselves: those
 * whose data is complete and all in the stretch, and that neither check nor set the mask bit; and
 * copies that do neither and are complete in their packets. Pictures depend on textures that were
 * uploaded little by little, in thousands of stretches of which they need nothing else; the list
 * saves reading those stretches (replay/slice.h). One thread appends; any thread may read, as far
 * as the index is known.
 */
#ifndef GPUDUMPFS_PSX_INDEX_UPLOAD_LIST_H
#define GPUDUMPFS_PSX_INDEX_UPLOAD_LIST_H

#include "formats/psx/gpu/state.h"
#include "source/kept.h"

#include <stdbool.h>
#include <stdint.h>

struct psx_upload {
    uint64_t offset;         /* of the packet where an upload's data, or a copy's command, begins */
    uint32_t word : 30;      /* index in that packet */
    uint32_t is_copy : 1;    /* the words in the dump say from where and to where */
    uint32_t high_lines : 1; /* GP1(09) */
    uint32_t texel_run;
    uint16_t x, y, width, height; /* destination, as in struct psx_transfer */
};

enum { PSX_UPLOAD_WORD = (1 << 30) - 1 };

struct psx_upload_list {
    struct psx_upload *list; /* address space for `max` uploads; takes memory as it fills */
    /* For each stretch the number of uploads up to its end. Reserved like `list`. */
    uint32_t *ends;
    uint64_t max, max_stretches, count, stretches;
};

/*
 * Reserves room for `max` uploads, which may be 0, of max_stretches stretches. Returns 0 or
 * -ENOMEM.
 */
int psx_upload_list_init(struct psx_upload_list *uploads, uint64_t max, uint64_t max_stretches);
void psx_upload_list_clear(struct psx_upload_list *uploads);

static inline bool psx_upload_list_has_room(const struct psx_upload_list *uploads, uint64_t more)
{
    return uploads->max - uploads->count >= more;
}

/* Returns the most uploads for a dump of that length: they take at most a fiftieth of it. */
static inline uint64_t psx_upload_list_max(uint64_t size)
{
    return size / (50 * sizeof(struct psx_upload));
}

/* Adds an upload to the stretch in progress. There must be room. */
void psx_upload_list_add(struct psx_upload_list *uploads, const struct psx_upload *upload);

/* The same for the upload in progress, whose data begins at that word of the packet at `offset`. */
void psx_upload_list_add_current(struct psx_upload_list *uploads, const struct psx_state *state,
                                 uint64_t offset, uint32_t word);

/* The same for a copy, whose command begins there. */
void psx_upload_list_add_copy(struct psx_upload_list *uploads, const struct psx_state *state,
                              const struct psx_gp0_event *copy, uint64_t offset, uint32_t word);

/*
 * Ends the stretch in progress and begins the next. May be called once for each stretch that there
 * is room for.
 */
void psx_upload_list_end_stretch(struct psx_upload_list *uploads);

/* Returns the *count uploads of a stretch that has ended. */
const struct psx_upload *psx_upload_list_get(const struct psx_upload_list *uploads,
                                             uint64_t stretch, uint32_t *count);

static inline struct psx_transfer psx_upload_transfer(const struct psx_upload *upload)
{
    return (struct psx_transfer){.x = upload->x,
                                 .y = upload->y,
                                 .width = upload->width,
                                 .height = upload->height,
                                 .total = (uint32_t)upload->width * upload->height};
}

/*
 * Carry the list over to the next opening of the dump. Clear a restored list even if the reader has
 * failed.
 */
void psx_upload_list_keep(const struct psx_upload_list *uploads, struct kept_writer *writer);
void psx_upload_list_restore(struct psx_upload_list *uploads, uint64_t stretches,
                             struct kept_reader *reader);

#endif
