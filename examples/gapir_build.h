/* SPDX-License-Identifier: MIT */
/*
 * Writes GAPIR payloads, instruction by instruction, as the official exporter does: that of the
 * example and those of the tests. Ends the program if memory runs out, or a function does not
 * exist.
 */
#ifndef GPUDUMPFS_EXAMPLES_GAPIR_BUILD_H
#define GPUDUMPFS_EXAMPLES_GAPIR_BUILD_H

#include "formats/gapir/decode/decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BUILD_RESOURCES = 8 };

/* Must be zero-initialized before its first use. What its pointers point to must outlive it. */
struct build {
    uint32_t stack_size, volatile_size;
    uint32_t *words;
    size_t count, room;
    uint8_t *constants; /* see build_constant() */
    size_t constants_size;
    struct build_constant {
        uint32_t offset, size;
    } * pool;
    size_t pool_count;
    struct {
        const char *id;
        const void *data; /* NULL if it is missing from the archive */
        uint32_t size;
    } resources[BUILD_RESOURCES];
    unsigned resource_count;
};

void build_word(struct build *build, uint32_t word);
void build_op(struct build *build, enum gapir_opcode opcode, uint32_t operand);
void build_typed(struct build *build, enum gapir_opcode opcode, enum gapir_type type,
                 uint32_t operand);
void build_push(struct build *build, enum gapir_type type, uint64_t value);

/* Returns the offset of a constant, a multiple of 8. Equal bytes are stored only once. */
uint32_t build_constant(struct build *build, const void *bytes, size_t size);

/* Adds a resource, which is known by its id. Returns its number. */
unsigned build_resource(struct build *build, const char *id, const void *data, uint32_t size);

/* Adds a COPY between volatile addresses. */
void build_copy(struct build *build, uint32_t target, uint32_t source, uint32_t size);
/* Adds an INLINE_RESOURCE without patches, to a volatile address. */
void build_inline(struct build *build, uint32_t address, const void *data, uint32_t size);
/* Adds PUSHes of pointer and size, and a POST. */
void build_post(struct build *build, enum gapir_type pointer, uint64_t address, uint32_t size);
/* Adds the post of four bytes with which exporters end. */
void build_end(struct build *build);

/*
 * Adds a CALL of a function of a release by name. Arguments are in the order of the function's
 * parameters: numbers of any type as 64 bits (Float and Double as their bits), pointers as
 * BUILD_NULL, BUILD_CONSTANT() or a volatile address.
 */
#define BUILD_NULL             UINT64_MAX
#define BUILD_CONSTANT(offset) ((uint64_t)1 << 63 | (offset))
void build_call(struct build *build, const char *release, const char *name, bool push,
                const uint64_t *arguments, size_t count);
#define BUILD_CALL(build, release, name, ...)                                                      \
    build_call(build, release, name, false, (const uint64_t[]){0, ##__VA_ARGS__} + 1,              \
               sizeof((const uint64_t[]){0, ##__VA_ARGS__}) / sizeof(uint64_t) - 1)

/* Returns the bits of a Float. */
uint64_t build_float(float value);

/* The three files of a replay. build_files_clear() frees them. */
struct build_files {
    uint8_t *payload, *index, *data;
    size_t payload_size, index_size, data_size;
};

void build_files(const struct build *build, struct build_files *out);
void build_files_clear(struct build_files *files);

/* Writes the three files into an existing folder. Returns 0 or a negative errno. */
int build_write(const struct build *build, const char *folder);

void build_clear(struct build *build);

#endif
