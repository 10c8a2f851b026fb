/* SPDX-License-Identifier: MIT */
#include "base/confinement.h"

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

enum { WORDS = 80 };

static const char *const names[CONFINEMENT_LAYERS] = {
    [CONFINEMENT_USER] = "user",
    [CONFINEMENT_PRIVILEGES] = "no_new_privs",
    [CONFINEMENT_CAPABILITIES] = "no_capabilities",
    [CONFINEMENT_LIMITS] = "limits",
    [CONFINEMENT_FILES] = "files",
    [CONFINEMENT_NETWORK] = "network",
    [CONFINEMENT_SCOPE] = "signals",
    [CONFINEMENT_SYSTEM_CALLS] = "system_calls",
    [CONFINEMENT_KEEPER] = "keeper",
    [CONFINEMENT_LAUNCHER] = "launcher",
};

static struct {
    bool holds;
    char words[WORDS];
} layers[CONFINEMENT_LAYERS];

void confinement_note(enum confinement_layer layer, bool holds, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(layers[layer].words, WORDS, format, arguments);
    va_end(arguments);
    layers[layer].holds = holds;
    if (!holds)
        log_write(LOG_INFO, "not confined in %s: %s", names[layer], layers[layer].words);
}

bool confinement_holds(enum confinement_layer layer)
{
    return layers[layer].holds;
}

void confinement_write(struct text *text)
{
    for (size_t i = 0; i < CONFINEMENT_LAYERS; i++) {
        const char *words = layers[i].words;

        text_field(text, names[i], "%s%s%s%s", layers[i].holds ? "yes" : "no",
                   words[0] != '\0' ? " (" : "", words, words[0] != '\0' ? ")" : "");
    }
}
