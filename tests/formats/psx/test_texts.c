/* SPDX-License-Identifier: MIT */
/*
 * Compares texts and tables of the PSX format to the letter, and tests what decides about them:
 * restore block, GPU version, field, display.
 */
#include "tests/formats/psx/build.h"

#include "base/bytes.h"

#include "tests/formats/psx/play.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Builds a bit of everything: a frame that draws, one that reads, an empty and an unfinished one.
 */
static void build_dump(struct psx_build *build)
{
    psx_build_start(build, PSX_MAGIC_14);
    PACKET(build, PSX_PACKET_VERSION, 1);
    psx_build_string(build, PSX_PACKET_GAME, "SLUS-01234", 10);
    psx_build_string(build, PSX_PACKET_VIDEO, "PAL", 4);
    psx_build_string(build, PSX_PACKET_COMMENT, "one", 3);
    psx_build_string(build, PSX_PACKET_COMMENT, "two", 3);
    GP1(build, 0x03000000);
    GP1(build, 0x06000000 | 608 | 3168 << 12);
    GP1(build, 0x07000000 | 16 | 256 << 10);
    GP1(build, 0x08000001);
    psx_build_full_area(build);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    GP0(build, 0x02102030, 0, 0x01000140);
    GP0(build, 0xE1000200, 0xE2018C63, 0xE5000FFF, 0xE6000002);
    GP0(build, 0x26808080, 0, 0x78200000, 0x00080000, 0x008A0000, 0x00000008, 0);
    GP0(build, 0x7E808080, 0x00100010, 0x78200000);
    GP0(build, 0x64808080, 0x00100010, 0x78210000, 0x00080008);
    GP0(build, 0x40FFFFFF, 0, 0x00080000, 0x48FFFFFF, 0, 0x00080008, 0x50005000);
    GP0(build, 0xA0000000, 0x01000100, 0x00010003, 1, 2);
    GP1(build, 0x05000000 | 256 << 10);
    psx_build_vsync(build, 600000);
    GP0(build, 0xC0000000, 0x00000000, 0x00020002);
    PACKET(build, PSX_PACKET_DISCARD, 1);
    GP1(build, 0x0800003F);
    GP1(build, 0x10000005);
    PACKET(build, PSX_PACKET_VSYNC, 1276486);
    EMPTY_PACKET(build, PSX_PACKET_VSYNC);
    GP1(build, 0x03000001);
    PACKET(build, PSX_PACKET_READBACK, 1);
    EMPTY_PACKET(build, 0x77);
    GP0(build, 0x80000000, 0, 0x00100010, 0x00010001, 0xA0000000, 0, 0x00040004, 7);
}

static const char metadata[] = "format: PSXGPUDUMP\n"
                               "version: v1\n"
                               "container: plain\n"
                               "source: test.psxgpu\n"
                               "size: 402\n"
                               "expanded_size: 402\n"
                               "packets: 30\n"
                               "frames: 4\n"
                               "frames_finished: 3\n"
                               "unfinished: yes\n"
                               "width: 640\n"
                               "height: 480\n"
                               "duration: 0.019974\n"
                               "magic: 14\n"
                               "alignment: 2\n"
                               "gpu_version: 1\n"
                               "gpu_version_meaning: v2, 1 MiB\n"
                               "gpu_model: v2, 1 MiB\n"
                               "vram_width: 1024\n"
                               "vram_height: 512\n"
                               "game: SLUS-01234\n"
                               "video: PAL\n"
                               "comment: one\n"
                               "comment: two\n"
                               "begin_packet: 10\n"
                               "restore: -\n"
                               "vsyncs: 3\n"
                               "drawn_frames: 1\n"
                               "commands: 31\n"
                               "draws: 7\n"
                               "uploads: 2\n"
                               "copies: 1\n"
                               "reads: 1\n"
                               "gp0_words: 47\n"
                               "gp1_words: 8\n"
                               "first_cycles: 600000\n"
                               "last_cycles: 1276486\n"
                               "field: auto\n"
                               "field_rule: by timestamps\n"
                               "frames_480i: 3\n"
                               "packet_types.gp0: 10\n"
                               "packet_types.gp1: 8\n"
                               "packet_types.vsync: 3\n"
                               "packet_types.discard: 1\n"
                               "packet_types.readback: 1\n"
                               "packet_types.begin: 1\n"
                               "packet_types.version: 1\n"
                               "packet_types.game: 1\n"
                               "packet_types.video: 1\n"
                               "packet_types.comment: 2\n"
                               "packet_types.type77: 1\n"
                               "problems: 2\n";

static const char packets[] =
    "packet\toffset\tbytes\ttype\tname\tframe\twords\tcarry\tbegins\tfirst\n"
    "0\t14\t4\t0x06\tversion\t-\t1\t-\t-\t-\n"
    "1\t22\t12\t0x10\tgame\t-\t3\t-\t-\t-\n"
    "2\t38\t4\t0x11\tvideo\t-\t1\t-\t-\t-\n"
    "3\t46\t4\t0x12\tcomment\t-\t1\t-\t-\t-\n"
    "4\t54\t4\t0x12\tcomment\t-\t1\t-\t-\t-\n"
    "5\t62\t4\t0x01\tgp1\t-\t1\t0\t1\t03,display\n"
    "6\t70\t4\t0x01\tgp1\t-\t1\t0\t1\t06,display-x\n"
    "7\t78\t4\t0x01\tgp1\t-\t1\t0\t1\t07,display-y\n"
    "8\t86\t4\t0x01\tgp1\t-\t1\t0\t1\t08,mode\n"
    "9\t94\t12\t0x00\tgp0\t-\t3\t0\t3\tE3,area-min\n"
    "10\t110\t0\t0x05\tbegin\t0\t0\t-\t-\t-\n"
    "11\t114\t12\t0x00\tgp0\t0\t3\t0\t1\t02,fill\n"
    "12\t130\t16\t0x00\tgp0\t0\t4\t0\t4\tE1,texpage\n"
    "13\t150\t28\t0x00\tgp0\t0\t7\t0\t1\t26,tri-t\n"
    "14\t182\t12\t0x00\tgp0\t0\t3\t0\t1\t7E,rect-t\n"
    "15\t198\t16\t0x00\tgp0\t0\t4\t0\t1\t64,rect-t\n"
    "16\t218\t28\t0x00\tgp0\t0\t7\t0\t2\t40,line\n"
    "17\t250\t20\t0x00\tgp0\t0\t5\t0\t1\tA0,upload\n"
    "18\t274\t4\t0x01\tgp1\t0\t1\t0\t1\t05,display-start\n"
    "19\t282\t8\t0x02\tvsync\t0\t2\t-\t-\t-\n"
    "20\t294\t12\t0x00\tgp0\t1\t3\t0\t1\tC0,read\n"
    "21\t310\t4\t0x03\tdiscard\t1\t1\t-\t-\t-\n"
    "22\t318\t4\t0x01\tgp1\t1\t1\t0\t1\t08,mode\n"
    "23\t326\t4\t0x01\tgp1\t1\t1\t0\t1\t10,info\n"
    "24\t334\t4\t0x02\tvsync\t1\t1\t-\t-\t-\n"
    "25\t342\t0\t0x02\tvsync\t2\t0\t-\t-\t-\n"
    "26\t346\t4\t0x01\tgp1\t3\t1\t0\t1\t03,display\n"
    "27\t354\t4\t0x04\treadback\t3\t1\t-\t-\t-\n"
    "28\t362\t0\t0x77\ttype77\t3\t0\t-\t-\t-\n"
    "29\t366\t32\t0x00\tgp0\t3\t8\t0\t2\t80,copy\n";

static const char frames[] =
    "frame\tfirst\tlast\ttime\twidth\theight\tcycles\tgp0_words\tgp1_"
    "words\tcommands\tdraws\tfills\tuploads\tcopies\treads\tflip\tdisplay\tmode\tunfinished\t"
    "cycles_gpu\tcycles_transfer\tgpu_share\n"
    "0\t10\t19\t0.000000\t320\t240\t600000\t33\t1\t14\t6\t1\t1\t0\t0\t1\t0,256\t320x240@15n\t0\t"
    "0000007442\t0000000004\t0000001.3\n"
    "1\t20\t24\t0.019974\t640\t480\t1276486\t3\t2\t5\t0\t0\t0\t0\t1\t0\t0,256\t640x480i@24p\t0\t"
    "0000000000\t0000000004\t0000000.0\n"
    "2\t25\t25\t-\t640\t480\t-\t0\t0\t1\t0\t0\t0\t0\t0\t0\t0,256\t640x480i@24p\t0\t"
    "0000000000\t0000000000\t0000000.0\n"
    "3\t26\t29\t-\t640\t480\t-\t8\t1\t4\t1\t0\t1\t1\t0\t0\toff\t640x480i@24p\t1\t"
    "0000000024\t0000000002\t0000000.0\n";

static const char info[] = "frame: 000000\n"
                           "first_packet: 10\n"
                           "last_packet: 19\n"
                           "bytes: 144\n"
                           "gp0_words: 33\n"
                           "gp1_words: 1\n"
                           "cycles: 600000\n"
                           "time: 0.000000\n"
                           "interval: -\n"
                           "commands: 14\n"
                           "draws: 6\n"
                           "polygons: 1\n"
                           "lines: 2\n"
                           "rectangles: 2\n"
                           "fills: 1\n"
                           "copies: 0\n"
                           "textured: 3\n"
                           "semi_transparent: 2\n"
                           "uploads: 1\n"
                           "upload_pixels: 3\n"
                           "reads: 0\n"
                           "discards: 0\n"
                           "readbacks: 0\n"
                           "flips: 1\n"
                           "textures: 2\n"
                           "width: 320\n"
                           "height: 240\n"
                           "display: 0,256\n"
                           "depth: 15\n"
                           "interlace: 0\n"
                           "field: -\n"
                           "same_as: -\n"
                           "unfinished: no\n"
                           "problems: 0\n";

static const char reading_info[] = "frame: 000001\n"
                                   "first_packet: 20\n"
                                   "last_packet: 24\n"
                                   "bytes: 28\n"
                                   "gp0_words: 3\n"
                                   "gp1_words: 2\n"
                                   "cycles: 1276486\n"
                                   "time: 0.019974\n"
                                   "interval: 676486\n"
                                   "commands: 5\n"
                                   "draws: 0\n"
                                   "polygons: 0\n"
                                   "lines: 0\n"
                                   "rectangles: 0\n"
                                   "fills: 0\n"
                                   "copies: 0\n"
                                   "textured: 0\n"
                                   "semi_transparent: 0\n"
                                   "uploads: 0\n"
                                   "upload_pixels: 0\n"
                                   "reads: 1\n"
                                   "discards: 1\n"
                                   "readbacks: 0\n"
                                   "flips: 0\n"
                                   "textures: 0\n"
                                   "width: 640\n"
                                   "height: 480\n"
                                   "display: 0,256\n"
                                   "depth: 24\n"
                                   "interlace: 1\n"
                                   "field: 0\n"
                                   "same_as: -\n"
                                   "unfinished: no\n"
                                   "problems: 0\n";

static const char unfinished_info[] = "frame: 000003\n"
                                      "first_packet: 26\n"
                                      "last_packet: 29\n"
                                      "bytes: 40\n"
                                      "gp0_words: 8\n"
                                      "gp1_words: 1\n"
                                      "cycles: -\n"
                                      "time: -\n"
                                      "interval: -\n"
                                      "commands: 4\n"
                                      "draws: 1\n"
                                      "polygons: 0\n"
                                      "lines: 0\n"
                                      "rectangles: 0\n"
                                      "fills: 0\n"
                                      "copies: 1\n"
                                      "textured: 0\n"
                                      "semi_transparent: 0\n"
                                      "uploads: 1\n"
                                      "upload_pixels: 16\n"
                                      "reads: 0\n"
                                      "discards: 0\n"
                                      "readbacks: 1\n"
                                      "flips: 0\n"
                                      "textures: 0\n"
                                      "width: 640\n"
                                      "height: 480\n"
                                      "display: off\n"
                                      "depth: 24\n"
                                      "interlace: 1\n"
                                      "field: 0\n"
                                      "same_as: -\n"
                                      "unfinished: yes\n"
                                      "problems: 2\n";

static const char state_at_end[] = "gpustat: 0x14FE128A\n"
                                   "gpuread: 0x00000FFF\n"
                                   "e1: 0xE100028A\n"
                                   "e2: 0xE2018C63\n"
                                   "e3: 0xE3000000\n"
                                   "e4: 0xE407FFFF\n"
                                   "e5: 0xE5000FFF\n"
                                   "e6: 0xE6000002\n"
                                   "gp1_03: 0x03000001\n"
                                   "gp1_04: 0x04000000\n"
                                   "gp1_05: 0x05040000\n"
                                   "gp1_06: 0x06C60260\n"
                                   "gp1_07: 0x07040010\n"
                                   "gp1_08: 0x0800003F\n"
                                   "gp1_09: 0x09000000\n"
                                   "page: 10\n"
                                   "depth: 8\n"
                                   "blend: 0\n"
                                   "dither: 1\n"
                                   "draw_to_display: 0\n"
                                   "texture_disable: 0\n"
                                   "rect_flip: 0,0\n"
                                   "window_mask: 24,24\n"
                                   "window_offset: 24,24\n"
                                   "area: 0,0,1023,511\n"
                                   "offset: -1,1\n"
                                   "mask_set: 0\n"
                                   "mask_check: 1\n"
                                   "display_on: 0\n"
                                   "display_start: 0,256\n"
                                   "display_x: 608,3168\n"
                                   "display_y: 16,256\n"
                                   "hres: 640\n"
                                   "vres: 480\n"
                                   "video: PAL\n"
                                   "display_depth: 24\n"
                                   "interlace: 1\n"
                                   "field: 0\n"
                                   "dma_direction: 0\n"
                                   "irq: 0\n"
                                   "allow_texture_disable: 0\n"
                                   "clut_cache: 7821 256\n"
                                   "command: A0 received=4 due=7\n"
                                   "transfer: upload at=0,0 size=4,4 done=1 left=7\n";

static const char initial_state[] = "gpustat: 0x14022000\n"
                                    "gpuread: 0x00000000\n"
                                    "e1: 0xE1000000\n"
                                    "e2: 0xE2000000\n"
                                    "e3: 0xE3000000\n"
                                    "e4: 0xE407FFFF\n"
                                    "e5: 0xE5000000\n"
                                    "e6: 0xE6000000\n"
                                    "gp1_03: 0x03000000\n"
                                    "gp1_04: 0x04000000\n"
                                    "gp1_05: 0x05000000\n"
                                    "gp1_06: 0x06C60260\n"
                                    "gp1_07: 0x07040010\n"
                                    "gp1_08: 0x08000001\n"
                                    "gp1_09: 0x09000000\n"
                                    "page: 0\n"
                                    "depth: 4\n"
                                    "blend: 0\n"
                                    "dither: 0\n"
                                    "draw_to_display: 0\n"
                                    "texture_disable: 0\n"
                                    "rect_flip: 0,0\n"
                                    "window_mask: 0,0\n"
                                    "window_offset: 0,0\n"
                                    "area: 0,0,1023,511\n"
                                    "offset: 0,0\n"
                                    "mask_set: 0\n"
                                    "mask_check: 0\n"
                                    "display_on: 1\n"
                                    "display_start: 0,0\n"
                                    "display_x: 608,3168\n"
                                    "display_y: 16,256\n"
                                    "hres: 320\n"
                                    "vres: 240\n"
                                    "video: NTSC\n"
                                    "display_depth: 15\n"
                                    "interlace: 0\n"
                                    "field: 0\n"
                                    "dma_direction: 0\n"
                                    "irq: 0\n"
                                    "allow_texture_disable: 0\n"
                                    "clut_cache: invalid\n"
                                    "command: none\n"
                                    "transfer: none\n";

static void texts_to_the_letter(void **state)
{
    static const struct {
        const char *path, *expected;
    } files[] = {
        {"metadata.txt", metadata},
        {"packets.tsv", packets},
        {"frames.tsv", frames},
        {"by-frame/000000/info.txt", info},
        {"by-frame/000001/info.txt", reading_info},
        {"by-frame/000003/info.txt", unfinished_info},
        {"by-frame/000003/state.txt", state_at_end},
        {"initial/state.txt", initial_state},
    };
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    build_dump(&build);
    psx_opened_build(&opened, &build);
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        char *text = psx_opened_read(&opened, files[i].path);

        assert_string_equal(text, files[i].expected);
        free(text);
    }
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void a_frame_has_its_rows(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *text, *rows;

    (void)state;
    build_dump(&build);
    psx_opened_build(&opened, &build);
    text = psx_opened_read(&opened, "by-frame/000001/packets.tsv");
    assert_memory_equal(text, packets, strcspn(packets, "\n") + 1);
    rows = strstr(packets, "\n20\t");
    assert_non_null(rows);
    assert_memory_equal(strchr(text, '\n'), rows, strlen(strchr(text, '\n')));
    assert_memory_equal(text + strlen(text) - 6, "-\t-\t-\n", 6);
    free(text);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void json_says_the_same(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *text;
    json_t *root;

    (void)state;
    build_dump(&build);
    psx_opened_build(&opened, &build);
    text = psx_opened_read(&opened, "metadata.json");
    root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "frames")), 4);
    assert_true(json_is_true(json_object_get(root, "unfinished")));
    assert_int_equal(json_array_size(json_object_get(root, "comment")), 2);
    assert_true(json_is_null(json_object_get(root, "restore")));
    json_decref(root);
    free(text);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* psx-dump.md 3.2: all of VRAM is restored as if E6 were 0, a part of it is not. */
static void expect_restore(uint32_t size_word, uint16_t expected, const char *line)
{
    struct psx_build build;
    struct psx_opened opened;
    uint32_t pixels = gp0_transfer_width(size_word) * gp0_transfer_height(size_word);
    size_t size;
    char *vram, *text;

    psx_build_start(&build, PSX_MAGIC_14);
    GP0(&build, 0xE6000001);
    psx_build_word(&build, 3 + pixels / 2);
    psx_build_word(&build, 0xA0000000);
    psx_build_word(&build, 0);
    psx_build_word(&build, size_word);
    for (uint32_t i = 0; i < pixels / 2; i++)
        psx_build_word(&build, 0x12341234);
    build.packets++;
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    GP0(&build, 0xA0000000, 0x00100000, 0x00010002, 0x12341234);
    psx_opened_build(&opened, &build);
    vram = walk_read(opened.tree, "initial/vram.bin", &size);
    assert_int_equal(size, 1 << 20);
    assert_int_equal(bytes_le16((const uint8_t *)vram), expected);
    free(vram);
    vram = walk_read(opened.tree, "vram/000000.bin", &size);
    assert_int_equal(bytes_le16((const uint8_t *)vram + 16 * 2048), 0x9234);
    free(vram);
    text = psx_opened_read(&opened, "metadata.txt");
    assert_non_null(strstr(text, line));
    free(text);
    text = psx_opened_read(&opened, "initial/state.txt");
    assert_non_null(strstr(text, "\nmask_set: 1\n"));
    free(text);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void restoring_does_not_heed_the_mask(void **state)
{
    static const char told[] = "\nrestore: mask settings 0x1 not applied to the VRAM upload\n";

    (void)state;
    expect_restore(0, 0x1234, told);
    expect_restore(0x02000400, 0x1234, told);
    expect_restore(0x00020002, 0x9234, "\nrestore: -\n");
}

static void version_3_has_2_mib(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *text, *vram;
    size_t size;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    PACKET(&build, PSX_PACKET_VERSION, 3);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    psx_opened_build(&opened, &build);
    vram = walk_read(opened.tree, "vram/000000.bin", &size);
    assert_int_equal(size, 2 << 20);
    free(vram);
    vram = walk_read(opened.tree, "vram/000000.png", &size);
    assert_memory_equal(vram + 16, "\0\0\4\0\0\0\4\0", 8);
    free(vram);
    text = psx_opened_read(&opened, "metadata.txt");
    assert_non_null(strstr(text, "\ngpu_version: 3\ngpu_version_meaning: v2, 2 MiB\n"
                                 "gpu_model: v2, 2 MiB\nvram_width: 1024\nvram_height: 1024\n"));
    free(text);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void set_field(struct options *options, enum psx_field_option field)
{
    static const char *const choices[] = {"field=auto", "field=even", "field=odd", "field=both"};
    struct text message = TEXT_INIT;

    assert_int_equal(options_parse(options, choices[field], &message), 1);
}

/* The tree replays with the same field as the reference, for every option. */
static void the_field_follows_the_option(void **state)
{
    static const char *const told[] = {
        "auto\nfield_rule: by timestamps", "even\nfield_rule: toggling at each VSync",
        "odd\nfield_rule: toggling at each VSync", "both\nfield_rule: no line is skipped"};
    char *path = support_corpus("psx/real/bezier480i.psxgpu.zst");
    size_t size, length;
    uint8_t *dump = support_read_zst(path, &size);

    (void)state;
    size = size - size / 8; /* some frames are enough, and one that is incomplete */
    for (enum psx_field_option field = PSX_FIELD_AUTO; field <= PSX_FIELD_BOTH; field++) {
        struct psx_opened opened;
        struct psx_gpu *gpu = NULL;
        char last[64], *vram, *text;

        assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &gpu), 0);
        psx_play(dump, size, field, gpu, NULL, NULL);
        psx_opened_init(&opened, dump, size);
        set_field(&opened.options, field);
        psx_opened_tree(&opened);
        snprintf(last, sizeof(last), "vram/%06u.bin",
                 (unsigned)psx_opened_index(&opened)->frame_count - 1);
        vram = walk_read(opened.tree, last, &length);
        assert_int_equal(support_crc32(vram, length), psx_play_crc32(gpu));
        free(vram);
        text = psx_opened_read(&opened, "metadata.txt");
        assert_non_null(strstr(text, told[field]));
        free(text);
        psx_opened_close(&opened);
        psx_gpu_destroy(&gpu);
    }
    free(dump);
    free(path);
}

/* With the display off or empty, pictures are black and of the size that the tables say. */
static void frames_without_a_display_are_black(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *text;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP1(&build, 0x06000000 | 608 | 3168 << 12);
    GP1(&build, 0x07000000 | 16 | 24 << 10);
    GP1(&build, 0x08000001);
    GP0(&build, 0x02FFFFFF, 0, 0x01000400);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    GP1(&build, 0x03000000);
    GP1(&build, 0x07000000 | 16 | 16 << 10);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    psx_opened_build(&opened, &build);
    text = psx_opened_read(&opened, "by-frame/000000/info.txt");
    assert_non_null(strstr(text, "\nwidth: 320\nheight: 8\ndisplay: off\n"));
    free(text);
    text = psx_opened_read(&opened, "by-frame/000001/info.txt");
    assert_non_null(strstr(text, "\nwidth: 1\nheight: 1\ndisplay: empty\n"));
    assert_non_null(strstr(text, "\nsame_as: -\n"));
    free(text);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void a_frame_tells_which_one_it_repeats(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *text;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP0(&build, 0x02FFFFFF, 0, 0x01000400);
    for (unsigned i = 0; i < 3; i++)
        EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    psx_opened_build(&opened, &build);
    text = psx_opened_read(&opened, "by-frame/000002/info.txt");
    assert_non_null(strstr(text, "\nsame_as: 000000\n"));
    free(text);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_to_the_letter),
        cmocka_unit_test(a_frame_has_its_rows),
        cmocka_unit_test(json_says_the_same),
        cmocka_unit_test(restoring_does_not_heed_the_mask),
        cmocka_unit_test(version_3_has_2_mib),
        cmocka_unit_test(frames_without_a_display_are_black),
        cmocka_unit_test(a_frame_tells_which_one_it_repeats),
        cmocka_unit_test(the_field_follows_the_option),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
