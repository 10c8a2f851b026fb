/* SPDX-License-Identifier: MIT */
#include "source/expand.h"

const struct expander *const expanders[EXPANDER_COUNT] = {&expand_zstd, &expand_xz, &expand_gzip};
