/* SPDX-License-Identifier: MIT */
/*
 * What the informational packets say: GPU version, game, video, comments
 * (psx-dump.md 2.3). Pure functions; any thread.
 */
#ifndef GPUDUMPFS_PSX_INFORMATION_H
#define GPUDUMPFS_PSX_INFORMATION_H

#include "base/text.h"
#include "formats/psx/container.h"
#include "formats/psx/gpu/registers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PSX_STRING_MAX = 4096 }; /* bytes of a string that are shown */

/* The bytes of a string packet up to the first NUL, the end, or PSX_STRING_MAX. */
size_t psx_packet_string(const struct psx_packet *packet);

/*
 * Whether a game or video packet's string is one that the format's text allows, or a word that
 * recorders write for no id (psx-dump.md 2); a comment is.
 */
bool psx_packet_string_is_allowed(const struct psx_packet *packet);

/*
 * A comment that tells the field of the frame that it stands in, or before (psx-dump.md 3.5): the
 * field, -1 for any other packet; and such a packet, of PSX_FIELD_PACKET bytes.
 */
enum { PSX_FIELD_PACKET = 12 };
int psx_packet_field(const struct psx_packet *packet);
void psx_field_write(uint8_t field, struct text *out);

/*
 * The model of a version packet's number in 16-byte files, which is the option gpu's too: 0, which
 * is reserved there and auto here, to 3. And the number for a model.
 */
enum psx_gpu_model psx_version_model(uint32_t version);
uint32_t psx_model_version(enum psx_gpu_model model);

/* `v2, 1 MiB`; the two containers count differently. And the same of a model. */
const char *psx_version_meaning(enum psx_magic magic, uint32_t version);
const char *psx_model_meaning(enum psx_gpu_model model);

#endif
