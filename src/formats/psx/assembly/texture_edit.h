/* SPDX-License-Identifier: MIT */
/*
 * Edits of by-frame/NNNNNN/textures/PAGE-CLUT-DEPTH.png (docs/overlay.md 1.1): where the picture
 * differs from the original texture, it becomes uploads before the frame's first draw that samples
 * the texture. Any thread.
 */
#ifndef GPUDUMPFS_PSX_ASSEMBLY_TEXTURE_EDIT_H
#define GPUDUMPFS_PSX_ASSEMBLY_TEXTURE_EDIT_H

#include "formats/format.h"
#include "formats/psx/dump.h"

/*
 * Larger files are refused, in bytes. A picture of 256x256 pixels is far smaller, whatever program
 * wrote it.
 */
enum { PSX_TEXTURE_FILE_MAX = 1 << 20 };

/* Implements `edit` of format_ops. The picture is untrusted. */
int psx_texture_edit(struct psx_dump *dump, const struct format_edited *edited,
                     struct format_edit *out, struct format_text_error *error);

#endif
