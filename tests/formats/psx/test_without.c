/* SPDX-License-Identifier: MIT */
/*
 * without/: the frame's picture, and the drawing area, as in a dump from whose stream the words of
 * that command were removed. uploads/: what VRAM contains immediately after.
 */
#include "tests/formats/psx/feedback.h"
#include "tests/formats/psx/truth.h"
#include "tests/formats/psx/view.h"

#include "formats/psx/frame/frame.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 10 };

/* The words of a command */
struct span {
    uint64_t first_packet, last_packet;
    uint32_t first_word, behind; /* in first_packet; after the last in last_packet */
};

static void find_span(const struct psx_opened *opened, unsigned frame, unsigned draw,
                      struct span *out)
{
    struct psx_walk walk;
    struct psx_step step;
    struct psx_found found;

    assert_int_equal(
        psx_find_command(psx_dump_of(opened->dump), frame, FIND_DRAW, draw, NULL, &found), 0);
    walk = found.walk;
    step = found.step;
    out->first_packet = walk.at.command_packet;
    out->first_word = walk.at.command_word;
    for (;;) {
        if (step.kind == PSX_STEP_GP0) {
            out->last_packet = step.number;
            out->behind = step.word + step.words;
        }
        psx_walk_apply(&walk, &step);
        if (walk.at.state.parser.phase != GP0_PHASE_POLYLINE || !psx_walk_next(&walk, &step))
            break;
    }
}

/* Builds the same dump without these words. Packets are kept even if they become empty. */
static void cut_out(const struct psx_build *from, const struct span *span, struct psx_build *out)
{
    uint64_t offset = psx_magic_length(psx_magic_read(from->bytes, from->size)), number = 0;
    struct psx_packet packet;

    *out = (struct psx_build){0};
    psx_build_bytes(out, from->bytes, offset);
    for (; psx_packet_read(from->bytes, from->size, offset, &packet);
         offset = psx_packet_end(&packet), number++) {
        uint32_t first = 0, behind = 0;

        if (packet.type == PSX_PACKET_GP0 && number >= span->first_packet &&
            number <= span->last_packet) {
            first = number == span->first_packet ? span->first_word : 0;
            behind = number == span->last_packet ? span->behind : packet.words;
        }
        psx_build_word(out, (uint32_t)packet.type << 24 | (packet.words - (behind - first)));
        psx_build_bytes(out, packet.payload, 4 * (size_t)first);
        psx_build_bytes(out, packet.payload + 4 * (size_t)behind,
                        4 * (size_t)(packet.words - behind));
    }
}

static void expect_same_bytes(const char *name, const struct psx_opened *whole, const char *path,
                              const struct psx_opened *cut, const char *cut_path)
{
    size_t size, cut_size;
    char *bytes = walk_read(whole->tree, path, &size);
    char *cut_bytes = walk_read(cut->tree, cut_path, &cut_size);

    if (size != cut_size || memcmp(bytes, cut_bytes, size) != 0)
        fail_msg("%s: %s is not what the dump shows without the draw", name, path);
    free(bytes);
    free(cut_bytes);
}

/* Compares the draw's drawing area at the frame's end. */
static void expect_area(const char *name, const struct psx_opened *whole, unsigned frame,
                        unsigned draw, const struct psx_opened *cut)
{
    struct psx_picture picture;
    struct psx_box area;
    struct psx_found found;
    char path[64], *vram;
    size_t size;

    assert_int_equal(
        psx_find_command(psx_dump_of(whole->dump), frame, FIND_DRAW, draw, NULL, &found), 0);
    psx_draw_area(&found.walk.at.state.registers, &area);
    psx_view_picture(whole, psx_view_path(frame, "without/%05u-area.png", draw), &picture);
    snprintf(path, sizeof(path), "vram/%06u.bin", frame);
    vram = walk_read(cut->tree, path, &size);
    if ((int)picture.width == area.width && (int)picture.height == area.height)
        for (unsigned y = 0; y < picture.height; y++)
            for (unsigned x = 0; x < picture.width; x++) {
                uint16_t pixel;

                memcpy(&pixel,
                       vram + 2 * (((unsigned)area.y + y) % 512 * 1024 + (unsigned)area.x + x), 2);
                if (psx_view_pixel(&picture, x, y) != psx_view_rgb(pixel))
                    fail_msg("%s: frame %u without draw %u: pixel %u,%u of the area", name, frame,
                             draw, x, y);
            }
    psx_view_free(&picture);
    free(vram);
}

static void leave_out(const char *name, const struct psx_build *build,
                      const struct psx_opened *opened, unsigned frame, unsigned draw)
{
    struct psx_build without;
    struct psx_opened cut;
    struct span span = {0};
    char path[64];

    find_span(opened, frame, draw, &span);
    cut_out(build, &span, &without);
    psx_opened_build(&cut, &without);
    snprintf(path, sizeof(path), "frames/%06u.png", frame);
    expect_same_bytes(name, opened, psx_view_path(frame, "without/%05u.png", draw), &cut, path);
    expect_area(name, opened, frame, draw, &cut);
    psx_opened_close(&cut);
    psx_build_free(&without);
}

/* Leaves out some draws of some frames, one at a time. */
static void leave_out_some(const char *name, const struct psx_build *build, unsigned frames,
                           unsigned draws)
{
    struct psx_opened opened;
    struct psx_index *index;
    uint64_t random = 5;

    psx_opened_build(&opened, build);
    index = psx_opened_index(&opened);
    assert_int_equal(psx_index_wait_all(index, NULL), 0);
    for (unsigned n = 0, tries = 0; n < frames && tries < 1000; tries++) {
        unsigned frame = (unsigned)(support_random(&random) >> 20) % index->frame_count;

        if (index->counts[frame].draws == 0)
            continue;
        n++;
        for (unsigned i = 0; i < draws; i++)
            leave_out(name, build, &opened, frame,
                      (unsigned)(support_random(&random) >> 20) % index->counts[frame].draws);
    }
    psx_opened_close(&opened);
}

/* Everything depends on everything: textures that were drawn, copies, masks, fields. */
static void draws_left_out_of_random_dumps(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS / support_stride(); seed++) {
        struct psx_build build;
        char name[32];

        snprintf(name, sizeof(name), "feedback %u", (unsigned)seed);
        psx_feedback_build(seed, &build);
        leave_out_some(name, &build, 8, 3);
        psx_build_free(&build);
    }
}

static void draws_left_out_of_recordings(void **state)
{
    static const char *const names[] = {"cube",           "nb-render2tex", "tetris",
                                        "teapot-magic14", "lines",         "nb-balls480i",
                                        "bezier480i",     "pt-rectangles", "padtest"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct psx_build build;

        psx_view_recording(names[i], &build);
        leave_out_some(names[i], &build, 4, 3);
        psx_build_free(&build);
    }
}

/* Uploads */

struct uploads {
    const char *name;
    struct psx_opened opened;
    unsigned compared; /* pixels */
};

/* Compares an upload immediately after its last word, where no mask rejected its pixels. */
static void after_step(void *context, const struct psx_truth *truth, const struct psx_step *step)
{
    struct uploads *uploads = context;
    struct psx_picture picture;
    struct psx_draw draw;
    struct psx_found found;
    unsigned number = truth->uploads - 1;
    char path[64];

    if (truth->frame == UINT32_MAX || step->kind != PSX_STEP_GP0 ||
        step->event.type != GP0_EVENT_DATA || !step->event.data_last || truth->writer >= -1 ||
        truth->writer == INT32_MIN || (truth->gpu->state.registers.e[6] & 2))
        return;
    assert_int_equal(psx_find_command(psx_dump_of(uploads->opened.dump), truth->frame, FIND_UPLOAD,
                                      number, NULL, &found),
                     0);
    psx_found_draw(&found, &draw);
    snprintf(path, sizeof(path), "uploads/%05u-%ux%u.png", number, (unsigned)draw.x,
             (unsigned)draw.y);
    psx_view_picture(&uploads->opened, psx_view_path(truth->frame, "%s", path), &picture);
    assert_int_equal(picture.width, draw.width);
    assert_int_equal(picture.height, draw.height);
    for (unsigned y = 0; y < picture.height; y++)
        for (unsigned x = 0; x < picture.width; x++) {
            uint16_t pixel = truth->gpu->vram[((draw.y + y) & 511) * 1024 + ((draw.x + x) & 1023)];

            if (psx_view_pixel(&picture, x, y) != psx_view_rgb(pixel))
                fail_msg("%s: frame %u, %s: pixel %u,%u", uploads->name, truth->frame, path, x, y);
            uploads->compared++;
        }
    psx_view_free(&picture);
}

static void end_frame(void *context, const struct psx_truth *truth)
{
    (void)context;
    (void)truth;
}

static bool matters_not(void *context, uint32_t frame)
{
    (void)context;
    (void)frame;
    return false;
}

static unsigned compare_uploads(const char *name, const struct psx_build *build)
{
    struct uploads uploads = {.name = name};
    struct psx_truth_hooks hooks = {
        .matters = matters_not, .after = after_step, .frame = end_frame, .context = &uploads};

    psx_opened_build(&uploads.opened, build);
    psx_truth_run(&uploads.opened, &hooks);
    psx_opened_close(&uploads.opened);
    return uploads.compared;
}

static void uploads_show_what_they_bring(void **state)
{
    static const char *const names[] = {"hello", "hello-boot", "nb-render2tex", "redux-gpu",
                                        "pt-clut-cache"};
    struct psx_build build;

    unsigned compared = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS / support_stride(); seed++) {
        psx_feedback_build(seed, &build);
        compared += compare_uploads("feedback", &build);
        psx_build_free(&build);
    }
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        psx_view_recording(names[i], &build);
        compared += compare_uploads(names[i], &build);
        psx_build_free(&build);
    }
    assert_true(compared > 10000 / support_stride());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_left_out_of_random_dumps),
        cmocka_unit_test(draws_left_out_of_recordings),
        cmocka_unit_test(uploads_show_what_they_bring),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
