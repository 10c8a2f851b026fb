/* SPDX-License-Identifier: MIT */
#include "formats/psx/assembly/assembly.h"

#include "base/text.h"
#include "formats/psx/assembly/encode.h"
#include "formats/psx/container.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 18, STRING_ESCAPE = 4, PLACE_FIELDS = 3 };

struct assembler {
    const struct format_sink *sink;
    struct format_text_error *error;
    struct text out;     /* complete packets */
    struct text payload; /* of the open packet */
    bool is_part;        /* a part of a dump: without magic and trailing bytes */
    bool may_be_cut;     /* the text is the end of a dump, whose last packet may be cut off */
    bool has_magic;
    bool has_packet;
    bool is_open;  /* a packet is open */
    bool is_cut;   /* the open packet is cut off, so it must be the last one */
    bool has_tail; /* trailing bytes after the last packet have been read: nothing may follow */
    uint8_t type;  /* of the open packet */
    int64_t announced;
    struct psx_scan scan;
    struct psx_encoded encoded;
};

static int fail(struct assembler *assembler, size_t at, const char *what)
{
    return psx_scan_fail(&assembler->scan, at, "%s", what);
}

static int flush(struct assembler *assembler, size_t max)
{
    struct text *out = &assembler->out;
    int status = text_status(out);

    if (status != 0 || out->length <= max)
        return status;
    status = assembler->sink->write(assembler->sink->context, out->bytes, out->length);
    text_reset(out);
    return status;
}

static int close_packet(struct assembler *assembler)
{
    size_t words = assembler->payload.length / 4;
    int status = text_status(&assembler->payload);

    if (!assembler->is_open || status != 0)
        return status;
    text_add_le32(&assembler->out,
                  (uint32_t)assembler->type << 24 |
                      (uint32_t)(assembler->is_cut ? (size_t)assembler->announced : words));
    text_add_text(&assembler->out, &assembler->payload);
    text_reset(&assembler->payload);
    assembler->is_open = false;
    return flush(assembler, PIECE);
}

/* Begins a packet. `at` is the position of its statement, for messages. */
static int open_packet(struct assembler *assembler, uint8_t type, size_t at)
{
    if (assembler->is_cut)
        return fail(assembler, at, "nothing may follow a packet that is cut off (announced=)");

    int status = close_packet(assembler);

    assembler->has_packet = true;
    assembler->type = type;
    assembler->is_open = true;
    return status;
}

/* Adds words to the open packet. `at` is the position of their statement, for messages. */
static int add_words(struct assembler *assembler, const uint32_t *words, size_t count, size_t at)
{
    size_t max = assembler->is_cut ? (size_t)assembler->announced - 1 : PSX_PACKET_WORDS_MAX;

    if (assembler->payload.length / 4 + count > max)
        return fail(assembler, at,
                    assembler->is_cut ? "a packet that is cut off has fewer words than it announces"
                                      : "a packet has at most 16777215 words");
    for (size_t i = 0; i < count; i++)
        text_add_le32(&assembler->payload, words[i]);
    return text_status(&assembler->payload);
}

/* Takes `announced=` for the packet that has just been opened. */
static int take_announced(struct assembler *assembler, struct psx_token *token)
{
    struct psx_token value = *token, key;

    if (!assembler->may_be_cut)
        return fail(assembler, token->at,
                    "announced= is only allowed for the last packet of a dump");
    (void)psx_token_cut(&value, '=', &key);
    if (!psx_token_number(&value, &assembler->announced) || assembler->announced < 1 ||
        assembler->announced > PSX_PACKET_WORDS_MAX)
        return fail(assembler, value.at, "announced= must be from 1 to 16777215");
    assembler->is_cut = true;
    return 0;
}

static bool is_announced(const struct psx_token *token)
{
    static const char key[] = "announced=";

    return token->length >= sizeof(key) - 1 && memcmp(token->bytes, key, sizeof(key) - 1) == 0;
}

/* Adds the words of a command, in as many packets as it is cut into. */
static int add_command(struct assembler *assembler, size_t at)
{
    const struct psx_encoded *encoded = &assembler->encoded;
    unsigned from = 0;
    int status = 0;

    for (unsigned i = 0; i <= encoded->cut_count && status == 0; i++) {
        unsigned to = i < encoded->cut_count ? encoded->cuts[i] : encoded->count;

        if (i > 0)
            status = open_packet(assembler, PSX_PACKET_GP0, at);
        if (status == 0)
            status = add_words(assembler, encoded->words + from, to - from, at);
        from = to;
    }
    return status;
}

/* Adds the command `name`, with the rest of the line as operands, to the open packet. */
static int take_command(struct assembler *assembler, const struct psx_token *name, int op)
{
    int status = 0;

    if (!assembler->is_open || assembler->type > PSX_PACKET_GP1)
        return psx_scan_fail(&assembler->scan, name->at,
                             "'%.*s' is not a statement, and no packet of commands is open",
                             PSX_TOKEN(name));
    if (assembler->type == PSX_PACKET_GP1)
        status = psx_encode_gp1(&assembler->scan, name, op, true, &assembler->encoded);
    else
        status = psx_encode_gp0(&assembler->scan, name, op, true, &assembler->encoded);
    return status == 0 ? add_command(assembler, name->at) : status;
}

/*
 * Statements. Each function is called when its own word has been read, and takes the rest of the
 * line.
 */

/* gp0, gp1: the packet's first command may be on the same line. */
static int take_port(struct assembler *assembler, const struct psx_token *word, uint8_t type)
{
    int status = open_packet(assembler, type, word->at);
    struct psx_token token;

    if (status != 0 || !psx_scan_token(&assembler->scan, &token))
        return status;
    if (is_announced(&token)) {
        status = take_announced(assembler, &token);
        if (status != 0 || !psx_scan_token(&assembler->scan, &token))
            return status;
    }
    return take_command(assembler, &token, PSX_OP_TOLD);
}

static int take_gp0(struct assembler *assembler, const struct psx_token *word)
{
    return take_port(assembler, word, PSX_PACKET_GP0);
}

static int take_gp1(struct assembler *assembler, const struct psx_token *word)
{
    return take_port(assembler, word, PSX_PACKET_GP1);
}

static int take_packet(struct assembler *assembler, const struct psx_token *word)
{
    struct psx_token token;
    uint32_t type;
    int status;

    if (!psx_scan_token(&assembler->scan, &token) || !psx_token_hex(&token, 2, &type))
        return fail(assembler, token.at, "packet needs a type of two hexadecimal digits");
    status = open_packet(assembler, (uint8_t)type, word->at);
    if (status != 0 || !psx_scan_token(&assembler->scan, &token))
        return status;
    if (!is_announced(&token))
        return fail(assembler, token.at, "packet takes no operand except announced=");
    status = take_announced(assembler, &token);
    return status == 0 ? psx_scan_end(&assembler->scan) : status;
}

static int check_open(struct assembler *assembler, const struct psx_token *word)
{
    return assembler->is_open ? 0 : fail(assembler, word->at, "no packet is open");
}

static int take_words(struct assembler *assembler, const struct psx_token *word)
{
    int status = check_open(assembler, word);
    struct psx_token token;
    uint32_t value;

    while (status == 0 && psx_scan_token(&assembler->scan, &token)) {
        if (token.length != 8 || !psx_token_hex(&token, 8, &value))
            return fail(assembler, token.at, "a word must have eight hexadecimal digits");
        status = add_words(assembler, &value, 1, token.at);
    }
    return status;
}

static int take_pixels(struct assembler *assembler, const struct psx_token *word)
{
    int status = check_open(assembler, word);
    uint32_t left = 0, right = 0;
    struct psx_token token;
    bool odd = false;

    while (status == 0 && psx_scan_token(&assembler->scan, &token)) {
        if (token.length != 4 || !psx_token_hex(&token, 4, &right))
            return fail(assembler, token.at, "a pixel must have four hexadecimal digits");
        if (odd) {
            left |= right << 16;
            status = add_words(assembler, &left, 1, token.at);
        } else {
            left = right;
        }
        odd = !odd;
    }
    if (status == 0 && odd)
        return fail(assembler, word->at, "an even number of pixels is needed: two make a word");
    return status;
}

static int take_begin(struct assembler *assembler, const struct psx_token *word)
{
    int status = open_packet(assembler, PSX_PACKET_BEGIN, word->at);

    return status == 0 ? psx_scan_end(&assembler->scan) : status;
}

/*
 * Takes a packet with one number. For discard and readback `-`, as in listings, means a packet
 * without a word.
 */
static int take_number(struct assembler *assembler, const struct psx_token *word, uint8_t type,
                       const char *key)
{
    struct psx_operands operands;
    const struct psx_operand *operand;
    int64_t value = 0;
    size_t count = 1;
    int status;

    if ((status = open_packet(assembler, type, word->at)) != 0 ||
        (status = psx_operands_read(&assembler->scan, word, &operands)) != 0 ||
        (status = psx_operands_need(&operands, key, &operand)) != 0)
        return status;
    if (type != PSX_PACKET_VERSION && psx_token_is(&operand->value, "-"))
        count = 0;
    else
        status = psx_operand_number(&operands, operand, &operand->value, 0, UINT32_MAX, &value);
    if (status == 0)
        status = psx_operands_end(&operands);
    if (status != 0)
        return status;
    return add_words(assembler, &(uint32_t){(uint32_t)value}, count, word->at);
}

static int take_discard(struct assembler *assembler, const struct psx_token *word)
{
    return take_number(assembler, word, PSX_PACKET_DISCARD, "words");
}

static int take_readback(struct assembler *assembler, const struct psx_token *word)
{
    return take_number(assembler, word, PSX_PACKET_READBACK, "words");
}

static int take_version(struct assembler *assembler, const struct psx_token *word)
{
    return take_number(assembler, word, PSX_PACKET_VERSION, "number");
}

static int take_vsync(struct assembler *assembler, const struct psx_token *word)
{
    const struct psx_operand *cycles, *words;
    struct psx_operands operands;
    uint64_t value = 0;
    int64_t count = 2;
    int status;

    if ((status = open_packet(assembler, PSX_PACKET_VSYNC, word->at)) != 0 ||
        (status = psx_operands_read(&assembler->scan, word, &operands)) != 0 ||
        (status = psx_operands_need(&operands, "cycles", &cycles)) != 0)
        return status;
    words = psx_operands_take(&operands, "words");
    if (psx_token_is(&cycles->value, "-"))
        count = 0;
    else if (words != NULL)
        status = psx_operand_number(&operands, words, &words->value, 1, 2, &count);
    if (status == 0 && count > 0)
        status =
            psx_operand_unsigned(&operands, cycles, count == 1 ? UINT32_MAX : UINT64_MAX, &value);
    if (status == 0)
        status = psx_operands_end(&operands);
    if (status != 0)
        return status;
    return add_words(assembler, (const uint32_t[]){(uint32_t)value, (uint32_t)(value >> 32)},
                     (size_t)count, word->at);
}

/* Reads one byte of a string, which may be \xNN, \\ or \". Returns false if it is none of these. */
static bool take_byte(struct psx_scan *scan, char *byte)
{
    struct psx_token digits = {.bytes = scan->line + scan->at + 2, .length = 2};
    size_t left = scan->length - scan->at;
    uint32_t value;

    *byte = scan->line[scan->at];
    if (*byte != '\\') {
        scan->at++;
        return true;
    }
    if (left >= 2 && (scan->line[scan->at + 1] == '\\' || scan->line[scan->at + 1] == '"')) {
        *byte = scan->line[scan->at + 1];
        scan->at += 2;
        return true;
    }
    if (left < STRING_ESCAPE || scan->line[scan->at + 1] != 'x' ||
        !psx_token_hex(&digits, 2, &value))
        return false;
    *byte = (char)value;
    scan->at += STRING_ESCAPE;
    return true;
}

/* Reads `"…"` into the payload, and fills it up to complete words. */
static int take_quoted(struct assembler *assembler)
{
    struct psx_scan *scan = &assembler->scan;
    size_t begin;
    char byte;

    while (scan->at < scan->length && (scan->line[scan->at] == ' ' || scan->line[scan->at] == '\t'))
        scan->at++;
    begin = scan->at;
    if (scan->at == scan->length || scan->line[scan->at] != '"')
        return fail(assembler, scan->at, "a string must be in quotation marks");
    for (scan->at++; scan->at < scan->length && scan->line[scan->at] != '"';) {
        size_t at = scan->at;

        if (!take_byte(scan, &byte))
            return fail(assembler, at, "only \\\\, \\\" and \\xNN may follow a backslash");
        text_add_char(&assembler->payload, byte);
    }
    if (scan->at == scan->length)
        return fail(assembler, begin, "the string has no closing quotation mark");
    scan->at++;
    while (assembler->payload.length % 4 != 0)
        text_add_char(&assembler->payload, '\0');
    return text_status(&assembler->payload);
}

/* If `words=` is more than the string needs, zeros follow. */
static int take_string(struct assembler *assembler, const struct psx_token *word, uint8_t type)
{
    const struct psx_operand *operand;
    struct psx_operands operands;
    int64_t words = 0;
    int status;

    if ((status = open_packet(assembler, type, word->at)) != 0 ||
        (status = take_quoted(assembler)) != 0 ||
        (status = psx_operands_read(&assembler->scan, word, &operands)) != 0)
        return status;
    operand = psx_operands_take(&operands, "words");
    if (operand != NULL && (status = psx_operand_number(&operands, operand, &operand->value,
                                                        (int64_t)(assembler->payload.length / 4),
                                                        PSX_TEXT_STRING_MAX / 4, &words)) != 0)
        return status;
    while (operand != NULL && assembler->payload.length < 4 * (size_t)words)
        text_add_le32(&assembler->payload, 0);
    if (assembler->payload.length / 4 > PSX_PACKET_WORDS_MAX)
        return fail(assembler, word->at, "a packet has at most 16777215 words");
    return psx_operands_end(&operands);
}

static int take_game(struct assembler *assembler, const struct psx_token *word)
{
    return take_string(assembler, word, PSX_PACKET_GAME);
}

static int take_video(struct assembler *assembler, const struct psx_token *word)
{
    return take_string(assembler, word, PSX_PACKET_VIDEO);
}

static int take_comment(struct assembler *assembler, const struct psx_token *word)
{
    return take_string(assembler, word, PSX_PACKET_COMMENT);
}

static int take_trailing(struct assembler *assembler, const struct psx_token *word)
{
    struct psx_token token;
    unsigned count = 0;
    uint32_t byte;
    int status = close_packet(assembler);

    if (assembler->is_part)
        return fail(assembler, word->at,
                    "trailing is not allowed in a frame: its bytes are after the last packet");
    while (status == 0 && psx_scan_token(&assembler->scan, &token)) {
        if (count++ == 3)
            return fail(assembler, token.at,
                        "trailing has at most three bytes: four would be another packet");
        if (token.length != 2 || !psx_token_hex(&token, 2, &byte))
            return fail(assembler, token.at, "a byte must have two hexadecimal digits");
        text_add_char(&assembler->out, (char)byte);
    }
    if (status == 0 && count == 0)
        return fail(assembler, word->at, "trailing needs one to three bytes");
    assembler->has_tail = true;
    return status;
}

static const struct {
    const char *word;
    int (*take)(struct assembler *assembler, const struct psx_token *word);
} statements[] = {
    {"gp0", take_gp0},       {"gp1", take_gp1},           {"words", take_words},
    {"pixels", take_pixels}, {"vsync", take_vsync},       {"discard", take_discard},
    {"begin", take_begin},   {"readback", take_readback}, {"version", take_version},
    {"game", take_game},     {"video", take_video},       {"comment", take_comment},
    {"packet", take_packet}, {"trailing", take_trailing},
};

static int take_statement(struct assembler *assembler, const struct psx_token *word)
{
    for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
        if (psx_token_is(word, statements[i].word))
            return statements[i].take(assembler, word);
    return take_command(assembler, word, PSX_OP_TOLD);
}

static int take_magic(struct assembler *assembler, const struct psx_token *word)
{
    struct psx_token version;
    bool is_long;

    if (!psx_token_is(word, PSX_TEXT_WORD))
        return fail(assembler, word->at, "a text must begin with 'psxgpu v1r1' or 'psxgpu v1'");
    if (!psx_scan_token(&assembler->scan, &version))
        return fail(assembler, word->at, "no version follows: v1r1 or v1");
    is_long = psx_token_is(&version, "v1r1");
    if (!is_long && !psx_token_is(&version, "v1"))
        return fail(assembler, version.at, "unknown version: v1r1 and v1 are known");
    psx_magic_write(&assembler->out, is_long ? PSX_MAGIC_16 : PSX_MAGIC_14);
    assembler->has_magic = true;
    return psx_scan_end(&assembler->scan);
}

/*
 * Takes a line of commands.txt; `word` is its number. PACKET:WORD, the number of a draw or upload,
 * the port and the first byte come before the name.
 */
static int take_listed(struct assembler *assembler, const struct psx_token *word)
{
    struct psx_token fields[PLACE_FIELDS] = {{0}}, name;
    uint8_t type = PSX_PACKET_GP0;
    uint32_t op = 0;
    int status = 0;

    for (unsigned i = 0; i < PLACE_FIELDS; i++)
        if (!psx_scan_token(&assembler->scan, &fields[i]))
            return fail(assembler, word->at, "a line of commands.txt is incomplete");
    if (!psx_scan_token(&assembler->scan, &name) || name.length != 2 ||
        !psx_token_hex(&name, 2, &op) || !psx_scan_token(&assembler->scan, &name))
        return fail(assembler, word->at, "a line of commands.txt is incomplete");
    if (psx_token_is(&fields[2], "evt"))
        return take_statement(assembler, &name);
    if (psx_token_is(&fields[2], "gp1"))
        type = PSX_PACKET_GP1;
    else if (!psx_token_is(&fields[2], "gp0"))
        return fail(assembler, fields[2].at,
                    "a line of commands.txt must have gp0, gp1 or evt here");
    if (!assembler->is_open || assembler->type != type || type == PSX_PACKET_GP1)
        status = open_packet(assembler, type, word->at);
    return status == 0 ? take_command(assembler, &name, (int)op) : status;
}

static int take_line(struct assembler *assembler)
{
    struct psx_token word;
    int64_t number;

    if (!psx_scan_token(&assembler->scan, &word))
        return 0;
    if (!assembler->has_magic && !assembler->is_part)
        return take_magic(assembler, &word);
    if (assembler->has_tail)
        return fail(assembler, word.at, "nothing may follow trailing");
    return psx_token_number(&word, &number) ? take_listed(assembler, &word)
                                            : take_statement(assembler, &word);
}

static int take_lines(struct assembler *assembler, const struct format_lines *lines)
{
    int status = 0, more;

    while (status == 0 && (more = lines->next(lines->context, &assembler->scan.line,
                                              &assembler->scan.length)) != 0) {
        assembler->scan.at = 0;
        status = more < 0 ? more : take_line(assembler);
    }
    if (status == 0 && !(assembler->is_part ? assembler->has_packet : assembler->has_magic)) {
        assembler->scan.at = 0;
        status = fail(assembler, 0, "the text has no statement");
    }
    if (status == 0)
        status = close_packet(assembler);
    return status == 0 ? flush(assembler, 0) : status;
}

static int assemble(const struct assembler *params, const struct format_lines *lines,
                    const struct format_sink *sink, struct format_text_error *error)
{
    struct assembler *assembler = malloc(sizeof(*assembler));
    int status;

    if (assembler == NULL)
        return -ENOMEM;
    *assembler = *params;
    assembler->sink = sink;
    assembler->error = error;
    assembler->scan.error = error;
    status = take_lines(assembler, lines);
    text_clear(&assembler->out);
    text_clear(&assembler->payload);
    free(assembler);
    return status;
}

int psx_assemble(const struct format_lines *lines, const struct format_sink *sink,
                 struct format_text_error *error)
{
    return assemble(&(struct assembler){.may_be_cut = true}, lines, sink, error);
}

int psx_assemble_part(const struct format_lines *lines, bool last, const struct format_sink *sink,
                      struct format_text_error *error)
{
    return assemble(&(struct assembler){.is_part = true, .may_be_cut = last}, lines, sink, error);
}
