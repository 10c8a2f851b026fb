/* SPDX-License-Identifier: MIT */
/*
 * Common options by their names, for tests without the programs, which have the table of all
 * options.
 */
#ifndef GPUDUMPFS_TESTS_OPTIONS_H
#define GPUDUMPFS_TESTS_OPTIONS_H

#include "tree/options.h"

/* Makes options_parse() accept cache=, max-memory=, threads=, digits=, png= and strict. */
void support_take_common_options(struct options *options);

#endif
