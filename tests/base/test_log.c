/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *folder, *path;
static int real_error;

/* Redirects standard error to a file. */
static int set_up(void **state)
{
    (void)state;
    folder = support_folder();
    path = support_path(folder, "log");
    fflush(stderr);
    real_error = dup(STDERR_FILENO);
    return freopen(path, "w", stderr) != NULL ? 0 : -1;
}

/* Returns what was logged since set_up(), to be freed with free(). */
static char *logged(void)
{
    size_t size;
    uint8_t *bytes;

    fflush(stderr);
    dup2(real_error, STDERR_FILENO);
    bytes = support_read(path, &size);
    bytes[size] = '\0';
    return (char *)bytes;
}

static int tear_down(void **state)
{
    (void)state;
    close(real_error);
    free(path);
    support_remove(&folder);
    return 0;
}

static void test_levels(void **state)
{
    char *text;

    (void)state;
    log_open("prog", LOG_WARNING);
    log_write(LOG_ERR, "one");
    log_write(LOG_WARNING, "two %d\n", 2);
    log_write(LOG_INFO, "three");
    log_open("prog", LOG_ERR);
    log_write(LOG_WARNING, "four");
    text = logged();
    assert_string_equal(text, "prog: one\nprog: two 2\n");
    free(text);
}

static void test_control_characters(void **state)
{
    char *text;

    (void)state;
    log_open("prog", LOG_WARNING);
    log_write(LOG_ERR, "%s", "");
    log_write(LOG_ERR, "%s", "a\033[31mb\nc\xFF");
    text = logged();
    assert_string_equal(text, "prog: \nprog: a\\x1B[31mb\\x0Ac\\xFF\n");
    free(text);
}

static void test_long_message(void **state)
{
    char *text, *message = calloc(1, 100001);

    (void)state;
    memset(message, 'x', 100000);
    log_open("prog", LOG_WARNING);
    log_write(LOG_ERR, "%s", message);
    text = logged();
    assert_in_range(strlen(text), 1000, 100000);
    assert_int_equal(text[strlen(text) - 1], '\n');
    free(text);
    free(message);
}

/* Other tests use the same time window: only an upper bound of the number of lines is certain. */
static void test_flood(void **state)
{
    unsigned lines = 0;
    char *text;

    (void)state;
    log_open("prog", LOG_WARNING);
    for (int i = 0; i < 1000; i++)
        log_write(LOG_ERR, "again");
    text = logged();
    for (const char *p = text; (p = strchr(p, '\n')) != NULL; p++)
        lines++;
    assert_in_range(lines, 0, 100);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_levels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_control_characters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_message, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_flood, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
