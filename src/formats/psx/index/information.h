/*
 * What the informational packets say: GPU version, game, video, comments
 * (psx-dump.md 2.3). Pure functions.
 */
#ifndef GPUDUMPFS_PSX_INDEX_INFORMATION_H
#define GPUDUMPFS_PSX_INDEX_INFORMATION_H

#include "base/text.h"
#include "formats/psx/container.h"

#include <stdbool.h>
#include <stddef.h>

enum { PSX_STRING_MAX = 4096 }; /* bytes of a string that are shown */

/* The bytes of a string packet up to the first NUL, the end, or PSX_STRING_MAX. */
size_t psx_packet_string(const struct psx_packet *packet);

/*
 * Whether a game or video packet's string is one that the format's text allows, or a word that
 * recorders write for no id (psx-dump.md 2); a comment is.
 */
bool psx_packet_string_is_allowed(const struct psx_packet *packet);

/* `v2, 1 MiB`; the two containers count differently. */
const char *psx_version_meaning(enum psx_magic magic, uint32_t version);

/* Such a packet as `key: value`; for a packet of an unknown type its number and length. */
void psx_information_write(const struct psx_packet *packet, enum psx_magic magic,
                           struct text *text);

#endif
