/* SPDX-License-Identifier: MIT */
/*
 * Compiled shaders that one process leaves for the next give the same pixels without being compiled
 * again; also with damage, without room, after a crash, and compiled fast.
 *
 * Which entries were used is read from the index of Mesa's database, as Mesa 22.3 writes it: 20
 * bytes, then for each entry u64 name, u32 size, u64 time of the last read, u64 place.
 */
#include "config.h"

#include "tests/support/support.h"
#include "tests/worker/play.h"

#include "base/bytes.h"
#include "cache/cache.h"
#include "formats/aerogpu/decode/abi.h"
#include "worker/shader_disk_cache.h"
#include "worker/worker_program.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INDEX_HEAD = 20, INDEX_ENTRY = 28, INDEX_TIME = 12, WAIT_MS = 60000 };

static struct scene scene; /* too large for the stack */

struct entries {
    uint8_t bytes[INDEX_HEAD + 1024 * INDEX_ENTRY];
    unsigned count;
};

static int file_of(const struct player *player, int which)
{
    return worker_shader_cache(player->worker)->files[which];
}

static void read_entries(const struct player *player, struct entries *out)
{
    ssize_t got =
        pread(file_of(player, SHADER_DISK_CACHE_INDEX), out->bytes, sizeof(out->bytes), 0) -
        INDEX_HEAD;

    out->count = got < 0 ? 0 : (unsigned)got / INDEX_ENTRY;
}

/* Waits for entries: Mesa stores compiled shaders in a thread of its own. */
static void wait_for_entries(const struct player *player, unsigned more_than, struct entries *out)
{
    for (int i = 0; i < WAIT_MS; i++) {
        read_entries(player, out);
        if (out->count > more_than)
            return;
        usleep(1000);
    }
    fail_msg("nothing was stored");
}

/* Returns how many entries of `before` have been read since. */
static unsigned count_served(const struct entries *before, const struct entries *after)
{
    unsigned served = 0;

    for (unsigned i = 0; i < before->count && i < after->count; i++) {
        const uint8_t *old = before->bytes + INDEX_HEAD + (size_t)i * INDEX_ENTRY;
        const uint8_t *new = after->bytes + INDEX_HEAD + (size_t)i *INDEX_ENTRY;

        served += memcmp(old, new, INDEX_TIME) == 0 &&
                  bytes_le64(new + INDEX_TIME) > bytes_le64(old + INDEX_TIME);
    }
    return served;
}

static void draw(struct player *player, struct aerogpu_picture *shown)
{
    float vertices[6][8];

    play_reset(player, 0);
    play_rectangle(vertices, 5, 7, 50, 60, 0.5F, 0x20408060);
    play_vertex(vertices[1], 50, 7, 0.5F, 0xF0108040);
    play_begin(&scene, 0, vertices, 6);
    scene_draw(&scene, 6);
    play_shoot(player, &scene, shown);
}

static void draw_again(struct player *player, const struct aerogpu_picture *wanted)
{
    struct aerogpu_picture shown;

    draw(player, &shown);
    assert_int_equal(shown.width, wanted->width);
    assert_int_equal(shown.height, wanted->height);
    assert_memory_equal(shown.pixels, wanted->pixels, (size_t)wanted->width * wanted->height * 4);
    blob_unref(&shown.owner);
}

/* Kills the process by a signal, which the next call notices. */
static void lose_process(struct player *player, int number)
{
    siginfo_t information;
    struct aerogpu_picture shown;
    const struct aerogpu_picture_request request = {.kind = AEROGPU_PICTURE_TARGET};
    pid_t pid = worker_process(player->worker);

    assert_true(pid > 0);
    assert_int_equal(kill(pid, number), 0);
    assert_int_equal(waitid(P_PID, (id_t)pid, &information, WEXITED | WNOWAIT), 0);
    assert_true(aerogpu_session_picture(player->session, &request, NULL, &shown) < 0);
    assert_int_equal(worker_process(player->worker), 0);
}

/* Draws the first picture with a first process, whose shaders are kept from then on. */
static void begin(struct player *player, struct aerogpu_picture *first, struct entries *entries)
{
    player_open(player);
    draw(player, first);
    assert_true(file_of(player, SHADER_DISK_CACHE_INDEX) >= 0);
    wait_for_entries(player, 0, entries);
}

static void test_next_process_is_served(void **state)
{
    struct entries before, after;
    struct aerogpu_picture first;
    struct player player;

    (void)state;
    begin(&player, &first, &before);
    lose_process(&player, SIGKILL);
    read_entries(&player, &before);
    draw_again(&player, &first);
    read_entries(&player, &after);
    assert_int_equal(worker_starts(player.worker), 2);
    assert_true(count_served(&before, &after) > 0);
    blob_unref(&first.owner);
    play_close(&player);
}

static void test_fast_compile_has_code_of_its_own(void **state)
{
    struct entries before, after;
    struct aerogpu_picture first;
    struct player player;

    (void)state;
    begin(&player, &first, &before);
    worker_set_fast_compile(player.worker, true);
    read_entries(&player, &before);
    draw_again(&player, &first);
    wait_for_entries(&player, before.count, &after);
    assert_int_equal(worker_starts(player.worker), 2);
    assert_int_equal(count_served(&before, &after), 0);
    blob_unref(&first.owner);
    play_close(&player);
}

static void flip(int file, off_t at)
{
    uint8_t byte;

    assert_int_equal(pread(file, &byte, 1, at), 1);
    byte ^= (uint8_t)(1 << at % 8);
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
}

/* One byte of each entry is wrong: in headers, in names, or in code. */
static void test_damage_is_not_run(void **state)
{
    static const struct {
        int file;
        off_t from, step;
    } cases[] = {
        {SHADER_DISK_CACHE_DATABASE, 0, 64},  {SHADER_DISK_CACHE_DATABASE, 20, 16},
        {SHADER_DISK_CACHE_DATABASE, 100, 1}, {SHADER_DISK_CACHE_DATABASE, 1024, 7},
        {SHADER_DISK_CACHE_INDEX, 0, 5},      {SHADER_DISK_CACHE_INDEX, 20, 28},
        {SHADER_DISK_CACHE_INDEX, 28, 28},    {SHADER_DISK_CACHE_INDEX, 40, 28},
        {SHADER_DISK_CACHE_SUMS, 8, 4096},
    };
    struct aerogpu_picture first;
    struct entries entries;
    struct player player;

    (void)state;
    begin(&player, &first, &entries);
    for (size_t n = 0; n < COUNT_OF(cases); n++) {
        int file = file_of(&player, cases[n].file);
        struct stat stat;

        wait_for_entries(&player, 0, &entries);
        lose_process(&player, SIGKILL);
        assert_int_equal(fstat(file, &stat), 0);
        assert_true(stat.st_size > cases[n].from);
        for (off_t at = cases[n].from; at < stat.st_size; at += cases[n].step)
            flip(file, at);
        draw_again(&player, &first);
        assert_int_equal(worker_starts(player.worker), n + 2);
    }
    blob_unref(&first.owner);
    play_close(&player);
}

/* Files as a process leaves them that is killed while it writes. */
static void test_cut_files(void **state)
{
    struct aerogpu_picture first;
    struct entries entries;
    struct player player;

    (void)state;
    begin(&player, &first, &entries);
    for (unsigned n = 0; n < 8; n++) {
        int file = file_of(&player, (int)(n % SHADER_DISK_CACHE_FILES));
        struct stat stat;

        lose_process(&player, SIGKILL);
        assert_int_equal(fstat(file, &stat), 0);
        assert_int_equal(ftruncate(file, stat.st_size * (8 - n) / 9), 0);
        draw_again(&player, &first);
        assert_int_equal(worker_starts(player.worker), n + 2);
    }
    /* A process that finds cut files may give up storing, but the next one does not. */
    lose_process(&player, SIGKILL);
    draw_again(&player, &first);
    wait_for_entries(&player, 0, &entries);
    blob_unref(&first.owner);
    play_close(&player);
}

static ino_t inode(const struct player *player)
{
    struct stat stat;

    assert_int_equal(fstat(file_of(player, SHADER_DISK_CACHE_DATABASE), &stat), 0);
    return stat.st_ino;
}

static void test_a_crash_takes_them_along(void **state)
{
    struct aerogpu_picture first;
    struct entries entries;
    struct player player;
    ino_t before;

    (void)state;
    begin(&player, &first, &entries);
    before = inode(&player);
    lose_process(&player, SIGKILL);
    assert_true(inode(&player) == before);
    draw_again(&player, &first);
    assert_true(inode(&player) == before);
    lose_process(&player, SIGSEGV);
    assert_int_equal(file_of(&player, SHADER_DISK_CACHE_DATABASE), -1);
    draw_again(&player, &first);
    wait_for_entries(&player, 0, &entries);
    blob_unref(&first.owner);
    play_close(&player);
}

/* Begins with a worker whose shaders are charged to a cache's budget. */
static void begin_paid(struct player *player, uint64_t budget, struct cache **cache)
{
    const struct cache_params cache_params = {.budget = budget};
    const struct worker_params params = {.cache = cache};
    const struct aerogpu_session_params session = {.width = 64, .height = 64};

    memset(player, 0, sizeof(*player));
    assert_int_equal(cache_create(&cache_params, cache), 0);
    assert_int_equal(worker_create(&params, &player->worker), 0);
    assert_int_equal(aerogpu_session_create(player->worker, &session, &player->session), 0);
    assert_int_equal(worker_acquire(player->worker, NULL), 0);
}

static uint64_t charged(struct cache *cache)
{
    struct cache_statistics statistics;

    cache_statistics(cache, &statistics);
    return statistics.charged;
}

static void test_the_cache_pays(void **state)
{
    struct cache *cache = NULL;
    struct aerogpu_picture first;
    struct entries entries;
    struct player player;

    (void)state;
    begin_paid(&player, 1 << 30, &cache);
    draw(&player, &first);
    wait_for_entries(&player, 0, &entries);
    draw_again(&player, &first);
    assert_true(charged(cache) > 0);
    assert_true(charged(cache) <= shader_disk_cache_bytes(worker_shader_cache(player.worker)));
    blob_unref(&first.owner);
    play_close(&player);
    assert_int_equal(charged(cache), 0);
    cache_destroy(&cache);
}

static void test_without_room_the_next_begins_empty(void **state)
{
    struct cache *cache = NULL;
    struct aerogpu_picture first;
    struct entries entries;
    struct player player;

    (void)state;
    begin_paid(&player, 1024, &cache);
    draw(&player, &first);
    wait_for_entries(&player, 0, &entries);
    draw_again(&player, &first);
    lose_process(&player, SIGKILL);
    read_entries(&player, &entries);
    assert_true(entries.count > 0);
    worker_set_fast_compile(player.worker,
                            true); /* nothing that this process compiles was there before */
    assert_int_equal(aerogpu_session_reset(player.session, 0, NULL), 0);
    read_entries(&player, &entries);
    assert_int_equal(entries.count, 0);
    assert_int_equal(charged(cache), 0);
    blob_unref(&first.owner);
    play_close(&player);
    cache_destroy(&cache);
}

/* A process that only compiles stores shaders for another process, which then finds them. */
static void test_a_follower_compiles_for_its_leader(void **state)
{
    const struct aerogpu_session_params session = {.width = 64, .height = 64};
    struct worker_params params = {.program = NULL};
    struct player leader, follower = {0};
    struct entries entries, after;
    struct aerogpu_picture wanted, shown;

    (void)state;
    begin(&leader, &wanted, &entries);
    play_close(&leader);

    player_open(&leader);
    params.leader = leader.worker;
    assert_int_equal(worker_create(&params, &follower.worker), -ENODATA);
    play_reset(&leader, 0);
    assert_true(worker_is_cold(leader.worker));
    assert_int_equal(worker_create(&params, &follower.worker), 0);
    assert_int_equal(aerogpu_session_create(follower.worker, &session, &follower.session), 0);
    assert_int_equal(worker_acquire(follower.worker, NULL), 0);
    assert_int_equal(worker_leaders_subject(follower.worker), 0);
    draw(&follower, &shown);
    assert_int_equal(play_count(&shown, play_pixel(&shown, 0, 0)), 64 * 64);
    blob_unref(&shown.owner);
    wait_for_entries(&leader, entries.count - 1, &entries);
    assert_false(worker_is_cold(leader.worker));
    play_close(&follower);

    draw_again(&leader, &wanted);
    read_entries(&leader, &after);
    assert_true(count_served(&entries, &after) > 0);
    assert_int_equal(worker_starts(leader.worker), 1);
    worker_drop_shaders(leader.worker);
    assert_int_equal(file_of(&leader, SHADER_DISK_CACHE_DATABASE), -1);
    draw_again(&leader, &wanted);
    blob_unref(&wanted.owner);
    play_close(&leader);
}

static void open_kept(struct player *player, const struct source *source)
{
    const struct worker_params params = {.kept_for = source};
    const struct aerogpu_session_params session = {.width = 64, .height = 64};

    memset(player, 0, sizeof(*player));
    assert_int_equal(worker_create(&params, &player->worker), 0);
    assert_int_equal(aerogpu_session_create(player->worker, &session, &player->session), 0);
    assert_int_equal(worker_acquire(player->worker, NULL), 0);
}

/* Another mount of the dump gets the shaders; those of a process that crashed are gone. */
static void test_next_mount_is_served(void **state)
{
    const struct source source = {.data = (const uint8_t *)"dump", .size = 4, .file_size = 4};
    char *folder = support_folder(), *shader_file;
    struct entries before, after;
    struct aerogpu_picture first;
    struct player player;

    (void)state;
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    shader_file = shader_disk_cache_path(&source);
    assert_non_null(shader_file);
    open_kept(&player, &source);
    draw(&player, &first);
    wait_for_entries(&player, 0, &before);
    worker_set_fast_compile(player.worker, true); /* ends the process */
    read_entries(&player, &before);
    play_close(&player);
    assert_int_equal(access(shader_file, F_OK), 0);
    open_kept(&player, &source);
    draw_again(&player, &first);
    read_entries(&player, &after);
    assert_true(count_served(&before, &after) > 0);
    lose_process(&player, SIGSEGV);
    assert_int_equal(access(shader_file, F_OK), -1);
    play_close(&player);
    assert_int_equal(access(shader_file, F_OK), -1);
    blob_unref(&first.owner);
    assert_int_equal(setenv("XDG_CACHE_HOME", "/dev/null", 1), 0);
    free(shader_file);
    support_remove(&folder);
}

static void test_no_folder_no_shaders(void **state)
{
    char *folder = support_folder(), *program = worker_program();
    char *link = support_path(folder, "gpudumpfs-glworker"), *found;

    (void)state;
    assert_non_null(program);
    found = shader_disk_cache_folder(program);
    assert_non_null(found);
    assert_true(found[0] == '/');
    free(found);
    assert_null(shader_disk_cache_folder(link));
    found = strdup(program);
    assert_int_equal(symlink(found, link), 0);
    free(found);
    found = shader_disk_cache_folder(link); /* beside the link's target */
    assert_non_null(found);
    free(found);
    assert_null(shader_disk_cache_folder("/bin/sh"));
    free(link);
    free(program);
    support_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_next_process_is_served),
        cmocka_unit_test(test_fast_compile_has_code_of_its_own),
        cmocka_unit_test(test_damage_is_not_run),
        cmocka_unit_test(test_cut_files),
        cmocka_unit_test(test_a_crash_takes_them_along),
        cmocka_unit_test(test_the_cache_pays),
        cmocka_unit_test(test_a_follower_compiles_for_its_leader),
        cmocka_unit_test(test_without_room_the_next_begins_empty),
        cmocka_unit_test(test_next_mount_is_served),
        cmocka_unit_test(test_no_folder_no_shaders),
    };

    return cmocka_run_group_tests_name("worker_shaders", tests, NULL, NULL);
}
