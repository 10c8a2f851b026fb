/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/compare.h"

#include <stdio.h>
#include <string.h>

static const json_t *array_of(const json_t *object, const char *key, unsigned i)
{
    return json_array_get(json_object_get(object, key), i);
}

static json_int_t integer_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *string_of(const json_t *object, const char *key)
{
    const char *string = json_string_value(json_object_get(object, key));

    return string != NULL ? string : "";
}

/*
 * Appends two numbers, as in `frames 3 and 4`, with a dash for one that is missing; nothing if both
 * are.
 */
static void add_two(const char *before, const char *what, const json_t *object, const char *key,
                    struct text *out)
{
    const json_t *two[2] = {array_of(object, key, 0), array_of(object, key, 1)};

    if (!json_is_integer(two[0]) && !json_is_integer(two[1]))
        return;
    text_printf(out, "%s%s ", before, what);
    for (unsigned i = 0; i < 2; i++) {
        if (json_is_integer(two[i]))
            text_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(two[i]));
        else
            text_add_char(out, '-');
        text_add(out, i == 0 ? " and " : "");
    }
}

static void add_pixels(const json_t *object, struct text *out)
{
    text_printf(out,
                ": %" JSON_INTEGER_FORMAT " pixels differ, the first at %" JSON_INTEGER_FORMAT
                ",%" JSON_INTEGER_FORMAT ": %s and %s\n",
                integer_of(object, "pixels"), integer_of(object, "x"), integer_of(object, "y"),
                json_string_value(array_of(object, "colours", 0)),
                json_string_value(array_of(object, "colours", 1)));
}

static void add_place(const char *what, const json_t *object, struct text *out)
{
    add_two(what, "frames", object, "frames", out);
    add_two(", ", "packets", object, "packets", out);
    add_two(", ", "draws", object, "draws", out);
}

/* Appends the lines of the first and of the second dump, as far as they exist. */
static void add_lines(const json_t *object, const char *key, struct text *out)
{
    for (unsigned i = 0; i < 2; i++)
        if (json_is_string(array_of(object, key, i)))
            text_printf(out, "%c%s\n", "-+"[i], json_string_value(array_of(object, key, i)));
}

static void add_command(const json_t *command, struct text *out)
{
    const json_t *line;
    size_t i;

    if (command == NULL)
        return;
    add_place("command: ", command, out);
    text_add_char(out, '\n');
    json_array_foreach (json_object_get(command, "hunk"), i, line)
        text_printf(out, "%s\n", json_string_value(line));
}

/* Appends an object that is a file of the frame, by its name. */
static void add_file(const char *what, const json_t *object, const char *key, struct text *out)
{
    if (object == NULL)
        return;
    add_two(what, "frames", object, "frames", out);
    text_printf(out, ", %s", string_of(object, key));
    add_pixels(object, out);
}

static void add_draw(const json_t *draw, struct text *out)
{
    if (draw == NULL)
        return;
    add_place("draw: ", draw, out);
    if (json_object_get(draw, "pixels") != NULL)
        add_pixels(draw, out);
    else
        text_add_char(out, '\n');
    if (strcmp(string_of(draw, "why"), "picture") != 0) /* otherwise they are equal */
        add_lines(draw, "commands", out);
}

static void add_figure(const json_t *figure, struct text *out)
{
    bool framed = json_is_integer(array_of(figure, "frames", 0)) ||
                  json_is_integer(array_of(figure, "frames", 1));

    text_printf(out, "figure: %s ", string_of(figure, "name"));
    add_two("", framed ? "at most" : "is", figure, "values", out);
    add_two(", ", "frames", figure, "frames", out);
    text_add_char(out, '\n');
}

static void add_object(const json_t *object, struct text *out)
{
    const json_t *frames = json_object_get(object, "frames");
    bool framed =
        json_is_integer(json_array_get(frames, 0)) || json_is_integer(json_array_get(frames, 1));
    const char *file = json_string_value(array_of(object, "files", 0));
    char numbers[64];

    snprintf(numbers, sizeof(numbers), "%ss", string_of(object, "number"));
    text_printf(out, "%s: ", string_of(object, "what"));
    add_two("", "frames", object, "frames", out);
    add_two(framed ? ", " : "", numbers, object, "numbers", out);
    if (file != NULL)
        text_printf(out, ", %s", file);
    if (json_object_get(object, "pixels") != NULL)
        add_pixels(object, out);
    else if (json_object_get(object, "offset") != NULL)
        text_printf(out, ": bytes differ from %" JSON_INTEGER_FORMAT " on\n",
                    integer_of(object, "offset"));
    else
        text_add_char(out, '\n');
    if (json_equal(array_of(object, "rows", 0), array_of(object, "rows", 1)) == 0)
        add_lines(object, "rows", out);
}

static void add_differing(const json_t *list, struct text *out)
{
    const json_t *entry;
    size_t i;

    json_array_foreach (list, i, entry) {
        bool commands = json_is_true(json_object_get(entry, "commands"));
        bool picture = json_is_true(json_object_get(entry, "picture"));

        add_two("", "frames", entry, "frames", out);
        if (json_is_null(array_of(entry, "frames", 0)))
            text_add(out, ": only in the second\n");
        else if (json_is_null(array_of(entry, "frames", 1)))
            text_add(out, ": only in the first\n");
        else
            text_printf(out, ": %s%s%s\n", commands ? "commands" : "",
                        commands && picture ? ", " : "", picture ? "picture" : "");
    }
}

void compare_write_found(const json_t *found, struct text *out)
{
    const json_t *figure, *object, *texture;
    size_t i;

    json_array_foreach (json_object_get(found, "figures"), i, figure)
        add_figure(figure, out);
    json_array_foreach (json_object_get(found, "objects"), i, object)
        add_object(object, out);
    add_command(json_object_get(found, "command"), out);
    add_file("upload: ", json_object_get(found, "upload"), "file", out);
    json_array_foreach (json_object_get(found, "textures"), i, texture) {
        add_two("texture: ", "frames", texture, "frames", out);
        text_printf(out, ", %s", string_of(texture, "texture"));
        add_pixels(texture, out);
    }
    add_draw(json_object_get(found, "draw"), out);
    if (json_object_get(found, "picture") != NULL) {
        add_two("picture: ", "frames", json_object_get(found, "picture"), "frames", out);
        add_pixels(json_object_get(found, "picture"), out);
    }
}

void compare_write(const json_t *found, struct text *out)
{
    const json_t *frames = json_object_get(found, "frames");

    text_printf(out, "--- %s\n+++ %s\n", json_string_value(array_of(found, "dumps", 0)),
                json_string_value(array_of(found, "dumps", 1)));
    text_printf(out,
                "frames: %" JSON_INTEGER_FORMAT " same, %" JSON_INTEGER_FORMAT
                " differ, %" JSON_INTEGER_FORMAT " only in the first, %" JSON_INTEGER_FORMAT
                " only in the second\n",
                integer_of(frames, "same"), integer_of(frames, "differ"),
                json_integer_value(array_of(frames, "only", 0)),
                json_integer_value(array_of(frames, "only", 1)));
    if (json_object_get(found, "only") != NULL) {
        add_two("only: ", "frames", json_object_get(found, "only"), "frames", out);
        text_add_char(out, '\n');
    }
    compare_write_found(found, out);
    add_differing(json_object_get(found, "differing"), out);
}
