/* SPDX-License-Identifier: MIT */
/*
 * Writes the results of a suite in the form that continuous integration reads: a test suite with a
 * test case for each line of the suite. A condition that does not hold is a failure; one that
 * cannot be judged is an error.
 */
#include "config.h"

#include "cli/assert.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* For texts without control characters. */
static void add_escaped(struct text *text, const char *string)
{
    static const struct {
        char letter;
        const char *entity;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};

    for (; string != NULL && *string != '\0'; string++) {
        const char *entity = NULL;

        for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++)
            if (entities[i].letter == *string)
                entity = entities[i].entity;
        if (entity != NULL)
            text_add(text, entity);
        else
            text_add_char(text, *string);
    }
}

static void add_attribute(struct text *text, const char *name, const char *value)
{
    text_printf(text, " %s=\"", name);
    add_escaped(text, value);
    text_add_char(text, '"');
}

static const char *string_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool has_result(const json_t *one, const char *result)
{
    const char *own = string_of(one, "result");

    return own != NULL && strcmp(own, result) == 0;
}

static void add_failure(struct text *text, const json_t *condition)
{
    bool fails = json_is_false(json_object_get(condition, "holds"));
    struct text what = TEXT_INIT;

    assert_describe(condition, &what);
    text_add_char(&what, '\0');
    text_printf(text, "      <%s", fails ? "failure" : "error");
    add_attribute(text, "message", text_status(&what) == 0 ? what.bytes : "");
    text_add(text, "/>\n");
    text_clear(&what);
}

static void add_case(struct text *text, const json_t *one)
{
    const json_t *conditions = json_object_get(one, "conditions"), *condition;
    struct text name = TEXT_INIT;
    size_t i;

    if (json_object_get(one, "line") != NULL)
        text_printf(&name, "line %" JSON_INTEGER_FORMAT ": ",
                    json_integer_value(json_object_get(one, "line")));
    text_add(&name, string_of(one, "dump"));
    text_add_char(&name, '\0');
    text_add(text, "    <testcase classname=\"gpudump\"");
    add_attribute(text, "name", text_status(&name) == 0 ? name.bytes : "");
    text_printf(text, " time=\"%.3f\">\n", json_real_value(json_object_get(one, "seconds")));
    if (json_object_get(one, "error") != NULL) {
        text_add(text, "      <error");
        add_attribute(text, "message", string_of(one, "error"));
        text_add(text, "/>\n");
    }
    json_array_foreach (conditions, i, condition)
        if (!json_is_true(json_object_get(condition, "holds")))
            add_failure(text, condition);
    if (json_object_get(one, "messages") != NULL) {
        text_add(text, "      <system-err>");
        add_escaped(text, string_of(one, "messages"));
        text_add(text, "</system-err>\n");
    }
    text_add(text, "    </testcase>\n");
    text_clear(&name);
}

static void add_counts(struct text *text, const json_t *cases)
{
    unsigned failures = 0, errors = 0;
    double seconds = 0;
    const json_t *one;
    size_t i;

    json_array_foreach (cases, i, one) {
        failures += has_result(one, "fails");
        errors += has_result(one, "error");
        seconds += json_real_value(json_object_get(one, "seconds"));
    }
    text_printf(text, " tests=\"%zu\" failures=\"%u\" errors=\"%u\" time=\"%.3f\">\n",
                json_array_size(cases), failures, errors, seconds);
}

int junit_write(const char *path, const char *name, const json_t *cases)
{
    struct text text = TEXT_INIT;
    FILE *file = NULL;
    const json_t *one;
    int status;
    size_t i;

    text_add(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    add_counts(&text, cases);
    text_add(&text, "  <testsuite");
    add_attribute(&text, "name", name);
    add_counts(&text, cases);
    json_array_foreach (cases, i, one)
        add_case(&text, one);
    text_add(&text, "  </testsuite>\n</testsuites>\n");
    status = text_status(&text);
    if (status == 0 && (file = fopen(path, "w")) == NULL)
        status = -errno;
    if (status == 0 && fwrite(text.bytes, 1, text.length, file) != text.length)
        status = -errno;
    if (file != NULL && fclose(file) != 0 && status == 0)
        status = -errno;
    text_clear(&text);
    return status;
}
