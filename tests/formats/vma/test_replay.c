/* SPDX-License-Identifier: MIT */
/*
 * The replay of complete recordings: invariants of every state, seeking, the pass and what it
 * records, and the sentences of problems.txt compared with those of the replayer
 */
#include "config.h"

#include "tests/formats/vma/play.h"
#include "tests/support/support.h"

#include "formats/vma/replay/pass.h"
#include "formats/vma/views/views.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void for_each_recording(void (*function)(struct vma_play *play))
{
    char **names = vma_play_names();

    for (size_t i = 0; names[i] != NULL; i++) {
        struct vma_play play;

        vma_play_corpus(&play, names[i], VMA_PLAY_RECORDED);
        function(&play);
        vma_play_close(&play);
        free(names[i]);
    }
    free(names);
}

/* Checks states with a stride that reaches every kind of line, and at every end of a frame. */
static void check_states(struct vma_play *play)
{
    enum { STRIDE = 7 };
    uint32_t frame = 0;

    for (uint32_t packet = 1; packet <= play->recording.packets; packet++) {
        bool end = frame < play->recording.frame_count &&
                   vma_recording_frame_last(&play->recording, frame) + 1 == packet;

        vma_play_until(play, packet);
        frame += end;
        if (end || packet % STRIDE == 0 || packet == play->recording.packets)
            vma_play_check(play);
    }
}

static void test_every_state_is_sound(void **state)
{
    (void)state;
    for_each_recording(check_states);
}

static void expect_same(const struct vma_replay *a, const struct vma_replay *b)
{
    struct text texts[2] = {TEXT_INIT, TEXT_INIT};

    vma_json_write(&a->allocator, true, &texts[0]);
    vma_json_write(&b->allocator, true, &texts[1]);
    assert_int_equal(vma_live_write(a, &texts[0]), 0);
    assert_int_equal(vma_live_write(b, &texts[1]), 0);
    vma_state_write(a, &texts[0]);
    vma_state_write(b, &texts[1]);
    assert_int_equal(texts[0].length, texts[1].length);
    assert_memory_equal(texts[0].bytes, texts[1].bytes, texts[0].length);
    text_clear(&texts[0]);
    text_clear(&texts[1]);
}

/* A copy continues as its original does, from anywhere. */
static void check_copies(struct vma_play *play)
{
    uint64_t random = 1;

    for (unsigned i = 0; i < 5; i++) {
        uint32_t first = (uint32_t)(support_random(&random) % play->recording.packets);
        uint32_t second =
            first + (uint32_t)(support_random(&random) % (play->recording.packets - first + 1));
        struct vma_replay fresh, copy;

        assert_int_equal(vma_replay_init(&fresh, &play->recording, &play->params), 0);
        assert_int_equal(vma_replay_run(&fresh, first, NULL), 0);
        assert_int_equal(vma_replay_copy(&fresh, &copy), 0);
        assert_int_equal(vma_replay_name(&copy), 0);
        assert_int_equal(vma_replay_run(&fresh, second, NULL), 0);
        assert_int_equal(vma_replay_run(&copy, second, NULL), 0);
        expect_same(&fresh, &copy);
        vma_replay_clear(&fresh);
        vma_replay_clear(&copy);
    }
}

static void test_copies_go_on_alike(void **state)
{
    (void)state;
    for_each_recording(check_copies);
}

static void check_seeks(struct vma_play *play)
{
    struct vma_checkpoints *checkpoints = NULL;
    uint64_t random = 7;

    assert_int_equal(
        vma_checkpoints_create(&play->recording, &play->params, 256 << 20, NULL, &checkpoints), 0);
    for (unsigned i = 0; i < 12; i++) {
        uint32_t packet = (uint32_t)(support_random(&random) % (play->recording.packets + 1));
        struct vma_replay *replay = NULL;
        struct vma_replay fresh;

        assert_int_equal(vma_checkpoints_seek(checkpoints, packet, NULL, &replay), 0);
        assert_int_equal(replay->packet, packet);
        assert_int_equal(vma_replay_init(&fresh, &play->recording, &play->params), 0);
        assert_int_equal(vma_replay_run(&fresh, packet, NULL), 0);
        expect_same(replay, &fresh);
        vma_replay_clear(&fresh);
        vma_checkpoints_give_back(checkpoints, &replay);
        assert_null(replay);
    }
    vma_checkpoints_destroy(&checkpoints);
}

static void test_seeks_lead_to_the_same_state(void **state)
{
    (void)state;
    for_each_recording(check_seeks);
}

/* Opens a recording that is long enough for checkpoints: rings of buffers that come and go. */
static void long_recording(struct vma_play *play, unsigned lines)
{
    enum { LIVE = 300 };
    struct text text = TEXT_INIT;
    uint64_t random = 3;

    text_add(&text, "Vulkan Memory Allocator,Calls recording\n1,5\n");
    for (unsigned i = 0; i < lines; i++) {
        unsigned name = 1 + i / 2 % LIVE;

        if (i % 2 == 0 && i / 2 >= LIVE)
            text_printf(&text, "1,%u.%03u,%u,vmaDestroyBuffer,%X\n", i / 1000, i % 1000, i / 50,
                        name);
        else
            text_printf(&text, "1,%u.%03u,%u,vmaCreateBuffer,0,%u,1,0,32,1,0,0,0,0,%X,name %u\n",
                        i / 1000, i % 1000, i / 50,
                        (unsigned)(support_random(&random) % 100000 + 1), name, i);
    }
    assert_int_equal(text_status(&text), 0);
    vma_play_open(play, (uint8_t *)text.bytes, text.length, VMA_PLAY_RECORDED);
}

static void test_checkpoints(void **state)
{
    struct vma_play play;
    struct vma_checkpoints *checkpoints = NULL;
    uint64_t random = 11;

    (void)state;
    long_recording(&play, 5 * VMA_CHECKPOINT_PACKETS + 100);
    assert_int_equal(
        vma_checkpoints_create(&play.recording, &play.params, 256 << 20, NULL, &checkpoints), 0);
    while (play.replay.packet < play.recording.packets) {
        assert_int_equal(vma_replay_step(&play.replay), 0);
        vma_checkpoints_offer(checkpoints, &play.replay);
    }
    assert_true(vma_checkpoints_bytes(checkpoints) > 0);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t packet = (uint32_t)(support_random(&random) % play.recording.packets);
        struct vma_replay *replay = NULL;
        struct vma_replay fresh;

        assert_int_equal(vma_checkpoints_seek(checkpoints, packet, NULL, &replay), 0);
        assert_int_equal(vma_replay_init(&fresh, &play.recording, &play.params), 0);
        assert_int_equal(vma_replay_run(&fresh, packet, NULL), 0);
        expect_same(replay, &fresh);
        vma_replay_clear(&fresh);
        vma_checkpoints_give_back(checkpoints, &replay);
    }
    vma_checkpoints_destroy(&checkpoints);
    vma_play_close(&play);
}

static void test_cancelled_seeks(void **state)
{
    struct vma_play play;
    struct vma_checkpoints *checkpoints = NULL;
    struct vma_replay *replay = NULL;
    struct cancel cancel;

    (void)state;
    long_recording(&play, 20000);
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(
        vma_checkpoints_create(&play.recording, &play.params, 256 << 20, NULL, &checkpoints), 0);
    assert_int_equal(vma_checkpoints_seek(checkpoints, 20000, &cancel, &replay), -EINTR);
    assert_null(replay);
    assert_int_equal(vma_checkpoints_seek(checkpoints, 20000, NULL, &replay), 0);
    vma_checkpoints_give_back(checkpoints, &replay);
    vma_checkpoints_destroy(&checkpoints);
    vma_play_close(&play);
}

/* The pass: peaks, histories */

static struct vma_pass *run_pass(struct vma_play *play, struct vma_checkpoints **checkpoints)
{
    const struct vma_pass_params params = {
        .recording = &play->recording, .allocator = &play->params, .problems = play->problems};
    struct vma_pass_params with_checkpoints = params;
    struct vma_pass *pass = NULL;

    assert_int_equal(
        vma_checkpoints_create(&play->recording, &play->params, 256 << 20, NULL, checkpoints), 0);
    with_checkpoints.checkpoints = *checkpoints;
    assert_int_equal(vma_pass_create(&with_checkpoints, &pass), 0);
    assert_int_equal(vma_pass_until(pass, play->recording.packets, NULL), 0);
    return pass;
}

static void check_pass(struct vma_play *play)
{
    struct vma_checkpoints *checkpoints = NULL;
    struct vma_pass *pass = run_pass(play, &checkpoints);

    for (uint32_t frame = 0; frame < play->recording.frame_count; frame++) {
        vma_play_until(play, vma_recording_frame_last(&play->recording, frame) + 1);
        vma_play_check(play);
    }
    /* Every named allocation has a history. */
    assert_int_equal(vma_pass_history(pass)->lifetime_count, vma_pass_end(pass)->next_number);
    vma_pass_destroy(&pass);
    vma_checkpoints_destroy(&checkpoints);
}

static void test_lengths_known_before_reading(void **state)
{
    (void)state;
    for_each_recording(check_pass);
}

static void test_a_wait_for_the_pass_is_cancelled(void **state)
{
    struct vma_play play;
    struct vma_checkpoints *checkpoints = NULL;
    struct vma_pass_params params = {.recording = &play.recording, .allocator = &play.params};
    struct vma_pass *pass = NULL;
    struct cancel cancel;

    (void)state;
    long_recording(&play, 20000);
    assert_int_equal(
        vma_checkpoints_create(&play.recording, &play.params, 256 << 20, NULL, &checkpoints), 0);
    params.checkpoints = checkpoints;
    params.problems = play.problems;
    assert_int_equal(vma_pass_create(&params, &pass), 0);
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(vma_pass_until(pass, 1000, &cancel), -EINTR);
    assert_int_equal(vma_pass_until(pass, 1000, NULL), 0);
    vma_pass_destroy(&pass);
    vma_checkpoints_destroy(&checkpoints);
    vma_play_close(&play);
}

/* Lines that another thread has parsed are the same, and so are all results. */
static void test_parsing_ahead(void **state)
{
    struct vma_play play;
    struct vma_checkpoints *stores[2] = {NULL, NULL};
    struct vma_pass *passes[2];
    const struct vma_pass_peaks *peaks[2];

    (void)state;
    long_recording(&play, 50000);
    for (int i = 0; i < 2; i++) {
        struct vma_pass_params params = {
            .recording = &play.recording, .allocator = &play.params, .problems = play.problems};

        assert_int_equal(
            vma_checkpoints_create(&play.recording, &play.params, 256 << 20, NULL, &stores[i]), 0);
        params.checkpoints = stores[i];
        assert_int_equal(vma_pass_create(&params, &passes[i]), 0);
        if (i == 1)
            vma_pass_allow_threads(passes[i]);
        assert_int_equal(vma_pass_until(passes[i], 30000, NULL), 0);
        assert_int_equal(vma_pass_until(passes[i], play.recording.packets, NULL), 0);
        peaks[i] = vma_pass_peaks(passes[i]);
    }
    assert_memory_equal(peaks[0], peaks[1], sizeof(*peaks[0]));
    expect_same(vma_pass_end(passes[0]), vma_pass_end(passes[1]));
    for (int i = 0; i < 2; i++) {
        vma_pass_destroy(&passes[i]);
        vma_checkpoints_destroy(&stores[i]);
    }
    vma_play_close(&play);
}

/* A pass that ends early ends its thread as well. */
static void test_parsing_ahead_is_given_up(void **state)
{
    struct vma_play play;
    struct vma_checkpoints *checkpoints = NULL;
    struct vma_pass_params params = {.recording = &play.recording, .allocator = &play.params};
    struct vma_pass *pass = NULL;

    (void)state;
    long_recording(&play, 50000);
    assert_int_equal(
        vma_checkpoints_create(&play.recording, &play.params, 256 << 20, NULL, &checkpoints), 0);
    params.checkpoints = checkpoints;
    params.problems = play.problems;
    assert_int_equal(vma_pass_create(&params, &pass), 0);
    vma_pass_allow_threads(pass);
    assert_int_equal(vma_pass_until(pass, 10000, NULL), 0);
    vma_pass_destroy(&pass);
    vma_checkpoints_destroy(&checkpoints);
    vma_play_close(&play);
}

static void test_peaks_and_histories(void **state)
{
    static const uint32_t types[] = {1, 0};
    struct vma_play play;
    struct vma_checkpoints *checkpoints = NULL;
    struct vma_pass *pass;
    const struct vma_pass_peaks *peaks;
    const struct vma_history *history;

    (void)state;
    VMA_PLAY(&play, types, "", "0,vmaCreatePool,0,0,1000,0,1,0,AA",
             "0,vmaAllocateMemory,600,1,1,8,0,0,0,0,AA,1,", "0,vmaSetPoolName,AA,x",
             "1,vmaAllocateMemory,64,1,1,0,0,0,0,0,0,2,", "1,vmaMapMemory,2",
             "2,vmaSetAllocationUserData,2,AB", "2,vmaAllocateMemory,900,1,1,16,0,0,0,0,AA,3,",
             "3,vmaFreeMemory,1", "3,vmaFreeMemory,2", "3,vmaDestroyPool,AA");
    pass = run_pass(&play, &checkpoints);
    peaks = vma_pass_peaks(pass);
    history = vma_pass_history(pass);
    assert_int_equal(peaks->total.blocks, 2);
    assert_int_equal(peaks->total.allocations, 2);
    assert_int_equal(peaks->total.used_bytes, 964);
    assert_int_equal(peaks->types[0].block_bytes, 1000 + (16 << 20));
    assert_int_equal(history->lifetime_count, 3);
    assert_int_equal(history->pool_count, 1);
    assert_int_equal(history->lifetimes[0].pool, 0);
    assert_int_equal(vma_history_more(history, &history->lifetimes[0])->lost_frame, 2);
    assert_int_not_equal(history->lifetimes[0].destroyed, VMA_NEVER);
    assert_int_equal(vma_history_more(history, &history->lifetimes[1])->lost_frame, VMA_NEVER);
    assert_int_not_equal(vma_history_more(history, &history->lifetimes[1])->renamed, VMA_NEVER);
    assert_int_equal(history->lifetimes[2].place, VMA_PLACE_ORPHAN);
    assert_int_equal(history->lifetimes[2].destroyed, VMA_NEVER);
    assert_int_equal(history->pools[0].allocations, 2);
    assert_int_equal(history->names[history->pools[0].first_name].packet,
                     play.recording.first_call + 2);
    vma_pass_destroy(&pass);
    vma_checkpoints_destroy(&checkpoints);
    vma_play_close(&play);
}

/* Sentences */

/* Returns whether problems.txt has that line, up to its full stop. */
static bool has_sentence(const char *problems, const char *line)
{
    char wanted[256];
    size_t length;
    const char *code = strstr(line, " (-2)");

    snprintf(wanted, sizeof(wanted), "%.*s%s", (int)(code != NULL ? code - line : 200), line,
             code != NULL ? code + strlen(" (-2)") : "");
    length = strlen(wanted);
    if (length > 0 && wanted[length - 1] == '.')
        wanted[length - 1] = '\0';
    return strstr(problems, wanted) != NULL;
}

/*
 * Returns whether the line is about the last line of the recording, which is cut off: we report
 * that.
 */
static bool is_cut(const char *problems, const char *line)
{
    char wanted[64];

    snprintf(wanted, sizeof(wanted), "%.*s: Truncated", (int)strcspn(line, ":"), line);
    return strstr(problems, wanted) != NULL;
}

/* Returns false for warnings about the replayer's own shortcomings, or without a defect. */
static bool is_ours_too(const char *line)
{
    return strstr(line, "cannot be replayed accurately") == NULL &&
           strstr(line, "Unrecognized configuration option") == NULL &&
           strstr(line, "originally also failed") == NULL;
}

/*
 * Each warning about a line in the replayer's report must be a problem here, in the same words.
 * Where the replayer mistakes labels (vma.md 6.3) the layouts differ, so only recordings are used
 * in which that does not change the outcome.
 */
static void test_problems_are_the_replayers(void **state)
{
    static const char *const names[] = {"gen_damaged_v1_5",   "gen_v1_0",
                                        "gen_v1_5",           "gen_v1_8",
                                        "gen_lost_v1_5",      "gen_mixed_v1_5",
                                        "gen_crlf_leak_v1_3", "recorder_v1_3",
                                        "recorder_v1_5",      "gen_smallheaps_v1_8",
                                        "gen_framewrap_v1_5"};
    unsigned compared = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct vma_play play;
        struct text problems = TEXT_INIT;
        char file[128];
        char *path, *report, *rest, *line;
        size_t size = 0;

        snprintf(file, sizeof(file), "vma/reference/mock/%s/report.txt", names[i]);
        path = support_corpus(file);
        report = rest = (char *)support_read(path, &size);
        report[size] = '\0';
        free(path);
        vma_play_corpus(&play, names[i], VMA_PLAY_DEFAULT);
        vma_play_until(&play, UINT32_MAX);
        problems_write(play.problems, &problems);
        text_add_char(&problems, '\0');
        while ((line = strsep(&rest, "\n")) != NULL) {
            if (strncmp(line, "Line ", 5) != 0 || !is_ours_too(line))
                continue;
            if (!has_sentence(problems.bytes, line) && !is_cut(problems.bytes, line))
                fail_msg("%s: %s", names[i], line);
            compared++;
        }
        text_clear(&problems);
        free(report);
        vma_play_close(&play);
    }
    assert_true(compared > 100);
}

/* Compares the numbers of device allocations in report.txt. */
static void test_device_allocations_are_the_replayers(void **state)
{
    char **names = vma_play_names();

    (void)state;
    for (size_t i = 0; names[i] != NULL; i++) {
        static const char total[] = "    Total: count = ";
        struct vma_play play;
        char file[128];
        char *path, *report, *found;
        size_t size = 0;
        uint64_t count = 0, bytes = 0, expected_count = 0, expected_bytes = 0;

        /* Only where the replayer reads all lines as we do. */
        if (strstr(names[i], "linux") == NULL && strstr(names[i], "gtx660") == NULL) {
            snprintf(file, sizeof(file), "vma/reference/mock/%s/report.txt", names[i]);
            path = support_corpus(file);
            report = (char *)support_read(path, &size);
            report[size] = '\0';
            found = strstr(report, total);
            assert_non_null(found);
            assert_int_equal(sscanf(found + sizeof(total) - 1, "%" SCNu64 ", total size = %" SCNu64,
                                    &expected_count, &expected_bytes),
                             2);
            vma_play_corpus(&play, names[i], VMA_PLAY_DEFAULT);
            vma_play_until(&play, UINT32_MAX);
            for (unsigned type = 0; type < VMA_TYPES; type++) {
                count += play.replay.allocator.types[type].ever_allocations;
                bytes += play.replay.allocator.types[type].ever_bytes;
            }
            assert_int_equal(count, expected_count);
            assert_int_equal(bytes, expected_bytes);
            vma_play_close(&play);
            free(report);
            free(path);
        }
        free(names[i]);
    }
    free(names);
}

static void test_allocations_that_fail(void **state)
{
    static const uint32_t types[] = {1, 6, 0};
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, types, "", "0,vmaCreatePool,0,8,4096,0,1,0,AA",
             "0,vmaAllocateMemory,600,1,1,8,0,0,0,0,AA,1,",
             "1,vmaAllocateMemoryPages,64,1,3,0,0,0,0,0,0,2 3 4,",
             "2,vmaDefragmentationBegin,0,1 2 3,AA,99999,9999,0,0,0,CC",
             "3,vmaDefragmentationEnd,CC", "3,vmaFreeMemoryPages,2 3 4");
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct vma_replay replay = {0}, copy = {0};
        int status;

        support_fail_allocation(n);
        status = vma_replay_init(&replay, &play.recording, &play.params);
        if (status == 0)
            status = vma_replay_run(&replay, play.recording.packets, NULL);
        if (status == 0)
            status = vma_replay_copy(&replay, &copy);
        if (status == 0)
            status = vma_replay_name(&copy);
        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
        vma_replay_clear(&replay);
        vma_replay_clear(&copy);
    }
    support_fail_allocation(-1);
    vma_play_close(&play);
}

/*
 * A long call that fails: its failure is reported, and not the cancelling, after which the state is
 * valid.
 */
static void test_a_cancelled_call_that_fails(void **state)
{
    enum { PAGES = 1 << 17 };
    static const uint32_t types[] = {1, 6, 0};
    static const char head[] = "0,vmaAllocateMemoryPages,64,1,3,0,0,0,0,0,0,";
    char *call = malloc(sizeof(head) + 2 * (size_t)PAGES);
    struct vma_play play;
    struct cancel cancel;

    (void)state;
    assert_non_null(call);
    strcpy(call, head);
    for (size_t page = 0; page < PAGES; page++)
        strcpy(call + sizeof(head) - 1 + 2 * page, page + 1 < PAGES ? "0 " : "0,");
    VMA_PLAY(&play, types, "", call);
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct vma_replay replay = {0};
        int status;

        assert_int_equal(vma_replay_init(&replay, &play.recording, &play.params), 0);
        support_fail_allocation(n);
        status = vma_replay_run(&replay, play.recording.packets, &cancel);
        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : -EINTR);
        vma_replay_clear(&replay);
    }
    support_fail_allocation(-1);
    vma_play_close(&play);
    free(call);
}

/* In the last batch, no line is known beyond the last. */
static void test_nothing_is_ahead_of_the_last_line(void **state)
{
    struct vma_play play;
    struct vma_ahead *ahead = NULL;
    uint32_t first;

    (void)state;
    long_recording(&play, 100);
    first = play.recording.first_call;
    assert_int_equal(vma_ahead_create(&play.recording, first, &ahead), 0);
    for (uint32_t packet = first; packet < play.recording.packets; packet++) {
        const struct vma_parsed *parsed = vma_ahead_next(ahead), *next = vma_ahead_peek(ahead);

        assert_int_equal(parsed->call.verdict, VMA_CALL_GOOD);
        if (packet + 1 == play.recording.packets)
            assert_null(next);
        else if (next != NULL)
            assert_true(next->line.offset > parsed->line.offset);
    }
    vma_ahead_destroy(&ahead);
    vma_play_close(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_state_is_sound),
        cmocka_unit_test(test_copies_go_on_alike),
        cmocka_unit_test(test_seeks_lead_to_the_same_state),
        cmocka_unit_test(test_checkpoints),
        cmocka_unit_test(test_cancelled_seeks),
        cmocka_unit_test(test_lengths_known_before_reading),
        cmocka_unit_test(test_a_wait_for_the_pass_is_cancelled),
        cmocka_unit_test(test_parsing_ahead),
        cmocka_unit_test(test_parsing_ahead_is_given_up),
        cmocka_unit_test(test_peaks_and_histories),
        cmocka_unit_test(test_problems_are_the_replayers),
        cmocka_unit_test(test_device_allocations_are_the_replayers),
        cmocka_unit_test(test_allocations_that_fail),
        cmocka_unit_test(test_a_cancelled_call_that_fails),
        cmocka_unit_test(test_nothing_is_ahead_of_the_last_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
