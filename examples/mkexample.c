/* SPDX-License-Identifier: MIT */
/*
 * mkexample OUTPUT [FRAMES]: writes a PSX GPU dump of a small scene, always the same bytes. `make
 * demo` mounts this dump. It shows what a dump can hold: restored state, two frame buffers, all
 * four blending modes, textures of all three depths, transfers in every direction, time stamps of
 * 64 bits.
 */
#include "scene.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CYCLES_HIGH = 1, /* the console has been on for about two minutes */
    CYCLES_OF_FRAME = 566122,
    READ_FRAME = 60,    /* in this frame, the program reads a part of the picture back */
    DISCARD_FRAME = 90, /* in this frame, it reads a part and discards it */
    READ_SIZE = 16,
};

static void write_header(struct dump_writer *dump)
{
    dump_writer_init(dump, DUMP_MAGIC_16);
    dump_writer_word(dump, DUMP_VERSION, 2);
    dump_writer_string(dump, DUMP_GAME, "HOMEBREW");
    dump_writer_string(dump, DUMP_VIDEO, "NTSC");
    dump_writer_string(dump, DUMP_COMMENT, "gpudumpfs example: a cube of pictures above the sea");
    dump_writer_string(dump, DUMP_COMMENT, "written by examples/mkexample.c");
}

/* Sets the display to 320x240, 15 bits, showing the buffer that begins at line `top`. */
static void write_display(struct dump_writer *dump, int top)
{
    dump_writer_gp1(dump, 0x08, 0x01);
    dump_writer_gp1(dump, 0x06, 0xc60u << 12 | 0x260);
    dump_writer_gp1(dump, 0x07, 0x100u << 10 | 0x10);
    dump_writer_gp1(dump, 0x05, (uint32_t)top << 10);
    dump_writer_gp1(dump, 0x03, 0);
}

/* Writes what the program had in VRAM when the trace begins: textures, and its first picture. */
static void write_restored_state(struct display_list *list)
{
    dump_writer_gp1(list->dump, 0x00, 0);
    write_display(list->dump, 0);
    textures_upload(list);
    scene_draw(list, SCENE_FRAMES - 1, 0);
    dump_writer_packet(list->dump, DUMP_BEGIN, NULL, 0);
}

/* Makes the program read its own picture: a transfer from VRAM, and the number of words read. */
static void write_read(struct display_list *list, int top, enum dump_type type)
{
    list_read(list, SUN_X - READ_SIZE / 2, top + SUN_Y - READ_SIZE / 2, READ_SIZE, READ_SIZE);
    display_list_send(list);
    dump_writer_word(list->dump, type, READ_SIZE * READ_SIZE / 2);
}

/* Writes a frame: one buffer is shown while the next picture is drawn into the other. */
static void write_frame(struct display_list *list, int frame)
{
    int shown = frame % 2 * SCREEN_HEIGHT, drawn = SCREEN_HEIGHT - shown;
    uint64_t first = (uint64_t)FIRST_CYCLES_HIGH << 32;

    dump_writer_gp1(list->dump, 0x05, (uint32_t)shown << 10);
    textures_upload_cube_palette(list, frame % CUBE_PALETTES,
                                 fixed_wave(24, scene_angle(frame, 3)) + 24);
    scene_draw(list, frame, drawn);
    if (frame == READ_FRAME)
        write_read(list, drawn, DUMP_READBACK);
    if (frame == DISCARD_FRAME)
        write_read(list, drawn, DUMP_DISCARD);
    dump_writer_vsync(list->dump, first + (uint64_t)frame * CYCLES_OF_FRAME);
}

int main(int argc, char **argv)
{
    struct dump_writer dump;
    struct display_list list;
    int frames = argc > 2 ? atoi(argv[2]) : SCENE_FRAMES;

    if (argc < 2 || argc > 3 || frames < 1 || frames > 100000) {
        fprintf(stderr, "usage: mkexample OUTPUT [FRAMES]\n");
        return 1;
    }
    write_header(&dump);
    display_list_init(&list, &dump);
    write_restored_state(&list);
    for (int frame = 0; frame < frames; frame++)
        write_frame(&list, frame);
    int status = dump_writer_save(&dump, argv[1]);
    if (status < 0)
        fprintf(stderr, "mkexample: %s: %s\n", argv[1], strerror(-status));
    display_list_clear(&list);
    dump_writer_clear(&dump);
    return status < 0;
}
