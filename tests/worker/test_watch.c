/* SPDX-License-Identifier: MIT */
/*
 * Watched pixels: the changes of a drawable's pixels that the worker reports are compared with
 * pictures, one of which is requested after each call that may draw.
 */
#include "config.h"

#include "tests/worker/retrace_play.h"

#include "tests/support/support.h"

#include "formats/apitrace/dump.h"
#include "formats/apitrace/index/call.h"
#include "tree/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = 3, STEPS_MAX = 4096, DEPTH_MAX = 0xFFFFFF };

/* A pixel after a call that changed it. */
struct step {
    uint64_t call;
    uint8_t rgb[3];
    float depth;
};

struct pixel {
    uint32_t x, y; /* from the top */
    struct step steps[STEPS_MAX];
    unsigned count;
};

/* A trace up to the end of one of its frames, and what its window shows on the way. */
struct truth {
    struct played played;
    const struct apitrace_presentation *presentation;
    uint64_t handle, last; /* the last call */
    uint32_t width, height;
    bool has_depth;
    uint8_t *colours;
    float *depths;
    uint32_t *ids; /* for each pixel: the last call that changed its colour or depth */
    struct pixel *pixels;
};

static void begin_session(struct truth *truth)
{
    const struct apitrace_drawables *drawables = &truth->presentation->drawables;

    truth->played.progress = (struct apitrace_session_progress){.next = 0};
    apitrace_session_fast_compile(playing.session, true);
    replay_reset(drawables->list, drawables->count);
}

static void open_truth(const char *path, unsigned frame, struct truth *out)
{
    const struct apitrace_presented_frame *presented;
    uint64_t random = 7;

    *out = (struct truth){.has_depth = true};
    replay_open(path, &out->played);
    assert_int_equal(
        apitrace_dump_presentation(tree_dump(out->played.opened.tree), NULL, &out->presentation),
        0);
    if (frame >= out->played.index->frame_count)
        frame = (unsigned)out->played.index->frame_count - 1;
    presented = &out->presentation->frames[frame];
    out->width = presented->width;
    out->height = presented->height;
    out->handle = out->presentation->drawables.list[presented->drawable].handle;
    out->last = apitrace_index_listed(out->played.index, out->played.index->frames[frame].end - 1);
    out->colours = calloc((size_t)out->width * out->height, 3);
    out->depths = calloc((size_t)out->width * out->height, sizeof(float));
    out->ids = malloc((size_t)out->width * out->height * sizeof(uint32_t));
    out->pixels = calloc(PIXELS, sizeof(*out->pixels));
    memset(out->ids, 0xFF, (size_t)out->width * out->height * sizeof(uint32_t));
    for (unsigned n = 0; n < PIXELS; n++) {
        out->pixels[n].x = (uint32_t)(support_random(&random) % out->width);
        out->pixels[n].y = (uint32_t)(support_random(&random) % out->height);
    }
}

static void close_truth(struct truth *truth)
{
    free(truth->pixels);
    free(truth->ids);
    free(truth->depths);
    free(truth->colours);
    apitrace_close(&truth->played.opened);
}

static bool ask(struct truth *truth, enum apitrace_picture_kind kind, struct apitrace_picture *out)
{
    const struct apitrace_picture_request request = {
        .kind = kind, .width = truth->width, .height = truth->height};
    int status = apitrace_session_picture(playing.session, &request, NULL, out);

    if (status == 0) {
        assert_int_equal(out->width, truth->width);
        assert_int_equal(out->height, truth->height);
    }
    return status == 0;
}

/* Records what the call has changed since the previous one. */
static void take_step(struct truth *truth, uint64_t call)
{
    struct apitrace_picture colours, depths = {.pixels = NULL};

    if (!ask(truth, APITRACE_PICTURE_COLOUR, &colours))
        return;
    truth->has_depth = truth->has_depth && ask(truth, APITRACE_PICTURE_DEPTH, &depths);
    for (size_t n = 0; n < (size_t)truth->width * truth->height; n++) {
        const uint8_t *colour = colours.pixels + 3 * n;
        float depth = 0;
        bool same;

        if (depths.pixels != NULL)
            memcpy(&depth, depths.pixels + 4 * n, sizeof(depth));
        same = memcmp(colour, truth->colours + 3 * n, 3) == 0;
        if (same && memcmp(&depth, &truth->depths[n], sizeof(depth)) == 0)
            continue;
        truth->ids[n] = (uint32_t)call;
        memcpy(truth->colours + 3 * n, colour, 3);
        truth->depths[n] = depth;
        for (unsigned i = 0; i < PIXELS; i++) {
            struct pixel *pixel = &truth->pixels[i];

            if ((size_t)pixel->y * truth->width + pixel->x != n)
                continue;
            assert_true(pixel->count < STEPS_MAX);
            pixel->steps[pixel->count] = (struct step){.call = call, .depth = depth};
            memcpy(pixel->steps[pixel->count++].rgb, colour, 3);
        }
    }
    blob_unref(&colours.owner);
    blob_unref(&depths.owner);
}

static bool may_draw(const struct apitrace_function *function)
{
    static const char *const others[] = {"glAccum", "glBitmap", "glCopyPixels", "glClearBuffer"};

    for (size_t n = 0; n < COUNT_OF(others); n++)
        if (strncmp(function->name.bytes, others[n], strlen(others[n])) == 0)
            return true;
    return apitrace_function_draws(function);
}

static void find_truth(struct truth *truth)
{
    const struct apitrace_index *index = truth->played.index;
    struct apitrace_walk walk;

    apitrace_walk_init(&walk, &index->calls);
    begin_session(truth);
    for (uint64_t order = 0;; order++) {
        const uint64_t number = apitrace_index_listed(index, order);
        const struct apitrace_function *function =
            apitrace_index_function(index, apitrace_walk_to(&walk, number));

        if (number == truth->last)
            break;
        if (function == NULL || !may_draw(function))
            continue;
        replay_to(&truth->played, number, APITRACE_FEED_AFTER);
        take_step(truth, number);
    }
}

static void watch(struct truth *truth, const struct apitrace_watch_request *request)
{
    begin_session(truth);
    assert_int_equal(apitrace_session_watch(playing.session, request, NULL), 0);
    replay_to(&truth->played, truth->last, APITRACE_FEED_WATCH);
}

/* Asserts that watching has not changed the picture. */
static void expect_same_end(struct truth *truth)
{
    struct apitrace_picture picture;

    assert_true(ask(truth, APITRACE_PICTURE_COLOUR, &picture));
    assert_memory_equal(picture.pixels, truth->colours, 3 * (size_t)truth->width * truth->height);
    blob_unref(&picture.owner);
}

/* Returns whether a change is visible in pictures, which have neither alpha nor stencil. */
static bool is_seen(const struct truth *truth, const struct apitrace_pixel_change *change)
{
    return memcmp(change->before.rgba, change->after.rgba, 3) != 0 ||
           (truth->has_depth && change->before.depth != change->after.depth);
}

static void expect_step(const struct truth *truth, const struct apitrace_pixel_change *change,
                        const struct step *step)
{
    assert_int_equal(change->call, step->call);
    assert_memory_equal(change->after.rgba, step->rgb, 3);
    if (truth->has_depth)
        assert_true(fabs((double)change->after.depth / DEPTH_MAX - (double)step->depth) < 1e-7);
}

/* Returns the last call that wrote the pixel, according to its history. */
static uint64_t writer_of(const struct apitrace_pixel_changes *changes)
{
    uint64_t writer = APITRACE_WATCHED_NOBODY;

    for (uint32_t n = 0; n < changes->count; n++) {
        const struct apitrace_pixel_change *change = &changes->list[n];
        const bool colour = (change->flags & APITRACE_PLANE_COLOUR) != 0;

        if (colour || ((change->flags & APITRACE_PLANE_DEPTH) == 0 &&
                       (memcmp(change->before.rgba, change->after.rgba, 4) != 0 ||
                        (change->outcome == APITRACE_PIXEL_WRITTEN &&
                         change->before.depth != change->after.depth))))
            writer = change->call;
    }
    return writer;
}

static void expect_pixel(struct truth *truth, const struct pixel *pixel, uint32_t id)
{
    const struct apitrace_watch_request request = {.kind = APITRACE_WATCH_PIXEL,
                                                   .handle = truth->handle,
                                                   .x = pixel->x,
                                                   .y = truth->height - 1 - pixel->y,
                                                   .width = 1,
                                                   .height = 1};
    struct apitrace_pixel_changes changes;
    unsigned count = 0;

    watch(truth, &request);
    expect_same_end(truth);
    assert_int_equal(apitrace_session_watched_pixel(playing.session, NULL, &changes), 0);
    assert_int_equal(changes.planes & APITRACE_PLANE_COLOUR, APITRACE_PLANE_COLOUR);
    for (uint32_t n = 0; n < changes.count; n++) {
        if (!is_seen(truth, &changes.list[n]))
            continue;
        assert_true(count < pixel->count);
        expect_step(truth, &changes.list[n], &pixel->steps[count++]);
    }
    assert_int_equal(count, pixel->count);
    assert_int_equal(writer_of(&changes), id);
    free(changes.list);
}

/*
 * Asserts that the calls are those of the truth or later ones, since a later call may have changed
 * what no picture shows, or have cleared the pixel again.
 */
static void expect_ids(const struct truth *truth, const struct apitrace_picture *ids)
{
    unsigned later = 0, named = 0;

    for (size_t n = 0; n < (size_t)truth->width * truth->height; n++) {
        uint32_t id;

        memcpy(&id, ids->pixels + 4 * n, sizeof(id));
        named += id != APITRACE_WATCHED_NOBODY;
        if (truth->ids[n] != APITRACE_WATCHED_NOBODY)
            assert_true(id >= truth->ids[n] || id == APITRACE_WATCHED_NOBODY);
        later += id != truth->ids[n];
    }
    assert_int_equal(named, truth->width * truth->height);
    assert_true(later < truth->width * truth->height);
}

static void check(const char *path, unsigned frame)
{
    struct truth truth;
    struct apitrace_watch_request request = {.kind = APITRACE_WATCH_IDS};
    struct apitrace_picture ids;

    open_truth(path, frame, &truth);
    find_truth(&truth);
    request.handle = truth.handle;
    request.width = truth.width;
    request.height = truth.height;
    watch(&truth, &request);
    expect_same_end(&truth);
    assert_int_equal(apitrace_session_watched_ids(playing.session, NULL, &ids), 0);
    assert_int_equal(ids.width, truth.width);
    assert_int_equal(ids.height, truth.height);
    expect_ids(&truth, &ids);
    for (unsigned n = 0; n < PIXELS; n++) {
        const struct pixel *pixel = &truth.pixels[n];
        uint32_t id;

        memcpy(&id, ids.pixels + 4 * ((size_t)pixel->y * truth.width + pixel->x), sizeof(id));
        expect_pixel(&truth, pixel, id);
    }
    blob_unref(&ids.owner);
    close_truth(&truth);
}

static void captures_are_seen_as_their_pictures_are(void **state)
{
    static const struct {
        const char *name;
        unsigned frame;
    } traces[] = {{"es2tri", 3},   {"es2gears", 3},  {"glxgears", 3},       {"glxdemo", 1},
                  {"glxheads", 3}, {"xss_boing", 0}, {"glmark2_desktop", 1}};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(traces); n++) {
        char name[64], *path;

        snprintf(name, sizeof(name), "apitrace/real/%s.trace", traces[n].name);
        path = support_corpus(name);
        check(path, traces[n].frame);
        free(path);
    }
}

static void check_scenes(const char *profile)
{
    char *folder = support_folder(), trace[512];
    bool captured = replay_capture_scenes(profile, folder, trace, sizeof(trace));

    if (captured)
        check(trace, UINT32_MAX);
    support_remove(&folder);
    if (!captured && getenv("GPUDUMPFS_REQUIRE_CLIENTS") != NULL)
        fail_msg("scenes of %s cannot be traced", profile);
    if (!captured)
        support_skip("apitrace is not installed, or traces nothing here");
}

static void scenes_of_opengl_es_3_are_seen_as_their_pictures_are(void **state)
{
    (void)state;
    check_scenes("es");
}

static void scenes_of_core_profiles_are_seen_as_their_pictures_are(void **state)
{
    (void)state;
    check_scenes("core");
}

static void scenes_of_compatibility_profiles_are_seen_as_their_pictures_are(void **state)
{
    (void)state;
    check_scenes("old");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(captures_are_seen_as_their_pictures_are, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(scenes_of_opengl_es_3_are_seen_as_their_pictures_are,
                                        replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(scenes_of_core_profiles_are_seen_as_their_pictures_are,
                                        replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(
            scenes_of_compatibility_profiles_are_seen_as_their_pictures_are, replay_begin,
            replay_end),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("worker_watch", tests, NULL, NULL);
}
