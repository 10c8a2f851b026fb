/* SPDX-License-Identifier: MIT */
/*
 * The contents of informational packets: GPU version, game, video, comments (psx-dump.md 2.3). Pure
 * functions; any thread.
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

/*
 * Returns the length in bytes of a string packet's string, which ends at the first NUL, at the end
 * of the payload, or at PSX_STRING_MAX.
 */
size_t psx_packet_string(const struct psx_packet *packet);

/*
 * Returns whether a game or video packet's string has a form that the format allows, or is a word
 * that recorders write where there is no game id (psx-dump.md 2). Returns true for a comment.
 */
bool psx_packet_string_is_allowed(const struct psx_packet *packet);

enum { PSX_FIELD_PACKET = 12 }; /* bytes of a comment packet that states a field */

/*
 * Returns the field, 0 or 1, that a comment packet states for the frame that contains or follows
 * the comment (psx-dump.md 3.5). Returns -1 for any other packet.
 */
int psx_packet_field(const struct psx_packet *packet);

/* Appends a comment packet that states a field, PSX_FIELD_PACKET bytes. */
void psx_field_write(uint8_t field, struct text *out);

/*
 * Returns the model for the number that the version packet of a 16-byte file and the option psx-gpu
 * give it. `version` is 0 to 3; 0, which is reserved in a packet and means auto in the option,
 * gives PSX_GPU_SECOND.
 */
enum psx_gpu_model psx_version_model(uint32_t version);

/* Returns that number of a model, 1 to 3. */
uint32_t psx_model_version(enum psx_gpu_model model);

/*
 * Returns a description of a version packet's number, such as `v2, 1 MiB`, or `reserved` if the
 * number has no meaning. The two containers number the versions differently.
 */
const char *psx_version_meaning(enum psx_magic magic, uint32_t version);

/* Returns a description of a model, such as `v2, 1 MiB`. */
const char *psx_model_meaning(enum psx_gpu_model model);

#endif
