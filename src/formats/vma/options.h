/* SPDX-License-Identifier: MIT */
/*
 * The options of the VMA format.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_OPTIONS_H
#define GPUDUMPFS_FORMATS_VMA_OPTIONS_H

#include "formats/vma/replay/allocator.h"
#include "tree/options.h"

enum { VMA_CALLS_CHOSEN = UINT32_MAX }; /* vma-calls-per-frame is not given */

/* What the length of a bar is proportional to (`-o vma-scale=`). */
enum vma_scale {
    VMA_SCALE_LANE,  /* relative to the biggest block of the lane */
    VMA_SCALE_BLOCK, /* all bars have the full length */
    VMA_SCALE_FRAME, /* relative to the biggest block of all lanes */
};

enum vma_switch { VMA_ON, VMA_OFF };

enum vma_macros_option { VMA_MACROS_RECORDED, VMA_MACROS_DEFAULT };

struct vma_options {
    unsigned calls_per_frame;
    enum vma_scale scale;
    enum vma_switch budget;
    enum vma_macros_option macros;
    unsigned pool_lanes; /* 0 if not given */
    enum vma_device_choice device;
    uint64_t block_size, granularity; /* bytes; 0 if not given */
    enum vma_algorithm pool_algorithm;
};

extern const struct option_table vma_options_table;

/* Returns the values in force. */
static inline const struct vma_options *vma_options_of(const struct options *options)
{
    return options_values(options, &vma_options_table);
}

#endif
