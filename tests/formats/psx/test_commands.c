/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/build.h"

#include "formats/psx/gpu/gp0.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XY(x, y) ((uint32_t)(y) << 16 | ((uint32_t)(x)&0xFFFF))

static void expect_file(const struct psx_opened *opened, const char *path, const char *expected)
{
    char *text = psx_opened_read(opened, path);

    assert_string_equal(text, expected);
    free(text);
}

/* Builds the sample of psx-dump.md 4.3: packet 1200 begins frame 1. */
static void build_sample(struct psx_build *build)
{
    psx_build_start(build, PSX_MAGIC_16);
    for (unsigned i = 0; i < 1199; i++)
        GP1(build, 0x04000000);
    EMPTY_PACKET(build, PSX_PACKET_VSYNC);
    GP0(build, 0x01000000);
    GP0(build, 0xE3000000 | 240 << 10);
    GP0(build, 0xE4000000 | 319 | 479 << 10);
    GP0(build, 0xE5000000 | 240 << 11);
    GP0(build, 0xE1000000 | 26 | 1 << 9);
    GP0(build, 0xE2000000 | 8 | 8 << 5 | 1 << 10 | 2 << 15);
    GP0(build, 0xE6000001);
    GP0(build, 0x02402010, XY(0, 240), XY(320, 240));
    psx_build_word(build, 3 + 1024);
    psx_build_word(build, 0xA0000000);
    psx_build_word(build, XY(640, 256));
    psx_build_word(build, XY(32, 64));
    for (unsigned i = 0; i < 1024; i++)
        psx_build_word(build, 0x02000000 + i);
    build->packets++;
    GP0(build, 0x20FF8000, XY(20, 30), XY(60, 30), XY(20, 70));
    GP0(build, 0x00000000, 0x00000000, 0x00000000, 0x3E808080, XY(-8, 10), 0x78200000, 0x00404040,
        XY(56, 10), (10 | 1 << 5) << 16 | 63, 0x00404040);
    GP0(build, XY(-8, 74), 63 << 8, 0x00202020, XY(56, 74), 63 << 8 | 63);
    GP0(build, 0x420000FF, XY(0, 0), XY(319, 239));
    GP0(build, 0x58FF0000, XY(10, 10), 0x0000FF00, XY(50, 10), 0x000000FF, XY(50, 50), 0x50005000);
    GP0(build, 0x60FFFFFF, XY(100, 100), XY(30, 20));
    GP0(build, 0x75808080, XY(112, 96), 0x78200000 | 8 << 8 | 16);
    GP0(build, 0x80000000, XY(0, 240), XY(704, 256), XY(64, 32));
    GP0(build, 0xC0000000, XY(704, 256), XY(2, 1));
    PACKET(build, PSX_PACKET_DISCARD, 1);
    GP0(build, 0x1F000000);
    GP0(build, 0x00000000);
    GP1(build, 0x00000000);
    GP1(build, 0x01000000);
    GP1(build, 0x02000000);
    GP1(build, 0x03000000);
    GP1(build, 0x04000002);
    GP1(build, 0x05000000 | 240 << 10);
    GP1(build, 0x06000000 | 608 | 3168 << 12);
    GP1(build, 0x07000000 | 16 | 255 << 10);
    GP1(build, 0x08000001);
    GP1(build, 0x09000000);
    GP1(build, 0x10000007);
    psx_build_vsync(build, 18098662);
}

static const char sample[] =
    "000000 00001200:0 - gp0 01 clear-cache\n"
    "000001 00001201:0 - gp0 E3 area-min at=0,240\n"
    "000002 00001202:0 - gp0 E4 area-max at=319,479\n"
    "000003 00001203:0 - gp0 E5 offset by=0,240\n"
    "000004 00001204:0 - gp0 E1 texpage page=26 depth=4 blend=0 dither=1 todisplay=0 flip=0,0\n"
    "000005 00001205:0 - gp0 E2 window mask=64,64 offset=8,16\n"
    "000006 00001206:0 - gp0 E6 mask set=1 check=0\n"
    "000007 00001207:0 d00000 gp0 02 fill to=0,240 size=320,240 rgb=102040\n"
    "000008 00001208:0 u00000 gp0 A0 upload to=640,256 size=32,64 words=1024\n"
    "000009 00001209:0 d00001 gp0 20 tri v=20,30/60,30/20,70 rgb=0080FF box=20,270,40,40\n"
    "000010 00001210:0 - gp0 00 nop\n"
    "000011 00001210:1 - gp0 00 nop\n"
    "000012 00001210:2 - gp0 00 nop\n"
    "000013 00001210:3..00001211 d00002 gp0 3E quad-gt v=-8,10/56,10/-8,74/56,74 "
    "rgb=808080/404040/404040/202020 uv=0,0/63,0/0,63/63,63 page=10 clut=7820 depth=4 blend=1 "
    "box=0,250,56,64\n"
    "000014 00001212:0 d00003 gp0 42 line v=0,0/319,239 rgb=FF0000 blend=1 box=0,240,320,240\n"
    "000015 00001213:0 d00004 gp0 58 polyline-g v=10,10/50,10/50,50 rgb=0000FF/00FF00/FF0000 "
    "box=10,250,41,41\n"
    "000016 00001214:0 d00005 gp0 60 rect v=100,100 size=30,20 rgb=FFFFFF box=100,340,30,20\n"
    "000017 00001215:0 d00006 gp0 75 rect-t v=112,96 size=8,8 rgb=808080 uv=16,8 page=10 clut=7820 "
    "depth=4 raw=1 box=112,336,8,8\n"
    "000018 00001216:0 d00007 gp0 80 copy from=0,240 to=704,256 size=64,32\n"
    "000019 00001217:0 - gp0 C0 read from=704,256 size=2,1 words=1\n"
    "000020 00001218:0 - evt 03 discard words=1\n"
    "000021 00001219:0 - gp0 1F irq\n"
    "000022 00001220:0 - gp0 00 nop\n"
    "000023 00001221:0 - gp1 00 reset\n"
    "000024 00001222:0 - gp1 01 abort\n"
    "000025 00001223:0 - gp1 02 ack-irq\n"
    "000026 00001224:0 - gp1 03 display on=1\n"
    "000027 00001225:0 - gp1 04 dma dir=2\n"
    "000028 00001226:0 - gp1 05 display-start at=0,240\n"
    "000029 00001227:0 - gp1 06 display-x x1=608 x2=3168\n"
    "000030 00001228:0 - gp1 07 display-y y1=16 y2=255\n"
    "000031 00001229:0 - gp1 08 mode hres=320 vres=240 video=NTSC depth=15 interlace=0\n"
    "000032 00001230:0 - gp1 09 allow-texture-disable on=0\n"
    "000033 00001231:0 - gp1 10 info index=7\n"
    "000034 00001232:0 - evt 02 vsync cycles=18098662\n";

static void lines_are_those_of_the_sheet(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    build_sample(&build);
    psx_opened_build(&opened, &build);
    expect_file(&opened, "by-frame/000001/commands.txt", sample);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void a_packet_has_the_lines_that_begin_in_it(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    build_sample(&build);
    psx_opened_build(&opened, &build);
    expect_file(&opened, "packets/00001/00001210-gp0.txt",
                "000010 00001210:0 - gp0 00 nop\n"
                "000011 00001210:1 - gp0 00 nop\n"
                "000012 00001210:2 - gp0 00 nop\n"
                "000013 00001210:3..00001211 d00002 gp0 3E quad-gt v=-8,10/56,10/-8,74/56,74 "
                "rgb=808080/404040/404040/202020 uv=0,0/63,0/0,63/63,63 page=10 clut=7820 depth=4 "
                "blend=1 box=0,250,56,64\n");
    expect_file(&opened, "packets/00001/00001211-gp0.txt", "continues 00001210:3 words=5\n");
    expect_file(&opened, "packets/00001/00001218-discard.txt",
                "000020 00001218:0 - evt 03 discard words=1\n");
    expect_file(&opened, "by-frame/000001/packets/00001232-vsync.txt",
                "000034 00001232:0 - evt 02 vsync cycles=18098662\n");
    expect_file(&opened, "packets/00001/00001199-vsync.txt",
                "001199 00001199:0 - evt 02 vsync cycles=-\n");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/*
 * Checks the line of a command without its first fields: number and position depend on the context.
 */
static void expect_command(const uint32_t *words, size_t count, const char *expected)
{
    struct psx_build build;
    struct psx_opened opened;
    char *text, *line;

    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    psx_build_packet(&build, PSX_PACKET_GP0, words, count);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    psx_opened_build(&opened, &build);
    text = psx_opened_read(&opened, "by-frame/000000/commands.txt");
    line = strstr(text, "000003 00000001:0 ");
    assert_non_null(line);
    *strchr(line, '\n') = '\0';
    assert_string_equal(line + strlen("000003 00000001:0 "), expected);
    free(text);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

#define EXPECT(expected, ...)                                                                      \
    expect_command((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4,   \
                   expected)

static void each_shape_has_its_name(void **state)
{
    (void)state;
    EXPECT("d00000 gp0 2D quad-t v=0,0/8,0/0,8/8,8 rgb=808080 uv=1,2/3,4/5,6/7,8 page=5 clut=none "
           "depth=15 raw=1 box=0,0,8,8",
           0x2D808080, XY(0, 0), 0x7FFF0201, XY(8, 0), 0x01050403, XY(0, 8), 0x0605, XY(8, 8),
           0x0807);
    EXPECT("d00000 gp0 26 tri-t v=0,0/8,0/0,8 rgb=808080 uv=0,0/0,0/0,0 page=0 clut=0000 depth=8 "
           "blend=3 box=0,0,8,8",
           0x26808080, XY(0, 0), 0, XY(8, 0), 0x00E00000, XY(0, 8), 0);
    EXPECT("d00000 gp0 30 tri-g v=0,0/8,0/0,8 rgb=010203/040506/070809 box=0,0,8,8", 0x30030201,
           XY(0, 0), 0x060504, XY(8, 0), 0x090807, XY(0, 8));
    EXPECT("d00000 gp0 34 tri-gt v=0,0/8,0/0,8 rgb=010203/040506/070809 uv=0,0/0,0/0,0 page=0 "
           "clut=0000 depth=4 box=0,0,8,8",
           0x34030201, XY(0, 0), 0, 0x060504, XY(8, 0), 0, 0x090807, XY(0, 8), 0);
    EXPECT("d00000 gp0 28 quad v=0,0/8,0/0,8/8,8 rgb=0000FF box=0,0,8,8", 0x28FF0000, XY(0, 0),
           XY(8, 0), XY(0, 8), XY(8, 8));
    EXPECT("d00000 gp0 38 quad-g v=0,0/8,0/0,8/8,8 rgb=000001/000002/000003/000004 box=0,0,8,8",
           0x38010000, XY(0, 0), 0x020000, XY(8, 0), 0x030000, XY(0, 8), 0x040000, XY(8, 8));
    EXPECT("d00000 gp0 50 line-g v=0,0/8,0 rgb=000001/000002 box=0,0,9,1", 0x50010000, XY(0, 0),
           0x020000, XY(8, 0));
    EXPECT("d00000 gp0 48 polyline v=0,0/8,0/8,8 rgb=000001 box=0,0,9,9", 0x48010000, XY(0, 0),
           XY(8, 0), XY(8, 8), 0x55555555);
    EXPECT("d00000 gp0 68 rect v=-1,-2 size=1,1 rgb=000000 cull=clip", 0x68000000, XY(-1, -2));
    EXPECT("d00000 gp0 7A rect v=4,4 size=16,16 rgb=000000 blend=0 box=4,4,16,16", 0x7A000000,
           XY(4, 4));
}

static void what_draws_nothing_says_why(void **state)
{
    (void)state;
    EXPECT("d00000 gp0 20 tri v=0,0/1023,0/-1,4 rgb=000000 cull=size", 0x20000000, XY(0, 0),
           XY(1023, 0), XY(-1, 4));
    EXPECT("d00000 gp0 20 tri v=0,0/4,4/8,8 rgb=000000 cull=empty", 0x20000000, XY(0, 0), XY(4, 4),
           XY(8, 8));
    EXPECT("d00000 gp0 60 rect v=0,0 size=0,3 rgb=000000 cull=empty", 0x60000000, XY(0, 0),
           XY(0x400, 3));
    EXPECT("d00000 gp0 02 fill to=16,1 size=0,4 rgb=000000 cull=empty", 0x02000000, XY(31, 1),
           XY(0x400, 4));
}

static void transfers_show_what_is_moved(void **state)
{
    (void)state;
    EXPECT("d00000 gp0 80 copy from=1023,511 to=1,2 size=1024,512", 0x80000000, XY(0xFFFF, 0xFFFF),
           XY(1, 2), XY(0, 0));
    EXPECT("u00000 gp0 BF upload to=3,4 size=3,1 words=2", 0xBF000000, XY(3, 4), XY(3, 513), 1, 2);
    EXPECT("- gp0 C0 read from=0,0 size=1024,512 words=262144", 0xC0000000, 0, 0);
}

static void environment_and_the_rest(void **state)
{
    (void)state;
    EXPECT("- gp0 E1 texpage page=31 depth=15 blend=3 dither=0 todisplay=1 flip=1,1 "
           "texture-disable=1",
           0xE1003DFF);
    EXPECT("- gp0 E5 offset by=-1,-1024", 0xE5000000 | 0x7FF | 0x400 << 11);
    EXPECT("- gp0 E6 mask set=0 check=1", 0xE6000002);
    EXPECT("- gp0 03 unknown word=03123456", 0x03123456);
    EXPECT("- gp0 E7 nop", 0xE7000000);
}

/* Every first byte gives a line, whatever follows. */
static void every_byte_has_a_line(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *text, *line, op[8];

    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned words = psx_gp0_table[byte].words;

        psx_build_start(&build, PSX_MAGIC_16);
        psx_build_word(&build, words);
        psx_build_word(&build, byte << 24);
        for (unsigned i = 1; i < words; i++)
            psx_build_word(&build, 0x00010001);
        psx_opened_build(&opened, &build);
        text = psx_opened_read(&opened, "by-frame/000000/commands.txt");
        line = strstr(text, " gp0 ");
        snprintf(op, sizeof(op), "%02X ", byte);
        assert_non_null(line);
        assert_memory_equal(line + 5, op, 3);
        if (psx_gp0_table[byte].kind != GP0_UPLOAD)
            assert_memory_equal(line + 8, psx_gp0_table[byte].name,
                                strlen(psx_gp0_table[byte].name));
        assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
        free(text);
        psx_opened_close(&opened);
        psx_build_free(&build);
    }
}

static void words_to_port_1_and_events(void **state)
{
    static const char expected[] =
        "000000 00000000:0 - evt 05 begin\n"
        "000001 00000001:0 - gp1 45 display-start at=4,2\n"
        "000002 00000002:0 - gp1 08 mode hres=368 vres=480 video=PAL depth=24 interlace=1\n"
        "000003 00000003:0 - gp1 03 display on=0\n"
        "000004 00000003:1 - gp1 09 allow-texture-disable on=1\n"
        "000005 00000004:0 - gp1 20 unknown word=20000001\n"
        "000006 00000005:0 - evt 04 readback words=7\n"
        "000007 00000006:0 - evt 03 discard words=-\n"
        "000008 00000007:0 - evt 02 vsync cycles=4294967295\n";
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_14);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    GP1(&build, 0x45000000 | 5 | 2 << 10);
    GP1(&build, 0x0800007F);
    PACKET(&build, PSX_PACKET_GP1, 0x03000001, 0x09000001);
    GP1(&build, 0x20000001);
    PACKET(&build, PSX_PACKET_READBACK, 7);
    EMPTY_PACKET(&build, PSX_PACKET_DISCARD);
    PACKET(&build, PSX_PACKET_VSYNC, 0xFFFFFFFF);
    psx_opened_build(&opened, &build);
    expect_file(&opened, "by-frame/000000/commands.txt", expected);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* A command whose words come in three frames is listed in the frame in which it began. */
static void a_command_over_frames_is_listed_once(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *info;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP0(&build, 0x20FFFFFF);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    GP0(&build, XY(0, 0), XY(8, 0));
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    GP0(&build, XY(0, 8), 0x00000000);
    GP0(&build, 0x68FFFFFF, XY(1, 1));
    psx_opened_build(&opened, &build);
    expect_file(&opened, "by-frame/000000/commands.txt",
                "000000 00000000:0 - gp0 E3 area-min at=0,0\n"
                "000001 00000000:1 - gp0 E4 area-max at=1023,511\n"
                "000002 00000000:2 - gp0 E5 offset by=0,0\n"
                "000003 00000001:0..00000005 d00000 gp0 20 tri v=0,0/8,0/0,8 rgb=FFFFFF "
                "box=0,0,8,8\n"
                "000004 00000002:0 - evt 02 vsync cycles=-\n");
    expect_file(&opened, "by-frame/000001/commands.txt",
                "000000 00000004:0 - evt 02 vsync cycles=-\n");
    expect_file(&opened, "by-frame/000002/commands.txt",
                "000000 00000005:1 - gp0 00 nop\n"
                "000001 00000006:0 d00000 gp0 68 rect v=1,1 size=1,1 rgb=FFFFFF box=1,1,1,1\n");
    expect_file(&opened, "packets/00000/00000003-gp0.txt", "continues 00000001:0 words=2\n");
    expect_file(&opened, "packets/00000/00000005-gp0.txt",
                "continues 00000001:0 words=1\n000000 00000005:1 - gp0 00 nop\n");
    info = psx_opened_read(&opened, "by-frame/000000/info.txt");
    assert_non_null(strstr(info, "\ncommands: 5\ndraws: 1\npolygons: 1\n"));
    free(info);
    info = psx_opened_read(&opened, "by-frame/000002/info.txt");
    assert_non_null(strstr(info, "\ncommands: 2\ndraws: 1\npolygons: 0\n"));
    free(info);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void commands_that_are_cut_say_so(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP0(&build, 0x2C000000, 1, 2);
    GP1(&build, 0x01000000);
    GP0(&build, 0xA0000000, XY(0, 0), XY(4, 2), 0x11111111);
    GP1(&build, 0x00000000);
    GP0(&build, 0x48000000, XY(0, 0), XY(4, 0));
    GP1(&build, 0x41000000);
    psx_build_full_area(&build);
    GP0(&build, 0x48000000, XY(0, 0), XY(4, 0), XY(4, 4));
    GP1(&build, 0x01000000);
    GP0(&build, 0xA0000000, XY(0, 0), XY(4, 2), 0x11111111, 0x22222222);
    psx_opened_build(&opened, &build);
    expect_file(&opened, "packets/00000/00000001-gp0.txt",
                "000003 00000001:0 - gp0 2C aborted got=3 need=9\n");
    expect_file(&opened, "packets/00000/00000003-gp0.txt",
                "000005 00000003:0 u00000 gp0 A0 aborted got=4 need=7 to=0,0 size=4,2 words=4\n");
    expect_file(&opened, "packets/00000/00000005-gp0.txt",
                "000007 00000005:0 d00000 gp0 48 polyline v=0,0/4,0 rgb=000000 aborted=1 "
                "box=0,0,1,1\n");
    expect_file(&opened, "packets/00000/00000008-gp0.txt",
                "000012 00000008:0 d00001 gp0 48 polyline v=0,0/4,0/4,4 rgb=000000 aborted=1 "
                "box=0,0,5,5\n");
    expect_file(&opened, "packets/00000/00000010-gp0.txt",
                "000014 00000010:0 u00001 gp0 A0 incomplete got=5 need=7 to=0,0 size=4,2 "
                "words=4\n");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void incomplete_at_the_end(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP0(&build, 0x3C000000, 1);
    psx_opened_build(&opened, &build);
    expect_file(&opened, "by-frame/000000/commands.txt",
                "000000 00000000:0 - gp0 3C incomplete got=2 need=12\n");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void a_long_polyline_is_shortened(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *text;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP0(&build, 0x48FFFFFF, XY(5, 5));
    for (unsigned i = 0; i < 1499; i++)
        GP0(&build, XY(i % 512, 7));
    psx_opened_build(&opened, &build);
    text = psx_opened_read(&opened, "packets/00000/00000001-gp0.txt");
    assert_non_null(strstr(text, "000003 00000001:0..00001500 d00000 gp0 48 polyline v=5,5/0,7/"));
    assert_non_null(strstr(text, " rgb=FFFFFF more=476 open=1 box=0,5,512,3\n"));
    free(text);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void information_packets_are_decoded(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_14);
    PACKET(&build, PSX_PACKET_VERSION, 1);
    psx_build_string(&build, PSX_PACKET_GAME, "SLUS-01234", 10);
    psx_build_string(&build, PSX_PACKET_VIDEO, "NTSC", 4);
    psx_build_string(&build, PSX_PACKET_COMMENT, "a\nb\\\xFF", 5);
    PACKET(&build, 0x7F, 1, 2);
    EMPTY_PACKET(&build, PSX_PACKET_GP0);
    psx_opened_build(&opened, &build);
    expect_file(&opened, "packets/00000/00000000-version.txt", "gpu_version: 1 (v2, 1 MiB)\n");
    expect_file(&opened, "packets/00000/00000001-game.txt", "game: SLUS-01234\n");
    expect_file(&opened, "packets/00000/00000002-video.txt", "video: NTSC\n");
    expect_file(&opened, "packets/00000/00000003-comment.txt", "comment: a\\x0Ab\\\\\\xFF\n");
    expect_file(&opened, "packets/00000/00000004-type7f.txt", "type: 0x7F\nwords: 2\n");
    expect_file(&opened, "packets/00000/00000005-gp0.txt", "");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static uint32_t crc_of(struct psx_opened *opened, const char *path, size_t *length)
{
    char *text = walk_read(opened->tree, path, length);
    uint32_t crc = support_crc32(text, *length);

    free(text);
    return crc;
}

/* A frame of several checkpoints: pieces join without a seam, pieces within packets as well. */
static void long_frames_have_no_seams(void **state)
{
    enum { PACKETS = 300, COMMANDS = 400 };
    struct psx_build build;
    struct psx_opened opened;
    size_t length = 0, joined = 0;
    struct text all = TEXT_INIT;
    char path[64];

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    for (unsigned p = 0; p < PACKETS; p++) {
        psx_build_word(&build, 3 * COMMANDS);
        for (unsigned c = 0; c < 3 * COMMANDS; c++)
            psx_build_word(&build, p == 0 && c == 0 ? 0 : (c + p) % 3 == 1 ? 0x02000000 : 0);
        build.packets++;
    }
    psx_opened_build(&opened, &build);
    assert_true(psx_index_wait_all(psx_opened_index(&opened), NULL) == 0);
    assert_true(psx_parser_states_count(&psx_opened_index(&opened)->checkpoints) > 5);

    uint32_t crc = crc_of(&opened, "by-frame/000000/commands.txt", &length);

    for (unsigned p = 0; p < PACKETS; p++) {
        char *text, *lines;

        snprintf(path, sizeof(path), "packets/00000/%08u-gp0.txt", p);
        text = psx_opened_read(&opened, path);
        lines = strncmp(text, "continues", 9) == 0 ? strchr(text, '\n') + 1 : text;
        joined += strlen(lines);
        text_add(&all, lines);
        free(text);
    }
    assert_int_equal(joined, length);
    assert_int_equal(support_crc32(all.bytes, all.length), crc);
    text_clear(&all);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* One packet that is longer than the distance between checkpoints */
static void long_packets_have_no_seams(void **state)
{
    enum { WORDS = 200000 };
    struct psx_build build;
    struct psx_opened opened;
    size_t length = 0, frame_length = 0;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_14);
    psx_build_word(&build, WORDS);
    for (unsigned i = 0; i < WORDS; i++)
        psx_build_word(&build, i % 7 == 0 ? 0x20000000 + i : i % 5 == 0 ? 0xE1000000 : i);
    psx_opened_build(&opened, &build);
    assert_int_equal(crc_of(&opened, "by-frame/000000/commands.txt", &frame_length),
                     crc_of(&opened, "packets/00000/00000000-gp0.txt", &length));
    assert_int_equal(length, frame_length);
    assert_true(psx_parser_states_count(&psx_opened_index(&opened)->checkpoints) > 5);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_of_the_sheet),
        cmocka_unit_test(a_packet_has_the_lines_that_begin_in_it),
        cmocka_unit_test(each_shape_has_its_name),
        cmocka_unit_test(what_draws_nothing_says_why),
        cmocka_unit_test(transfers_show_what_is_moved),
        cmocka_unit_test(environment_and_the_rest),
        cmocka_unit_test(every_byte_has_a_line),
        cmocka_unit_test(words_to_port_1_and_events),
        cmocka_unit_test(a_command_over_frames_is_listed_once),
        cmocka_unit_test(commands_that_are_cut_say_so),
        cmocka_unit_test(incomplete_at_the_end),
        cmocka_unit_test(a_long_polyline_is_shortened),
        cmocka_unit_test(information_packets_are_decoded),
        cmocka_unit_test(long_frames_have_no_seams),
        cmocka_unit_test(long_packets_have_no_seams),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
