#include "formats/gapir/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A side of the picture, and the character behind it. */
static bool take_side(const char **text, char end, uint32_t *side)
{
    char *rest;

    if (**text < '1' || **text > '9')
        return false;
    unsigned long value = strtoul(*text, &rest, 10);
    if (*rest != end || value > PICTURE_MAX)
        return false;
    *side = (uint32_t)value;
    *text = rest + 1;
    return true;
}

bool gapir_settings_framebuffer(const char *text, struct gapir_framebuffer *out)
{
    *out = (struct gapir_framebuffer){0};
    if (!take_side(&text, 'x', &out->width) || !take_side(&text, ':', &out->height))
        return false;
    size_t length = strcspn(text, ":");
    out->bottom_up = strcmp(text + length, ":flip") == 0;
    if (text[length] != 0 && !out->bottom_up)
        return false;
    out->format = gapir_format_named(text, length);
    return out->format != NULL;
}

/* The dialects of the option, behind `auto`, are those of the decoder in its order. */
static void set_dialect(enum gapir_dialect_option option, struct gapir_scan_params *out)
{
    out->dialect_given = option != GAPIR_DIALECT_AUTO;
    out->dialect = out->dialect_given ? (enum gapir_dialect)(option - 1) : GAPIR_AGI;
}

bool gapir_settings_knows_table(const char *name)
{
    return gapir_scan_knows_table(name);
}

bool gapir_settings_knows_framebuffer(const char *text)
{
    struct gapir_framebuffer framebuffer;

    return gapir_settings_framebuffer(text, &framebuffer);
}

void gapir_settings(const struct options *options, struct gapir_replay_params *out)
{
    const struct gapir_options *own = gapir_options_of(options);

    *out = (struct gapir_replay_params){
        .limits = {.instructions = own->max_instructions,
                   .moved = own->max_moved,
                   .memory = options->max_memory},
        .pointer_size = own->pointers == GAPIR_POINTERS_OF_4 ? 4 : 8,
        .fences_fail = own->fences == GAPIR_FENCES_FAIL,
    };
    set_dialect(own->dialect, &out->scan);
    out->scan.table = own->table;
    out->scan.memory = options->max_memory;
    if (own->framebuffer != NULL)
        (void)gapir_settings_framebuffer(own->framebuffer, &out->framebuffer);
}
