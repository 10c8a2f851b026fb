/*
 * Pictures and binaries of the tree: what frames show, video memory, readbacks
 * (psx-dump.md 3.4, 4.5). Sizes follow from the index; contents from a replay.
 * Each is a rule's function; any thread.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_PICTURES_H
#define GPUDUMPFS_PSX_VIEWS_PICTURES_H

#include "formats/psx/dump.h"

/*
 * frames/NNNNNN.png; as struct dump_ops has them. The half is the halfwords that the
 * screen shows, so that no instance is kept from the next picture.
 */
int psx_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);
int psx_frame_finish(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                     const struct blob *half, struct blob **out);

/* vram/; key = frame. */
int psx_vram_bin_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_vram_bin_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);
int psx_vram_png_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_vram_png_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);

/* initial/ */
int psx_initial_bin_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);
int psx_initial_png_size(struct dump *dump, uint64_t key, uint64_t *size);
int psx_initial_png_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);

/* readbacks/; key = packet. -ENOENT for a packet of another type. */
int psx_readback_size(struct dump *dump, uint64_t packet, uint64_t *size);
int psx_readback_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                      struct blob **out);

#endif
