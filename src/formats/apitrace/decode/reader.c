/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/decode/reader.h"

#include <errno.h>
#include <stdio.h>

enum { NUMBER_BYTES_MAX = 10 };

void apitrace_reader_init(struct apitrace_reader *reader, const struct apitrace_stream *stream,
                          const struct cancel *cancel)
{
    *reader = (struct apitrace_reader){.stream = stream, .size = stream->size, .cancel = cancel};
}

void apitrace_reader_follow(struct apitrace_reader *reader, struct apitrace_stream *stream)
{
    reader->following = stream;
}

void apitrace_reader_clear(struct apitrace_reader *reader)
{
    blob_unref(&reader->stretch.blob);
    *reader = (struct apitrace_reader){0};
}

/* Goes to `position` with nothing in memory. */
static void stand_at(struct apitrace_reader *reader, uint64_t position)
{
    reader->at = reader->end;
    reader->end_position = position;
}

static void fail(struct apitrace_reader *reader, int status, uint64_t place)
{
    if (reader->status == 0) {
        reader->status = status;
        reader->fault_place = place;
        reader->fault[0] = '\0';
    }
    stand_at(reader, apitrace_reader_position(reader));
}

void apitrace_reader_fail(struct apitrace_reader *reader, int status)
{
    fail(reader, status, apitrace_reader_position(reader));
}

int apitrace_reader_error(const struct apitrace_reader *reader)
{
    int status = reader->status;

    return status == 0 || status == -EINTR || status == -ENOMEM ? status : -EIO;
}

/*
 * Returns whether the stream reaches `end`. A reader that follows the stream waits for it to grow.
 */
static bool reaches(struct apitrace_reader *reader, uint64_t end)
{
    int status = reader->status;

    while (end > reader->size && status == 0) {
        status = reader->following != NULL
                     ? apitrace_stream_wait(reader->following, reader->size, reader->cancel)
                     : -ENODATA;
        reader->size = reader->stream->size;
    }
    if (status < 0 && status != -ENODATA)
        fail(reader, status, apitrace_reader_position(reader));
    return end <= reader->size && reader->status == 0;
}

static int get_stretch(struct apitrace_reader *reader, uint64_t position)
{
    struct apitrace_stretch stretch;
    int status = apitrace_stream_get(reader->stream, position, reader->cancel, &stretch);

    if (status < 0)
        return status;
    blob_unref(&reader->stretch.blob);
    reader->stretch = stretch;
    return 0;
}

bool apitrace_reader_refill(struct apitrace_reader *reader)
{
    uint64_t position = apitrace_reader_position(reader);
    int status = 0;

    if (reader->status != 0 || !reaches(reader, position + 1))
        return false;
    if (cancel_requested(reader->cancel))
        status = -EINTR;
    else if (!apitrace_stream_move(reader->stream, position, &reader->stretch))
        status = get_stretch(reader, position);
    if (status < 0) {
        fail(reader, status, position);
        return false;
    }
    if (reader->stretch.size > reader->size - reader->stretch.begin)
        reader->stretch.size = reader->size - reader->stretch.begin;
    apitrace_reader_seek(reader, position);
    return true;
}

void apitrace_reader_fault(struct apitrace_reader *reader, uint64_t place, const char *format, ...)
{
    va_list arguments;

    if (reader->status != 0)
        return;
    fail(reader, -EBADMSG, place);
    va_start(arguments, format);
    vsnprintf(reader->fault, sizeof(reader->fault), format, arguments);
    va_end(arguments);
}

uint8_t apitrace_read_slow_byte(struct apitrace_reader *reader)
{
    if (apitrace_reader_refill(reader))
        return *reader->at++;
    fail(reader, -ENODATA, apitrace_reader_position(reader));
    return 0;
}

uint64_t apitrace_read_long_number(struct apitrace_reader *reader, uint64_t first)
{
    uint64_t value = first & 0x7F;

    for (unsigned n = 1; n < NUMBER_BYTES_MAX; n++) {
        uint8_t byte = apitrace_read_byte(reader);

        value |= (uint64_t)(byte & 0x7F) << 7 * n;
        if (byte < 0x80)
            return value;
    }
    apitrace_reader_fault(reader, apitrace_reader_position(reader) - NUMBER_BYTES_MAX,
                          "a number of more than ten bytes");
    return 0;
}

static uint64_t behind(uint64_t position, uint64_t count, unsigned min)
{
    uint64_t end;

    return bytes_mul(count, min, &end) && bytes_add(position, end, &end) ? end : UINT64_MAX;
}

uint64_t apitrace_read_count(struct apitrace_reader *reader, unsigned min)
{
    uint64_t place = apitrace_reader_position(reader);
    uint64_t count = apitrace_read_number(reader);

    if (reader->status == 0 && count > apitrace_reader_left(reader) / min &&
        !reaches(reader, behind(apitrace_reader_position(reader), count, min))) {
        apitrace_reader_fault(reader, place, "a count of %llu exceeds the stream",
                              (unsigned long long)count);
        return 0;
    }
    return count;
}

uint32_t apitrace_read_far_le32(struct apitrace_reader *reader)
{
    uint8_t bytes[4] = {0};

    apitrace_read_bytes(reader, bytes, sizeof(bytes));
    return bytes_le32(bytes);
}

uint64_t apitrace_read_far_le64(struct apitrace_reader *reader)
{
    uint8_t bytes[8] = {0};

    apitrace_read_bytes(reader, bytes, sizeof(bytes));
    return bytes_le64(bytes);
}

size_t apitrace_read_some(struct apitrace_reader *reader, uint64_t max, const uint8_t **bytes)
{
    size_t count;

    if (!apitrace_reader_more(reader)) {
        fail(reader, -ENODATA, apitrace_reader_position(reader));
        return 0;
    }
    count = (size_t)(reader->end - reader->at);
    count = max < count ? (size_t)max : count;
    *bytes = reader->at;
    reader->at += count;
    return count;
}

bool apitrace_read_bytes(struct apitrace_reader *reader, void *to, size_t count)
{
    uint8_t *out = to;

    while (count > 0) {
        const uint8_t *bytes;
        size_t some = apitrace_read_some(reader, count, &bytes);

        if (some == 0)
            return false;
        memcpy(out, bytes, some);
        out += some;
        count -= some;
    }
    return true;
}

/* Returns where the current chunk is damaged in the next `count` bytes; UINT64_MAX if it is not. */
static uint64_t damage_ahead(const struct apitrace_reader *reader, uint64_t count)
{
    uint64_t position = apitrace_reader_position(reader);
    uint64_t place = apitrace_stream_damage(reader->stream, &reader->stretch);

    return place >= position && place - position < count ? place : UINT64_MAX;
}

void apitrace_skip_far(struct apitrace_reader *reader, uint64_t count)
{
    uint64_t position = apitrace_reader_position(reader), place;

    if (reader->status != 0)
        return;
    place = damage_ahead(reader, count);
    if (place != UINT64_MAX) {
        stand_at(reader, place);
        fail(reader, -EBADMSG, place);
        return;
    }
    if (count > reader->size - position && !reaches(reader, behind(position, count, 1))) {
        stand_at(reader, reader->size);
        fail(reader, -ENODATA, position);
        return;
    }
    if (count > (uint64_t)(reader->end - reader->at))
        stand_at(reader, position + count);
    else
        reader->at += count;
}

int apitrace_read_blob(const struct apitrace_stream *stream, uint64_t position, uint64_t size,
                       const struct cancel *cancel, struct blob **out)
{
    struct apitrace_reader reader;
    struct blob *blob = NULL;
    int status = blob_create((size_t)size, &blob);

    if (status < 0)
        return status;
    apitrace_reader_init(&reader, stream, cancel);
    apitrace_reader_seek(&reader, position);
    apitrace_read_bytes(&reader, blob->data, blob->size);
    status = apitrace_reader_error(&reader);
    apitrace_reader_clear(&reader);
    if (status < 0)
        blob_unref(&blob);
    *out = blob;
    return status;
}
