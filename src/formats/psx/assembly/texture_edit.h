/* SPDX-License-Identifier: MIT */
/*
 * by-frame/NNNNNN/textures/PAGE-CLUT-DEPTH.png, edited (docs/overlay.md 1.1): what differs from the
 * original's texture becomes uploads before the frame's first draw that samples it. Any thread.
 */
#ifndef GPUDUMPFS_PSX_ASSEMBLY_TEXTURE_EDIT_H
#define GPUDUMPFS_PSX_ASSEMBLY_TEXTURE_EDIT_H

#include "formats/format.h"
#include "formats/psx/dump.h"

/* Larger files are refused: one of as many pixels is far smaller, however it was written. */
enum { PSX_TEXTURE_FILE_MAX = 1 << 20 };

/* As format_ops have `edit`; the picture is anyone's. */
int psx_texture_edit(struct psx_dump *dump, const struct format_edited *edited,
                     struct format_edit *out, struct format_text_error *error);

#endif
