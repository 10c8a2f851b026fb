/* SPDX-License-Identifier: MIT */
/*
 * Small PSX GPU dumps for tests: packets are appended to a buffer, which can be opened as a dump
 * with its tree. One thread at a time.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_BUILD_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_BUILD_H

#include "formats/format.h"
#include "formats/psx/container.h"
#include "formats/psx/dump.h"
#include "tree/tree.h"

#include <stddef.h>
#include <stdint.h>

struct psx_build {
    uint8_t *bytes;
    size_t size, room;
    uint64_t packets; /* appended so far */
};

/* Starts an empty dump with the given magic. Free with psx_build_free(). */
void psx_build_start(struct psx_build *build, enum psx_magic magic);
void psx_build_free(struct psx_build *build);

void psx_build_bytes(struct psx_build *build, const void *bytes, size_t size);
void psx_build_word(struct psx_build *build, uint32_t word);

/* Appends a packet of `count` words, which are zeros if `words` is NULL. */
void psx_build_packet(struct psx_build *build, uint8_t type, const uint32_t *words, size_t count);

/* Appends a string packet, padded with zeros to a multiple of 4 bytes. */
void psx_build_string(struct psx_build *build, uint8_t type, const char *string, size_t length);

/* Appends a VSync packet whose time takes two words. */
void psx_build_vsync(struct psx_build *build, uint64_t cycles);

/*
 * PACKET(build, type, words…) appends a packet of any type, GP0() a GP0 packet of the given words,
 * GP1() a GP1 packet of one word.
 */
#define PACKET(build, type, ...)                                                                   \
    psx_build_packet(build, type, (const uint32_t[]){__VA_ARGS__},                                 \
                     sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define GP0(build, ...)           PACKET(build, PSX_PACKET_GP0, __VA_ARGS__)
#define GP1(build, word)          PACKET(build, PSX_PACKET_GP1, word)
#define EMPTY_PACKET(build, type) psx_build_packet(build, type, NULL, 0)

/*
 * Sets the drawing area to 0,0 to 1023,511 and the offset to 0. Without this a dump draws nothing.
 */
void psx_build_full_area(struct psx_build *build);

/* An opened dump. Its bytes belong to the caller and must outlive it. */
struct psx_opened {
    struct source source;
    struct options options;
    struct problems *problems;
    struct text message;                /* why the dump could not be opened */
    const struct format_origin *origin; /* the dump that this one was edited from; NULL if none */
    struct format_opening opening;
    struct dump *dump; /* owned by `tree` once there is one */
    struct tree *tree;
};

/* Fills in defaults, which may be changed before psx_opened_open(). */
void psx_opened_init(struct psx_opened *opened, const void *bytes, size_t size);
const struct format *psx_opened_probe(struct psx_opened *opened);
int psx_opened_open(struct psx_opened *opened);

/*
 * Builds the tree, with no threads, and opens the dump first if necessary. Fails the test on error.
 */
void psx_opened_tree(struct psx_opened *opened);

/* Initializes `opened` with the bytes of `build`, opens them and builds the tree. */
void psx_opened_build(struct psx_opened *opened, const struct psx_build *build);

void psx_opened_close(struct psx_opened *opened);

struct psx_index *psx_opened_index(const struct psx_opened *opened);

/*
 * Returns the file's contents as a string, to be freed with free(). Fails the test if there is no
 * such file.
 */
char *psx_opened_read(const struct psx_opened *opened, const char *path);

/* Returns all of problems.txt, to be freed with free(). */
char *psx_opened_problems(const struct psx_opened *opened);

#endif
