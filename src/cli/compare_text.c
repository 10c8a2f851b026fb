/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/compare.h"

#include <inttypes.h>
#include <stdio.h>

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

/* `frames 3 and 4`, a dash for what one has not; nothing if none has it. */
static void print_two(const char *before, const char *what, const json_t *object, const char *key)
{
    const json_t *two[2] = {array_of(object, key, 0), array_of(object, key, 1)};

    if (!json_is_integer(two[0]) && !json_is_integer(two[1]))
        return;
    printf("%s%s ", before, what);
    for (unsigned i = 0; i < 2; i++) {
        if (json_is_integer(two[i]))
            printf("%" JSON_INTEGER_FORMAT, json_integer_value(two[i]));
        else
            putchar('-');
        fputs(i == 0 ? " and " : "", stdout);
    }
}

static void print_pixels(const json_t *object)
{
    printf(": %" JSON_INTEGER_FORMAT " pixels differ, the first at %" JSON_INTEGER_FORMAT
           ",%" JSON_INTEGER_FORMAT ": %s and %s\n",
           integer_of(object, "pixels"), integer_of(object, "x"), integer_of(object, "y"),
           json_string_value(array_of(object, "colours", 0)),
           json_string_value(array_of(object, "colours", 1)));
}

static void print_place(const char *what, const json_t *object)
{
    print_two(what, "frames", object, "frames");
    print_two(", ", "packets", object, "packets");
    print_two(", ", "draws", object, "draws");
    putchar('\n');
}

static void print_command(const json_t *command)
{
    const json_t *line;
    size_t i;

    if (command == NULL)
        return;
    print_place("command: ", command);
    json_array_foreach(json_object_get(command, "hunk"), i, line)
        printf("%s\n", json_string_value(line));
}

/* What is a file of the frame, by its name. */
static void print_file(const char *what, const json_t *object, const char *key)
{
    if (object == NULL)
        return;
    print_two(what, "frames", object, "frames");
    printf(", %s", string_of(object, key));
    print_pixels(object);
}

static void print_draw(const json_t *draw)
{
    if (draw == NULL)
        return;
    print_place("draw: ", draw);
    for (unsigned i = 0; i < 2; i++)
        if (json_is_string(array_of(draw, "commands", i)))
            printf("%c%s\n", "-+"[i], json_string_value(array_of(draw, "commands", i)));
}

static void print_differing(const json_t *list)
{
    const json_t *entry;
    size_t i;

    json_array_foreach(list, i, entry)
    {
        bool commands = json_is_true(json_object_get(entry, "commands"));
        bool picture = json_is_true(json_object_get(entry, "picture"));

        print_two("", "frames", entry, "frames");
        if (json_is_null(array_of(entry, "frames", 0)))
            puts(": only in the second");
        else if (json_is_null(array_of(entry, "frames", 1)))
            puts(": only in the first");
        else
            printf(": %s%s%s\n", commands ? "commands" : "", commands && picture ? ", " : "",
                   picture ? "picture" : "");
    }
}

void compare_print(const json_t *found)
{
    const json_t *frames = json_object_get(found, "frames"), *texture;
    size_t i;

    printf("--- %s\n+++ %s\n", json_string_value(array_of(found, "dumps", 0)),
           json_string_value(array_of(found, "dumps", 1)));
    printf("frames: %" JSON_INTEGER_FORMAT " same, %" JSON_INTEGER_FORMAT
           " differ, %" JSON_INTEGER_FORMAT " only in the first, %" JSON_INTEGER_FORMAT
           " only in the second\n",
           integer_of(frames, "same"), integer_of(frames, "differ"),
           json_integer_value(array_of(frames, "only", 0)),
           json_integer_value(array_of(frames, "only", 1)));
    if (json_object_get(found, "only") != NULL) {
        print_two("only: ", "frames", json_object_get(found, "only"), "frames");
        putchar('\n');
    }
    print_command(json_object_get(found, "command"));
    print_file("upload: ", json_object_get(found, "upload"), "file");
    json_array_foreach(json_object_get(found, "textures"), i, texture)
    {
        print_two("texture: ", "frames", texture, "frames");
        printf(", %s", string_of(texture, "texture"));
        print_pixels(texture);
    }
    print_draw(json_object_get(found, "draw"));
    if (json_object_get(found, "picture") != NULL) {
        print_two("picture: ", "frames", json_object_get(found, "picture"), "frames");
        print_pixels(json_object_get(found, "picture"));
    }
    print_differing(json_object_get(found, "differing"));
}
