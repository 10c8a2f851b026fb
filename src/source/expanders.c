/* SPDX-License-Identifier: MIT */
#include "source/expand.h"

const struct expander *const expanders[] = {&expand_zstd, &expand_xz, &expand_gzip, NULL};
