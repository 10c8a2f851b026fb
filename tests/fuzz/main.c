/* SPDX-License-Identifier: MIT */
/*
 * The main function of a fuzz target that is not linked with libFuzzer: gives the target its seeds,
 * and damaged forms of each seed (cut off, with a few bytes changed, or with words of its
 * dictionary inserted). There are some hundred damaged forms with a sanitizer and a quarter of that
 * without, the same ones in every run. Seeds that libFuzzer has found, which are named by their
 * checksum, are numerous: they are used undamaged, and are reported as one test. Arguments are
 * seeds, or folders of seeds; the default is tests/fuzz/seeds/TARGET/. A test passes if the target
 * does not crash. Results are written in TAP.
 */
#include "tests/fuzz/dictionary.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A sanitizer detects what is wrong with an input; without one, most defects go unnoticed. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { CUTS = 64, MUTATIONS = 128, WORDS = 64 };
#else
enum { CUTS = 16, MUTATIONS = 32, WORDS = 16 };
#endif
enum { MUTATED_SEED_MAX = 1 << 18 };

static unsigned seeds_run, found_seeds; /* seeds in TAP; seeds that libFuzzer has found */
static struct fuzz_dictionary dictionary;

/* A small generator (xorshift): failures must be reproducible. */
static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/*
 * Copies the input to memory of its exact size, so that a sanitizer detects an access to the first
 * byte after it.
 */
static void feed(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL)
        abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void feed_mutated(uint8_t *data, size_t size, uint32_t *state)
{
    size_t places[4];
    uint8_t saved[4];

    for (int i = 0; i < 4; i++) {
        places[i] = next_random(state) % size;
        saved[i] = data[places[i]];
        data[places[i]] = (uint8_t)next_random(state);
    }
    feed(data, size);
    for (int i = 3; i >= 0; i--)
        data[places[i]] = saved[i];
}

/* Inserts two words of the dictionary, each between two bytes or in place of some bytes. */
static void feed_words(const uint8_t *data, size_t size, uint32_t *state)
{
    uint8_t *worded = malloc(size + 2 * FUZZ_TOKEN_MAX);

    if (worded == NULL)
        abort();
    memcpy(worded, data, size);
    for (int i = 0; i < 2; i++) {
        const struct fuzz_token *word = &dictionary.tokens[next_random(state) % dictionary.count];
        size_t place = next_random(state) % (size + 1), rest = size - place;
        size_t replaced = next_random(state) % 2 == 0 ? 0 : word->size;

        if (replaced > rest)
            replaced = rest;
        memmove(worded + place + word->size, worded + place + replaced, rest - replaced);
        memcpy(worded + place, word->bytes, word->size);
        size = size + word->size - replaced;
    }
    feed(worded, size);
    free(worded);
}

static void run_input(uint8_t *data, size_t size)
{
    uint32_t state = 2463534242u;

    feed(data, size);
    if (size == 0 || size > MUTATED_SEED_MAX)
        return;
    for (unsigned i = 0; i < CUTS; i++)
        feed(data, next_random(&state) % size);
    for (unsigned i = 0; i < MUTATIONS; i++)
        feed_mutated(data, size, &state);
    for (unsigned i = 0; i < WORDS; i++)
        feed_words(data, size, &state);
}

/* Returns whether the name consists of forty hexadecimal digits. */
static bool is_found(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;

    return strlen(name) == 40 && strspn(name, "0123456789abcdef") == 40;
}

static void run_seed(const char *path, uint8_t *data, size_t size)
{
    if (is_found(path)) {
        feed(data, size);
        found_seeds++;
        return;
    }
    run_input(data, size);
    printf("ok %u - %s\n", ++seeds_run, path);
    fflush(stdout);
}

static int run_file(const char *path, const struct stat *about)
{
    size_t size = (size_t)about->st_size;
    uint8_t *data = malloc(size > 0 ? size : 1);
    FILE *file = fopen(path, "rb");
    int status = -1;

    if (data != NULL && file != NULL && fread(data, 1, size, file) == size) {
        run_seed(path, data, size);
        status = 0;
    } else {
        fprintf(stderr, "%s: cannot be read\n", path);
    }
    if (file != NULL)
        fclose(file);
    free(data);
    return status;
}

static int run_path(const char *path);

static int run_folder(const char *path)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, alphasort);
    int status = count < 0 ? -1 : 0;

    for (int i = 0; i < count; i++) {
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && run_path(inside) < 0)
            status = -1;
        free(entries[i]);
    }
    free(entries);
    return status;
}

static int run_path(const char *path)
{
    struct stat about;

    if (stat(path, &about) < 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return -1;
    }
    return S_ISDIR(about.st_mode) ? run_folder(path) : run_file(path, &about);
}

/* Returns "psx_dump" for …/fuzz_psx_dump. */
static const char *target_name(const char *program)
{
    const char *name = strrchr(program, '/');

    name = name != NULL ? name + 1 : program;
    return strncmp(name, "fuzz_", 5) == 0 ? name + 5 : name;
}

static const char *top_folder(void)
{
    const char *top = getenv("top_srcdir");

    return top != NULL ? top : ".";
}

static int run_own_seeds(const char *name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/fuzz/seeds/%s", top_folder(), name);
    return run_path(path);
}

/* Reads the dictionary of the target's format. */
static int read_dictionary(const char *name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/fuzz/dictionaries/%.*s.dict", top_folder(),
             (int)strcspn(name, "_"), name);
    return fuzz_dictionary_read(path, &dictionary);
}

int main(int argc, char **argv)
{
    const char *name = target_name(argv[0]);
    int status = read_dictionary(name);

    if (status < 0)
        return 1;
    if (argc < 2)
        status = run_own_seeds(name);
    for (int i = 1; i < argc; i++)
        if (run_path(argv[i]) < 0)
            status = -1;
    if (found_seeds > 0)
        printf("ok %u - %u seeds that were found\n", ++seeds_run, found_seeds);
    if (seeds_run == 0) {
        fprintf(stderr, "no seeds\n");
        status = -1;
    }
    fuzz_dictionary_clear(&dictionary);
    printf("1..%u\n", seeds_run);
    return status < 0;
}
