/* SPDX-License-Identifier: MIT */
/*
 * Dictionaries of fuzz targets: tokens that are inserted into inputs, in libFuzzer's format: one
 * `"…"` a line, with `\xNN` for a byte; blank lines and lines that begin with `#` are ignored. A
 * dictionary serves all targets of a format: psx.dict serves psx_dump and psx_gp0. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FUZZ_DICTIONARY_H
#define GPUDUMPFS_TESTS_FUZZ_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_TOKEN_MAX = 64 }; /* bytes; libFuzzer ignores longer tokens */

struct fuzz_token {
    uint8_t bytes[FUZZ_TOKEN_MAX];
    size_t size; /* at least 1 */
};

struct fuzz_dictionary {
    struct fuzz_token *tokens;
    size_t count;
};

/*
 * Reads a dictionary. Returns 0, or -1 after printing a message if there is no such file, it has no
 * tokens, a line is not a token, or memory is short. Call fuzz_dictionary_clear() on `out` after
 * success.
 */
int fuzz_dictionary_read(const char *path, struct fuzz_dictionary *out);
void fuzz_dictionary_clear(struct fuzz_dictionary *dictionary);

#endif
