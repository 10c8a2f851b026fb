/* SPDX-License-Identifier: MIT */
#include "formats/gapir/options.h"

#include "formats/gapir/decode/release.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(enum gapir_dialect_option) == sizeof(unsigned) &&
                   sizeof(enum gapir_pointer_option) == sizeof(unsigned) &&
                   sizeof(enum gapir_fences_option) == sizeof(unsigned) &&
                   sizeof(enum gapir_driver_option) == sizeof(unsigned),
               "choices are parsed as unsigned");

/* Parses a side of the picture and the character `end` after it, and advances *text past them. */
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

bool gapir_options_framebuffer(const char *text, struct gapir_framebuffer *out)
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

/* Returns whether an option's value is valid. */
static bool is_framebuffer(const char *text)
{
    struct gapir_framebuffer framebuffer;

    return gapir_options_framebuffer(text, &framebuffer);
}

static const char *const dialects[] = {"auto", "agi", "gapid17dev", "gapid16", "gapid12", NULL};
static const char *const pointers[] = {"8", "4", NULL};
static const char *const fences[] = {"pass", "fail", NULL};
static const char *const drivers[] = {"auto", "mesa", "null", NULL};

#define AT(member) offsetof(struct gapir_options, member)

static const struct option_rule rules[] = {
    {"gapir-dialect", "auto|agi|gapid17dev|gapid16|gapid12", "instruction set of a GAPIR payload",
     "auto", OPTION_CHOICE, AT(dialect), dialects, 0, 0, NULL},
    {"gapir-table", "NAME", "release whose function ids it has, such as v3.3.1",
     "the newest that fits its calls", OPTION_TEXT, AT(table), NULL, 0, 0, gapir_release_is_known},
    {"gapir-ptrsize", "8|4", "size of a pointer in the recorded program, in bytes", "8",
     OPTION_CHOICE, AT(pointers), pointers, 0, 0, NULL},
    {"gapir-resources", "DIR", "folder of resources.index and resources.data",
     "that of payload.bin", OPTION_TEXT, AT(resources), NULL, 0, 0, NULL},
    {"gapir-framebuffer", "WxH:FORMAT[:flip]", "format of posts of that size, if no call tells it",
     "none", OPTION_TEXT, AT(framebuffer), NULL, 0, 0, is_framebuffer},
    {"gapir-fences", "pass|fail", "whether WAIT succeeds, or ends the run as in gapir", "pass",
     OPTION_CHOICE, AT(fences), fences, 0, 0, NULL},
    {"gapir-driver", "auto|mesa|null", "what draws the pixels that are read back", "auto",
     OPTION_CHOICE, AT(driver), drivers, 0, 0, NULL},
    {"gapir-max-instructions", "N", "maximum number of instructions to execute", "64M", OPTION_SIZE,
     AT(max_instructions), NULL, 1, UINT64_MAX, NULL},
    {"gapir-max-moved", "SIZE", "maximum bytes that they may copy, load and post", "4G",
     OPTION_SIZE, AT(max_moved), NULL, 1, UINT64_MAX, NULL},
};

static const char *const folders[] = {"gapir-resources", NULL};

static const struct gapir_options standard = {
    .max_instructions = UINT64_C(64) << 20,
    .max_moved = UINT64_C(4) << 30,
};

const struct option_table gapir_options_table = {
    .rules = rules,
    .count = sizeof(rules) / sizeof(rules[0]),
    .standard = &standard,
    .size = sizeof(standard),
    .folders = folders,
};

/* After `auto`, the dialects of the option are those of the decoder, in the same order. */
static void set_dialect(enum gapir_dialect_option option, struct gapir_scan_params *out)
{
    out->dialect_given = option != GAPIR_DIALECT_AUTO;
    out->dialect = out->dialect_given ? (enum gapir_dialect)(option - 1) : GAPIR_AGI;
}

void gapir_options_replay(const struct options *options, struct gapir_replay_params *out)
{
    const struct gapir_options *own = gapir_options_of(options);

    *out = (struct gapir_replay_params){
        .limits = {.instructions = own->max_instructions,
                   .moved = own->max_moved,
                   .memory = options->max_memory},
        .pointer_size = own->pointers == GAPIR_POINTERS_OF_4 ? 4 : 8,
        .fences_fail = own->fences == GAPIR_FENCES_FAIL,
        .drawing = (enum gapir_drawing)own->driver,
    };
    set_dialect(own->dialect, &out->scan);
    out->scan.table = own->table;
    out->scan.memory = options->max_memory;
    if (own->framebuffer != NULL)
        (void)gapir_options_framebuffer(own->framebuffer, &out->framebuffer);
}
