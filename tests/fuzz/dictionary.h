/* SPDX-License-Identifier: MIT */
/*
 * What a fuzz target's inputs are made of: the tokens of a dictionary as libFuzzer
 * reads them, one `"…"` a line, with `\xNN` for a byte, blank lines and comments
 * behind `#`. A dictionary serves all targets of a format: psx.dict for psx_dump
 * and psx_gp0. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FUZZ_DICTIONARY_H
#define GPUDUMPFS_TESTS_FUZZ_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_TOKEN_MAX = 64 }; /* bytes; libFuzzer leaves out longer ones */

struct fuzz_token {
    uint8_t bytes[FUZZ_TOKEN_MAX];
    size_t size; /* at least 1 */
};

struct fuzz_dictionary {
    struct fuzz_token *tokens;
    size_t count;
};

/* 0; -1 with a message when it is not there, empty, or a line is no token. */
int fuzz_dictionary_read(const char *path, struct fuzz_dictionary *out);
void fuzz_dictionary_clear(struct fuzz_dictionary *dictionary);

#endif
