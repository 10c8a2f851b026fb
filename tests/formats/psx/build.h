/* SPDX-License-Identifier: MIT */
/*
 * Small PSX GPU dumps for tests: packets are appended to a buffer, which can be
 * opened as a dump with its tree. One thread.
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
    uint64_t packets; /* so far */
};

/* An empty dump with that magic. */
void psx_build_start(struct psx_build *build, enum psx_magic magic);
void psx_build_free(struct psx_build *build);

void psx_build_bytes(struct psx_build *build, const void *bytes, size_t size);
void psx_build_word(struct psx_build *build, uint32_t word);

/* A packet of `count` words; words NULL: zeros. */
void psx_build_packet(struct psx_build *build, uint8_t type, const uint32_t *words, size_t count);

/* A string packet, padded with zeros to whole words. */
void psx_build_string(struct psx_build *build, uint8_t type, const char *string, size_t length);

/* A VSync with a time of two words. */
void psx_build_vsync(struct psx_build *build, uint64_t cycles);

/* PACKET(build, type, words…), and GP0 packets of these words, GP1 packets of one. */
#define PACKET(build, type, ...)                                                                   \
    psx_build_packet(build, type, (const uint32_t[]){__VA_ARGS__},                                 \
                     sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define GP0(build, ...)           PACKET(build, PSX_PACKET_GP0, __VA_ARGS__)
#define GP1(build, word)          PACKET(build, PSX_PACKET_GP1, word)
#define EMPTY_PACKET(build, type) psx_build_packet(build, type, NULL, 0)

/* The area 0,0 to 1023,511, no offset; a dump draws nothing before. */
void psx_build_full_area(struct psx_build *build);

/* An opened dump over bytes that outlive it. */
struct psx_opened {
    struct source source;
    struct options options;
    struct problems *problems;
    struct text message;                /* why it could not be opened */
    const struct format_origin *origin; /* that it was made of; NULL: of none */
    struct format_opening opening;
    struct dump *dump; /* the tree's, once there is one */
    struct tree *tree;
};

/* Defaults; may be changed before psx_opened_open(). */
void psx_opened_init(struct psx_opened *opened, const void *bytes, size_t size);
const struct format *psx_opened_probe(struct psx_opened *opened);
int psx_opened_open(struct psx_opened *opened);

/* Makes the tree, with no threads; opens what is not open yet. Fails the test when it cannot. */
void psx_opened_tree(struct psx_opened *opened);

/* The same for what was built. */
void psx_opened_build(struct psx_opened *opened, const struct psx_build *build);

void psx_opened_close(struct psx_opened *opened);

struct psx_index *psx_opened_index(const struct psx_opened *opened);

/* The file's contents as a string, for free(). Fails the test when there is none. */
char *psx_opened_read(const struct psx_opened *opened, const char *path);

/* All of problems.txt, for free(). */
char *psx_opened_problems(const struct psx_opened *opened);

#endif
