/* SPDX-License-Identifier: MIT */
/*
 * A second rasterizer of the PlayStation's GPU, written from psx-gpu.md and from what test suites
 * measured (conformance/psx-suites.txt). It follows them as literally as possible: each pixel is
 * computed by itself, edges are exact fractions, and no state is kept but the registers and the
 * texel cache. It is slow, and shares no code with src/formats/psx, so that the two can be
 * compared. Every texel is read through the texel cache. The values of GPUREAD and GPUSTAT are not
 * modelled. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_MODEL_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_MODEL_H

#include <stdint.h>

enum { MODEL_WIDTH = 1024, MODEL_HEIGHT = 512, MODEL_HEIGHT_MAX = 1024 };

/* Deliberate mistakes, to test the programs that look for differences */
enum psx_model_fault {
    MODEL_FAULT_NONE,
    MODEL_FAULT_LINES_UNDITHERED,
    MODEL_FAULT_COPY_BY_PIXEL, /* reads each pixel after the pixels before it have been written */
};

struct psx_model;

/*
 * Creates a GPU at power-on with VRAM zeroed. `version` is numbered as in a dump: 1 is the first
 * GPU, 2 the second, 3 the one with 2 MiB. Ends the program if there is no memory. Free with
 * psx_model_destroy().
 */
struct psx_model *psx_model_create(unsigned version);
void psx_model_destroy(struct psx_model **model);

void psx_model_set_fault(struct psx_model *model, enum psx_model_fault fault);

void psx_model_gp0(struct psx_model *model, uint32_t word);
void psx_model_gp1(struct psx_model *model, uint32_t word);

/* Sets the field of 480i that is displayed from now on, 0 or 1 (psx-gpu.md 12). */
void psx_model_set_field(struct psx_model *model, unsigned field);

/*
 * Returns the number of lines of VRAM: MODEL_HEIGHT_MAX (1024) with version 3, otherwise
 * MODEL_HEIGHT (512).
 */
unsigned psx_model_height(const struct psx_model *model);

/* Returns VRAM, MODEL_WIDTH halfwords a line. It belongs to the model. */
const uint16_t *psx_model_vram(const struct psx_model *model);

#endif
