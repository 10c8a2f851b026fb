#include "formats/gapir/options.h"

#include "formats/gapir/settings.h"

_Static_assert(sizeof(enum gapir_dialect_option) == sizeof(unsigned) &&
                   sizeof(enum gapir_pointer_option) == sizeof(unsigned) &&
                   sizeof(enum gapir_fences_option) == sizeof(unsigned),
               "choices are parsed as unsigned");

static const char *const dialects[] = {"auto", "agi", "gapid17dev", "gapid16", "gapid12", NULL};
static const char *const pointers[] = {"8", "4", NULL};
static const char *const fences[] = {"pass", "fail", NULL};

#define AT(member) offsetof(struct gapir_options, member)

static const struct option_rule rules[] = {
    {"gapir-dialect", "auto|agi|gapid17dev|gapid16|gapid12", "instruction set of a GAPIR payload",
     "auto", OPTION_CHOICE, AT(dialect), dialects, 0, 0, NULL},
    {"gapir-table", "NAME", "release whose function ids it has, as v3.3.1 or gles_v1.6.1",
     "as its calls say", OPTION_TEXT, AT(table), NULL, 0, 0, gapir_settings_knows_table},
    {"gapir-ptrsize", "8|4", "bytes of a pointer in the recorded program", "8", OPTION_CHOICE,
     AT(pointers), pointers, 0, 0, NULL},
    {"gapir-resources", "DIR", "where resources.index and resources.data are", "beside payload.bin",
     OPTION_TEXT, AT(resources), NULL, 0, 0, NULL},
    {"gapir-framebuffer", "WxH:FORMAT[:flip]", "what posts of that size show, if no call says it",
     "none", OPTION_TEXT, AT(framebuffer), NULL, 0, 0, gapir_settings_knows_framebuffer},
    {"gapir-fences", "pass|fail", "whether WAIT goes on, or ends the run as gapir does", "pass",
     OPTION_CHOICE, AT(fences), fences, 0, 0, NULL},
    {"gapir-max-instructions", "N", "most instructions that a payload may execute", "64M",
     OPTION_SIZE, AT(max_instructions), NULL, 1, UINT64_MAX, NULL},
    {"gapir-max-moved", "SIZE", "most bytes that they may copy, load and post", "4G", OPTION_SIZE,
     AT(max_moved), NULL, 1, UINT64_MAX, NULL},
};

static const struct gapir_options standard = {
    .max_instructions = UINT64_C(64) << 20,
    .max_moved = UINT64_C(4) << 30,
};

const struct option_table gapir_options_table = {
    .rules = rules,
    .count = sizeof(rules) / sizeof(rules[0]),
    .standard = &standard,
    .size = sizeof(standard),
};
