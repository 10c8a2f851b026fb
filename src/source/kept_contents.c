/* SPDX-License-Identifier: MIT */
/*
 * The contents of a kept file: a magic, the number of bytes that follow the head, their SHA-256,
 * and those bytes. Numbers are in the machine's format, on which the key depends.
 */
#include "config.h"

#include "source/kept.h"

#include "base/file_read.h"
#include "base/file_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEAD_SIZE = KEPT_MAGIC_SIZE,
    HEAD_HASH = 16,
    HEAD = HEAD_HASH + SHA256_SIZE,
    BUFFER = 128 * 1024,
};

/* Writing. */

static void flush(struct kept_writer *writer)
{
    sha256_add(&writer->hash, writer->buffer, writer->held);
    if (writer->status == 0)
        writer->status = file_write_all(writer->file, writer->buffer, writer->held);
    writer->size += writer->held;
    if (writer->status == 0 && writer->size + HEAD > writer->max)
        writer->status = -EFBIG;
    writer->held = 0;
}

void kept_writer_begin(struct kept_writer *writer, uint64_t max)
{
    static const uint8_t head[HEAD];

    memset(writer, 0, sizeof(*writer));
    writer->max = max;
    sha256_init(&writer->hash);
    writer->file = memfd_create("gpudumpfs-kept", MFD_CLOEXEC);
    writer->buffer = malloc(BUFFER);
    if (writer->buffer == NULL || writer->file < 0)
        writer->status = writer->file < 0 ? -errno : -ENOMEM;
    else
        writer->status = file_write_all(writer->file, head, HEAD);
}

void kept_write(struct kept_writer *writer, const void *bytes, size_t size)
{
    const uint8_t *next = bytes;

    while (writer->status == 0 && size > 0) {
        size_t room = BUFFER - writer->held, taken = size < room ? size : room;

        memcpy(writer->buffer + writer->held, next, taken);
        writer->held += taken;
        next += taken;
        size -= taken;
        if (writer->held == BUFFER)
            flush(writer);
    }
}

void kept_write_number(struct kept_writer *writer, uint64_t number)
{
    kept_write(writer, &number, sizeof(number));
}

void kept_write_rows(struct kept_writer *writer, const void *rows, size_t stride, uint64_t count,
                     const struct kept_field *fields, size_t field_count)
{
    const uint8_t *row = rows;

    for (; count > 0 && writer->status == 0; count--, row += stride)
        for (size_t i = 0; i < field_count; i++)
            kept_write(writer, row + fields[i].offset, fields[i].size);
}

static int write_head(struct kept_writer *writer)
{
    uint8_t head[HEAD];

    memcpy(head, KEPT_MAGIC, KEPT_MAGIC_SIZE);
    memcpy(head + HEAD_SIZE, &writer->size, sizeof(writer->size));
    sha256_finish(&writer->hash, head + HEAD_HASH);
    return pwrite(writer->file, head, HEAD, 0) == HEAD ? 0 : -EIO;
}

int kept_writer_take(struct kept_writer *writer)
{
    int file = writer->file;

    if (writer->status == 0)
        flush(writer);
    if (writer->status == 0)
        writer->status = write_head(writer);
    free(writer->buffer);
    writer->buffer = NULL;
    writer->file = -1;
    if (writer->status == 0)
        return file;
    if (file >= 0)
        close(file);
    return writer->status;
}

/* Reading. */

static int read_head(struct kept_reader *reader)
{
    uint8_t head[HEAD];
    struct stat stat;
    int status;

    if (fstat(reader->file, &stat) != 0)
        return -errno;
    status = stat.st_size < HEAD ? -EBADMSG : file_read_all(reader->file, head, HEAD);
    if (status != 0)
        return status;
    if (memcmp(head, KEPT_MAGIC, KEPT_MAGIC_SIZE) != 0)
        return -EBADMSG;
    memcpy(&reader->left, head + HEAD_SIZE, sizeof(reader->left));
    memcpy(reader->digest, head + HEAD_HASH, SHA256_SIZE);
    return reader->left == (uint64_t)stat.st_size - HEAD ? 0 : -EBADMSG;
}

int kept_reader_begin_file(struct kept_reader *reader, int file)
{
    memset(reader, 0, sizeof(*reader));
    sha256_init(&reader->hash);
    reader->file = file;
    reader->buffer = file < 0 ? NULL : malloc(BUFFER);
    reader->status = file < 0 ? file : reader->buffer == NULL ? -ENOMEM : read_head(reader);
    return reader->status;
}

static void fill(struct kept_reader *reader)
{
    size_t wanted = reader->left < BUFFER ? (size_t)reader->left : BUFFER;

    reader->held = reader->taken = 0;
    reader->status = wanted > 0 ? file_read_all(reader->file, reader->buffer, wanted) : -EBADMSG;
    if (reader->status != 0)
        return;
    sha256_add(&reader->hash, reader->buffer, wanted);
    reader->held = wanted;
    reader->left -= wanted;
}

void kept_read(struct kept_reader *reader, void *to, size_t size)
{
    uint8_t *next = to;

    while (reader->status == 0 && size > 0) {
        size_t here = reader->held - reader->taken, taken = size < here ? size : here;

        memcpy(next, reader->buffer + reader->taken, taken);
        reader->taken += taken;
        next += taken;
        size -= taken;
        if (size > 0)
            fill(reader);
    }
    if (size > 0)
        memset(next, 0, size);
}

uint64_t kept_read_number(struct kept_reader *reader, uint64_t max)
{
    uint64_t number;

    kept_read(reader, &number, sizeof(number));
    if (number <= max)
        return number;
    kept_reader_refuse(reader);
    return 0;
}

static uint64_t value_of(const void *bytes, size_t size)
{
    uint64_t number = 0;
    uint32_t word;
    uint16_t half;

    switch (size) {
    case 1:
        return *(const uint8_t *)bytes;
    case 2:
        memcpy(&half, bytes, sizeof(half));
        return half;
    case 4:
        memcpy(&word, bytes, sizeof(word));
        return word;
    default:
        memcpy(&number, bytes, sizeof(number));
        return number;
    }
}

static size_t row_size(const struct kept_field *fields, size_t field_count)
{
    size_t size = 0;

    for (size_t i = 0; i < field_count; i++)
        size += fields[i].size;
    return size;
}

/* Checks values before they are stored in fields that may have another type. */
static bool take_row(const uint8_t *bytes, uint8_t *row, const struct kept_field *fields,
                     size_t field_count)
{
    for (size_t i = 0; i < field_count; bytes += fields[i++].size) {
        if (value_of(bytes, fields[i].size) > fields[i].max)
            return false;
        memcpy(row + fields[i].offset, bytes, fields[i].size);
    }
    return true;
}

void kept_read_rows(struct kept_reader *reader, void *rows, size_t stride, uint64_t count,
                    const struct kept_field *fields, size_t field_count)
{
    size_t size = row_size(fields, field_count);
    uint8_t *row = rows, bytes[KEPT_ROW_MAX];

    if (size > KEPT_ROW_MAX)
        kept_reader_refuse(reader);
    for (; count > 0 && reader->status == 0; count--, row += stride) {
        kept_read(reader, bytes, size);
        if (!take_row(bytes, row, fields, field_count))
            kept_reader_refuse(reader);
    }
}

void kept_reader_fail(struct kept_reader *reader, int status)
{
    if (reader->status == 0)
        reader->status = status;
}

void kept_reader_refuse(struct kept_reader *reader)
{
    kept_reader_fail(reader, -EBADMSG);
}

uint64_t kept_reader_left(const struct kept_reader *reader)
{
    return reader->left + (reader->held - reader->taken);
}

void *kept_read_array(struct kept_reader *reader, uint64_t count, size_t size)
{
    void *array;

    if (count > kept_reader_left(reader) || count >= SIZE_MAX) {
        kept_reader_refuse(reader);
        return NULL;
    }
    array = calloc((size_t)count + 1, size);
    if (array == NULL)
        kept_reader_fail(reader, -ENOMEM);
    return array;
}

int kept_reader_end(struct kept_reader *reader)
{
    uint8_t digest[SHA256_SIZE];

    sha256_finish(&reader->hash, digest);
    if (reader->status == 0 &&
        (kept_reader_left(reader) > 0 || memcmp(digest, reader->digest, SHA256_SIZE) != 0))
        reader->status = -EBADMSG;
    free(reader->buffer);
    if (reader->file >= 0)
        close(reader->file);
    reader->buffer = NULL;
    reader->file = -1;
    return reader->status;
}
