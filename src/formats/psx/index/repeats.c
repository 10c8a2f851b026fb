/* SPDX-License-Identifier: MIT */
/*
 * Most commands are primitives with nothing new for the index: an earlier one has put their drawing
 * area, texture page and palette into the stretch's summary. These are counted where they are,
 * without being decoded. Others, and E1 to E6, are reported on the way. The result is what a walk
 * step by step would find.
 */
#include "formats/psx/index/command_pass.h"

#include "base/bytes.h"
#include "formats/psx/gpu/draw.h"

/* What holds from one command to the next, as long as nothing new comes. */
struct repeats {
    struct psx_command_index *command_index;
    struct psx_registers *registers;
    /*
     * Whether primitives without a texture add nothing new; and whether textured ones do not, if
     * the bits clut_bits of the id of their palette are equal to `clut`.
     */
    bool plain, textured;
    uint16_t clut, clut_bits;
    uint64_t max_cost;
    /* Sums over the commands that were passed. */
    uint64_t cost;
    uint32_t commands, draws, words;
    /* The last of these commands. */
    uint64_t last_packet, last_offset; /* number and offset of its packet */
    uint32_t last_word;                /* index of its first word in that packet */
    uint8_t last_op;
};

/* The bits of E1 that say where texels are; a change drops those that the GPU keeps. */
enum { TEXTURE_BITS = 0x99F };

static bool is_settled(struct psx_command_index *command_index, bool textured)
{
    return !command_index->index->texel_cache ||
           psx_texel_reach_is_settled(&command_index->reach, &command_index->walk.at.state,
                                      textured);
}

/* Finds out which primitives add nothing new from here on. */
static void look(struct repeats *repeats)
{
    struct psx_command_index *command_index = repeats->command_index;
    struct psx_state *state = &command_index->walk.at.state;

    repeats->plain = repeats->textured = false;
    repeats->clut_bits = 0;
    if (!psx_tile_summary_has_area(&command_index->stretch.maker, repeats->registers))
        return;
    repeats->plain = is_settled(command_index, false);
    repeats->textured = psx_tile_summary_has_texture(&command_index->stretch.maker, state) &&
                        is_settled(command_index, true);
    if (psx_depth_of(repeats->registers->e[1]) != PSX_DEPTH_15)
        repeats->clut_bits = psx_registers_palette(repeats->registers, UINT32_MAX);
    /* If the latched id has bits that do not count any more, no primitive's id equals it. */
    repeats->clut = repeats->clut_bits != 0 ? state->clut.id : 0;
}

static inline bool has_clut(const struct repeats *repeats, const uint8_t *words)
{
    return repeats->textured && (bytes_le16(words + 10) & repeats->clut_bits) == repeats->clut;
}

/* Returns whether the page is E1's. Its blend mode may differ, and is taken over. */
static inline bool has_page(const struct repeats *repeats, const uint8_t *attribute)
{
    uint32_t page = psx_registers_page_bits(repeats->registers, bytes_le16(attribute));

    if ((page ^ repeats->registers->e[1]) & TEXTURE_BITS)
        return false;
    if ((page ^ repeats->registers->e[1]) & PSX_PAGE_BITS)
        psx_registers_texture_page(repeats->registers, page);
    return true;
}

static inline bool takes_box(uint8_t polygon, const uint8_t *words)
{
    return psx_tile_summary_takes_box(polygon, bytes_le32(words + 4),
                                      bytes_le32(words + (polygon & GP0_GOURAUD ? 12 : 8)));
}

/* Returns whether the word leaves the texture where it is. The other bits of E1 are taken over. */
static bool keeps_texture(const struct repeats *repeats, uint32_t word)
{
    if (psx_registers_keep(repeats->registers, word))
        return true;
    if (word >> 24 != 0xE1 ||
        ((psx_registers_page_bits(repeats->registers, word) ^ repeats->registers->e[1]) &
         TEXTURE_BITS))
        return false;
    psx_registers_environment(repeats->registers, word);
    return true;
}

/* Returns whether a command adds nothing new. All of its words must be there. */
static inline bool tells_nothing(const struct repeats *repeats, uint8_t op, const uint8_t *words)
{
    switch (psx_gp0_table[op].kind) {
    case GP0_POLYGON:
        if (op & GP0_TEXTURED)
            return has_clut(repeats, words) &&
                   has_page(repeats, words + (op & GP0_GOURAUD ? 22 : 18));
        return repeats->plain && !takes_box(op, words);
    case GP0_RECTANGLE:
        if (op & GP0_TEXTURED)
            return has_clut(repeats, words);
        return repeats->plain && !psx_tile_summary_takes_box(op, 0, 0);
    case GP0_LINE:
    case GP0_POLYLINE:
        return repeats->plain;
    case GP0_ENVIRONMENT:
        return keeps_texture(repeats, bytes_le32(words));
    default:
        return false;
    }
}

/*
 * Reports a primitive or a word of the environment that adds something new. Returns false for
 * another command.
 */
static bool tell(struct repeats *repeats, uint8_t op, const uint8_t *words)
{
    struct psx_command_index *command_index = repeats->command_index;
    struct psx_state *state = &command_index->walk.at.state;
    const struct psx_gp0_info *info = &psx_gp0_table[op];
    struct psx_gp0_event event;

    if (info->kind != GP0_POLYGON && info->kind != GP0_RECTANGLE && info->kind != GP0_LINE &&
        info->kind != GP0_ENVIRONMENT)
        return false;
    event.type = GP0_EVENT_COMMAND;
    event.op = op;
    event.count = info->words;
    for (unsigned i = 0; i < event.count; i++)
        event.words[i] = bytes_le32(words + 4 * i);
    psx_tile_summary_event(&command_index->stretch.maker, state, &event);
    psx_state_gp0(state, &event);
    if (command_index->index->texel_cache)
        psx_stale_runs_look(&command_index->index->stale_runs, &command_index->reach, state,
                            &event);
    look(repeats);
    return true;
}

/* Returns the number of words of a command, without its data. */
static inline uint32_t measure(uint8_t op, const uint8_t *words, uint32_t left)
{
    const struct psx_gp0_info *info = &psx_gp0_table[op];

    return info->kind == GP0_POLYLINE ? psx_gp0_measure_polyline(words, left) : info->words;
}

/* Goes on in a GP0 packet. Returns whether it has come to the packet's end. */
static inline bool pass_packet(struct repeats *repeats, struct psx_parser_state *at,
                               const struct psx_packet *packet)
{
    while (at->word < packet->words) {
        const uint8_t *words = packet->payload + 4 * (uint64_t)at->word, op = words[3];
        const uint32_t left = packet->words - at->word, length = measure(op, words, left);
        const uint64_t cost = length + (at->word == 0 ? PSX_PACKET_COST : 0);

        if (length > left || repeats->cost + cost > repeats->max_cost ||
            (!tells_nothing(repeats, op, words) && !tell(repeats, op, words)))
            return false;
        repeats->cost += cost;
        repeats->commands++;
        repeats->draws += psx_gp0_table[op].kind != GP0_ENVIRONMENT;
        repeats->words += length;
        repeats->last_packet = at->packet;
        repeats->last_offset = packet->offset;
        repeats->last_word = at->word;
        repeats->last_op = op;
        at->word += length;
    }
    return true;
}

/* Leaves the parser as it is after the last command. */
static void leave_parser(const struct repeats *repeats, struct psx_gp0_parser *parser)
{
    const struct psx_gp0_info *info = &psx_gp0_table[repeats->last_op];

    parser->op = repeats->last_op;
    parser->need = info->words;
    if (info->kind == GP0_POLYLINE)
        parser->need = repeats->last_op & GP0_GOURAUD ? 2 : 1;
}

static void end(const struct repeats *repeats)
{
    struct psx_command_index *command_index = repeats->command_index;
    struct psx_parser_state *at = &command_index->walk.at;
    struct psx_totals *totals = &command_index->index->totals;

    leave_parser(repeats, &at->state.parser);
    at->command_packet = repeats->last_packet;
    at->command_word = repeats->last_word;
    at->lines += repeats->commands;
    at->draws += repeats->draws;
    command_index->command_frame = command_index->frame;
    command_index->command_offset = repeats->last_offset;
    command_index->cost += repeats->cost;
    command_index->writes |= repeats->draws > 0;
    command_index->starts_frame = false;
    psx_frame_count(&command_index->now.gp0_words, repeats->words);
    psx_frame_count(&command_index->now.commands, repeats->commands);
    psx_frame_count(&command_index->now.draws, repeats->draws);
    totals->commands += repeats->commands;
    totals->draws += repeats->draws;
}

uint64_t psx_repeats_follow(struct psx_command_index *command_index, uint64_t max_cost)
{
    const struct psx_index *index = command_index->index;
    const uint64_t size = index->size, due = command_index->interval;
    struct psx_parser_state *at = &command_index->walk.at;
    struct repeats repeats = {.command_index = command_index,
                              .registers = &command_index->walk.at.state.registers};
    struct psx_packet packet;

    if (at->state.parser.phase != GP0_PHASE_IDLE || at->frame == PSX_INITIAL ||
        command_index->cost >= due)
        return 0;
    repeats.max_cost = due - command_index->cost;
    if (repeats.max_cost > max_cost)
        repeats.max_cost = max_cost;
    look(&repeats);
    while (psx_packet_read(index->data, size, at->offset, &packet) &&
           packet.type == PSX_PACKET_GP0 && packet.words > 0 &&
           pass_packet(&repeats, at, &packet)) {
        at->packet++;
        at->offset = psx_packet_end(&packet);
        at->word = 0;
    }
    if (repeats.commands > 0)
        end(&repeats);
    return repeats.cost;
}
