/* SPDX-License-Identifier: MIT */
#include "psxgpudump.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    MAGIC_LONG = 16,  /* bytes: "PSXGPUDUMPv1r1" */
    MAGIC_SHORT = 14, /* "PSXGPUDUMPv1" */
    WORD = 4,         /* bytes */
    TYPE_SHIFT = 24
};

#define WORDS_AT_ONCE ((size_t)256)

static const char magic_long[MAGIC_LONG] = "PSXGPUDUMPv1r1";
static const char magic_short[MAGIC_SHORT] = "PSXGPUDUMPv1";

int psxgpudump_file_sink(void *file, const void *bytes, size_t size)
{
    errno = 0;
    if (size == 0)
        return fflush((FILE *)file) == 0 ? 0 : errno != 0 ? -errno : -EIO;
    if (fwrite(bytes, 1, size, (FILE *)file) == size)
        return 0;
    return errno != 0 ? -errno : -EIO;
}

int psxgpudump_file_origin(void *file, void *bytes, size_t size)
{
    size_t count;

    errno = 0;
    count = fread(bytes, 1, size, (FILE *)file);
    if (count == 0 && ferror((FILE *)file))
        return errno != 0 ? -errno : -EIO;
    return (int)count;
}

/* Writing. */

static void put(struct psxgpudump_writer *writer, const void *bytes, size_t size)
{
    if (writer->status == 0)
        writer->status = writer->sink(writer->context, bytes, size);
}

static void put_words(struct psxgpudump_writer *writer, const uint32_t *words, size_t count)
{
    unsigned char bytes[WORDS_AT_ONCE * WORD];

    while (count > 0 && writer->status == 0) {
        size_t n = count < WORDS_AT_ONCE ? count : WORDS_AT_ONCE;

        for (size_t i = 0; i < n * WORD; i++)
            bytes[i] = (unsigned char)(words[i / WORD] >> 8 * (i % WORD));
        put(writer, bytes, n * WORD);
        words += n;
        count -= n;
    }
}

static void put_head(struct psxgpudump_writer *writer, unsigned type, size_t count)
{
    uint32_t head = (uint32_t)(type & 0xFF) << TYPE_SHIFT | (uint32_t)count;

    if (type > 0xFF && writer->status == 0)
        writer->status = -EINVAL;
    if (count > PSXGPUDUMP_WORDS_MAX && writer->status == 0)
        writer->status = -EFBIG;
    put_words(writer, &head, 1);
}

static void put_kept(struct psxgpudump_writer *writer)
{
    if (writer->count == 0)
        return;
    put_head(writer, PSXGPUDUMP_GP0, writer->count);
    put_words(writer, writer->words, writer->count);
    writer->count = 0;
}

static void begin(struct psxgpudump_writer *writer, psxgpudump_sink *sink, void *context)
{
    memset(writer, 0, sizeof(*writer));
    writer->sink = sink;
    writer->context = context;
}

void psxgpudump_writer_init(struct psxgpudump_writer *writer, psxgpudump_sink *sink, void *context)
{
    begin(writer, sink, context);
    put(writer, magic_long, MAGIC_LONG);
}

void psxgpudump_writer_init_v1(struct psxgpudump_writer *writer, psxgpudump_sink *sink,
                               void *context)
{
    begin(writer, sink, context);
    writer->numbering = 1;
    put(writer, magic_short, MAGIC_SHORT);
}

void psxgpudump_writer_packet(struct psxgpudump_writer *writer, unsigned type,
                              const uint32_t *words, size_t count)
{
    put_kept(writer);
    put_head(writer, type, count);
    if (type == PSXGPUDUMP_GPU && count > 0 && writer->status == 0) {
        const uint32_t gpu = words[0] - (uint32_t)writer->numbering;

        put_words(writer, &gpu, 1);
        words++;
        count--;
    }
    put_words(writer, words, count);
    if (type == PSXGPUDUMP_VSYNC)
        psxgpudump_writer_flush(writer);
}

void psxgpudump_writer_gp0(struct psxgpudump_writer *writer, const uint32_t *words, size_t count)
{
    const size_t room = sizeof(writer->words) / sizeof(writer->words[0]);

    while (count > 0) {
        size_t n = count < room - writer->count ? count : room - writer->count;

        memcpy(writer->words + writer->count, words, n * sizeof(*words));
        writer->count += n;
        words += n;
        count -= n;
        if (writer->count == room)
            put_kept(writer);
    }
}

static void put_word_packet(struct psxgpudump_writer *writer, unsigned type, uint32_t word)
{
    psxgpudump_writer_packet(writer, type, &word, 1);
}

void psxgpudump_writer_gp1(struct psxgpudump_writer *writer, uint32_t word)
{
    put_word_packet(writer, PSXGPUDUMP_GP1, word);
}

void psxgpudump_writer_vsync(struct psxgpudump_writer *writer, uint64_t cycles)
{
    const uint32_t words[2] = {(uint32_t)cycles, (uint32_t)(cycles >> 32)};

    psxgpudump_writer_packet(writer, PSXGPUDUMP_VSYNC, words, 2);
}

void psxgpudump_writer_discard(struct psxgpudump_writer *writer, uint32_t words)
{
    put_word_packet(writer, PSXGPUDUMP_DISCARD, words);
}

void psxgpudump_writer_readback(struct psxgpudump_writer *writer, uint32_t words)
{
    put_word_packet(writer, PSXGPUDUMP_READBACK, words);
}

void psxgpudump_writer_begin(struct psxgpudump_writer *writer)
{
    psxgpudump_writer_packet(writer, PSXGPUDUMP_BEGIN, NULL, 0);
}

void psxgpudump_writer_gpu(struct psxgpudump_writer *writer, enum psxgpudump_gpu gpu)
{
    put_word_packet(writer, PSXGPUDUMP_GPU, (uint32_t)gpu);
}

void psxgpudump_writer_text(struct psxgpudump_writer *writer, enum psxgpudump_type type,
                            const char *text)
{
    static const char zeros[WORD] = {0};
    size_t length = strlen(text), words = length / WORD + 1;

    put_kept(writer);
    put_head(writer, (unsigned)type, words);
    put(writer, text, length);
    put(writer, zeros, words * WORD - length);
}

/* Writes the words of those commands of port 1 that set something permanent. */
static void put_gp1_state(struct psxgpudump_writer *writer, const uint32_t *gp1)
{
    for (unsigned command = 3; command <= 9; command++)
        if (gp1[command] != 0)
            psxgpudump_writer_gp1(writer,
                                  (uint32_t)command << TYPE_SHIFT | (gp1[command] & 0xFFFFFF));
}

static void put_drawing_state(struct psxgpudump_writer *writer, const uint32_t *e)
{
    for (unsigned command = 1; command <= 6; command++) {
        uint32_t word = (0xE0u + command) << TYPE_SHIFT | (e[command] & 0xFFFFFF);

        if (e[command] != 0)
            psxgpudump_writer_gp0(writer, &word, 1);
    }
}

/* Uploads all of VRAM at once; a size of 0 by 0 means 1024 by 512. */
static void put_vram(struct psxgpudump_writer *writer, const uint16_t *vram)
{
    static const uint32_t upload[3] = {0xA0000000u, 0, 0};

    psxgpudump_writer_gp0(writer, upload, 3);
    for (size_t i = 0; i < (size_t)PSXGPUDUMP_VRAM_WIDTH * PSXGPUDUMP_VRAM_HEIGHT; i += 2) {
        uint32_t word = vram != NULL ? vram[i] | (uint32_t)vram[i + 1] << 16 : 0;

        psxgpudump_writer_gp0(writer, &word, 1);
    }
}

void psxgpudump_writer_state(struct psxgpudump_writer *writer, const struct psxgpudump_state *state)
{
    static const uint32_t no_mask = 0xE6000000u; /* a mask would protect pixels from the upload */

    psxgpudump_writer_gp1(writer, 0); /* reset */
    put_gp1_state(writer, state->gp1);
    psxgpudump_writer_gp0(writer, &no_mask, 1);
    put_vram(writer, state->vram);
    put_drawing_state(writer, state->e);
    psxgpudump_writer_begin(writer);
}

int psxgpudump_writer_flush(struct psxgpudump_writer *writer)
{
    put_kept(writer);
    put(writer, NULL, 0);
    return writer->status;
}

/* Reading. */

/*
 * Reads `size` bytes. Returns the number of bytes, which is smaller at the end or after an error,
 * which is kept in `status`.
 */
static size_t get(struct psxgpudump_reader *reader, unsigned char *bytes, size_t size)
{
    size_t done = 0;

    while (done < size && reader->status == 0) {
        int n = reader->origin(reader->context, bytes + done, size - done);

        if (n < 0)
            reader->status = n;
        if (n <= 0 || (size_t)n > size - done)
            break;
        done += (size_t)n;
    }
    return done;
}

static uint32_t word_at(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void psxgpudump_reader_init(struct psxgpudump_reader *reader, psxgpudump_origin *origin,
                            void *context)
{
    unsigned char magic[MAGIC_LONG];

    memset(reader, 0, sizeof(*reader));
    reader->origin = origin;
    reader->context = context;
    if (get(reader, magic, MAGIC_SHORT) == MAGIC_SHORT) {
        if (memcmp(magic, magic_short, MAGIC_SHORT) == 0) {
            reader->numbering = 1;
            return;
        }
        if (memcmp(magic, magic_long, MAGIC_SHORT) == 0 &&
            get(reader, magic + MAGIC_SHORT, MAGIC_LONG - MAGIC_SHORT) ==
                MAGIC_LONG - MAGIC_SHORT &&
            magic[MAGIC_SHORT] == 0 && magic[MAGIC_SHORT + 1] == 0)
            return;
    }
    if (reader->status == 0)
        reader->status = -EINVAL;
}

static void leave_out(struct psxgpudump_reader *reader)
{
    uint32_t words[WORDS_AT_ONCE];

    while (reader->left > 0 && psxgpudump_reader_words(reader, words, WORDS_AT_ONCE) > 0)
        continue;
}

int psxgpudump_reader_next(struct psxgpudump_reader *reader, struct psxgpudump_packet *packet)
{
    unsigned char head[WORD];
    size_t size;

    leave_out(reader);
    size = get(reader, head, WORD);
    if (size > 0 && size < WORD && reader->status == 0)
        reader->status = -EPIPE;
    if (reader->status < 0 || size == 0)
        return reader->status;
    packet->type = head[WORD - 1];
    packet->words = reader->left = word_at(head) & PSXGPUDUMP_WORDS_MAX;
    reader->numbered = packet->type == PSXGPUDUMP_GPU;
    return 1;
}

int psxgpudump_reader_words(struct psxgpudump_reader *reader, uint32_t *words, size_t count)
{
    unsigned char bytes[WORDS_AT_ONCE * WORD];
    size_t n = count < WORDS_AT_ONCE ? count : WORDS_AT_ONCE;

    n = n < reader->left ? n : reader->left;
    if (reader->status == 0 && get(reader, bytes, n * WORD) < n * WORD && reader->status == 0)
        reader->status = -EPIPE;
    if (reader->status < 0)
        return reader->status;
    for (size_t i = 0; i < n; i++)
        words[i] = word_at(bytes + i * WORD);
    if (reader->numbered && n > 0) {
        words[0] += (uint32_t)reader->numbering;
        reader->numbered = 0;
    }
    reader->left -= (uint32_t)n;
    return (int)n;
}
