/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "lib/psxgpudump.h"

#include "formats/psx/container.h"
#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Memory that serves as a sink and an origin. */
struct memory {
    uint8_t bytes[3 << 20];
    size_t size, at;
    size_t step;     /* bytes that are returned at a time; 0 means all */
    size_t room;     /* bytes after which the memory is full; 0 means never */
    unsigned pushed; /* number of flushes */
};

static struct memory memory;

static int take(void *context, const void *bytes, size_t size)
{
    struct memory *to = context;

    if (size == 0)
        to->pushed++;
    if (to->room > 0 && to->size + size > to->room)
        return -ENOSPC;
    assert_true(size <= sizeof(to->bytes) - to->size);
    if (size > 0)
        memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return 0;
}

static int give(void *context, void *bytes, size_t size)
{
    struct memory *from = context;
    size_t n = from->size - from->at;

    n = n < size ? n : size;
    n = from->step > 0 && n > from->step ? from->step : n;
    memcpy(bytes, from->bytes + from->at, n);
    from->at += n;
    return (int)n;
}

static void begin(struct psxgpudump_writer *writer)
{
    memset(&memory, 0, sizeof(memory));
    psxgpudump_writer_init(writer, take, &memory);
}

/* Returns the next packet, read by gpudumpfs's own reader of dumps. */
static struct psx_packet next_packet(uint64_t *offset)
{
    struct psx_packet packet;

    assert_true(psx_packet_read(memory.bytes, memory.size, *offset, &packet));
    assert_int_equal(packet.words, packet.announced);
    *offset = psx_packet_end(&packet);
    return packet;
}

static uint32_t word(const struct psx_packet *packet, unsigned n)
{
    const uint8_t *at = packet->payload + 4 * n;

    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void nothing_is_a_dump_of_no_packets(void **state)
{
    struct psxgpudump_writer writer;

    (void)state;
    begin(&writer);
    assert_int_equal(psxgpudump_writer_flush(&writer), 0);
    assert_int_equal(psx_magic_read(memory.bytes, memory.size), PSX_MAGIC_16);
    assert_int_equal(memory.size, 16);
}

/* A VSync that a filter copies is flushed, since the filter's reader may show the dump live. */
static void a_copied_vsync_is_flushed(void **state)
{
    const uint32_t word = 1;
    struct psxgpudump_writer writer;

    (void)state;
    begin(&writer);
    psxgpudump_writer_packet(&writer, PSXGPUDUMP_GP0, &word, 1);
    assert_int_equal(memory.pushed, 0);
    psxgpudump_writer_packet(&writer, PSXGPUDUMP_VSYNC, NULL, 0);
    assert_int_equal(memory.pushed, 1);
}

static void words_of_a_port_share_packets(void **state)
{
    struct psxgpudump_writer writer;
    uint64_t offset = 16;
    struct psx_packet packet;

    (void)state;
    begin(&writer);
    for (uint32_t n = 0; n < 300; n++)
        psxgpudump_writer_gp0(&writer, &n, 1);
    psxgpudump_writer_gp1(&writer, 0x05001234);
    psxgpudump_writer_vsync(&writer, UINT64_C(0x500000006));
    assert_int_equal(memory.pushed, 1);
    packet = next_packet(&offset);
    assert_int_equal(packet.type, PSX_PACKET_GP0);
    assert_int_equal(packet.words, 256);
    assert_int_equal(word(&packet, 255), 255);
    packet = next_packet(&offset);
    assert_int_equal(packet.words, 44);
    assert_int_equal(word(&packet, 0), 256);
    packet = next_packet(&offset);
    assert_int_equal(packet.type, PSX_PACKET_GP1);
    assert_int_equal(word(&packet, 0), 0x05001234);
    packet = next_packet(&offset);
    assert_int_equal(packet.type, PSX_PACKET_VSYNC);
    assert_int_equal(word(&packet, 0), 6);
    assert_int_equal(word(&packet, 1), 5);
    assert_int_equal(offset, memory.size);
}

static void texts_end_with_a_zero(void **state)
{
    struct psxgpudump_writer writer;
    uint64_t offset = 16;
    struct psx_packet packet;

    (void)state;
    begin(&writer);
    psxgpudump_writer_text(&writer, PSXGPUDUMP_GAME, "SLUS");
    psxgpudump_writer_text(&writer, PSXGPUDUMP_COMMENT, "");
    packet = next_packet(&offset);
    assert_int_equal(packet.type, PSX_PACKET_GAME);
    assert_int_equal(packet.words, 2);
    assert_memory_equal(packet.payload, "SLUS\0\0\0", 8);
    packet = next_packet(&offset);
    assert_int_equal(packet.words, 1);
    assert_int_equal(word(&packet, 0), 0);
}

static void a_state_is_what_was_set_and_all_of_video_memory(void **state)
{
    static uint16_t vram[PSXGPUDUMP_VRAM_WIDTH * PSXGPUDUMP_VRAM_HEIGHT];
    struct psxgpudump_state held = {.gp1 = {[5] = 0x05000400}, .e = {[6] = 0xE6000001}};
    struct psxgpudump_writer writer;
    struct psx_packet packet;
    uint64_t offset = 16, words = 0;
    uint32_t last = 0;

    (void)state;
    vram[0] = 0x1234;
    vram[1] = 0x5678;
    held.vram = vram;
    begin(&writer);
    psxgpudump_writer_state(&writer, &held);
    packet = next_packet(&offset);
    assert_int_equal(word(&packet, 0), 0); /* GP1(00) */
    packet = next_packet(&offset);
    assert_int_equal(word(&packet, 0), 0x05000400);
    for (packet = next_packet(&offset); packet.type == PSX_PACKET_GP0;
         packet = next_packet(&offset)) {
        if (words == 0) {
            assert_int_equal(word(&packet, 0), 0xE6000000);
            assert_int_equal(word(&packet, 1), 0xA0000000);
            assert_int_equal(word(&packet, 4), 0x56781234);
        }
        words += packet.words;
        last = word(&packet, packet.words - 1);
    }
    assert_int_equal(packet.type, PSX_PACKET_BEGIN);
    assert_int_equal(words, 1 + 3 + PSXGPUDUMP_VRAM_WIDTH * PSXGPUDUMP_VRAM_HEIGHT / 2 + 1);
    assert_int_equal(last, 0xE6000001);
}

/* DuckStation's numbers of GPUs are written, whichever function writes the packet. */
static void the_other_form_has_other_numbers(void **state)
{
    static const uint8_t expected[] = {
        'P', 'S', 'X', 'G', 'P', 'U', 'D', 'U', 'M', 'P', 'v', '1', 0, 0, /* the complete magic */
        1,   0,   0,   6,   1,   0,   0,   0,                             /* V2 */
        2,   0,   0,   6,   2,   0,   0,   0,   7,   0,   0,   0, /* V2_2MB, and another word */
        0,   0,   0,   5};
    struct psxgpudump_writer writer;
    struct psxgpudump_reader reader;
    struct psxgpudump_packet packet;
    uint32_t words[2] = {0};

    (void)state;
    memset(&memory, 0, sizeof(memory));
    psxgpudump_writer_init_v1(&writer, take, &memory);
    psxgpudump_writer_gpu(&writer, PSXGPUDUMP_GPU_V2);
    psxgpudump_writer_packet(&writer, PSXGPUDUMP_GPU, (const uint32_t[]){PSXGPUDUMP_GPU_V2_2MB, 7},
                             2);
    psxgpudump_writer_begin(&writer);
    assert_int_equal(psxgpudump_writer_flush(&writer), 0);
    assert_int_equal(memory.size, sizeof(expected));
    assert_memory_equal(memory.bytes, expected, sizeof(expected));
    psxgpudump_reader_init(&reader, give, &memory);
    assert_int_equal(psxgpudump_reader_next(&reader, &packet), 1);
    assert_int_equal(psxgpudump_reader_words(&reader, words, 0), 0);
    assert_int_equal(psxgpudump_reader_words(&reader, words, 2), 1);
    assert_int_equal(words[0], PSXGPUDUMP_GPU_V2);
    assert_int_equal(psxgpudump_reader_next(&reader, &packet), 1);
    assert_int_equal(psxgpudump_reader_words(&reader, words, 2), 2);
    assert_int_equal(words[0], PSXGPUDUMP_GPU_V2_2MB);
    assert_int_equal(words[1], 7);
}

static void the_first_error_stays(void **state)
{
    struct psxgpudump_writer writer;

    (void)state;
    memset(&memory, 0, sizeof(memory));
    memory.room = 20;
    psxgpudump_writer_init(&writer, take, &memory);
    psxgpudump_writer_gp1(&writer, 0);
    psxgpudump_writer_packet(&writer, PSXGPUDUMP_GP0, NULL, (size_t)PSXGPUDUMP_WORDS_MAX + 1);
    assert_int_equal(psxgpudump_writer_flush(&writer), -ENOSPC);
    begin(&writer);
    psxgpudump_writer_packet(&writer, PSXGPUDUMP_GPU, NULL, (size_t)PSXGPUDUMP_WORDS_MAX + 1);
    assert_int_equal(psxgpudump_writer_flush(&writer), -EFBIG);
    assert_int_equal(memory.size, 16);
    begin(&writer);
    psxgpudump_writer_packet(&writer, 0x100, NULL, 0);
    assert_int_equal(psxgpudump_writer_flush(&writer), -EINVAL);
}

/*
 * Opens a dump of two packets, without its last `less` bytes, which is read `step` bytes at a time.
 */
static void open_sample(struct psxgpudump_reader *reader, size_t step, size_t less)
{
    struct psxgpudump_writer writer;

    begin(&writer);
    psxgpudump_writer_gpu(&writer, PSXGPUDUMP_GPU_V2);
    psxgpudump_writer_packet(&writer, 0x7F, (const uint32_t[]){1, 2, 3}, 3);
    assert_int_equal(psxgpudump_writer_flush(&writer), 0);
    memory.step = step;
    memory.size -= less;
    psxgpudump_reader_init(reader, give, &memory);
}

static void packets_are_read_however_they_come(void **state)
{
    struct psxgpudump_reader reader;
    struct psxgpudump_packet packet;
    uint32_t words[4];

    (void)state;
    for (size_t step = 0; step < 9; step++) {
        open_sample(&reader, step, 0);
        assert_int_equal(psxgpudump_reader_next(&reader, &packet), 1);
        assert_int_equal(packet.type, PSXGPUDUMP_GPU);
        assert_int_equal(psxgpudump_reader_words(&reader, words, 4), 1);
        assert_int_equal(words[0], PSXGPUDUMP_GPU_V2);
        assert_int_equal(psxgpudump_reader_next(&reader, &packet), 1);
        assert_int_equal(packet.type, 0x7F);
        assert_int_equal(packet.words, 3);
        assert_int_equal(psxgpudump_reader_words(&reader, words, 2), 2);
        assert_int_equal(psxgpudump_reader_words(&reader, words + 2, 2), 1);
        assert_int_equal(words[2], 3);
        assert_int_equal(psxgpudump_reader_words(&reader, words, 4), 0);
        assert_int_equal(psxgpudump_reader_next(&reader, &packet), 0);
    }
}

static void what_is_not_read_is_left_out(void **state)
{
    struct psxgpudump_reader reader;
    struct psxgpudump_packet packet;
    unsigned packets = 0;

    (void)state;
    open_sample(&reader, 0, 0);
    while (psxgpudump_reader_next(&reader, &packet) > 0)
        packets++;
    assert_int_equal(packets, 2);
    assert_int_equal(reader.status, 0);
}

static void an_end_within_a_packet_is_told(void **state)
{
    struct psxgpudump_reader reader;
    struct psxgpudump_packet packet;
    uint32_t words[4];

    (void)state;
    open_sample(&reader, 0, 1);
    psxgpudump_reader_next(&reader, &packet);
    assert_int_equal(psxgpudump_reader_next(&reader, &packet), 1);
    assert_int_equal(psxgpudump_reader_words(&reader, words, 4), -EPIPE);
    assert_int_equal(psxgpudump_reader_next(&reader, &packet), -EPIPE);
    open_sample(&reader, 0, 13); /* cut off within a head */
    psxgpudump_reader_next(&reader, &packet);
    assert_int_equal(psxgpudump_reader_next(&reader, &packet), -EPIPE);
}

static void the_shorter_magic_numbers_otherwise(void **state)
{
    struct psxgpudump_reader reader;
    struct psxgpudump_packet packet;
    uint32_t value = 0;

    (void)state;
    memset(&memory, 0, sizeof(memory));
    take(&memory, "PSXGPUDUMPv1\0\0\1\0\0\6\1\0\0", 21);
    take(&memory, "", 1);
    psxgpudump_reader_init(&reader, give, &memory);
    assert_int_equal(psxgpudump_reader_next(&reader, &packet), 1);
    assert_int_equal(psxgpudump_reader_words(&reader, &value, 1), 1);
    assert_int_equal(value, PSXGPUDUMP_GPU_V2);
}

static void other_bytes_are_no_dump(void **state)
{
    const char *const others[] = {"", "PSXGPUDUMPv1", "PSXGPUDUMPv2r1\0\0\0",
                                  "\x28\xB5\x2F\xFD 0123456789ab"};
    struct psxgpudump_reader reader;
    struct psxgpudump_packet packet;

    (void)state;
    for (size_t n = 0; n < sizeof(others) / sizeof(others[0]); n++) {
        memset(&memory, 0, sizeof(memory));
        take(&memory, others[n], strlen(others[n]));
        psxgpudump_reader_init(&reader, give, &memory);
        assert_int_equal(reader.status, -EINVAL);
        assert_int_equal(psxgpudump_reader_next(&reader, &packet), -EINVAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_a_dump_of_no_packets),
        cmocka_unit_test(a_copied_vsync_is_flushed),
        cmocka_unit_test(words_of_a_port_share_packets),
        cmocka_unit_test(texts_end_with_a_zero),
        cmocka_unit_test(a_state_is_what_was_set_and_all_of_video_memory),
        cmocka_unit_test(the_other_form_has_other_numbers),
        cmocka_unit_test(the_first_error_stays),
        cmocka_unit_test(packets_are_read_however_they_come),
        cmocka_unit_test(what_is_not_read_is_left_out),
        cmocka_unit_test(an_end_within_a_packet_is_told),
        cmocka_unit_test(the_shorter_magic_numbers_otherwise),
        cmocka_unit_test(other_bytes_are_no_dump),
    };

    return cmocka_run_group_tests_name("psxgpudump", tests, NULL, NULL);
}
