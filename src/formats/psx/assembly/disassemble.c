/* SPDX-License-Identifier: MIT */
#include "formats/psx/assembly/assembly.h"

#include "base/bytes.h"
#include "formats/psx/assembly/encode.h"
#include "formats/psx/dump.h"
#include "formats/psx/index/walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16, WORDS_A_LINE = 8 };

/* A command with all of its words, which may be in several consecutive packets. */
struct whole {
    struct psx_command command;
    uint32_t words[PSX_ENCODED_MAX];
    unsigned count;
    unsigned cuts[PSX_ENCODED_MAX];
    unsigned cut_count;
};

struct writer {
    const struct psx_index *index;
    const struct cancel *cancel;
    const struct format_sink *sink;
    struct text text, statement;
    uint64_t end;    /* the packet to stop before */
    uint64_t packet; /* the packet whose statement was written last; UINT64_MAX: none yet */
    uint64_t frame;  /* the next frame */
    bool joined; /* the current line has the packet's statement, and a command may follow on it */
    struct psx_polyline polyline;
    struct whole whole;
    struct psx_encoded encoded;
};

static int flush(struct writer *writer, size_t max)
{
    int status = text_status(&writer->text);

    if (status != 0 || writer->text.length <= max)
        return status;
    status = writer->sink->write(writer->sink->context, writer->text.bytes, writer->text.length);
    text_reset(&writer->text);
    return status;
}

static void end_joined(struct writer *writer)
{
    if (writer->joined)
        text_add_char(&writer->text, '\n');
    writer->joined = false;
}

/* Writes words as they are, several in each line. */
static void write_words(struct text *text, const uint8_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        text_add(text, i % WORDS_A_LINE == 0 ? "words " : " ");
        text_add_hex(text, bytes_le32(words + 4 * (size_t)i), 8);
        if (i % WORDS_A_LINE == WORDS_A_LINE - 1 || i + 1 == count)
            text_add_char(text, '\n');
    }
}

/* Writes two pixels for each word, the left one first. */
static void write_pixels(struct text *text, const uint8_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *word = words + 4 * (size_t)i;

        text_add(text, i % WORDS_A_LINE == 0 ? "pixels " : " ");
        text_add_hex(text, bytes_le16(word), 4);
        text_add_char(text, ' ');
        text_add_hex(text, bytes_le16(word + 2), 4);
        if (i % WORDS_A_LINE == WORDS_A_LINE - 1 || i + 1 == count)
            text_add_char(text, '\n');
    }
}

static void write_announced(struct text *text, const struct psx_packet *packet)
{
    if (packet->announced != packet->words)
        text_printf(text, " announced=%" PRIu32, packet->announced);
}

/* Writes `gp0` or `gp1`, and leaves the line open for the packet's first command. */
static void write_opener(struct writer *writer, const struct psx_packet *packet)
{
    text_add(&writer->text, psx_packet_name(packet->type));
    write_announced(&writer->text, packet);
    writer->joined = true;
}

static void write_plain(struct text *text, const struct psx_packet *packet)
{
    text_add(text, "packet ");
    text_add_hex(text, packet->type, 2);
    write_announced(text, packet);
    text_add_char(text, '\n');
    write_words(text, packet->payload, packet->words);
}

/*
 * Writes a string without its zeros at the end, and the packet's number of words if that does not
 * follow from the string.
 */
static void write_string(struct text *text, const struct psx_packet *packet)
{
    size_t size = 4 * (size_t)packet->words;

    while (size > 0 && packet->payload[size - 1] == 0)
        size--;
    text_add(text, psx_packet_name(packet->type));
    text_add(text, " \"");
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = packet->payload[i];

        if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\') {
            text_add(text, "\\x");
            text_add_hex(text, byte, 2);
        } else {
            text_add_char(text, (char)byte);
        }
    }
    text_add_char(text, '"');
    if ((size + 3) / 4 != packet->words)
        text_printf(text, " words=%" PRIu32, packet->words);
    text_add_char(text, '\n');
}

/* Returns whether a packet without commands has the form that its statement expresses. */
static bool is_regular(const struct psx_packet *packet)
{
    if (packet->announced != packet->words)
        return false;
    switch (packet->type) {
    case PSX_PACKET_VSYNC:
        return packet->words <= 2;
    case PSX_PACKET_DISCARD:
    case PSX_PACKET_READBACK:
    case PSX_PACKET_VERSION:
        return packet->words == 1;
    case PSX_PACKET_BEGIN:
        return packet->words == 0;
    case PSX_PACKET_GAME:
    case PSX_PACKET_VIDEO:
    case PSX_PACKET_COMMENT:
        return packet->words <= PSX_TEXT_STRING_MAX / 4;
    default:
        return false;
    }
}

static void write_event(struct text *text, const struct psx_packet *packet)
{
    psx_format_event(text, packet);
    if (packet->type == PSX_PACKET_VSYNC && packet->words == 1)
        text_add(text, " words=1");
    text_add_char(text, '\n');
}

static void write_packet(struct writer *writer, const struct psx_packet *packet)
{
    struct text *text = &writer->text;

    if (packet->type <= PSX_PACKET_GP1) {
        write_opener(writer, packet);
        end_joined(writer);
    } else if (!is_regular(packet)) {
        write_plain(text, packet);
    } else if (packet->type == PSX_PACKET_VERSION) {
        text_printf(text, "version number=%" PRIu32 "\n", bytes_le32(packet->payload));
    } else if (packet->type >= PSX_PACKET_GAME) {
        write_string(text, packet);
    } else {
        write_event(text, packet);
    }
}

/* Called before the first statement of a packet: writes which frames begin with it. */
static void write_frames(struct writer *writer, uint64_t packet)
{
    const struct psx_index *index = writer->index;

    for (; writer->frame < index->frame_count && index->frames[writer->frame].packet <= packet;
         writer->frame++)
        text_printf(&writer->text, "# frame %06" PRIu64 ", from packet %08" PRIu64 " on\n",
                    writer->frame, packet);
}

static void enter_packet(struct writer *writer, const struct psx_step *step)
{
    if (step->number == writer->packet)
        return;
    end_joined(writer);
    write_frames(writer, step->number);
    writer->packet = step->number;
    if (step->kind != PSX_STEP_PACKET)
        write_opener(writer, &step->packet);
}

/* Appends a step's words. Returns false if there is no room for them. */
static bool gather_words(const struct psx_step *step, struct whole *whole)
{
    if (step->words > PSX_ENCODED_MAX - whole->count)
        return false;
    for (uint32_t i = 0; i < step->words; i++)
        whole->words[whole->count++] =
            bytes_le32(step->packet.payload + 4 * ((uint64_t)step->word + i));
    return true;
}

/*
 * Returns whether the command can go on in this step, which is in packet `number` or the next one.
 */
static bool continues(const struct psx_step *step, uint64_t number, struct whole *whole)
{
    if (step->kind != PSX_STEP_GP0)
        return false;
    if (step->number == number)
        return true;
    whole->cuts[whole->cut_count++] = whole->count;
    return step->packet.announced == step->packet.words;
}

static bool take_event(const struct psx_walk *walk, const struct psx_gp0_event *event,
                       struct psx_command *command, bool *ends)
{
    *ends = event->type == GP0_EVENT_POLYLINE_END;
    if (event->type == GP0_EVENT_COMMAND) {
        command->event = *event;
        command->registers = walk->at.state.registers;
        command->op = event->op;
        *ends = psx_gp0_table[event->op].kind != GP0_POLYLINE;
        if (!*ends)
            psx_polyline_begin(command->polyline, event, &command->registers);
    } else if (event->type == GP0_EVENT_SEGMENT) {
        psx_polyline_add(command->polyline, event, &command->registers);
        return command->polyline->vertices <= PSX_POLYLINE_LISTED;
    }
    return true;
}

/*
 * Collects the command that begins with `step`, if it is complete and there is nothing else between
 * its packets. Moves *walk and *step to its last step then. Otherwise returns false, leaving both
 * untouched.
 */
static bool gather_command(struct writer *writer, struct psx_walk *walk, struct psx_step *step)
{
    struct whole *whole = &writer->whole;
    struct psx_walk ahead = *walk;
    struct psx_step next = *step;
    uint64_t number = step->number;
    bool ends = false;

    whole->count = whole->cut_count = 0;
    whole->command =
        (struct psx_command){.polyline = &writer->polyline, .carried_out = true, .as_sent = true};
    for (;;) {
        if (!continues(&next, number, whole) || !gather_words(&next, whole) ||
            !take_event(&ahead, &next.event, &whole->command, &ends))
            return false;
        if (ends)
            break;
        number = next.number;
        psx_walk_apply(&ahead, &next);
        if (!psx_walk_next(&ahead, &next))
            return false;
    }
    *walk = ahead;
    *step = next;
    return true;
}

static void add_bits(struct text *text, unsigned count, const uint32_t *words, const uint32_t *told)
{
    bool any = false;

    for (unsigned i = 0; i < count; i++) {
        if (words[i] == told[i])
            continue;
        text_add(text, any ? "/" : " bits=");
        text_printf(text, "%u:", i);
        text_add_hex(text, words[i] ^ told[i], 1);
        any = true;
    }
}

static void add_cuts(struct text *text, const struct whole *whole)
{
    for (unsigned i = 0; i < whole->cut_count; i++) {
        text_add(text, i == 0 ? " cut=" : ",");
        text_add_u64(text, whole->cuts[i]);
    }
}

/*
 * Encodes the statement as the assembler will, and adds the operands for what it does not express.
 * Returns false if the words could not be recovered from the statement.
 */
static bool complete_statement(struct writer *writer, bool port1, const uint32_t *words,
                               unsigned count)
{
    struct format_text_error error;
    struct text *text = &writer->statement;
    struct psx_scan scan = {.line = text->bytes, .length = text->length, .error = &error};
    const int op = (int)(words[0] >> 24);
    struct psx_token name;

    if (text_status(text) != 0 || !psx_scan_token(&scan, &name) ||
        (port1 ? psx_encode_gp1 : psx_encode_gp0)(&scan, &name, op, false, &writer->encoded) != 0 ||
        writer->encoded.count != count)
        return false;
    if (writer->encoded.op != op) {
        text_add(text, " op=");
        text_add_hex(text, (uint64_t)op, 2);
    }
    add_bits(text, count, words, writer->encoded.words);
    return true;
}

static void write_statement(struct writer *writer)
{
    if (writer->joined)
        text_add_char(&writer->text, ' ');
    writer->joined = false;
    text_add_text(&writer->text, &writer->statement);
    text_add_char(&writer->text, '\n');
}

/* Writes a step's words that are not a complete command, or that continue one, as raw words. */
static void write_raw(struct writer *writer, const struct psx_step *step)
{
    const uint8_t *words = step->packet.payload + 4 * (uint64_t)step->word;

    end_joined(writer);
    if (step->event.type == GP0_EVENT_DATA)
        write_pixels(&writer->text, words, step->words);
    else
        write_words(&writer->text, words, step->words);
}

static void write_gp0(struct writer *writer, struct psx_walk *walk, struct psx_step *step)
{
    struct psx_walk before = *walk;
    struct psx_step first = *step;
    const struct whole *whole = &writer->whole;

    if (!step->event.begins || !gather_command(writer, walk, step)) {
        write_raw(writer, step);
        return;
    }
    text_reset(&writer->statement);
    psx_format_gp0(&writer->statement, &whole->command);
    if (complete_statement(writer, false, whole->words, whole->count)) {
        add_cuts(&writer->statement, whole);
        write_statement(writer);
        writer->packet = step->number;
        return;
    }
    *walk = before;
    *step = first;
    write_raw(writer, step);
}

static void write_gp1(struct writer *writer, const struct psx_walk *walk,
                      const struct psx_step *step)
{
    text_reset(&writer->statement);
    psx_format_gp1(&writer->statement, step->gp1, &walk->at.state.registers);
    if (complete_statement(writer, true, &step->gp1, 1))
        write_statement(writer);
    else
        write_raw(writer, step);
}

static int write_steps(struct writer *writer, struct psx_walk *walk)
{
    struct psx_step step;
    unsigned steps = 0;
    int status = 0;

    while (status == 0 && walk->at.packet < writer->end && psx_walk_next(walk, &step)) {
        enter_packet(writer, &step);
        if (step.kind == PSX_STEP_GP0)
            write_gp0(writer, walk, &step);
        else if (step.kind == PSX_STEP_GP1)
            write_gp1(writer, walk, &step);
        else
            write_packet(writer, &step.packet);
        psx_walk_apply(walk, &step);
        status = psx_walk_cancelled(&steps, writer->cancel) ? -EINTR : flush(writer, PIECE);
    }
    end_joined(writer);
    return status;
}

static void write_trailing(struct writer *writer, uint64_t offset)
{
    if (offset == writer->index->size)
        return;
    text_add(&writer->text, "trailing");
    for (uint64_t i = offset; i < writer->index->size; i++) {
        text_add_char(&writer->text, ' ');
        text_add_hex(&writer->text, writer->index->data[i], 2);
    }
    text_add_char(&writer->text, '\n');
}

static struct writer *create_writer(const struct psx_index *index, const struct cancel *cancel,
                                    const struct format_sink *sink)
{
    struct writer *writer = calloc(1, sizeof(*writer));

    if (writer == NULL)
        return NULL;
    writer->index = index;
    writer->cancel = cancel;
    writer->sink = sink;
    writer->packet = UINT64_MAX;
    writer->end = UINT64_MAX;
    return writer;
}

/* Writes the remaining text to the sink, unless `status` is a failure. Returns the final status. */
static int destroy_writer(struct writer *writer, int status)
{
    if (status == 0)
        status = flush(writer, 0);
    text_clear(&writer->text);
    text_clear(&writer->statement);
    free(writer);
    return status;
}

int psx_disassemble(const struct psx_index *index, const struct cancel *cancel,
                    const struct format_sink *sink)
{
    struct writer *writer = create_writer(index, cancel, sink);
    struct psx_walk walk;
    int status;

    if (writer == NULL)
        return -ENOMEM;
    text_printf(&writer->text, "%s %s\n", PSX_TEXT_WORD,
                index->magic == PSX_MAGIC_14 ? "v1" : "v1r1");
    psx_walk_start(&walk, index);
    status = write_steps(writer, &walk);
    if (status == 0)
        write_trailing(writer, walk.at.offset);
    return destroy_writer(writer, status);
}

/* No command goes on after the VSync that ends a frame. */
int psx_disassemble_frame(const struct psx_index *index, uint64_t frame,
                          const struct cancel *cancel, const struct format_sink *sink)
{
    struct writer *writer = create_writer(index, cancel, sink);
    struct psx_parser_state begin;
    struct psx_walk walk;

    if (writer == NULL)
        return -ENOMEM;
    writer->frame = frame;
    writer->end = index->frames[frame + 1].packet;
    psx_index_frame_checkpoint(index, frame, &begin);
    psx_walk_resume(&walk, index, &begin);
    return destroy_writer(writer, write_steps(writer, &walk));
}

int psx_disassemble_dump(struct dump *dump, const struct cancel *cancel,
                         const struct format_sink *sink)
{
    struct psx_index *index = &psx_dump_of(dump)->index;
    int status = psx_index_wait_packets(index, cancel);

    if (status != 0)
        return status;
    /* Beyond max-memory: a part would be taken for the complete dump. */
    if (index->size < dump->source->size)
        return -EFBIG;
    return psx_disassemble(index, cancel, sink);
}
