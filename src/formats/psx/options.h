/* SPDX-License-Identifier: MIT */
/*
 * The PSX format's own options.
 */
#ifndef GPUDUMPFS_PSX_OPTIONS_H
#define GPUDUMPFS_PSX_OPTIONS_H

#include "tree/options.h"

/* Which lines a 480i frame draws (psx-dump.md 3.5). */
enum psx_field_option { PSX_FIELD_AUTO, PSX_FIELD_EVEN, PSX_FIELD_ODD, PSX_FIELD_BOTH };

/*
 * Which GPU a dump is drawn as: auto follows the dump's version packet, 1 to 3 select the GPU with
 * that number (psx-dump.md 2.3).
 */
enum psx_gpu_option { PSX_GPU_OPTION_AUTO, PSX_GPU_OPTION_1, PSX_GPU_OPTION_2, PSX_GPU_OPTION_3 };

/* Whether the GPU's texel cache is modelled (psx-gpu.md 6). */
enum psx_texel_cache_option { PSX_TEXEL_CACHE_ON, PSX_TEXEL_CACHE_OFF };

struct psx_options {
    enum psx_field_option field;
    enum psx_gpu_option gpu;
    enum psx_texel_cache_option texel_cache;
    char *readback_to; /* where the words that packets of type 04 read are appended; or NULL */
};

extern const struct option_table psx_options_table;

/* Returns the values in force. */
static inline const struct psx_options *psx_options_of(const struct options *options)
{
    return options_values(options, &psx_options_table);
}

#endif
