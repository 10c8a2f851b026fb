/* SPDX-License-Identifier: MIT */
/*
 * Untrusted bytes that are escaped for texts: the result is one line, contains no control
 * characters, and can be converted back. The same bytes are also written as a cell, as problems and
 * as metadata.
 */
#include "config.h"

#include "base/metadata.h"
#include "base/problems.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 10 };

static void expect(bool true_here)
{
    if (!true_here)
        abort();
}

static unsigned digit(char c)
{
    expect((c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'));
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'A' + 10);
}

/* Stores the bytes that an escaped text stands for. Returns their number. */
static size_t unescape(const char *text, size_t length, uint8_t *out)
{
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        if (text[i] != '\\') {
            out[count++] = (uint8_t)text[i];
            continue;
        }
        expect(++i < length);
        if (text[i] == 'x') {
            expect(i + 2 < length);
            out[count++] = (uint8_t)(digit(text[i + 1]) << 4 | digit(text[i + 2]));
            i += 2;
        } else {
            expect(text[i] == '\\' || text[i] == 't');
            out[count++] = text[i] == 't' ? '\t' : '\\';
        }
    }
    return count;
}

static void expect_printable(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        expect((unsigned char)text[i] >= ' ' && text[i] != 0x7F);
}

static void check_escapes(const uint8_t *data, size_t size)
{
    static uint8_t back[4 * BYTES_MAX];
    struct text text = TEXT_INIT;
    size_t begin;

    text_add_escaped(&text, data, size);
    expect_printable(text.bytes, text.length);
    expect(unescape(text.bytes, text.length, back) == size);
    expect(size == 0 || memcmp(back, data, size) == 0);
    text_reset(&text);
    text_cell_escaped(&text, data, size);
    begin = 1;
    expect(text.length > begin && text.bytes[0] == '\t' && text.bytes[begin] != '"');
    expect_printable(text.bytes + begin, text.length - begin);
    if (size > 0) {
        expect(unescape(text.bytes + begin, text.length - begin, back) == size);
        expect(memcmp(back, data, size) == 0);
    }
    for (unsigned count = 0; count < 4; count++)
        expect(text_skip_fields((const char *)data, size, count) <= size);
    text_clear(&text);
}

static void check_problem(const char *sentence, size_t size)
{
    struct problems *problems = NULL;
    struct text text = TEXT_INIT;

    if (problems_create(&problems) < 0)
        return;
    problems_add(problems, PROBLEM_ERROR, size, size, "%s", sentence);
    problems_add(problems, PROBLEM_ERROR, size, size, "%s", sentence);
    expect(problems_count(problems) == 1);
    problems_write(problems, &text);
    expect(text.length > 0 && text.bytes[text.length - 1] == '\n');
    expect_printable(text.bytes, text.length - 1);
    text_clear(&text);
    problems_destroy(&problems);
}

static void check_metadata(const uint8_t *data, size_t size, const char *sentence)
{
    struct metadata *metadata = NULL;
    struct text text = TEXT_INIT;
    json_t *json;

    if (metadata_create(&metadata) < 0)
        return;
    metadata_add_bytes(metadata, "bytes", data, size);
    metadata_add(metadata, "string", "%s", sentence);
    metadata_add_list(metadata, "string");
    expect(metadata_write_json(metadata, &text) == 0);
    json = json_loadb(text.bytes, text.length, JSON_ALLOW_NUL, NULL);
    expect(json != NULL && json_is_string(json_object_get(json, "bytes")));
    json_decref(json);
    text_reset(&text);
    expect(metadata_write_text(metadata, &text) == 0);
    text_clear(&text);
    metadata_destroy(&metadata);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char sentence[BYTES_MAX + 1];

    if (size > BYTES_MAX)
        return 0;
    if (size > 0)
        memcpy(sentence, data, size);
    sentence[size] = '\0';
    check_escapes(data, size);
    check_problem(sentence, size);
    check_metadata(data, size, sentence);
    return 0;
}
