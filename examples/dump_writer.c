/* SPDX-License-Identifier: MIT */
#include "dump_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `size` more bytes, all zero. Returns NULL on failure. */
static uint8_t *extend(struct dump_writer *dump, size_t size)
{
    if (dump->status < 0)
        return NULL;
    if (size > dump->room - dump->size) {
        size_t room = 2 * dump->room + size;
        uint8_t *bytes = realloc(dump->bytes, room);
        if (bytes == NULL) {
            dump->status = -ENOMEM;
            return NULL;
        }
        dump->bytes = bytes;
        dump->room = room;
    }
    uint8_t *place = dump->bytes + dump->size;
    memset(place, 0, size);
    dump->size += size;
    return place;
}

static void put_word(uint8_t *place, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        place[i] = (uint8_t)(word >> 8 * i);
}

/* Writes a header, and returns the payload of `count` words, or NULL on failure. */
static uint8_t *put_header(struct dump_writer *dump, uint8_t type, size_t count)
{
    if (count > 0xffffff) {
        dump->status = -EFBIG;
        return NULL;
    }
    uint8_t *packet = extend(dump, 4 + 4 * count);
    if (packet == NULL)
        return NULL;
    put_word(packet, (uint32_t)type << 24 | (uint32_t)count);
    return packet + 4;
}

void dump_writer_init(struct dump_writer *dump, enum dump_magic magic)
{
    static const char v1r1[16] = "PSXGPUDUMPv1r1";
    static const char v1[14] = "PSXGPUDUMPv1";

    *dump = (struct dump_writer){0};
    size_t size = magic == DUMP_MAGIC_16 ? sizeof v1r1 : sizeof v1;
    uint8_t *place = extend(dump, size);
    if (place != NULL)
        memcpy(place, magic == DUMP_MAGIC_16 ? v1r1 : v1, size);
}

void dump_writer_clear(struct dump_writer *dump)
{
    free(dump->bytes);
    *dump = (struct dump_writer){0};
}

void dump_writer_packet(struct dump_writer *dump, uint8_t type, const uint32_t *words, size_t count)
{
    uint8_t *payload = put_header(dump, type, count);

    if (payload == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        put_word(payload + 4 * i, words[i]);
}

void dump_writer_string(struct dump_writer *dump, uint8_t type, const char *string)
{
    size_t length = strlen(string);
    uint8_t *payload = put_header(dump, type, length / 4 + 1);

    if (payload != NULL)
        memcpy(payload, string, length);
}

void dump_writer_word(struct dump_writer *dump, uint8_t type, uint32_t word)
{
    dump_writer_packet(dump, type, &word, 1);
}

void dump_writer_gp1(struct dump_writer *dump, uint8_t command, uint32_t operand)
{
    dump_writer_word(dump, DUMP_GP1, (uint32_t)command << 24 | operand);
}

void dump_writer_vsync(struct dump_writer *dump, uint64_t cycles)
{
    uint32_t words[2] = {(uint32_t)cycles, (uint32_t)(cycles >> 32)};

    dump_writer_packet(dump, DUMP_VSYNC, words, 2);
}

int dump_writer_save(const struct dump_writer *dump, const char *path)
{
    if (dump->status < 0)
        return dump->status;
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return -errno;
    int status = fwrite(dump->bytes, 1, dump->size, file) == dump->size ? 0 : -EIO;
    if (fclose(file) != 0 && status == 0)
        status = -errno;
    return status;
}
