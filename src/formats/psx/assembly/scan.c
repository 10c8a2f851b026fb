/* SPDX-License-Identifier: MIT */
#include "formats/psx/assembly/scan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool psx_scan_token(struct psx_scan *scan, struct psx_token *token)
{
    while (scan->at < scan->length && is_blank(scan->line[scan->at]))
        scan->at++;
    *token = (struct psx_token){.bytes = scan->line + scan->at, .at = scan->at};
    while (scan->at < scan->length && !is_blank(scan->line[scan->at]) &&
           scan->line[scan->at] != '#')
        scan->at++;
    token->length = scan->at - token->at;
    return token->length > 0;
}

/* Messages go to a terminal and quote bytes of the text: replaces those that are not printable. */
static void make_visible(char *message)
{
    for (; *message != '\0'; message++)
        if (*message < ' ' || *message > '~')
            *message = '?';
}

int psx_scan_fail(const struct psx_scan *scan, size_t at, const char *format, ...)
{
    va_list arguments;

    scan->error->column = at + 1;
    va_start(arguments, format);
    vsnprintf(scan->error->message, sizeof(scan->error->message), format, arguments);
    va_end(arguments);
    make_visible(scan->error->message);
    return -EINVAL;
}

int psx_scan_end(struct psx_scan *scan)
{
    struct psx_token token;

    if (!psx_scan_token(scan, &token))
        return 0;
    return psx_scan_fail(scan, token.at, "unexpected '%.*s'", PSX_TOKEN(&token));
}

bool psx_token_is(const struct psx_token *token, const char *word)
{
    return strlen(word) == token->length && memcmp(token->bytes, word, token->length) == 0;
}

static struct psx_token part_of(const struct psx_token *token, size_t from, size_t length)
{
    return (struct psx_token){token->bytes + from, length, token->at + from};
}

bool psx_token_cut(struct psx_token *rest, char separator, struct psx_token *part)
{
    const char *found = rest->length > 0 ? memchr(rest->bytes, separator, rest->length) : NULL;
    size_t length = found != NULL ? (size_t)(found - rest->bytes) : rest->length;

    *part = part_of(rest, 0, length);
    *rest = part_of(rest, length + (found != NULL), rest->length - length - (found != NULL));
    return found != NULL;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

static bool has_prefix(const struct psx_token *token, size_t at)
{
    return token->length > at + 2 && token->bytes[at] == '0' && token->bytes[at + 1] == 'x';
}

/* Reads the digits from `at` to the token's end. Returns false if there are none, or others. */
static bool read_digits(const struct psx_token *token, size_t at, unsigned base, uint64_t max,
                        uint64_t *value)
{
    *value = 0;
    if (at == token->length)
        return false;
    for (; at < token->length; at++) {
        unsigned digit = (unsigned)digit_of(token->bytes[at]);

        if (digit >= base || *value > (max - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

bool psx_token_number(const struct psx_token *token, int64_t *value)
{
    size_t at = token->length > 0 && token->bytes[0] == '-';
    bool negative = at > 0, hex = has_prefix(token, at);
    uint64_t digits;

    if (!read_digits(token, at + (hex ? 2 : 0), hex ? 16 : 10, INT64_MAX, &digits))
        return false;
    *value = negative ? -(int64_t)digits : (int64_t)digits;
    return true;
}

bool psx_token_hex(const struct psx_token *token, unsigned max_digits, uint32_t *value)
{
    size_t at = has_prefix(token, 0) ? 2 : 0;
    uint64_t digits;

    if (token->length - at > max_digits || !read_digits(token, at, 16, UINT32_MAX, &digits))
        return false;
    *value = (uint32_t)digits;
    return true;
}

static int add_operand(struct psx_operands *out, struct psx_token token)
{
    struct psx_scan *scan = out->scan;
    struct psx_operand *operand = &out->list[out->count];
    size_t at = token.at;

    if (out->count == PSX_OPERANDS_MAX)
        return psx_scan_fail(scan, at, "more than %d operands", PSX_OPERANDS_MAX);
    *operand = (struct psx_operand){0};
    if (!psx_token_cut(&token, '=', &operand->key))
        return psx_scan_fail(scan, at, "'%.*s' is not an operand, which would be KEY=VALUE",
                             PSX_TOKEN(&operand->key));
    operand->value = token;
    for (unsigned i = 0; i < out->count; i++)
        if (out->list[i].key.length == operand->key.length &&
            memcmp(out->list[i].key.bytes, operand->key.bytes, operand->key.length) == 0)
            return psx_scan_fail(scan, at, "%.*s= is given twice", PSX_TOKEN(&operand->key));
    out->count++;
    return 0;
}

int psx_operands_read(struct psx_scan *scan, const struct psx_token *name, struct psx_operands *out)
{
    struct psx_token token;
    int status = 0;

    out->scan = scan;
    out->name = *name;
    out->count = 0;
    while (status == 0 && psx_scan_token(scan, &token))
        status = add_operand(out, token);
    return status;
}

const struct psx_operand *psx_operands_take(struct psx_operands *operands, const char *key)
{
    for (unsigned i = 0; i < operands->count; i++)
        if (psx_token_is(&operands->list[i].key, key)) {
            operands->list[i].taken = true;
            return &operands->list[i];
        }
    return NULL;
}

int psx_operands_need(struct psx_operands *operands, const char *key,
                      const struct psx_operand **out)
{
    *out = psx_operands_take(operands, key);
    if (*out != NULL)
        return 0;
    return psx_scan_fail(operands->scan, operands->name.at,
                         "%.*s needs %s=", PSX_TOKEN(&operands->name), key);
}

int psx_operands_end(const struct psx_operands *operands)
{
    for (unsigned i = 0; i < operands->count; i++)
        if (!operands->list[i].taken)
            return psx_scan_fail(operands->scan, operands->list[i].key.at,
                                 "%.*s has no operand %.*s=", PSX_TOKEN(&operands->name),
                                 PSX_TOKEN(&operands->list[i].key));
    return 0;
}

int psx_operand_number(const struct psx_operands *operands, const struct psx_operand *operand,
                       const struct psx_token *part, int64_t min, int64_t max, int64_t *value)
{
    if (!psx_token_number(part, value))
        return psx_scan_fail(operands->scan, part->at, "%.*s=: '%.*s' is not a number",
                             PSX_TOKEN(&operand->key), PSX_TOKEN(part));
    if (*value < min || *value > max)
        return psx_scan_fail(operands->scan, part->at, "%.*s=: %lld is not from %lld to %lld",
                             PSX_TOKEN(&operand->key), (long long)*value, (long long)min,
                             (long long)max);
    return 0;
}

int psx_operand_unsigned(const struct psx_operands *operands, const struct psx_operand *operand,
                         uint64_t max, uint64_t *value)
{
    const struct psx_token *part = &operand->value;
    bool hex = has_prefix(part, 0);

    if (!read_digits(part, hex ? 2 : 0, hex ? 16 : 10, max, value))
        return psx_scan_fail(operands->scan, part->at, "%.*s=: '%.*s' is not from 0 to %" PRIu64,
                             PSX_TOKEN(&operand->key), PSX_TOKEN(part), max);
    return 0;
}
