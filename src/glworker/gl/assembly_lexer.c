/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/assembly_lexer.h"

#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t\r\n");
    while (**at == '#') { /* a comment, to the end of its line */
        *at += strcspn(*at, "\r\n");
        *at += strspn(*at, " \t\r\n");
    }
}

struct retrace_token retrace_token_next(const char **at)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$" DIGITS;
    struct retrace_token token;

    skip_blanks(at);
    token = (struct retrace_token){*at, strspn(*at, word)};
    if (token.length == 0 && **at != '\0')
        token.length = 1;
    *at += token.length;
    return token;
}

bool retrace_token_is(struct retrace_token token, const char *word)
{
    return strlen(word) == token.length && memcmp(token.begin, word, token.length) == 0;
}

bool retrace_token_take(const char **at, const char *word)
{
    const char *behind = *at;

    if (!retrace_token_is(retrace_token_next(&behind), word))
        return false;
    *at = behind;
    return true;
}

bool retrace_token_take_member(const char **at, const char *word)
{
    const char *behind = *at;

    if (!retrace_token_take(&behind, ".") || !retrace_token_take(&behind, word))
        return false;
    *at = behind;
    return true;
}

bool retrace_token_take_number(const char **at, uint32_t *number)
{
    const char *behind = *at;
    struct retrace_token token = retrace_token_next(&behind);
    uint32_t value = 0;

    *number = 0;
    for (size_t n = 0; n < token.length; n++) {
        if (token.begin[n] < '0' || token.begin[n] > '9' || value > 1000000)
            return false;
        value = value * 10 + (uint32_t)(token.begin[n] - '0');
    }
    if (token.length == 0)
        return false;
    *number = value;
    *at = behind;
    return true;
}

bool retrace_token_take_range(const char **at, uint32_t *first, uint32_t *last)
{
    const char *behind = *at;

    if (!retrace_token_take(&behind, "[") || !retrace_token_take_number(&behind, first))
        return false;
    *last = *first;
    if (retrace_token_take(&behind, ".") &&
        (!retrace_token_take(&behind, ".") || !retrace_token_take_number(&behind, last)))
        return false;
    if (!retrace_token_take(&behind, "]") || *last < *first)
        return false;
    *at = behind;
    return true;
}

/* Returns the number of characters at the beginning of a text that make a number, or 0. */
static size_t real_length(const char *text)
{
    const size_t whole = strspn(text, DIGITS);
    size_t length = whole, digits;

    if (text[length] == '.')
        length += 1 + strspn(text + length + 1, DIGITS);
    if (whole == 0 && length <= 1)
        return 0;
    if (text[length] != 'e' && text[length] != 'E')
        return length;
    digits = length + 1 + (text[length + 1] == '+' || text[length + 1] == '-');
    return strspn(text + digits, DIGITS) > 0 ? digits + strspn(text + digits, DIGITS) : length;
}

bool retrace_token_take_real(const char **at, float *number)
{
    const char *begin = *at;
    size_t length;
    char *end;

    skip_blanks(&begin);
    length = real_length(begin);
    if (length == 0)
        return false;
    *number = strtof(begin, &end);
    if (end != begin + length) /* for example a hexadecimal number */
        return false;
    *at = end;
    return true;
}
