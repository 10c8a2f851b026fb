/* SPDX-License-Identifier: MIT */
/*
 * Converts dumps to texts and back (psx-assembly.md): every byte must return, for any dump and
 * wherever it is cut; each edited operand must reach its bits; mistakes must be reported with their
 * column.
 */
#include "formats/psx/assembly/assembly.h"

#include "base/bytes.h"
#include "tests/formats/psx/build.h"
#include "tests/formats/psx/streams.h"
#include "tests/support/support.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int append(void *context, const void *bytes, size_t length)
{
    text_add_bytes(context, bytes, length);
    return 0;
}

/* Lines of a text in memory */
struct lines {
    const char *next, *end;
    unsigned number;
};

static int next_line(void *context, const char **line, size_t *length)
{
    struct lines *lines = context;
    const char *newline;

    if (lines->next == lines->end)
        return 0;
    newline = memchr(lines->next, '\n', (size_t)(lines->end - lines->next));
    *line = lines->next;
    *length = (size_t)((newline != NULL ? newline : lines->end) - lines->next);
    lines->next = newline != NULL ? newline + 1 : lines->end;
    lines->number++;
    return 1;
}

static int assemble(const char *bytes, size_t length, struct text *out,
                    struct format_text_error *error, unsigned *line)
{
    struct lines lines = {.next = bytes, .end = bytes + length};
    const struct format_lines source = {next_line, &lines};
    const struct format_sink sink = {append, out};
    int status = psx_assemble(&source, &sink, error);

    *line = lines.number;
    return status;
}

static void disassemble(const void *bytes, size_t size, struct text *out)
{
    const struct format_sink sink = {append, out};
    struct psx_opened opened;

    psx_opened_init(&opened, bytes, size);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_int_equal(psx_disassemble_dump(opened.dump, NULL, &sink), 0);
    assert_int_equal(text_status(out), 0);
    psx_opened_close(&opened);
}

/* Converts there and back. `what` is reported if bytes differ. */
static void check_round_trip(const char *what, const void *bytes, size_t size)
{
    struct text text = TEXT_INIT, dump = TEXT_INIT;
    struct format_text_error error;
    unsigned line;

    disassemble(bytes, size, &text);
    if (assemble(text.bytes, text.length, &dump, &error, &line) != 0)
        fail_msg("%s: line %u:%zu: %s", what, line, error.column, error.message);
    if (dump.length != size || memcmp(dump.bytes, bytes, size) != 0)
        fail_msg("%s: %zu bytes came back as others, %zu", what, size, dump.length);
    text_clear(&text);
    text_clear(&dump);
}

static void every_prefix_of_a_dump_returns(void **state)
{
    struct psx_build build;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_14);
    PACKET(&build, PSX_PACKET_VERSION, 1);
    psx_build_string(&build, PSX_PACKET_GAME, "\"a\\b\x01\xFF", 7);
    psx_build_string(&build, PSX_PACKET_COMMENT, "four", 4);
    psx_build_string(&build, PSX_PACKET_VIDEO, "a\0b", 3);
    PACKET(&build, 0x7F, 1, 2, 3);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    PACKET(&build, PSX_PACKET_BEGIN, 1);
    GP1(&build, 0x48000027);
    PACKET(&build, PSX_PACKET_GP1, 0x08000001, 0x3F000000, 0x13000002);
    EMPTY_PACKET(&build, PSX_PACKET_GP0);
    GP0(&build, 0x2C808080, 0x00010002);
    GP0(&build, 0x7C000000, 0xFFFF0802);
    GP0(&build, 0x01000000, 0x00100020, 0x00040005, 0x00300040, 0x12340006, 0xE1000A0F);
    GP0(&build, 0xA0000000, 0, 0x00020003, 0x11112222);
    GP1(&build, 0x03000000);
    GP0(&build, 0x33334444, 0x55556666, 0x48808080, 0, 0x00010001);
    GP0(&build, 0x00020002);
    GP0(&build, 0x5FFF5000, 0x5A000000, 1, 2);
    GP1(&build, 0x01000000);
    psx_build_vsync(&build, 123456789);
    PACKET(&build, PSX_PACKET_VSYNC, 7);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    PACKET(&build, PSX_PACKET_VSYNC, 1, 2, 3);
    PACKET(&build, PSX_PACKET_VSYNC, 1, 0xFFFFFFFF);
    PACKET(&build, PSX_PACKET_DISCARD, 5);
    PACKET(&build, PSX_PACKET_READBACK, 5, 6);
    for (size_t size = 14; size <= build.size; size++)
        check_round_trip("prefix", build.bytes, size);
    psx_build_free(&build);
}

/* Words of all kinds, in packets of all lengths */
static void random_words_return(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (unsigned n = 0; n < 400 / support_stride(); n++) {
        struct psx_build build;
        const unsigned longest = n % 3 == 0 ? 1 : n % 3 == 1 ? 5 : 300;

        psx_build_start(&build, n % 2 == 0 ? PSX_MAGIC_14 : PSX_MAGIC_16);
        for (unsigned p = 0; p < 40; p++) {
            uint32_t words[300], count = (uint32_t)(support_random(&random) >> 33) % (longest + 1);
            uint8_t type = (uint8_t)((support_random(&random) >> 40) % 64);

            for (unsigned i = 0; i < count; i++) {
                words[i] = (uint32_t)(support_random(&random) >> 20);
                if (n % 5 != 0 && support_random(&random) % 4 != 0) /* drawing commands, mostly */
                    words[i] = 0x20000000 + (words[i] & 0x5FFFFFFF);
                if (words[i] >> 29 == 5)
                    words[i] &= 0x7FFFFFFF; /* uploads become long */
            }
            psx_build_packet(&build, type < 50 ? PSX_PACKET_GP0 : type % 20, words, count);
        }
        check_round_trip("random", build.bytes, build.size - n % 23);
        psx_build_free(&build);
    }
}

static const char *const stream_kinds[] = {"clean", "feedback", "areas", "first-gpu", "2-mib"};

static void check_stream(const char *kind, uint64_t seed)
{
    uint64_t random = seed;
    struct psx_build build;

    assert_true(psx_streams_build(kind, seed, &build));
    check_round_trip(kind, build.bytes, build.size);
    for (unsigned i = 0; i < 4; i++)
        check_round_trip(kind, build.bytes,
                         16 + (size_t)(support_random(&random) >> 20) % (build.size - 16));
    psx_build_free(&build);
}

static void streams_return(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 9; seed++) {
        for (unsigned i = 0; i < COUNT_OF(stream_kinds); i++)
            check_stream(stream_kinds[i], seed);
        for (unsigned i = 0; psx_streams_kind(i) != NULL; i++)
            check_stream(psx_streams_kind(i), seed);
    }
}

/* Puts each word into a packet of its own, or all words into one packet. */
static void repack(const struct psx_build *from, bool apart, struct psx_build *out)
{
    struct psx_packet packet;
    uint64_t offset = 16;

    psx_build_start(out, PSX_MAGIC_16);
    for (; psx_packet_read(from->bytes, from->size, offset, &packet);
         offset = psx_packet_end(&packet))
        if (packet.type != PSX_PACKET_GP0 || !apart)
            psx_build_bytes(out, packet.payload - 4, 4 + 4 * (size_t)packet.words);
        else
            for (uint32_t i = 0; i < packet.words; i++)
                GP0(out, bytes_le32(packet.payload + 4 * (size_t)i));
}

static bool has_line(const struct text *text, const char *begin)
{
    const size_t length = strlen(begin);

    for (const char *line = text->bytes; line != NULL && line < text->bytes + text->length;) {
        size_t left = (size_t)(text->bytes + text->length - line);

        if (left >= length && memcmp(line, begin, length) == 0)
            return true;
        line = memchr(line, '\n', left);
        line = line != NULL ? line + 1 : NULL;
    }
    return false;
}

/* Commands are shown as commands however packets cut the stream. */
static void commands_over_packets_are_whole(void **state)
{
    struct text text = TEXT_INIT;
    struct psx_build build, apart;

    (void)state;
    assert_true(psx_streams_build("clean", 5, &build));
    repack(&build, true, &apart);
    check_round_trip("repacked", apart.bytes, apart.size);
    disassemble(apart.bytes, apart.size, &text);
    assert_true(has_line(&text, "gp0 quad"));
    assert_true(has_line(&text, "gp0 rect"));
    assert_false(has_line(&text, "words"));
    text_clear(&text);
    psx_build_free(&apart);
    psx_build_free(&build);
}

static void check_folder(const char *name, unsigned *found)
{
    char *path = support_corpus(name);
    DIR *folder = opendir(path);
    struct dirent *entry;

    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) {
        char file[512];
        size_t size;

        snprintf(file, sizeof(file), "%s/%s/dump.psxgpu", path, entry->d_name);

        FILE *there = entry->d_name[0] != '.' ? fopen(file, "rb") : NULL;

        if (there == NULL)
            continue;
        fclose(there);
        if ((*found)++ % support_stride() != 0)
            continue;

        uint8_t *bytes = support_read(file, &size);

        check_round_trip(file, bytes, size);
        free(bytes);
    }
    closedir(folder);
    free(path);
}

static void the_corpus_returns(void **state)
{
    unsigned found = 0;

    (void)state;
    check_folder("psx/redux", &found);
    check_folder("psx/ps1-tests", &found);
    check_folder("psx/consensus", &found);
    assert_true(found > 30);
}

static void recordings_return(void **state)
{
    static const char *const names[] = {"teapot-magic14", "nb-rgb24-boot", "hello"};

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(names); i++) {
        char name[64];
        size_t size;

        snprintf(name, sizeof(name), "psx/real/%s.psxgpu.zst", names[i]);

        char *path = support_corpus(name);
        uint8_t *bytes = support_read_zst(path, &size);

        check_round_trip(name, bytes, size);
        free(bytes);
        free(path);
    }
}

/* Edits: a statement and the words that it assembles to */

enum { WORDS_MAX = 13 };

static const struct {
    const char *line;
    uint32_t words[WORDS_MAX]; /* of the packet, including its header */
} encodings[] = {
    {"tri v=1,2/-3,4/1023,-1024 rgb=123456", {4, 0x20563412, 0x00020001, 0x0004FFFD, 0xFC0003FF}},
    {"tri v=1,2/-3,4/1023,-1024 rgb=123456 blend=3",
     {4, 0x22563412, 0x00020001, 0x0004FFFD, 0xFC0003FF}},
    {"tri v=1,2/-3,4/0x3FF,-1024 rgb=0x123456 semi=1 op=23",
     {4, 0x23563412, 0x00020001, 0x0004FFFD, 0xFC0003FF}},
    {"tri-g v=0,0/1,0/0,1 rgb=000001/000002/000003",
     {6, 0x30010000, 0, 0x00020000, 1, 0x00030000, 0x00010000}},
    {"tri-t v=0,0/1,0/0,1 rgb=808080 uv=1,2/3,4/255,6 page=31 clut=7FFF depth=8 raw=1",
     {7, 0x25808080, 0, 0x7FFF0201, 1, 0x009F0403, 0x00010000, 0x000006FF}},
    {"tri-t v=0,0/1,0/0,1 rgb=808080 uv=1,2/3,4/255,6 page=32 clut=none depth=15 blend=2",
     {7, 0x26808080, 0, 0x00000201, 1, 0x09400403, 0x00010000, 0x000006FF}},
    {"tri-t v=0,0/1,0/0,1 rgb=808080 uv=1,2/3,4/255,6 page=0 clut=1 depth=4 blend=1 semi=0",
     {7, 0x24808080, 0, 0x00010201, 1, 0x00200403, 0x00010000, 0x000006FF}},
    {"quad v=0,0/1,0/0,1/1,1 rgb=FF0000", {5, 0x280000FF, 0, 1, 0x00010000, 0x00010001}},
    {"quad-gt v=0,0/1,0/0,1/1,1 rgb=FF0000/00FF00/0000FF/101010 uv=0,0/1,0/0,1/1,1 page=1 "
     "clut=0040 depth=4 bits=11:FFFF0000/2:3",
     {12, 0x3C0000FF, 0, 0x00400003, 0x0000FF00, 1, 0x00010001, 0x00FF0000, 0x00010000, 0x00000100,
      0x00101010, 0x00010001, 0xFFFF0101}},
    {"line v=0,0/5,5 rgb=010203", {3, 0x40030201, 0, 0x00050005}},
    {"line-g v=0,0/5,5 rgb=010203/040506 blend=0", {4, 0x52030201, 0, 0x00060504, 0x00050005}},
    {"polyline v=0,0/5,5/6,6 rgb=010203", {5, 0x48030201, 0, 0x00050005, 0x00060006, 0x55555555}},
    {"polyline-g v=0,0/5,5 rgb=010203/040506 bits=4:5050505",
     {5, 0x58030201, 0, 0x00060504, 0x00050005, 0x50505050}},
    {"rect v=-1,5 size=0,511 rgb=000000", {3, 0x60000000, 0x0005FFFF, 0x01FF0000}},
    {"rect v=-1,5 size=1,1 rgb=000000", {2, 0x68000000, 0x0005FFFF}},
    {"rect v=-1,5 size=8,8 rgb=000000 semi=1", {2, 0x72000000, 0x0005FFFF}},
    {"rect v=-1,5 size=16,16 rgb=000000 op=60", {3, 0x60000000, 0x0005FFFF, 0x00100010}},
    {"rect-t v=0,0 size=16,16 rgb=000000 uv=9,10 clut=1234 raw=1 page=3 depth=4 cull=clip",
     {3, 0x7D000000, 0, 0x12340A09}},
    {"fill to=16,32 size=64,128 rgb=AABBCC", {3, 0x02CCBBAA, 0x00200010, 0x00800040}},
    {"fill to=16,32 size=1024,511 rgb=AABBCC", {3, 0x02CCBBAA, 0x00200010, 0x01FF03FF}},
    {"copy from=1,2 to=3,4 size=1024,512", {4, 0x80000000, 0x00020001, 0x00040003, 0x02000400}},
    {"upload to=1,2 size=3,4 words=6", {3, 0xA0000000, 0x00020001, 0x00040003}},
    {"read from=1,2 size=3,4 op=DF", {3, 0xDF000000, 0x00020001, 0x00040003}},
    {"texpage page=37 depth=15 blend=3 dither=1 todisplay=1 flip=1,0", {1, 0xE1001F65}},
    {"texpage page=0 depth=4 flip=0,1 texture-disable=1", {1, 0xE1002800}},
    {"window mask=8,16 offset=24,248", {1, 0xE20F8C41}},
    {"area-min at=1023,2", {1, 0xE3000BFF}},
    {"area-max at=3,1023", {1, 0xE40FFC03}},
    {"offset by=-1,-1024", {1, 0xE52007FF}},
    {"mask set=1 check=0", {1, 0xE6000001}},
    {"mask check=1", {1, 0xE6000002}},
    {"nop", {1, 0x00000000}},
    {"nop op=07 bits=0:123", {1, 0x07000123}},
    {"clear-cache", {1, 0x01000000}},
    {"irq", {1, 0x1F000000}},
    {"unknown word=FF123456", {1, 0xFF123456}},
    {"000012 00000034:0..00000036 d00003 gp0 2A quad v=0,0/1,0/0,1/1,1 rgb=FF0000 blend=1 "
     "box=0,0,1,1",
     {5, 0x2A0000FF, 0, 1, 0x00010000, 0x00010001}},
};

static const struct {
    const char *line;
    uint32_t word;
} port1[] = {
    {"reset", 0x00000000},
    {"abort", 0x01000000},
    {"ack-irq bits=0:5", 0x02000005},
    {"display on=1", 0x03000000},
    {"display on=0", 0x03000001},
    {"dma dir=3", 0x04000003},
    {"display-start at=1022,511", 0x0507FFFE},
    {"display-x x1=608 x2=3168", 0x06C60260},
    {"display-y y1=16 y2=255", 0x0703FC10},
    {"mode hres=640 vres=480 video=PAL depth=24 interlace=1", 0x0800003F},
    {"mode hres=368 vres=240 video=NTSC depth=15 interlace=0", 0x08000040},
    {"allow-texture-disable on=1", 0x09000001},
    {"info index=7", 0x10000007},
    {"info index=7 op=1F", 0x1F000007},
    {"reset op=40", 0x40000000},
    {"unknown word=0B123456", 0x0B123456},
};

static void check_words(const char *line, const struct text *dump, const uint32_t *words,
                        size_t count)
{
    if (dump->length != 16 + 4 * count)
        fail_msg("%s: %zu bytes, not %zu", line, dump->length, 16 + 4 * count);
    for (size_t i = 0; i < count; i++) {
        uint32_t word = bytes_le32((const uint8_t *)dump->bytes + 16 + 4 * i);

        if (word != words[i])
            fail_msg("%s: word %zu is %08X, not %08X", line, i, word, words[i]);
    }
}

static void check_encoding(const char *port, const char *line, const uint32_t *words, size_t count)
{
    struct text text = TEXT_INIT, dump = TEXT_INIT;
    struct format_text_error error;
    unsigned number;

    text_printf(&text, "psxgpu v1r1\n%s\n%s # a comment", port, line);
    if (assemble(text.bytes, text.length, &dump, &error, &number) != 0)
        fail_msg("%s: %zu: %s", line, error.column, error.message);
    check_words(line, &dump, words, count);
    text_clear(&text);
    text_clear(&dump);
}

static void each_operand_reaches_its_bits(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(encodings); i++)
        check_encoding("gp0", encodings[i].line, encodings[i].words, 1 + encodings[i].words[0]);
    for (unsigned i = 0; i < COUNT_OF(port1); i++)
        check_encoding("gp1", port1[i].line, (const uint32_t[]){0x01000001, port1[i].word}, 2);
}

/* All statements that are not commands, and packets that cut a command */
static void packets_have_statements(void **state)
{
    static const char text[] =
        "# first\n\n  psxgpu v1r1\r\nversion number=2\ngame \"A\\\"\\x00B\" # x\n"
        "video \"#NT\" words=2\ngp1 reset\ngp0 tri v=0,0/1,0/0,1 rgb=000000 "
        "cut=1,3\nirq\nvsync cycles=0x100000002\nvsync cycles=3 words=1\n"
        "vsync cycles=18446744073709551615\n"
        "vsync cycles=-\ndiscard words=4\nreadback words=5\nbegin\n"
        "discard words=-\n000007 00000012:0 - evt 04 readback words=-\n"
        "packet 7F\nwords 00000001 00000002\npixels 1111 2222\n"
        "gp0 announced=9 nop\ntrailing 01 FE";
    static const uint32_t words[] = {
        0x06000001, 2,          0x10000001, 0x42002241, 0x11000002, 0x00544E23, 0,
        0x01000001, 0,          1,          0x20000000, 2,          0,          1,
        2,          0x00010000, 0x1F000000, 0x02000002, 2,          1,          0x02000001,
        3,          0x02000002, 0xFFFFFFFF, 0xFFFFFFFF, 0x02000000, 0x03000001, 4,
        0x04000001, 5,          0x05000000, 0x03000000, 0x04000000, 0x7F000003, 1,
        2,          0x22221111, 9,          0,
    };
    struct text dump = TEXT_INIT;
    struct format_text_error error;
    unsigned line;

    (void)state;
    if (assemble(text, strlen(text), &dump, &error, &line) != 0)
        fail_msg("%u:%zu: %s", line, error.column, error.message);
    assert_int_equal(dump.length, 16 + sizeof(words) + 2);
    assert_memory_equal(dump.bytes + dump.length - 2, "\x01\xFE", 2);
    dump.length -= 2;
    check_words("packets", &dump, words, COUNT_OF(words));
    text_clear(&dump);
}

/* Returns commands.txt of a dump. Assembling it must give the same commands.txt again. */
static char *commands_of(const void *bytes, size_t size)
{
    struct psx_opened opened;
    struct text commands = TEXT_INIT;

    psx_opened_init(&opened, bytes, size);
    psx_opened_tree(&opened);

    char *text = psx_opened_read(&opened, "by-frame/000000/commands.txt"), *rest = NULL;

    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        size_t place = text_skip_fields(line, strlen(line), 3);

        text_printf(&commands, "0 0:0 - %s\n", line + place);
    }
    text_add_char(&commands, '\0');
    assert_int_equal(text_status(&commands), 0);
    free(text);
    psx_opened_close(&opened);
    return commands.bytes;
}

static void lines_of_commands_txt_can_be_pasted(void **state)
{
    static const char magic[] = "psxgpu v1r1\n";

    (void)state;
    for (uint64_t seed = 1; seed < 30; seed++) {
        struct psx_build build;
        struct text text = TEXT_INIT, dump = TEXT_INIT;
        struct format_text_error error;
        uint64_t random = seed;
        unsigned line;

        psx_build_start(&build, PSX_MAGIC_16);
        psx_build_full_area(&build);
        for (unsigned op = 0x20; op < 0x80; op++) {
            uint32_t words[GP0_WORDS_MAX + 1];
            unsigned count = psx_gp0_table[op].words;

            for (unsigned i = 0; i < count; i++)
                words[i] = (uint32_t)(support_random(&random) >> 20) & 0x7FFFFFFF;
            words[0] = (words[0] & 0xFFFFFF) | op << 24;
            words[count] = 0x55555555;
            if (psx_gp0_table[op].kind == GP0_POLYLINE)
                count++;
            psx_build_packet(&build, PSX_PACKET_GP0, words, count);
            GP0(&build, 0xE1000000 | (words[1] & 0x3FFF));
            GP1(&build, 0x08000000 | (words[1] & 0x3F));
        }
        psx_build_vsync(&build, 1000);

        char *first = commands_of(build.bytes, build.size);

        text_add(&text, magic);
        text_add(&text, first);
        if (assemble(text.bytes, text.length, &dump, &error, &line) != 0)
            fail_msg("%u:%zu: %s", line, error.column, error.message);

        char *second = commands_of(dump.bytes, dump.length);

        assert_string_equal(first, second);
        free(first);
        free(second);
        text_clear(&text);
        text_clear(&dump);
        psx_build_free(&build);
    }
}

/* Mistakes, and where they are reported */

static const struct {
    const char *text; /* after the line with the magic */
    unsigned line;
    size_t column;
    const char *message;
} mistakes[] = {
    {"tri", 2, 1, "no packet of commands is open"},
    {"gp0\n  trx v=1,1", 3, 3, "no command 'trx' of port 0"},
    {"gp1 tri", 2, 5, "no command 'tri' of port 1"},
    {"gp0 tri rgb=000000", 2, 5, "tri needs v="},
    {"gp0 tri v=1,1/2,2/3,3", 2, 5, "tri needs rgb="},
    {"gp0 tri v=1,1/2,2 rgb=000000", 2, 5, "tri needs 3 pair(s) in v=, not 2"},
    {"gp0 tri v=1,1/2,1024/3,3 rgb=000000", 2, 17, "1024 is not from -1024 to 1023"},
    {"gp0 tri v=1,1/2,x/3,3 rgb=000000", 2, 17, "'x' is not a number"},
    {"gp0 tri v=1,1/2/3,3 rgb=000000", 2, 15, "pairs"},
    {"gp0 tri v=1,1/2,2/3,3 rgb=00000G", 2, 27, "6 hexadecimal digits"},
    {"gp0 tri v=1,1/2,2/3,3 rgb=000000/111111", 2, 34, "more colours than 1"},
    {"gp0 tri-g v=1,1/2,2/3,3 rgb=000000/111111", 2, 29, "fewer colours than 3"},
    {"gp0 tri v=1,1/2,2/3,3 rgb=000000 uv=1,1", 2, 34, "tri has no operand uv="},
    {"gp0 tri v=1,1/2,2/3,3 rgb=000000 rgb=000000", 2, 34, "twice"},
    {"gp0 tri v=1,1/2,2/3,3 rgb=000000 x", 2, 34, "not an operand"},
    {"gp0 tri v=1,1/2,2/3,3 rgb=000000 op=24", 2, 37, "24 is not tri"},
    {"gp0 tri v=1,1/2,2/3,3 rgb=000000 op=20 semi=1", 2, 37, "which require 22"},
    {"gp0 tri v=1,1/2,2/3,3 rgb=000000 raw=1", 2, 5, "raw= is only allowed"},
    {"gp0 tri v=1,1/2,2/3,3 rgb=000000 bits=4:1", 2, 39, "4 is not from 0 to 3"},
    {"gp0 tri v=1,1/2,2/3,3 rgb=000000 bits=3", 2, 39, "WORD:BITS"},
    {"gp0 tri v=1,1/2,2/3,3 rgb=000000 cut=2,1", 2, 40, "ascend"},
    {"gp0 tri v=1,1/2,2/3,3 rgb=000000 cut=4", 2, 38, "4 is not from 1 to 3"},
    {"gp0 nop cut=1", 2, 9, "only one word"},
    {"gp0 polyline v=1,1 rgb=000000", 2, 5, "at least two"},
    {"gp0 rect v=1,1 size=8 rgb=000000", 2, 21, "two numbers"},
    {"gp0 fill to=1,1 size=8 rgb=000000", 2, 22, "two numbers"},
    {"gp0 fill to=1,1 size=8,512 rgb=000000", 2, 24, "512 is not from 0 to 511"},
    {"gp0 window mask=4,0 offset=0,0", 2, 17, "not a multiple of 8"},
    {"gp0 texpage page=0 depth=16", 2, 26, "cannot be '16'"},
    {"gp0 unknown word=20000000", 2, 5, "another command"},
    {"gp0 incomplete got=3 need=4", 2, 5, "no command 'incomplete'"},
    {"words 00000000", 2, 1, "no packet is open"},
    {"gp0\nwords 0000000", 3, 7, "eight"},
    {"gp0\npixels 0000 00000", 3, 13, "four"},
    {"gp0\npixels 0000 0000 0000", 3, 1, "an even number"},
    {"packet 123", 2, 8, "two hexadecimal digits"},
    {"packet 12 announced=0", 2, 21, "from 1 to 16777215"},
    {"packet 12 announced=1\nwords 00000000", 3, 7, "fewer words than it announces"},
    {"packet 12 announced=1\nvsync cycles=-", 3, 1, "nothing may follow"},
    {"gp0 announced=9 tri v=0,0/1,1/2,2 rgb=000000 cut=1", 2, 17, "nothing may follow"},
    {"vsync", 2, 1, "vsync needs cycles="},
    {"version number=-", 2, 16, "'-' is not a number"},
    {"vsync cycles=4294967296 words=1", 2, 14, "is not from 0"},
    {"vsync cycles=18446744073709551616", 2, 14, "is not from 0"},
    {"vsync cycles=-1", 2, 14, "is not from 0"},
    {"begin 1", 2, 7, "unexpected '1'"},
    {"game SLUS", 2, 6, "quotation marks"},
    {"game \"SLUS", 2, 6, "no closing quotation mark"},
    {"game \"\\q\"", 2, 7, "backslash"},
    {"game \"12345\" words=1", 2, 20, "1 is not from 2"},
    {"trailing", 2, 1, "one to three"},
    {"trailing 00 00 00 00", 2, 19, "another"},
    {"trailing 00\nbegin", 3, 1, "nothing may follow"},
    {"0 0:0 - gp0 2C", 2, 1, "incomplete"},
    {"0 0:0 - gp0 2C tri v=1,1/2,2/3,3 rgb=000000", 2, 16, "2C is not tri"},
    {"0 0:0 - gp2 20 tri", 2, 9, "gp0, gp1 or evt"},
    {"\x1B[31m", 2, 1, "'?[31m' is not a statement"},
};

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(mistakes); i++) {
        struct text text = TEXT_INIT, dump = TEXT_INIT;
        struct format_text_error error = {0};
        unsigned line;

        text_printf(&text, "psxgpu v1r1\n%s\n", mistakes[i].text);
        if (assemble(text.bytes, text.length, &dump, &error, &line) != -EINVAL)
            fail_msg("%s: was taken", mistakes[i].text);
        if (line != mistakes[i].line || error.column != mistakes[i].column ||
            strstr(error.message, mistakes[i].message) == NULL)
            fail_msg("%s: %u:%zu: %s", mistakes[i].text, line, error.column, error.message);
        text_clear(&text);
        text_clear(&dump);
    }
}

static void a_text_begins_with_its_version(void **state)
{
    static const char *const texts[] = {"",         "# nothing\n", "gp0\n",
                                        "psxgpu\n", "psxgpu v2\n", "psxgpu v1 more\n"};

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(texts); i++) {
        struct text dump = TEXT_INIT;
        struct format_text_error error;
        unsigned line;

        assert_int_equal(assemble(texts[i], strlen(texts[i]), &dump, &error, &line), -EINVAL);
        text_clear(&dump);
    }
}

static void memory_may_be_short(void **state)
{
    static const char text[] = "psxgpu v1\ngame \"A\"\ngp0 nop\n";

    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct text dump = TEXT_INIT;
        struct format_text_error error;
        unsigned line;

        support_fail_allocation(n);

        int status = assemble(text, strlen(text), &dump, &error, &line);

        if (support_allocation_failed())
            assert_true(status == -ENOMEM || text_status(&dump) == -ENOMEM);
        else
            assert_int_equal(status, 0);
        text_clear(&dump);
    }
    support_fail_allocation(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_begins_with_its_version),
        cmocka_unit_test(every_prefix_of_a_dump_returns),
        cmocka_unit_test(random_words_return),
        cmocka_unit_test(streams_return),
        cmocka_unit_test(commands_over_packets_are_whole),
        cmocka_unit_test(the_corpus_returns),
        cmocka_unit_test(recordings_return),
        cmocka_unit_test(each_operand_reaches_its_bits),
        cmocka_unit_test(packets_have_statements),
        cmocka_unit_test(lines_of_commands_txt_can_be_pasted),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(memory_may_be_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
