/* SPDX-License-Identifier: MIT */
/* Common options by their names, for tests without the programs, whose table has all of them. */
#ifndef GPUDUMPFS_TESTS_OPTIONS_H
#define GPUDUMPFS_TESTS_OPTIONS_H

#include "tree/options.h"

/* From now on options_parse() takes cache=, max-memory=, threads=, digits=, png= and strict. */
void support_take_common_options(struct options *options);

#endif
