/* SPDX-License-Identifier: MIT */
/*
 * Edited pictures of textures (overlay.md 1.1): the dump with the edits, opened from scratch, must
 * show each texture as in its edited picture, texel by texel.
 */
#include "tests/formats/psx/feedback.h"
#include "tests/formats/psx/view.h"

#include "formats/psx/assembly/assembly.h"
#include "formats/psx/assembly/texture_edit.h"
#include "formats/psx/frame/textures.h"
#include "image/picture.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = TEXTURE_SIDE, SEEDS = 10, TEXELS = 40, EDITS_MAX = 8 };

/* A picture, and the resulting edit of the dump */
struct editing {
    char name[TEXTURE_NAME_MAX];
    struct psx_picture picture;
    struct format_edit edit;
    struct format_text_error error;
    int status;
};

static void load_picture(const struct psx_opened *opened, unsigned frame, const char *name,
                         struct editing *out)
{
    *out = (struct editing){.edit = {.bytes = TEXT_INIT}};
    snprintf(out->name, sizeof(out->name), "%s", name);
    psx_view_picture(opened, psx_view_path(frame, "textures/%s.png", name), &out->picture);
}

static void free_editing(struct editing *editing)
{
    psx_view_free(&editing->picture);
    text_clear(&editing->edit.bytes);
}

static void edit_with(const struct psx_opened *opened, unsigned frame, const struct blob *png,
                      struct editing *editing)
{
    struct format_edited edited = {
        .rule = PSX_RULE_TEXTURE_PNG, .bytes = png->data, .size = png->size};
    uint64_t key;

    assert_true(psx_texture_parse(editing->name, "", &key));
    edited.key = (uint64_t)frame << 24 | key;
    editing->status = psx_edit(opened->dump, &edited, &editing->edit, &editing->error);
}

/* Edits the dump with the picture as an editor saves it. */
static void edit(const struct psx_opened *opened, unsigned frame, struct editing *editing)
{
    const struct picture_header header = {
        .width = SIDE, .height = SIDE, .colour = PICTURE_RGBA, .significant_bits = 8};
    struct blob *png;

    assert_int_equal(picture_encode(&header, editing->picture.rgba, 4 * SIDE, PICTURE_SMALL, &png),
                     0);
    edit_with(opened, frame, png, editing);
    blob_unref(&png);
}

static uint8_t *texel(const struct editing *editing, unsigned u, unsigned v)
{
    return editing->picture.rgba + 4 * ((size_t)v * SIDE + u);
}

static bool has_palette(const struct editing *editing)
{
    return strstr(editing->name, "none") == NULL;
}

/*
 * Changes a texel: to another colour of the picture if it has a palette, otherwise to any colour of
 * five bits a channel.
 */
static void repaint(struct editing *editing, uint64_t *random)
{
    unsigned u = (unsigned)(support_random(random) >> 20) % SIDE;
    unsigned v = (unsigned)(support_random(random) >> 20) % SIDE;
    uint32_t any = (uint32_t)(support_random(random) >> 16);
    uint8_t *to = texel(editing, u, v);

    if (has_palette(editing)) {
        memcpy(to, texel(editing, any % SIDE, any / SIDE % SIDE), 4);
    } else if (any % 8 < 2) {
        memcpy(to, any % 8 == 0 ? "\0\0\0\0" : "\0\0\0\xFF", 4);
    } else {
        for (unsigned i = 0; i < 3; i++)
            to[i] = (uint8_t)((any >> 5 * i & 31) << 3 | (any >> 5 * i & 31) >> 2);
        to[3] = 255;
    }
}

static int by_place(const void *one, const void *other)
{
    const struct format_edit *a = *(struct format_edit *const *)one;
    const struct format_edit *b = *(struct format_edit *const *)other;

    return (a->offset > b->offset) - (a->offset < b->offset);
}

/* Builds the dump with the edits, which may be in any order. */
static void place(const struct psx_opened *opened, const struct psx_build *build,
                  struct editing *editings, unsigned count, struct psx_build *out)
{
    const struct format_edit *edits[EDITS_MAX];
    struct format_placed placed;
    uint64_t at = 0;

    assert_in_range(count, 1, EDITS_MAX);
    for (unsigned i = 0; i < count; i++)
        edits[i] = &editings[i].edit;
    qsort(edits, count, sizeof(struct format_edit *), by_place);
    assert_int_equal(format_place_edits(opened->dump, &psx_format, edits, count, &placed), 0);
    *out = (struct psx_build){0};
    for (size_t i = 0; i < placed.count; i++) {
        const struct source_edit *edit = &placed.edits[i];

        assert_true(edit->offset >= at);
        psx_build_bytes(out, build->bytes + at, edit->offset - at);
        psx_build_bytes(out, edit->bytes, edit->length);
        at = edit->offset + edit->size;
    }
    psx_build_bytes(out, build->bytes + at, build->size - at);
    format_placed_clear(&placed);
}

static void assert_shown(const struct psx_opened *opened, unsigned frame,
                         const struct editing *editing)
{
    struct psx_picture picture;

    psx_view_picture(opened, psx_view_path(frame, "textures/%s.png", editing->name), &picture);
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        if (memcmp(picture.rgba + 4 * (size_t)i, editing->picture.rgba + 4 * (size_t)i, 4) != 0)
            fail_msg("frame %u, %s: texel %u,%u", frame, editing->name, i % SIDE, i / SIDE);
    psx_view_free(&picture);
}

/* Checks that registers and the state of the parser are unchanged at the frame's end. */
static void assert_same_state(const struct psx_opened *one, const struct psx_opened *other,
                              unsigned frame)
{
    struct psx_parser_state a, b;

    assert_int_equal(psx_index_wait_all(psx_opened_index(one), NULL), 0);
    assert_int_equal(psx_index_wait_all(psx_opened_index(other), NULL), 0);
    psx_index_frame_checkpoint(psx_opened_index(one), frame + 1, &a);
    psx_index_frame_checkpoint(psx_opened_index(other), frame + 1, &b);
    assert_memory_equal(&a.state.registers, &b.state.registers, sizeof(a.state.registers));
    assert_memory_equal(&a.state.clut, &b.state.clut, sizeof(a.state.clut));
    assert_int_equal(a.state.parser.phase, b.state.parser.phase);
    assert_int_equal(a.draws, b.draws);
}

/*
 * Edits a texture at random. Returns 1, or 0 if the edit was refused for the texture's own palette,
 * or for texels that uploads do not reach.
 */
static unsigned check_texture(const struct psx_opened *opened, const struct psx_build *build,
                              unsigned frame, const char *name, uint64_t *random)
{
    struct psx_build changed;
    struct psx_opened again;
    struct editing editing;

    load_picture(opened, frame, name, &editing);
    for (unsigned i = 0; i < TEXELS; i++)
        repaint(&editing, random);
    edit(opened, frame, &editing);
    if (editing.status == -EINVAL) {
        if (strstr(editing.error.message, "own palette") == NULL &&
            strstr(editing.error.message, "do not reach") == NULL)
            fail_msg("frame %u, %s: %s", frame, name, editing.error.message);
        free_editing(&editing);
        return 0;
    }
    assert_int_equal(editing.status, 0);
    place(opened, build, &editing, 1, &changed);
    psx_opened_build(&again, &changed);
    assert_shown(&again, frame, &editing);
    assert_same_state(opened, &again, frame);
    psx_opened_close(&again);
    psx_build_free(&changed);
    free_editing(&editing);
    return 1;
}

/* Edits all textures of every `every`-th frame, up to `max`. Returns the number edited. */
static unsigned check_dump(const struct psx_build *build, unsigned every, unsigned max,
                           uint64_t *random)
{
    struct psx_opened opened;
    unsigned edited = 0;

    psx_opened_build(&opened, build);
    for (unsigned frame = 0; frame < psx_opened_index(&opened)->frame_count && edited < max;
         frame += every) {
        char *table = psx_opened_read(&opened, psx_view_path(frame, "textures.tsv"));
        const char *cell;

        for (unsigned row = 0;
             edited < max && (cell = psx_view_cell(table, row, "texture")) != NULL; row++) {
            char name[TEXTURE_NAME_MAX];

            snprintf(name, sizeof(name), "%s", cell);
            edited += check_texture(&opened, build, frame, name, random);
        }
        free(table);
    }
    psx_opened_close(&opened);
    return edited;
}

static void textures_that_draw_themselves(void **state)
{
    unsigned edited = 0;
    uint64_t random = 1;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS / support_stride() + 1; seed++)
        for (uint32_t version = 1; version <= 3; version++) {
            struct psx_build build;

            psx_feedback_build_version(seed, version, &build);
            edited += check_dump(&build, 2, 12, &random);
            psx_build_free(&build);
        }
    assert_in_range(edited, 20, 1000);
}

static void textures_of_recordings(void **state)
{
    static const struct {
        const char *name;
        unsigned every;
    } dumps[] = {{"nb-render2tex", 7}, {"pt-clut-cache", 3}, {"tetris", 50}, {"proctex", 90}};
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(dumps); i += support_stride()) {
        struct psx_build build;

        psx_view_recording(dumps[i].name, &build);
        if (check_dump(&build, dumps[i].every, 6, &random) == 0)
            fail_msg("%s: no texture was edited", dumps[i].name);
        psx_build_free(&build);
    }
}

/*
 * Textures of 4, 8 and 15 bits that one packet samples, after an E6 that sets and checks the mask
 */
static const char *const scene[] = {"05-4B00-4", "06-4B40-8", "08-none-15"};

static void add_pixels(struct psx_build *build, uint32_t place, uint32_t width, uint32_t height)
{
    size_t words = 3 + width * height / 2;
    uint32_t *data = malloc(words * sizeof(*data));
    uint64_t random = 7;

    assert_non_null(data);
    data[0] = 0xA0000000;
    data[1] = place;
    data[2] = height << 16 | width;
    for (size_t i = 3; i < words; i++)
        data[i] = (uint32_t)(support_random(&random) >> 16) & 0xFFFFFFFF;
    psx_build_packet(build, PSX_PACKET_GP0, data, words);
    free(data);
}

static void build_scene(struct psx_build *build)
{
    psx_build_start(build, PSX_MAGIC_16);
    psx_build_full_area(build);
    add_pixels(build, 320, 448, 256);     /* pages 5 to 11 */
    add_pixels(build, 300 << 16, 16, 1);  /* 4B00 */
    add_pixels(build, 301 << 16, 256, 1); /* 4B40 */
    GP0(build, 0xE6000003, 0x2C808080, 0, 0x4B000000, 0x00000040, 0x00050040);
    GP0(build, 0x00400000, 0x4000, 0x00400040, 0x4040, /* the rest of the first quad */
        0x2C808080, 0x00000040, 0x4B400000, 0x00000080, 0x00860040, 0x00400040, 0x4000, 0x00400080,
        0x4040, 0x2C808080, 0x00000080, 0, 0x000000C0, 0x01080040, 0x00400080, 0x4000, 0x004000C0,
        0x4040, 0x60FFFFFF, 0x00800000, 0x00010001);
    psx_build_vsync(build, 1000);
    GP0(build, 0xE1000005, 0x65808080, 0x00000000, 0x4B000000, 0x00400040);
    psx_build_vsync(build, 2000);
}

static void textures_of_one_packet_are_edited_together(void **state)
{
    struct psx_build build, changed;
    struct psx_opened opened, again;
    struct editing editings[COUNT_OF(scene)];
    uint64_t random = 3;

    (void)state;
    build_scene(&build);
    psx_opened_build(&opened, &build);
    for (unsigned i = 0; i < COUNT_OF(scene); i++) {
        load_picture(&opened, 0, scene[i], &editings[i]);
        for (unsigned n = 0; n < TEXELS; n++)
            repaint(&editings[i], &random);
        edit(&opened, 0, &editings[i]);
        assert_int_equal(editings[i].status, 0);
        assert_int_equal(editings[i].edit.parted != 0, true);
    }
    assert_int_equal(editings[1].edit.parted, editings[2].edit.parted);
    place(&opened, &build, editings, COUNT_OF(scene), &changed);
    psx_opened_build(&again, &changed);
    for (unsigned i = 0; i < COUNT_OF(scene); i++)
        assert_shown(&again, 0, &editings[i]);
    assert_shown(&again, 1, &editings[0]); /* VRAM keeps the edit */
    assert_same_state(&opened, &again, 0);
    for (unsigned i = 0; i < COUNT_OF(scene); i++)
        free_editing(&editings[i]);
    psx_opened_close(&again);
    psx_opened_close(&opened);
    psx_build_free(&changed);
    psx_build_free(&build);
}

/* Halfwords that are equal are not uploaded: two adjacent texels that differ become one upload. */
static void what_differs_alone_is_uploaded(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct editing editing;

    (void)state;
    build_scene(&build);
    psx_opened_build(&opened, &build);
    load_picture(&opened, 0, scene[2], &editing);
    edit(&opened, 0, &editing);
    assert_int_equal(editing.status, 0);
    assert_int_equal(editing.edit.bytes.length, 0);
    assert_int_equal(editing.edit.parted, 0);
    memcpy(texel(&editing, 9, 3), "\xFF\0\0\xFF", 4);
    memcpy(texel(&editing, 10, 3), "\0\xFF\0\xFF", 4);
    edit(&opened, 0, &editing);
    assert_int_equal(editing.status, 0);
    assert_int_equal(editing.edit.bytes.length, 4 * 7); /* header, E6, upload, E6 */
    assert_int_equal(bytes_le32((const uint8_t *)editing.edit.bytes.bytes), 6); /* words of gp0 */
    free_editing(&editing);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* Checks that `rgba` at a texel of a texture of the scene is refused with that message. */
static void assert_refused(const struct psx_opened *opened, const char *name, const char *rgba,
                           const char *message)
{
    struct editing editing;

    load_picture(opened, 0, name, &editing);
    memcpy(texel(&editing, 12, 34), rgba, 4);
    edit(opened, 0, &editing);
    assert_int_equal(editing.status, -EINVAL);
    assert_string_equal(editing.error.message, message);
    assert_int_equal(editing.edit.bytes.length, 0);
    free_editing(&editing);
}

static void what_a_palette_lacks_is_refused(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    build_scene(&build);
    psx_opened_build(&opened, &build);
    assert_refused(&opened, scene[0], "\x10\x20\x30\xFF",
                   "12,34: no entry of the palette has #102030");
    assert_refused(&opened, scene[1], "\0\0\0\0", "12,34: no entry of the palette is transparent");
    assert_refused(&opened, scene[2], "\x08\0\0\x80",
                   "12,34: a texel must be opaque or transparent, nothing between");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* Pictures cut off anywhere, with a byte changed, or of another size give an edit or a message. */
static void hostile_pictures_are_refused(void **state)
{
    const struct picture_header small = {.width = 255, .height = SIDE, .colour = PICTURE_RGB};
    const struct picture_header deep = {.width = SIDE, .height = SIDE, .colour = PICTURE_RGBA16};
    uint8_t *pixels = calloc(8, (size_t)SIDE * SIDE), *large = calloc(1, PSX_TEXTURE_FILE_MAX + 1);
    const struct blob too_large = {.data = large, .size = PSX_TEXTURE_FILE_MAX + 1};
    const struct picture_header *const headers[] = {&small, &deep};
    const char *const messages[] = {"255x256", "16 bits"};
    struct editing editing = {.edit = {.bytes = TEXT_INIT}};
    struct psx_build build;
    struct psx_opened opened;
    struct blob *png;
    char *file;

    (void)state;
    assert_true(pixels != NULL && large != NULL);
    build_scene(&build);
    psx_opened_build(&opened, &build);
    snprintf(editing.name, sizeof(editing.name), "%s", scene[2]);
    for (unsigned i = 0; i < COUNT_OF(headers); i++) {
        assert_int_equal(picture_encode(headers[i], pixels, SIDE * (size_t)headers[i]->colour,
                                        PICTURE_SMALL, &png),
                         0);
        edit_with(&opened, 0, png, &editing);
        assert_int_equal(editing.status, -EINVAL);
        assert_non_null(strstr(editing.error.message, messages[i]));
        blob_unref(&png);
    }
    edit_with(&opened, 0, &too_large, &editing);
    assert_string_equal(editing.error.message, "the picture's file is larger than 1 MiB");
    free(large);
    free(pixels);
    file = psx_opened_read(&opened, psx_view_path(0, "textures/%s.png", scene[2]));
    for (size_t size = 0; size < 300; size += size < 80 ? 1 : 20) {
        const struct blob cut = {.data = (uint8_t *)file, .size = size};

        edit_with(&opened, 0, &cut, &editing);
        assert_int_equal(editing.status, -EINVAL);
    }
    free(file);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textures_of_one_packet_are_edited_together),
        cmocka_unit_test(what_differs_alone_is_uploaded),
        cmocka_unit_test(what_a_palette_lacks_is_refused),
        cmocka_unit_test(hostile_pictures_are_refused),
        cmocka_unit_test(textures_that_draw_themselves),
        cmocka_unit_test(textures_of_recordings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
