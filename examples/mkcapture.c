/* SPDX-License-Identifier: MIT */
/*
 * mkcapture [-c none|lz4|zlib|zstd] [-m] FILE [FRAMES]: writes a small GFXReconstruct capture of
 * calls that a program with one shader module and one buffer might make. With -m, frames end at
 * markers, as in version 0.1. gfxreconstruct.md 3 and 4 describe the encoding of calls.
 */
#include <errno.h>
#include <lz4.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { NONE, LZ4, ZLIB, ZSTD };
enum { FRAME = 1, META = 3, CALL = 4, ANNOTATION = 5 };
enum { BYTES_MAX = 1 << 16, ADDRESS = 0x1000 };
#define COMPRESSED UINT32_C(0x80000000)

/* The attributes of pointers. */
enum {
    IS_NULL = 0x1,
    SINGLE = 0x2,
    ARRAY = 0x4,
    STRING = 0x8,
    STRUCT = 0x20,
    HAS_ADDRESS = 0x40,
    HAS_DATA = 0x80,
    FULL = HAS_ADDRESS | HAS_DATA,
};

/* The handles of the capture. */
enum { INSTANCE = 1, DEVICE, QUEUE, SWAPCHAIN, MODULE, MEMORY, BUFFER, COMMANDS };

static uint8_t bytes[BYTES_MAX];
static size_t length;
static FILE *file;
static int compression = LZ4;

static void put(const void *data, size_t size)
{
    if (size > sizeof(bytes) - length)
        abort();
    memcpy(bytes + length, data, size);
    length += size;
}

static void store32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static void put32(uint32_t value)
{
    uint8_t four[4];

    store32(four, value);
    put(four, sizeof(four));
}

static void put64(uint64_t value)
{
    put32((uint32_t)value);
    put32((uint32_t)(value >> 32));
}

static void put_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    put32(bits);
}

static void put_null(uint32_t attributes)
{
    put32(IS_NULL | attributes);
}

static void put_pointer(uint32_t attributes)
{
    put32(attributes | FULL);
    put64(ADDRESS);
}

static void put_array(uint32_t attributes, uint64_t count)
{
    put_pointer(ARRAY | attributes);
    put64(count);
}

static void put_string(const char *string)
{
    put_pointer(SINGLE | STRING);
    put64(strlen(string));
    put(string, strlen(string));
}

/* Writes the beginning of a structure with an sType and no pNext. */
static void put_struct(uint32_t stype)
{
    put32(stype);
    put_null(SINGLE | STRUCT);
}

static void put_handle_out(uint64_t handle)
{
    put_pointer(SINGLE);
    put64(handle);
}

/* Blocks. */

static void write_bytes(const void *data, size_t size)
{
    if (fwrite(data, 1, size, file) != size) {
        perror("mkcapture");
        exit(1);
    }
}

static size_t compress_bytes(const uint8_t *from, size_t size, uint8_t *to, size_t room)
{
    uLongf made = room;
    int count = 0;

    switch (compression) {
    case LZ4:
        count = LZ4_compress_default((const char *)from, (char *)to, (int)size, (int)room);
        return count > 0 ? (size_t)count : 0;
    case ZLIB:
        return compress2(to, &made, from, size, 6) == Z_OK ? made : 0;
    case ZSTD:
        made = ZSTD_compress(to, room, from, size, 3);
        return !ZSTD_isError(made) ? made : 0;
    default:
        return 0;
    }
}

/*
 * Ends a block. The first `head` bytes are not compressed. If `sized`, compressed bytes are
 * preceded by their expanded length.
 */
static void end_block(uint32_t type, size_t head, bool sized)
{
    static uint8_t packed[2 * BYTES_MAX];
    uint8_t header[12] = {0}, full[8] = {0};
    size_t made =
        head < length ? compress_bytes(bytes + head, length - head, packed, sizeof(packed)) : 0;
    bool smaller = made != 0 && made + 8 < length - head;
    size_t size = smaller ? head + (sized ? 8 : 0) + made : length;

    store32(header, (uint32_t)size);
    store32(header + 8, type | (smaller ? COMPRESSED : 0));
    write_bytes(header, sizeof(header));
    write_bytes(bytes, head);
    store32(full, (uint32_t)(length - head));
    if (smaller && sized)
        write_bytes(full, sizeof(full));
    write_bytes(smaller ? packed : bytes + head, smaller ? made : length - head);
    length = 0;
}

static void begin_call(uint32_t id)
{
    put32(0x10000 | id);
    put64(1); /* thread */
}

static void end_call(void)
{
    end_block(CALL, 12, true);
}

static void begin_meta(uint32_t type)
{
    put32(0x10000 | type);
    put64(1);
}

static void write_marker(uint32_t type, uint32_t kind, uint64_t frame)
{
    put32(kind);
    put64(frame);
    end_block(type, length, false);
}

/* The contents of the file. */

static void write_header(bool markers)
{
    static const uint32_t options = 1, key = 1;

    put("GFXR", 4);
    put32(0);
    put32(markers ? 1 : 0);
    put32(options);
    put32(key);
    put32((uint32_t)compression);
    write_bytes(bytes, length);
    length = 0;
}

static void write_notes(void)
{
    static const char label[] = "operation";
    static const char data[] = "{\"tool\": \"capture\", \"timestamp\": \"2026-01-02T03:04:05Z\", "
                               "\"gfxrecon-version\": \"1.0.0\", \"vulkan-version\": \"1.3.239\"}";
    static const char name[256] = "example";

    begin_meta(18);
    for (unsigned i = 0; i < 8; i++) {
        static const uint8_t version[16];

        if (i == 2)
            put(version, sizeof(version));
        put(i == 2 ? name : (const char[256]){0}, 256);
    }
    end_block(META, length, false);
    put32(2);
    put32(sizeof(label) - 1);
    put64(sizeof(data) - 1);
    put(label, sizeof(label) - 1);
    put(data, sizeof(data) - 1);
    end_block(ANNOTATION, length, false);
}

static void write_instance(void)
{
    begin_call(0x1000);
    put_pointer(SINGLE | STRUCT);
    put_struct(1); /* VkInstanceCreateInfo */
    put32(0);
    put_pointer(SINGLE | STRUCT);
    put_struct(0); /* VkApplicationInfo */
    put_string("example \"one\"");
    put32(7);
    put_null(SINGLE | STRING);
    put32(0);
    put32(1u << 22 | 3u << 12);
    put32(0);
    put_null(ARRAY | STRING);
    put32(2);
    put_array(STRING, 2);
    put_string("VK_KHR_surface");
    put_string("VK_KHR_xcb_surface");
    put_null(SINGLE | STRUCT);
    put_handle_out(INSTANCE);
    put32(0);
    end_call();
}

static void write_shader(void)
{
    static const uint32_t code[] = {0x07230203, 0x00010300, 0,          5, 0,
                                    0x00020011, 1,          0x0003000e, 0, 1};

    begin_call(0x103b);
    put64(DEVICE);
    put_pointer(SINGLE | STRUCT);
    put_struct(16);
    put32(0);
    put64(sizeof(code));
    put_array(0, sizeof(code) / 4);
    for (size_t i = 0; i < sizeof(code) / 4; i++)
        put32(code[i]);
    put_null(SINGLE | STRUCT);
    put_handle_out(MODULE);
    put32(0);
    end_call();
}

static void write_memory(unsigned frame)
{
    static uint8_t data[4096];

    for (unsigned i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)(i / 16 + frame);
    begin_meta(2);
    put64(MEMORY);
    put64(256);
    put64(sizeof(data));
    put(data, sizeof(data));
    end_block(META, 36, false);
}

static void write_clear(void)
{
    begin_call(0x1077); /* vkCmdClearColorImage */
    put64(COMMANDS);
    put64(BUFFER + 100);
    put32(7);
    put_pointer(SINGLE | STRUCT);
    put_array(0, 4);
    put_float(0.25f);
    put_float(0.5f);
    put_float(1);
    put_float(1);
    put32(1);
    put_array(STRUCT, 1);
    put32(1);
    for (unsigned i = 0; i < 4; i++)
        put32(i & 1);
    end_call();
}

static void write_draw(unsigned frame)
{
    begin_call(0x106a);
    put64(COMMANDS);
    put32(3 + frame);
    put32(1);
    put32(0);
    put32(0);
    end_call();
}

static void write_submit(void)
{
    begin_call(0x1012);
    put64(QUEUE);
    put32(1);
    put_array(STRUCT, 1);
    put32(4);
    put_pointer(SINGLE | STRUCT);
    put_struct(1000207003); /* VkTimelineSemaphoreSubmitInfo in pNext */
    put32(0);
    put_null(ARRAY);
    put32(1);
    put_array(0, 1);
    put64(41);
    put32(0);
    put_null(ARRAY);
    put_null(ARRAY);
    put32(1);
    put_array(0, 1);
    put64(COMMANDS);
    put32(0);
    put_null(ARRAY);
    put64(0);
    put32(0);
    end_call();
}

static void write_present(void)
{
    begin_call(0x10ae);
    put64(QUEUE);
    put_pointer(SINGLE | STRUCT);
    put_struct(1000001001);
    put32(0);
    put_null(ARRAY);
    put32(1);
    put_array(0, 1);
    put64(SWAPCHAIN);
    put_array(0, 1);
    put32(0);
    put_null(ARRAY);
    put32(1000001003); /* VK_SUBOPTIMAL_KHR */
    end_call();
}

static void write_template(void)
{
    begin_call(0x10a0); /* what follows its handles is in no table */
    put64(DEVICE);
    put64(50);
    put64(51);
    put_pointer(SINGLE | STRUCT);
    for (unsigned i = 0; i < 3; i++)
        put64(0);
    end_call();
}

static void write_frame(unsigned frame, bool markers)
{
    write_memory(frame);
    write_clear();
    write_draw(frame);
    write_submit();
    write_present();
    if (markers)
        write_marker(FRAME, 2, frame + 1);
}

static void write_end(void)
{
    write_template();
    begin_call(0x1001); /* vkDestroyInstance */
    put64(INSTANCE);
    put_null(SINGLE | STRUCT);
    end_call();
}

static bool choose(const char *name)
{
    static const char *const names[] = {"none", "lz4", "zlib", "zstd"};

    for (compression = NONE; compression <= ZSTD; compression++)
        if (strcmp(name, names[compression]) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    bool markers = false, known = true;
    unsigned long frames = 3;
    int option = 0;

    while ((option = getopt(argc, argv, "c:m")) != -1) {
        known = known && option != '?' && (option != 'c' || choose(optarg));
        markers = markers || option == 'm';
    }
    if (!known || argc - optind < 1 || argc - optind > 2) {
        fprintf(stderr, "usage: mkcapture [-c none|lz4|zlib|zstd] [-m] FILE [FRAMES]\n");
        return 2;
    }
    if (argc - optind == 2)
        frames = strtoul(argv[optind + 1], NULL, 10);
    file = fopen(argv[optind], "wb");
    if (file == NULL) {
        fprintf(stderr, "mkcapture: %s: %s\n", argv[optind], strerror(errno));
        return 1;
    }
    write_header(markers);
    write_notes();
    write_instance();
    write_shader();
    for (unsigned frame = 0; frame < frames; frame++)
        write_frame(frame, markers);
    write_end();
    if (fclose(file) != 0) {
        perror("mkcapture");
        return 1;
    }
    return 0;
}
