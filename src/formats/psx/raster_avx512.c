/*
 * The shaders of raster_gather.inc for AVX-512, whose instructions serve vectors of
 * 32 bytes too: twice the registers, and three operands selected or combined in one
 * step. Rows of games are too short for vectors of 64.
 */
#include "formats/psx/raster_gather.inc"

const struct raster_ops psx_raster_ops_avx512 = {"avx512", &psx_runs_avx2, SHADE_TABLE};
