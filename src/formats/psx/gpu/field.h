/*
 * Which field of 480i is displayed between two VSyncs: no packet says it, so it
 * follows from the VSyncs' times, or from toggling, as -o field= says (psx-dump.md
 * 3.5). Index and replay ask here, so that they cannot disagree. Pure functions.
 */
#ifndef GPUDUMPFS_PSX_GPU_FIELD_H
#define GPUDUMPFS_PSX_GPU_FIELD_H

#include "formats/psx/container.h"
#include "formats/psx/gpu/registers.h"
#include "formats/psx/options.h"

#include <stdbool.h>
#include <stdint.h>

/* CPU cycles between two VSync packets, modulo 2^32 if one has one word; 0: unknown. */
uint64_t psx_field_interval(const struct psx_packet *from, const struct psx_packet *to);

bool psx_field_is_interlaced(const struct psx_display *display);

/*
 * The field from the start of the trace up to VSync 0. `interval`: from VSync 0
 * to VSync 1, 0 when it is not known.
 */
uint8_t psx_field_first(enum psx_field_option rule, const struct psx_display *display,
                        uint64_t interval);

/*
 * The field from a VSync, at which `field` and `display` hold, up to the next
 * one. `interval`: from the next VSync to the one after it, 0 when not known.
 */
uint8_t psx_field_next(enum psx_field_option rule, const struct psx_display *display, uint8_t field,
                       uint64_t interval);

#endif
