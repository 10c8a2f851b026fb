/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/found.h"

static json_t *number_or_null(uint64_t number)
{
    return number != UINT64_MAX ? json_integer((json_int_t)number) : json_null();
}

json_t *found_numbers(uint64_t a, uint64_t b)
{
    return json_pack("[o,o]", number_or_null(a), number_or_null(b));
}

json_t *found_string(const char *bytes, size_t length)
{
    struct text text = TEXT_INIT;
    json_t *string;

    text_add_visible(&text, bytes, length);
    string = json_stringn(text.length > 0 ? text.bytes : "", text.length);
    text_clear(&text);
    return string;
}

void found_set_pixels(json_t *object, const struct pixels *a, const struct pixels *b,
                      const struct pixels_difference *difference)
{
    char colours[2][PIXELS_COLOUR];

    pixels_colour(a, difference->x, difference->y, colours[0]);
    pixels_colour(b, difference->x, difference->y, colours[1]);
    json_object_set_new(object, "pixels", json_integer((json_int_t)difference->count));
    json_object_set_new(object, "x", json_integer(difference->x));
    json_object_set_new(object, "y", json_integer(difference->y));
    json_object_set_new(object, "colours", json_pack("[s,s]", colours[0], colours[1]));
}
