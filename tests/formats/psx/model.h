/* SPDX-License-Identifier: MIT */
/*
 * A second rasterizer of the PlayStation's GPU, written from psx-gpu.md alone and as
 * plainly as that says it: every pixel by itself, edges as exact fractions, nothing kept
 * but registers. Slow; it shares no code with src/formats/psx, so that the two can be held
 * against each other. What the sheet leaves open it leaves out: a texel cache, 2 MiB of
 * VRAM, GP1(09). One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_MODEL_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_MODEL_H

#include <stdint.h>

enum { MODEL_WIDTH = 1024, MODEL_HEIGHT = 512 };

struct psx_model;

/* At power-on, VRAM zero. Fails the test without memory. Free with psx_model_destroy(). */
struct psx_model *psx_model_create(void);
void psx_model_destroy(struct psx_model **model);

void psx_model_gp0(struct psx_model *model, uint32_t word);
void psx_model_gp1(struct psx_model *model, uint32_t word);

/* The field of 480i that is displayed from now on, 0 or 1 (psx-gpu.md 12). */
void psx_model_set_field(struct psx_model *model, unsigned field);

/* MODEL_WIDTH * MODEL_HEIGHT halfwords, the model's own. */
const uint16_t *psx_model_vram(const struct psx_model *model);

#endif
