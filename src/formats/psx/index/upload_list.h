/* SPDX-License-Identifier: MIT */
/*
 * The uploads of each stretch of the command stream that can be carried out by themselves: whole,
 * with all data in the stretch, and over whatever mask; and such copies, whole in their packets.
 * Pictures depend on textures that came little by little, in thousands of stretches of which they
 * need nothing else; the list spares reading those (replay/slice.h). Appended by one thread; read
 * by any, as far as the index is known.
 */
#ifndef GPUDUMPFS_PSX_INDEX_UPLOAD_LIST_H
#define GPUDUMPFS_PSX_INDEX_UPLOAD_LIST_H

#include "formats/psx/gpu/state.h"
#include "source/kept.h"

#include <stdbool.h>
#include <stdint.h>

struct psx_upload {
    uint64_t offset;         /* of the packet in which its data begins; a copy's of the command */
    uint32_t word : 30;      /* of that packet */
    uint32_t is_copy : 1;    /* whose source and place its words in the dump tell */
    uint32_t high_lines : 1; /* as GP1(09) stands */
    uint32_t texel_run;
    uint16_t x, y, width, height; /* where to, as struct psx_transfer has them */
};

enum { PSX_UPLOAD_WORD = (1 << 30) - 1 };

struct psx_upload_list {
    struct psx_upload *list; /* address space for the largest number; used as it fills */
    uint32_t *ends;          /* of each stretch: uploads up to there; likewise */
    uint64_t max, max_stretches, count, stretches;
};

/* Room for `max` uploads, which may be 0, of so many stretches. 0 or -ENOMEM. */
int psx_upload_list_init(struct psx_upload_list *uploads, uint64_t max, uint64_t max_stretches);
void psx_upload_list_clear(struct psx_upload_list *uploads);

static inline bool psx_upload_list_has_room(const struct psx_upload_list *uploads, uint64_t more)
{
    return uploads->max - uploads->count >= more;
}

/* How many of a dump of that length: they take a fiftieth of what it does at most. */
static inline uint64_t psx_upload_list_max(uint64_t size)
{
    return size / (50 * sizeof(struct psx_upload));
}

/* To the stretch in progress; there is room. */
void psx_upload_list_add(struct psx_upload_list *uploads, const struct psx_upload *upload);

/* The same of the upload under way, whose data begins at that word of that packet. */
void psx_upload_list_add_current(struct psx_upload_list *uploads, const struct psx_state *state,
                                 uint64_t offset, uint32_t word);

/* The same of a copy, which begins there. */
void psx_upload_list_add_copy(struct psx_upload_list *uploads, const struct psx_state *state,
                              const struct psx_gp0_event *copy, uint64_t offset, uint32_t word);

/* The next one begins. No more often than there are stretches. */
void psx_upload_list_end_stretch(struct psx_upload_list *uploads);

/* Those of a stretch that has ended; *count of them. */
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

/* From one opening of the dump to the next; what is restored is to be cleared in any case. */
void psx_upload_list_keep(const struct psx_upload_list *uploads, struct kept_writer *writer);
void psx_upload_list_restore(struct psx_upload_list *uploads, uint64_t stretches,
                             struct kept_reader *reader);

#endif
