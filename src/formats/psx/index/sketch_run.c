/* SPDX-License-Identifier: MIT */
/*
 * The fast path of a sketch (psx_sketch_run()): primitives, and E1 to E6.
 *
 * Nearly all words of a dump are those of primitives. Of each primitive a sketch needs no more than
 *
 *   - what it leaves in E1 and in the palette latch,
 *   - whether it drops the texel cache, and so begins another run,
 *   - whether its drawing area contains texels of its run (gpu/texel_reach.h), which is possible
 *     only if the drawing area overlaps the texture page.
 *
 * Data: `struct latch` has what changes from one primitive to the next. `struct run` has what holds
 * as long as no other register changes, above all, for each depth, which texture pages are apart
 * from the drawing area. `struct shape` says for each first byte where the words of a command are.
 *
 * Steps: pass_packets() goes from packet to packet. pass_alone() passes packets with one primitive
 * each, pass_packet() the commands of other packets. A primitive or an E1 first goes to
 * pass_primitive(), which computes the next latch and tests the page's bit in run->apart. If the
 * bit is set, no more is to be done. Everything else goes to pass_rarely(): polylines, E2 to E6,
 * and primitives whose page overlaps the drawing area. At any other command this file stops, and
 * sketch.c takes a step.
 *
 * What was drawn is recorded later, by settle(), when the drawing area changes and at the end. That
 * is enough: a primitive counts as writing all of its drawing area, so it does not matter how many
 * there were.
 *
 * The processor cannot predict which kind of primitive comes next, and a branch on the kind would
 * cost more than all that is computed here. So next_latch() computes everything for all kinds in
 * the same way: it reads, for example, a page and a palette even from the words of a primitive that
 * has neither, and masks from the table remove the result.
 */
#include "formats/psx/index/sketch_pass.h"

#include "base/bytes.h"
#include "formats/psx/gpu/draw.h"

#include <pthread.h>
#include <string.h>

enum form { FORM_OTHER, FORM_PRIMITIVE, FORM_POLYLINE, FORM_ENVIRONMENT };

/* What is known of a command by its first byte. */
struct shape {
    uint32_t alone;     /* header of a packet with nothing else; UINT32_MAX if `words` is 0 */
    uint32_t textured;  /* all bits or none */
    uint16_t page_mask; /* bits of E1 that the command overwrites */
    uint8_t page;       /* byte offset of these bits: of the texture page, or of E1's operand */
    uint8_t words;      /* number of words of a primitive or an E1; 0 for other commands */
    uint8_t seen;       /* SEEN_…, what the command adds to the latch */
    uint8_t form;       /* enum form */
};

enum { SEEN_DRAWN = 1, SEEN_TEXTURED = 2, SEEN_PALETTE = 4 };

enum {
    CLUT_AT = 10,         /* byte offset of the palette in a textured primitive */
    PRIMITIVE_BYTES = 12, /* so many bytes are read of a primitive, even if it is shorter */
    /* The longest packet of one primitive, and what is read after it. */
    PACKET_BYTES = 4 + 4 * GP0_WORDS_MAX + PRIMITIVE_BYTES,
    OP_TEXTURE_PAGE = 0xE1,
    BYTES_AHEAD = 4096, /* so far ahead of a packet the dump is fetched */
    OP_OF_PACKET = 7,   /* byte offset of the first command's byte in a packet */
};

static struct shape shapes[256];

static enum form form_of(enum psx_gp0_kind kind)
{
    switch (kind) {
    case GP0_POLYGON:
    case GP0_RECTANGLE:
    case GP0_LINE:
        return FORM_PRIMITIVE;
    case GP0_POLYLINE:
        return FORM_POLYLINE;
    case GP0_ENVIRONMENT:
        return FORM_ENVIRONMENT;
    default:
        return FORM_OTHER;
    }
}

static void make_shapes(void)
{
    for (unsigned op = 0; op < 256; op++) {
        const struct psx_gp0_info *info = &psx_gp0_table[op];
        struct shape *shape = &shapes[op];

        shape->form = (uint8_t)form_of(info->kind);
        shape->seen = shape->form != FORM_ENVIRONMENT ? SEEN_DRAWN : 0;
        shape->words = shape->form == FORM_PRIMITIVE ? info->words : 0;
        if ((info->kind == GP0_POLYGON || info->kind == GP0_RECTANGLE) && (op & GP0_TEXTURED)) {
            shape->textured = UINT32_MAX;
            shape->seen |= SEEN_TEXTURED;
        }
        if (shape->textured && info->kind == GP0_POLYGON) {
            shape->page = op & GP0_GOURAUD ? 22 : 18;
            shape->page_mask = PSX_PAGE_BITS;
        }
        shape->alone = shape->words > 0 ? shape->words : UINT32_MAX;
    }
    shapes[OP_TEXTURE_PAGE].words = shapes[OP_TEXTURE_PAGE].alone = 1;
    shapes[OP_TEXTURE_PAGE].page_mask = UINT16_MAX;
}

static const struct shape *get_shapes(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_shapes);
    return shapes;
}

/* What changes from one primitive to the next; kept in registers of the processor. */
struct latch {
    uint32_t e1, texel_run;
    uint32_t clut;  /* key of the palette latch, in the form of pack_clut() */
    uint32_t level; /* 1 more than the depth bits of the run that reach furthest; 0: none */
    uint32_t seen;  /* SEEN_…, since begin() */
};

enum { LEVELS = 5 };

/* What holds as long as no other register changes. */
struct run {
    struct psx_sketch *sketch;
    struct psx_sketch_area *area;
    uint32_t apart[LEVELS];      /* area->apart by level; for level 0 all bits are set */
    uint32_t e1_bits, clut_bits; /* the bits that count of E1 and of a palette's id */
    struct latch latch;          /* not up to date while primitives are being passed */
};

/* The area if the texel cache is not modelled. */
static struct psx_sketch_area all_apart = {.known = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                                           .apart = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};

static struct psx_sketch_area *find_area(struct psx_sketch *sketch)
{
    const struct psx_registers *registers = &sketch->walk.at.state.registers;
    const struct psx_sketch_area wanted = {
        .place = {registers->e[3], registers->e[4], registers->display.high_lines}};
    struct psx_sketch_area *areas = sketch->areas, found;
    unsigned i = 0;

    while (i < PSX_SKETCH_AREAS - 1 &&
           memcmp(areas[i].place, wanted.place, sizeof(wanted.place)) != 0)
        i++;
    found = memcmp(areas[i].place, wanted.place, sizeof(wanted.place)) == 0 ? areas[i] : wanted;
    if (found.box.width == 0) { /* not computed yet, or empty */
        found.clip = psx_registers_clip(registers);
        psx_draw_area(registers, &found.box);
    }
    memmove(areas + 1, areas, i * sizeof(*areas));
    areas[0] = found;
    return areas;
}

/* Returns the id, and above it 0, 1 or 2 for 0, 16 or 256 entries. */
static uint32_t pack_clut(const struct psx_clut_key *key)
{
    return key->id | (uint32_t)(key->entries / 16 > 1 ? 2 : key->entries / 16) << 16;
}

static struct psx_clut_key unpack_clut(uint32_t clut)
{
    static const uint16_t entries[] = {0, 16, 256};

    return (struct psx_clut_key){(uint16_t)clut, entries[clut >> 16]};
}

/* Returns the depth, enum psx_depth, of a level that is not 0. */
static uint32_t depth_of_level(uint32_t level)
{
    return level - 1 < PSX_DEPTH_15 ? level - 1 : PSX_DEPTH_15;
}

static void note_apart(struct run *run)
{
    run->apart[0] = UINT32_MAX;
    for (uint32_t level = 1; level < LEVELS; level++)
        run->apart[level] = run->area->apart[depth_of_level(level)];
}

static void begin(struct psx_sketch *sketch, struct run *run)
{
    const struct psx_state *state = &sketch->walk.at.state;
    const struct psx_texel_reach *reach = &sketch->reach;
    const bool goes_on = reach->sampled && reach->run == state->texel_run;

    *run = (struct run){
        .sketch = sketch,
        .area = sketch->index->texel_cache ? find_area(sketch) : &all_apart,
        .e1_bits = psx_registers_texture_page_bits(&state->registers),
        .clut_bits = psx_registers_palette(&state->registers, UINT32_MAX),
        .latch = {.e1 = state->registers.e[1],
                  .texel_run = state->texel_run,
                  .clut = pack_clut(&state->clut),
                  .level = goes_on ? reach->depth + UINT32_C(1) : 0},
    };
    note_apart(run);
}

/* Records what has been drawn, while the registers are still those that it was drawn with. */
static void settle(struct run *run)
{
    struct psx_sketch *sketch = run->sketch;
    struct psx_state *state = &sketch->walk.at.state;
    const struct latch *latch = &run->latch;

    psx_sketch_end_look(sketch, latch->texel_run);
    state->registers.e[1] = latch->e1;
    state->clut = unpack_clut(latch->clut);
    state->texel_run = latch->texel_run;
    if (latch->seen & SEEN_DRAWN)
        psx_tile_summary_add_area(&sketch->stretch.maker, &state->registers);
    if (latch->seen & SEEN_PALETTE)
        sketch->stretch.maker.summary.written.latches |= PSX_LATCH_PALETTE;
    if ((latch->seen & SEEN_TEXTURED) && latch->level > 0)
        psx_texel_reach_sample(&sketch->reach, latch->texel_run, latch->e1 & 0x1F,
                               depth_of_level(latch->level));
}

/*
 * Returns whether nothing is to be recorded of a primitive in that run. Each page is compared with
 * the area once.
 */
static bool is_apart(struct run *run, const struct latch *latch)
{
    const struct psx_texel_reach *reach = &run->sketch->reach;
    const unsigned page = latch->e1 & 0x1F, depth = depth_of_level(latch->level);
    struct psx_sketch_area *area = run->area;
    const uint32_t bit = UINT32_C(1) << page;

    if (reach->stale && reach->run == latch->texel_run)
        return true;
    if (!(area->known[depth] & bit)) {
        area->known[depth] |= bit;
        if (psx_texel_page_is_apart(&run->sketch->walk.at.state.registers, page, depth))
            area->apart[depth] |= bit;
        note_apart(run);
    }
    return area->apart[depth] & bit;
}

/*
 * Returns what is latched after a primitive or E1, whose words must all be there; the words are
 * read as those of either.
 */
static inline __attribute__((always_inline)) struct latch next_latch(const struct run *run,
                                                                     const struct latch *latch,
                                                                     const struct shape *shape,
                                                                     const uint8_t *words)
{
    const uint32_t page = bytes_le16(words + shape->page) & run->e1_bits;
    const uint32_t e1 = latch->e1 ^ ((latch->e1 ^ page) & shape->page_mask);
    const uint32_t drop = psx_page_drops_texels(latch->e1, e1), bits = e1 >> 7 & 3;
    const uint32_t before = latch->level & (drop - 1), own = (bits + 1) & shape->textured;
    const uint32_t clut =
        (bytes_le16(words + CLUT_AT) & run->clut_bits) | (UINT32_C(1) + (bits & 1)) << 16;
    /* The same id, and at least as many entries: 0 to 2 times 0x10000 more. */
    const uint32_t more = latch->clut - clut, kept = (more << 16 | more >> 16) <= 2;
    const uint32_t latches = shape->textured & ((bits >> 1 | kept) - 1);

    return (struct latch){
        .e1 = e1,
        .texel_run = latch->texel_run + drop,
        .clut = latch->clut ^ ((latch->clut ^ clut) & latches),
        .level = before > own ? before : own,
        .seen = latch->seen | shape->seen | (latches & SEEN_PALETTE),
    };
}

/* Returns false, without having taken the primitive over, if it has to be looked at closely. */
static inline __attribute__((always_inline)) bool pass_primitive(struct run *run,
                                                                 struct latch *latch,
                                                                 const struct shape *shape,
                                                                 const uint8_t *words)
{
    const struct latch next = next_latch(run, latch, shape, words);

    if (!(run->apart[next.level] >> (next.e1 & 0x1F) & 1) && !is_apart(run, &next))
        return false;
    *latch = next;
    return true;
}

/*
 * Passes a word of E1 to E6. A new drawing area begins after what was drawn in the old one is
 * recorded.
 */
static void pass_environment(struct run *run, uint32_t word)
{
    struct psx_registers *registers = &run->sketch->walk.at.state.registers;
    const uint32_t number = word >> 24 & 7, e1 = run->latch.e1;

    if (number != 1 && !psx_registers_keep(registers, word))
        psx_sketch_end_look(run->sketch, run->latch.texel_run);
    registers->e[1] = e1;
    if ((number == 3 || number == 4) && !psx_registers_keep(registers, word)) {
        settle(run);
        psx_registers_environment(registers, word);
        begin(run->sketch, run);
        return;
    }
    psx_registers_environment(registers, word);
    if (psx_page_drops_texels(e1, registers->e[1])) {
        run->latch.texel_run++;
        run->latch.level = 0;
    }
    run->latch.e1 = registers->e[1];
}

/*
 * Passes a primitive that is drawn where texels of its run may be, or an E1 after which that is so.
 */
static void pass_closely(struct run *run, const struct shape *shape, const uint8_t *words,
                         uint8_t op)
{
    const struct latch before = run->latch;
    struct latch *latch = &run->latch;
    struct psx_sketch *sketch = run->sketch;
    const struct psx_sketch_primitive primitive = {
        .words = words, .e1 = (*latch = next_latch(run, &before, shape, words)).e1, .op = op};

    if (before.texel_run == latch->texel_run && before.level > 0 && (before.seen & SEEN_TEXTURED)) {
        psx_sketch_end_look(sketch, before.texel_run);
        psx_texel_reach_sample(&sketch->reach, before.texel_run, before.e1 & 0x1F,
                               depth_of_level(before.level));
    }
    latch->seen &= ~(uint32_t)SEEN_TEXTURED;
    if (shape->seen & SEEN_DRAWN)
        psx_sketch_look(sketch, run->area, &primitive, latch->texel_run);
}

/*
 * Passes a command that needs another treatment than most. `left` is the number of words up to the
 * packet's end. Returns the command's words; 0 if it has to be taken apart. `op` was read once,
 * since another program may write to the file meanwhile.
 */
static uint32_t pass_rarely(struct run *run, const uint8_t *words, uint8_t op, uint32_t left)
{
    const struct shape *shape = &shapes[op];
    uint32_t length = psx_gp0_table[op].words;

    if (shape->form == FORM_POLYLINE)
        length = psx_gp0_measure_polyline(words, left);
    if (length > left)
        return 0;
    switch (shape->form) {
    case FORM_PRIMITIVE:
        pass_closely(run, shape, words, op);
        return length;
    case FORM_POLYLINE:
        return pass_primitive(run, &run->latch, shape, words) ? length : 0;
    case FORM_ENVIRONMENT:
        pass_environment(run, bytes_le32(words));
        return length;
    default:
        return 0;
    }
}

/*
 * Goes on in a GP0 packet, from *words, up to `far` or a little further. Returns whether it has
 * come to the packet's end.
 */
static inline bool pass_packet(struct run *run, struct latch *latch, const struct shape *table,
                               const uint8_t **words, const uint8_t *end, const uint8_t *far)
{
    while (*words < end) {
        if (*words >= far)
            return false;

        const uint8_t op = (*words)[3];
        const struct shape *shape = &table[op];
        const uint32_t left = (uint32_t)(end - *words) / 4;
        uint32_t length = shape->words;

        if (length - 1 >= left || !pass_primitive(run, latch, shape, *words)) {
            run->latch = *latch;
            length = pass_rarely(run, *words, op, left);
            *latch = run->latch;
            if (length == 0)
                return false;
        }
        *words += 4 * (size_t)length;
    }
    return true;
}

/*
 * Passes packets of one primitive each of which nothing is to be recorded. Returns their number.
 * Fetches what follows early, since the processor by itself does not fetch across the end of a
 * page.
 */
static inline uint64_t pass_alone(struct run *run, struct latch *latch, const struct shape *table,
                                  const uint8_t **packet, const uint8_t *end)
{
    const uint8_t *at = *packet;
    uint64_t count = 0;

    for (; at < end; count++) {
        const struct shape *shape = &table[at[OP_OF_PACKET]];
        const uint32_t header = bytes_le32(at);

        __builtin_prefetch(at + BYTES_AHEAD);
        if (header != shape->alone || !pass_primitive(run, latch, shape, at + 4))
            break;
        at += 4 + 4 * (size_t)header;
    }
    *packet = at;
    return count;
}

/*
 * Passes commands from the walk's position on that begin before byte `end`, in complete GP0
 * packets. Leaves out packets so near the dump's end that not all words of a primitive could be
 * read.
 */
static void pass_packets(struct run *run, struct psx_parser_state *at, uint64_t end)
{
    const struct shape *table = get_shapes();
    const struct psx_index *index = run->sketch->index;
    const uint8_t *data = index->data;
    const uint64_t size = index->size;
    const uint8_t *const far = data + (end < size ? end : size);
    const uint8_t *const alone_end = far - data > PACKET_BYTES ? far - PACKET_BYTES : data;
    struct latch latch = run->latch;
    uint64_t offset = at->offset, number = at->packet;
    uint32_t word = at->word;

    for (;;) {
        const uint8_t *packet = data + offset;

        if (word == 0)
            number += pass_alone(run, &latch, table, &packet, alone_end);
        offset = (uint64_t)(packet - data);
        if (offset >= end || !bytes_inside(offset, 4, size))
            break;

        const uint32_t header = bytes_le32(data + offset); /* the type is 0 */
        const uint64_t next = offset + 4 + 4 * (uint64_t)header;
        const uint8_t *words = data + offset + 4 + 4 * (size_t)word;

        if (header - 1 >= PSX_PACKET_WORDS_MAX || word > header ||
            !bytes_inside(next, PRIMITIVE_BYTES, size))
            break;
        if (!pass_packet(run, &latch, table, &words, data + next, far)) {
            word = (uint32_t)(words - (data + offset + 4)) / 4;
            break;
        }
        number++;
        offset = next;
        word = 0;
    }
    run->latch = latch;
    at->packet = number;
    at->offset = offset;
    at->word = word;
}

void psx_sketch_run(struct psx_sketch *sketch, uint64_t end)
{
    struct run run;

    if (sketch->walk.at.state.parser.phase != GP0_PHASE_IDLE)
        return;
    begin(sketch, &run);
    pass_packets(&run, &sketch->walk.at, end);
    settle(&run);
}
