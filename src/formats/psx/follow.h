/*
 * Goes forward with a dump that grows, in a thread of its own, and draws everything
 * once: it leaves keyframes of all of VRAM on its way, has the newest frame at hand
 * for who looks at it, and writes what packets of type 04 read (follow.md 4).
 */
#ifndef GPUDUMPFS_PSX_FOLLOW_H
#define GPUDUMPFS_PSX_FOLLOW_H

#include "formats/psx/dump.h"

/*
 * Of a dump that is followed; else *out is NULL. Opens the readback channel. 0, -ENOMEM,
 * -EINVAL with a sentence in `message`.
 */
int psx_follow_create(struct psx_dump *dump, struct text *message, struct psx_follow **out);
void psx_follow_destroy(struct psx_follow **follow);

/* NULL inside is fine. The end of the stream, or the dump's cancel, ends the thread. */
void psx_follow_start(struct psx_follow *follow);
void psx_follow_join(struct psx_follow *follow);

#endif
