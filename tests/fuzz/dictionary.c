/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/dictionary.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int hex_digit(char c)
{
    const char *digits = "0123456789ABCDEF", *found = c != '\0' ? strchr(digits, c) : NULL;

    return found != NULL ? (int)(found - digits) : -1;
}

/* Returns the byte at *text, which is advanced past it, or -1 if there is no valid byte. */
static int read_byte(const char **text)
{
    const char *at = *text;
    int high, low;

    if (*at == '"' || *at == '\0')
        return -1;
    if (*at != '\\') {
        *text = at + 1;
        return (unsigned char)*at;
    }
    if (at[1] != 'x')
        return -1;
    high = hex_digit(at[2]);
    low = high < 0 ? -1 : hex_digit(at[3]);
    *text = at + 4;
    return low < 0 ? -1 : high * 16 + low;
}

static bool read_token(const char *line, struct fuzz_token *token)
{
    int byte;

    token->size = 0;
    if (*line++ != '"')
        return false;
    while (token->size < FUZZ_TOKEN_MAX && (byte = read_byte(&line)) >= 0)
        token->bytes[token->size++] = (uint8_t)byte;
    return token->size > 0 && strcmp(line, "\"\n") == 0;
}

static bool add(struct fuzz_dictionary *dictionary, const struct fuzz_token *token)
{
    struct fuzz_token *tokens =
        reallocarray(dictionary->tokens, dictionary->count + 1, sizeof(*tokens));

    if (tokens == NULL)
        return false;
    dictionary->tokens = tokens;
    tokens[dictionary->count++] = *token;
    return true;
}

int fuzz_dictionary_read(const char *path, struct fuzz_dictionary *out)
{
    FILE *file = fopen(path, "r");
    char line[512];
    unsigned number = 0;
    bool good = true;

    *out = (struct fuzz_dictionary){.tokens = NULL};
    while (good && file != NULL && fgets(line, sizeof(line), file) != NULL) {
        struct fuzz_token token;

        number++;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        good = read_token(line, &token) && add(out, &token);
    }
    if (file != NULL)
        fclose(file);
    if (good && out->count > 0)
        return 0;
    fprintf(stderr, "%s: %s %u\n", path, good ? "no token in lines 1 to" : "no token in line",
            number);
    fuzz_dictionary_clear(out);
    return -1;
}

void fuzz_dictionary_clear(struct fuzz_dictionary *dictionary)
{
    free(dictionary->tokens);
    *dictionary = (struct fuzz_dictionary){.tokens = NULL};
}
