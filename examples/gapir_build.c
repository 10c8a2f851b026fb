/* SPDX-License-Identifier: MIT */
#include "gapir_build.h"

#include "base/bytes.h"
#include "formats/gapir/container/payload.pb-c.h"
#include "formats/gapir/decode/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONSTANT_ALIGNMENT = 8 };

#define END_MARKER "\x51\xfa\x60\x60"

static void die(const char *what)
{
    fprintf(stderr, "gapir_build: %s\n", what);
    abort();
}

/*
 * Reallocates memory. Ends the program if there is not enough, so that no incomplete payload is
 * written.
 */
static void *grow(void *memory, size_t size)
{
    void *grown = realloc(memory, size != 0 ? size : 1);

    if (grown == NULL)
        die("out of memory");
    return grown;
}

void build_word(struct build *build, uint32_t word)
{
    if (build->count == build->room) {
        build->room = build->room != 0 ? 2 * build->room : 64;
        build->words = grow(build->words, build->room * sizeof(*build->words));
    }
    build->words[build->count++] = word;
}

void build_op(struct build *build, enum gapir_opcode opcode, uint32_t operand)
{
    build_word(build, gapir_encode(opcode, operand));
}

void build_typed(struct build *build, enum gapir_opcode opcode, enum gapir_type type,
                 uint32_t operand)
{
    build_word(build, gapir_encode_typed(opcode, type, operand));
}

void build_push(struct build *build, enum gapir_type type, uint64_t value)
{
    uint32_t words[GAPIR_ENCODE_MAX];
    size_t count = gapir_encode_push(type, value, words);

    for (size_t n = 0; n < count; n++)
        build_word(build, words[n]);
}

uint32_t build_constant(struct build *build, const void *bytes, size_t size)
{
    size_t offset =
        (build->constants_size + CONSTANT_ALIGNMENT - 1) / CONSTANT_ALIGNMENT * CONSTANT_ALIGNMENT;

    for (size_t n = 0; n < build->pool_count; n++)
        if (build->pool[n].size == size &&
            memcmp(build->constants + build->pool[n].offset, bytes, size) == 0)
            return build->pool[n].offset;
    build->pool = grow(build->pool, (build->pool_count + 1) * sizeof(*build->pool));
    build->pool[build->pool_count++] = (struct build_constant){(uint32_t)offset, (uint32_t)size};
    build->constants = grow(build->constants, offset + size);
    memset(build->constants + build->constants_size, 0, offset - build->constants_size);
    memcpy(build->constants + offset, bytes, size);
    build->constants_size = offset + size;
    return (uint32_t)offset;
}

unsigned build_resource(struct build *build, const char *id, const void *data, uint32_t size)
{
    unsigned number = build->resource_count++;

    if (build->resource_count > BUILD_RESOURCES)
        die("too many resources");
    build->resources[number].id = id;
    build->resources[number].data = data;
    build->resources[number].size = size;
    return number;
}

void build_copy(struct build *build, uint32_t target, uint32_t source, uint32_t size)
{
    build_push(build, GAPIR_VOLATILE_POINTER, source);
    build_push(build, GAPIR_VOLATILE_POINTER, target);
    build_op(build, GAPIR_COPY, size);
}

void build_inline(struct build *build, uint32_t address, const void *data, uint32_t size)
{
    build_push(build, GAPIR_VOLATILE_POINTER, address);
    build_op(build, GAPIR_INLINE_RESOURCE, size);
    for (uint32_t n = 0; n < size; n += 4) {
        uint8_t bytes[4] = {0};
        memcpy(bytes, (const uint8_t *)data + n, size - n < 4 ? size - n : 4);
        build_word(build, bytes_le32(bytes));
    }
    build_word(build, 0);
}

void build_post(struct build *build, enum gapir_type pointer, uint64_t address, uint32_t size)
{
    build_push(build, pointer, address);
    build_push(build, GAPIR_UINT32, size);
    build_op(build, GAPIR_POST, 0);
}

void build_end(struct build *build)
{
    uint32_t offset = build_constant(build, END_MARKER, 4);

    build_op(build, GAPIR_LABEL, 0x3ffffff);
    build_post(build, GAPIR_CONSTANT_POINTER, offset, 4);
}

uint64_t build_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static const struct gapir_function *find_function(const struct gapir_table *table, const char *name)
{
    for (uint32_t n = 0; n < gapir_table_size(table); n++) {
        const struct gapir_function *function = &gapir_functions[table->first + n];
        if (function->callable && strcmp(gapir_function_name(function), name) == 0)
            return function;
    }
    die(name);
    return NULL;
}

static void push_argument(struct build *build, unsigned type, uint64_t value)
{
    if (type == GAPIR_ANY_POINTER && value == BUILD_NULL)
        build_push(build, GAPIR_ABSOLUTE_POINTER, 0);
    else if (type == GAPIR_ANY_POINTER && value >> 63 != 0)
        build_push(build, GAPIR_CONSTANT_POINTER, (uint32_t)value);
    else if (type == GAPIR_ANY_POINTER)
        build_push(build, GAPIR_VOLATILE_POINTER, value);
    else
        build_push(build, type == GAPIR_SIZE ? GAPIR_UINT64 : (enum gapir_type)type, value);
}

void build_call(struct build *build, const char *release, const char *name, bool push,
                const uint64_t *arguments, size_t count)
{
    const struct gapir_table *table = gapir_table_named(release);

    if (table == NULL)
        die(release);
    const struct gapir_function *function = find_function(table, name);
    if (function->count != count)
        die(name);
    for (unsigned n = 0; n < count; n++)
        push_argument(build, gapir_function_argument(function, n)->type, arguments[n]);
    build_word(build, gapir_encode_call(table->api, gapir_table_id(table, function), push));
}

static uint8_t *pack_words(const struct build *build)
{
    uint8_t *bytes = grow(NULL, build->count * 4);

    bytes_put_words(bytes, build->words, build->count);
    return bytes;
}

static void pack_payload(const struct build *build, struct build_files *out)
{
    Gapir__ResourceInfo infos[BUILD_RESOURCES], *places[BUILD_RESOURCES];
    Gapir__Payload message = GAPIR__PAYLOAD__INIT;
    uint8_t *words = pack_words(build);

    message.stack_size = build->stack_size;
    message.volatile_memory_size = build->volatile_size;
    message.constants = (ProtobufCBinaryData){build->constants_size, build->constants};
    message.opcodes = (ProtobufCBinaryData){build->count * 4, words};
    message.n_resources = build->resource_count;
    message.resources = places;
    for (unsigned n = 0; n < build->resource_count; n++) {
        infos[n] = (Gapir__ResourceInfo)GAPIR__RESOURCE_INFO__INIT;
        infos[n].id = (ProtobufCBinaryData){strlen(build->resources[n].id),
                                            (uint8_t *)build->resources[n].id};
        infos[n].size = build->resources[n].size;
        places[n] = &infos[n];
    }
    out->payload_size = gapir__payload__get_packed_size(&message);
    out->payload = grow(NULL, out->payload_size);
    gapir__payload__pack(&message, out->payload);
    free(words);
}

static void put(uint8_t **to, uint64_t value, unsigned size)
{
    bytes_put_le(*to, size, value);
    *to += size;
}

static void pack_archive(const struct build *build, struct build_files *out)
{
    size_t index_room = 1, data_room = 1;

    for (unsigned n = 0; n < build->resource_count; n++) {
        index_room += 16 + strlen(build->resources[n].id);
        data_room += build->resources[n].size;
    }
    uint8_t *index = out->index = grow(NULL, index_room);
    out->data = grow(NULL, data_room);
    for (unsigned n = 0; n < build->resource_count; n++) {
        size_t length = strlen(build->resources[n].id);
        if (build->resources[n].data == NULL)
            continue;
        put(&index, length, 4);
        memcpy(index, build->resources[n].id, length);
        index += length;
        put(&index, out->data_size, 8);
        put(&index, build->resources[n].size, 4);
        memcpy(out->data + out->data_size, build->resources[n].data, build->resources[n].size);
        out->data_size += build->resources[n].size;
    }
    out->index_size = (size_t)(index - out->index);
}

void build_files(const struct build *build, struct build_files *out)
{
    *out = (struct build_files){0};
    pack_payload(build, out);
    pack_archive(build, out);
}

void build_files_clear(struct build_files *files)
{
    free(files->payload);
    free(files->index);
    free(files->data);
    *files = (struct build_files){0};
}

static int write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[4096];
    int status = 0;

    if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path))
        return -ENAMETOOLONG;
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return -errno;
    if (fwrite(bytes, 1, size, file) != size)
        status = -EIO;
    if (fclose(file) != 0 && status == 0)
        status = -errno;
    return status;
}

int build_write(const struct build *build, const char *folder)
{
    struct build_files files;

    build_files(build, &files);
    int status = write_file(folder, "payload.bin", files.payload, files.payload_size);
    if (status == 0)
        status = write_file(folder, "resources.index", files.index, files.index_size);
    if (status == 0)
        status = write_file(folder, "resources.data", files.data, files.data_size);
    build_files_clear(&files);
    return status;
}

void build_clear(struct build *build)
{
    free(build->words);
    free(build->constants);
    free(build->pool);
    *build = (struct build){0};
}
