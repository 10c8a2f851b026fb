/* The shaders of raster_gather.inc for AVX2. */
#include "formats/psx/raster_gather.inc"

const struct raster_ops psx_raster_ops_avx2 = {"avx2", &psx_runs_avx2, SHADE_TABLE};
