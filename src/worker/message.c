#include "config.h"

#include "worker/message.h"

#include "base/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void put_le(uint8_t *bytes, uint64_t value, int count)
{
    for (int i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

void message_write_header(const struct message_header *header, uint8_t bytes[MESSAGE_HEADER])
{
    put_le(bytes, MESSAGE_MAGIC, 4);
    put_le(bytes + 4, MESSAGE_VERSION, 2);
    put_le(bytes + 6, header->kind, 2);
    put_le(bytes + 8, header->serial, 4);
    put_le(bytes + 12, (uint32_t)header->status, 4);
    put_le(bytes + 16, header->size, 8);
}

int message_read_header(const uint8_t bytes[MESSAGE_HEADER], struct message_header *out)
{
    if (bytes_le32(bytes) != MESSAGE_MAGIC || bytes_le16(bytes + 4) != MESSAGE_VERSION)
        return -EPROTO;
    *out = (struct message_header){
        .kind = bytes_le16(bytes + 6),
        .serial = bytes_le32(bytes + 8),
        .status = (int32_t)bytes_le32(bytes + 12),
        .size = bytes_le64(bytes + 16),
    };
    return 0;
}

void message_reader_init(struct message_reader *reader, const void *bytes, size_t size)
{
    *reader = (struct message_reader){.next = bytes, .left = size};
}

const uint8_t *message_read_bytes(struct message_reader *reader, uint64_t size)
{
    const uint8_t *bytes = reader->next;

    if (reader->bad || size > reader->left) {
        reader->bad = true;
        return NULL;
    }
    reader->next += size;
    reader->left -= size;
    return bytes;
}

uint32_t message_read_u32(struct message_reader *reader)
{
    const uint8_t *bytes = message_read_bytes(reader, 4);

    return bytes == NULL ? 0 : bytes_le32(bytes);
}

uint64_t message_read_u64(struct message_reader *reader)
{
    const uint8_t *bytes = message_read_bytes(reader, 8);

    return bytes == NULL ? 0 : bytes_le64(bytes);
}

bool message_read_all(const struct message_reader *reader)
{
    return !reader->bad && reader->left == 0;
}

/* Where `size` more bytes go; NULL when there is no memory for them. */
static uint8_t *extend(struct message_writer *writer, size_t size)
{
    uint8_t *place;

    if (!writer->bad && size > writer->room - writer->size) {
        size_t room = writer->size + size + writer->size / 2 + 64;
        uint8_t *bytes = size > SIZE_MAX / 4 ? NULL : realloc(writer->bytes, room);

        writer->bad = bytes == NULL;
        if (bytes != NULL) {
            writer->bytes = bytes;
            writer->room = room;
        }
    }
    if (writer->bad)
        return NULL;
    place = writer->bytes + writer->size;
    writer->size += size;
    return place;
}

void message_write_u32(struct message_writer *writer, uint32_t value)
{
    uint8_t *place = extend(writer, 4);

    if (place != NULL)
        put_le(place, value, 4);
}

void message_write_u64(struct message_writer *writer, uint64_t value)
{
    uint8_t *place = extend(writer, 8);

    if (place != NULL)
        put_le(place, value, 8);
}

void message_write_bytes(struct message_writer *writer, const void *bytes, size_t size)
{
    uint8_t *place = size == 0 ? NULL : extend(writer, size);

    if (place != NULL)
        memcpy(place, bytes, size);
}

void message_patch_u32(struct message_writer *writer, size_t offset, uint32_t value)
{
    if (!writer->bad && offset <= writer->size && writer->size - offset >= 4)
        put_le(writer->bytes + offset, value, 4);
}

void message_writer_free(struct message_writer *writer)
{
    free(writer->bytes);
    *writer = (struct message_writer){.bytes = NULL};
}
