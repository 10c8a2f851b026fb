/* SPDX-License-Identifier: MIT */
/*
 * A second rasterizer of the PlayStation's GPU, written from psx-gpu.md and from what suites
 * measured (conformance/psx-suites.txt), and as plainly as those say it: every pixel by itself,
 * edges as exact fractions, nothing kept but registers. Slow; it shares no code with
 * src/formats/psx, so that the two can be held against each other. Every texel goes through
 * a texel cache. What it leaves out is what GPUREAD and GPUSTAT say. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_MODEL_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_MODEL_H

#include <stdint.h>

enum { MODEL_WIDTH = 1024, MODEL_HEIGHT = 512, MODEL_HEIGHT_MAX = 1024 };

/* Mistakes that it makes when it is told to: tests of what looks for differences. */
enum psx_model_fault {
    MODEL_FAULT_NONE,
    MODEL_FAULT_LINES_UNDITHERED,
    MODEL_FAULT_COPY_BY_PIXEL, /* each is read behind what was written before it */
};

struct psx_model;

/*
 * At power-on, VRAM zero. `version` as in a dump: 1 the first GPU, 2 the second, 3 that with
 * 2 MiB. Ends the program without memory. Free with psx_model_destroy().
 */
struct psx_model *psx_model_create(unsigned version);
void psx_model_destroy(struct psx_model **model);

void psx_model_set_fault(struct psx_model *model, enum psx_model_fault fault);

void psx_model_gp0(struct psx_model *model, uint32_t word);
void psx_model_gp1(struct psx_model *model, uint32_t word);

/* The field of 480i that is displayed from now on, 0 or 1 (psx-gpu.md 12). */
void psx_model_set_field(struct psx_model *model, unsigned field);

/* Lines of VRAM: 1024 with version 3. */
unsigned psx_model_height(const struct psx_model *model);

/* MODEL_WIDTH halfwords for each line, the model's own. */
const uint16_t *psx_model_vram(const struct psx_model *model);

#endif
