/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/apitrace/retraced.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct retraced retraced;

void retraced_use_fake(const char *program)
{
    const char *slash = strrchr(program, '/');
    char path[4096];

    snprintf(path, sizeof(path), "%.*s/fakeretracer", slash == NULL ? 1 : (int)(slash - program),
             slash == NULL ? "." : program);
    setenv("GPUDUMPFS_GLWORKER", path, 1);
}

int retraced_make_folder(void **state)
{
    (void)state;
    retraced.folder = support_folder();
    return 0;
}

int retraced_remove_folder(void **state)
{
    (void)state;
    support_remove(&retraced.folder);
    return 0;
}

int retraced_move_program(void **state)
{
    char *shaders = NULL, *path = NULL, *program = getenv("GPUDUMPFS_GLWORKER");
    uint8_t *bytes;
    size_t size;

    (void)state;
    retraced.place = support_path(retraced.folder, "program");
    assert_int_equal(mkdir(retraced.place, 0700), 0);
    assert_true(asprintf(&shaders, "%s/gpudumpfs-shaders", retraced.place) > 0);
    assert_int_equal(mkdir(shaders, 0700), 0);
    assert_true(asprintf(&path, "%s/mesa_shader_cache_db", shaders) > 0);
    support_write(path, "", 0);
    assert_int_equal(chmod(path, 0700), 0);
    free(path);
    free(shaders);
    bytes = support_read(program, &size);
    assert_true(asprintf(&path, "%s/fakeretracer", retraced.place) > 0);
    support_write(path, bytes, size);
    assert_int_equal(chmod(path, 0700), 0);
    free(bytes);
    setenv("GPUDUMPFS_GLWORKER", path, 1);
    free(path);
    return 0;
}

int retraced_forget_place(void **state)
{
    (void)state;
    free(retraced.place);
    retraced.place = NULL;
    return 0;
}

void retraced_open_script(const char *script)
{
    retraced_open_script_within(script, 0);
}

void retraced_open_script_within(const char *script, uint64_t cache)
{
    char *path = support_path(retraced.folder, "script.trace");

    apitrace_script(path, script);
    apitrace_open_within(path, cache, &retraced.opened);
    free(path);
}

void retraced_expect_way_to(const char *path, const char *wanted)
{
    char *found, *way;
    size_t size;

    found = walk_read(retraced.opened.tree, path, &size);
    way = memmem(found, size, "R ", 2);
    assert_non_null(way);
    *strchr(way, ';') = '\0';
    assert_string_equal(way, wanted);
    free(found);
}

void retraced_expect_way(unsigned frame, const char *wanted)
{
    char path[32];

    snprintf(path, sizeof(path), "frames/%06u.png", frame);
    retraced_expect_way_to(path, wanted);
}

void retraced_set_mood(const char *mood)
{
    static const char *const names[] = {"mood", "told", "told3", "died", "waits", "there"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *path = support_path(retraced.place, names[i]);

        unlink(path);
        free(path);
    }
    if (mood != NULL) {
        char *path = support_path(retraced.place, "mood");

        support_write(path, mood, strlen(mood));
        free(path);
    }
}

void retraced_wait(void)
{
    char *path = support_path(retraced.place, "waits");

    while (access(path, F_OK) < 0)
        usleep(1000);
    free(path);
}
