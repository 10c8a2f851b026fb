/* SPDX-License-Identifier: MIT */
/*
 * Compares the histories of many pixels in one pass with brute force (changes.h): in every frame of
 * every case of the corpus, the pixels that the case changes, or an even selection of them if there
 * are many. With GPUDUMPFS_EVERY_PIXEL set, every pixel of VRAM.
 */
#include "tests/formats/psx/changes.h"
#include "tests/formats/psx/feedback.h"
#include "tests/formats/psx/stage.h"
#include "tests/formats/psx/streams.h"
#include "tests/formats/psx/view.h"

#include "formats/psx/dump.h"
#include "formats/psx/frame/pixel_history.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHOSEN_PIXELS = 512 };

/* Changes in the order in which they were added */
struct changes {
    struct psx_change *change;
    size_t count, room;
};

struct check {
    const char *name;
    struct psx_opened opened;
    struct psx_index *index;
    struct psx_pixels pixels;
    uint32_t *pixel;     /* positions of the chosen pixels in VRAM */
    uint32_t *number_of; /* by pixel of VRAM: its index in `pixel` + 1; 0 if not chosen */
    uint16_t *now;       /* by index: the value after the events so far */
    uint32_t frame;
    size_t events;        /* number of events received */
    struct changes found; /* by brute force */
    struct changes told;  /* by the history of a frame */
};

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);

    assert_non_null(memory);
    return memory;
}

static size_t vram_pixels(const struct check *check)
{
    return (size_t)PSX_VRAM_WIDTH * check->index->vram_lines;
}

static void add_change(struct changes *to, const struct psx_change *change)
{
    if (to->count == to->room) {
        to->room = 2 * to->room + 1024;
        to->change = realloc(to->change, to->room * sizeof(*to->change));
        assert_non_null(to->change);
    }
    to->change[to->count++] = *change;
}

static void mark(void *context, const struct psx_change *change)
{
    struct check *check = context;

    if (change->frame != UINT32_MAX)
        check->number_of[change->pixel] = 1;
}

static void add_found(void *context, const struct psx_change *change)
{
    struct check *check = context;

    if (check->number_of[change->pixel] != 0)
        add_change(&check->found, change);
}

/* Chooses every pixel of VRAM, or up to `max` of the marked ones, evenly spread. */
static void choose(struct check *check, size_t max)
{
    size_t marked = 0, seen = 0;

    for (size_t i = 0; i < vram_pixels(check); i++)
        marked += check->number_of[i] != 0;
    for (size_t i = 0; i < vram_pixels(check); i++) {
        bool chosen = check->number_of[i] != 0;

        if (chosen && marked > max)
            chosen = seen * max / marked != (seen + 1) * max / marked;
        seen += check->number_of[i] != 0;
        check->number_of[i] = 0;
        if (!chosen && max != SIZE_MAX)
            continue;
        check->pixel[check->pixels.count++] = (uint32_t)i;
        check->number_of[i] = check->pixels.count;
    }
}

static int compare(const void *a, const void *b)
{
    const struct psx_change *const *one = a, *const *other = b;

    if ((*one)->pixel != (*other)->pixel)
        return (*one)->pixel < (*other)->pixel ? -1 : 1;
    return *one < *other ? -1 : 1;
}

/* Sorts changes by pixel, and those of each pixel by time. The caller frees the result. */
static const struct psx_change **sort(const struct psx_change *changes, size_t count)
{
    const struct psx_change **sorted = take(count, sizeof(*sorted));

    for (size_t i = 0; i < count; i++)
        sorted[i] = &changes[i];
    qsort(sorted, count, sizeof(*sorted), compare);
    return sorted;
}

/*
 * Merges all changes of one pixel by the next command that changes it. Returns false if there is
 * none.
 */
static bool next_change(const struct psx_change **sorted, size_t count, size_t *at,
                        struct psx_change *out)
{
    while (*at < count) {
        *out = *sorted[(*at)++];
        while (*at < count && sorted[*at]->pixel == out->pixel &&
               psx_changes_are_of_one(sorted[*at], out))
            out->after = sorted[(*at)++]->after;
        if (out->before != out->after)
            return true;
    }
    return false;
}

static void compare_frame(const struct check *check, const struct psx_change *found, size_t count)
{
    const struct psx_change **a = sort(found, count);
    const struct psx_change **b = sort(check->told.change, check->told.count);
    struct psx_change x = {0}, y = {0};
    size_t i = 0, j = 0;
    bool more;

    do {
        more = next_change(a, count, &i, &x);
        if (more != next_change(b, check->told.count, &j, &y) ||
            (more && (x.pixel != y.pixel || x.writer != y.writer || x.before != y.before ||
                      x.after != y.after || !psx_changes_are_of_one(&x, &y))))
            fail_msg("%s: frame %u, pixel %u,%u: writer %d makes %04x of %04x; told is of %u,%u "
                     "that %d makes %04x of %04x",
                     check->name, check->frame, x.pixel % 1024, x.pixel / 1024, x.writer, x.after,
                     x.before, y.pixel % 1024, y.pixel / 1024, y.writer, y.after, y.before);
    } while (more);
    free(a);
    free(b);
}

/*
 * Checks that each event starts from the value that the pixel's last event left, and changes it
 * only if it is a write.
 */
static int take_event(void *context, const struct psx_pixel_event *event)
{
    struct check *check = context;
    uint32_t number = check->number_of[event->pixel] - 1;
    struct psx_change change = {.frame = check->frame,
                                .pixel = event->pixel,
                                .writer = event->writer,
                                .before = event->before,
                                .after = event->after,
                                .packet = event->packet,
                                .word = event->word};

    check->events++;
    if (event->before != check->now[number] ||
        (event->outcome != PSX_PIXEL_WRITTEN && event->before != event->after))
        fail_msg("%s: frame %u, pixel %u,%u: %04x becomes %04x by outcome %u, but is %04x",
                 check->name, check->frame, event->pixel % 1024, event->pixel / 1024, event->before,
                 event->after, event->outcome, check->now[number]);
    check->now[number] = event->after;
    if (event->before != event->after)
        add_change(&check->told, &change);
    return 0;
}

/* Checks that the pixels at the frame's start are what the frames before left. */
static void check_start(const struct check *check)
{
    for (unsigned i = 0; i < check->pixels.count; i++)
        if (check->pixels.start[i] != check->now[i])
            fail_msg("%s: frame %u starts with %04x in pixel %u,%u, not %04x", check->name,
                     check->frame, check->pixels.start[i], check->pixel[i] % 1024,
                     check->pixel[i] / 1024, check->now[i]);
}

/* Applies the changes of a frame, or those before the first frame. */
static void apply(struct check *check, const struct psx_change *found, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check->now[check->number_of[found[i].pixel] - 1] = found[i].after;
}

/* Checks a frame, for which brute force found the changes `found`. */
static void check_frame(struct check *check, const struct psx_change *found, size_t count)
{
    struct psx_dump *dump = psx_dump_of(check->opened.dump);
    uint16_t *before = take(check->pixels.count, sizeof(*before));

    memcpy(before, check->now, check->pixels.count * sizeof(*before));
    check->told.count = 0;
    assert_int_equal(psx_pixel_history(dump, check->frame, NULL, &check->pixels, take_event, check),
                     0);
    compare_frame(check, found, count);
    memcpy(check->now, before, check->pixels.count * sizeof(*before));
    check_start(check);
    apply(check, found, count);
    free(before);
}

static void check_frames(struct check *check)
{
    const struct psx_change *found = check->found.change;
    size_t at = 0, end = 0;

    while (end < check->found.count && found[end].frame == UINT32_MAX)
        end++;
    apply(check, found, end);
    for (check->frame = 0; check->frame < check->index->frame_count; check->frame++) {
        for (at = end; end < check->found.count && found[end].frame == check->frame;)
            end++;
        check_frame(check, found + at, end - at);
    }
}

static void check_dump(const char *name, const struct psx_build *build)
{
    bool every = getenv("GPUDUMPFS_EVERY_PIXEL") != NULL;
    struct check check = {.name = name};

    psx_opened_build(&check.opened, build);
    check.index = psx_opened_index(&check.opened);
    check.number_of = take(vram_pixels(&check), sizeof(*check.number_of));
    check.pixel = take(vram_pixels(&check), sizeof(*check.pixel));
    psx_changes_find(check.index, NULL, mark, &check);
    choose(&check, every ? SIZE_MAX : CHOSEN_PIXELS);
    check.now = take(check.pixels.count, sizeof(*check.now));
    check.pixels.pixel = check.pixel;
    check.pixels.start = take(check.pixels.count, sizeof(*check.pixels.start));
    psx_changes_find(check.index, NULL, add_found, &check);
    if (check.pixels.count > 0)
        check_frames(&check);
    if (every)
        print_message("%s: %u pixels in %u frames, %zu changes, %zu events\n", name,
                      check.pixels.count, (unsigned)check.index->frame_count, check.found.count,
                      check.events);
    free(check.found.change);
    free(check.told.change);
    free(check.number_of);
    free(check.pixel);
    free(check.now);
    free(check.pixels.start);
    psx_opened_close(&check.opened);
}

static void of_textures_that_are_drawn_over(void **state)
{
    struct psx_build build;

    (void)state;
    psx_feedback_build(5, &build);
    check_dump("feedback", &build);
    psx_build_free(&build);
}

static void of_double_buffers(void **state)
{
    struct psx_build build;

    (void)state;
    psx_stage_build(3, &build);
    check_dump("stage", &build);
    psx_build_free(&build);
}

static void of_random_streams(void **state)
{
    static const char *const kinds[] = {"clean", "interlaced", "aborts", "feedback",
                                        "areas", "first-gpu",  "2-mib"};

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(kinds); i++) {
        struct psx_build build;

        assert_true(psx_streams_build(kinds[i], 11, &build));
        check_dump(kinds[i], &build);
        psx_build_free(&build);
    }
}

static void check_case(void *context, const char *name, const struct psx_build *build)
{
    (void)context;
    check_dump(name, build);
}

static void of_the_corpus_cases(void **state)
{
    (void)state;
    psx_view_cases(check_case, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_double_buffers),
        cmocka_unit_test(of_textures_that_are_drawn_over),
        cmocka_unit_test(of_random_streams),
        cmocka_unit_test(of_the_corpus_cases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
