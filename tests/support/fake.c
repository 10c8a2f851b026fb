/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/support/fake.h"

#include "base/transient_failures.h"

#include "tree/names.h"

#include "tests/support/support.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THINGS = 5, INNER_FILES = 4, LONG_PIECES = 40, LONG_PIECE = 64 * 1024 };

static struct fake *fake_of(const struct dump *dump)
{
    return (struct fake *)(uintptr_t)dump; /* the dump is the fake's first member */
}

/* Waits at the gate. */
static int pass_gate(struct fake *fake, const struct cancel *cancel)
{
    int status = 0;

    fake->slow++;
    while (fake->shut && status == 0) {
        if (!fake->burns)
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        if (cancel_requested(cancel))
            status = -EINTR;
    }
    fake->slow--;
    fake->cancelled += status < 0;
    return status;
}

/* The functions of struct dump_ops. */

static uint64_t fake_packets(const struct dump *dump)
{
    return fake_of(dump)->packets;
}

static uint64_t fake_frames(const struct dump *dump)
{
    return fake_of(dump)->frames;
}

static int fake_packet(struct dump *dump, uint64_t number, struct dump_packet *out)
{
    if (number >= fake_of(dump)->packets)
        return -ENOENT;
    out->offset = number * FAKE_PACKET_BYTES;
    out->data = out->offset;
    out->bytes = FAKE_PACKET_BYTES;
    out->frame = number / FAKE_PACKETS_PER_FRAME;
    out->name = number % FAKE_PACKETS_PER_FRAME == 3 ? "vsync" : "gp0";
    return 0;
}

static int fake_frame(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    bool has_picture = number % 5 != 4;

    if (number >= fake_of(dump)->frames)
        return -ENOENT;
    out->first_packet = number * FAKE_PACKETS_PER_FRAME;
    out->last_packet = out->first_packet + FAKE_PACKETS_PER_FRAME - 1;
    if (out->last_packet >= fake_of(dump)->packets)
        out->last_packet = fake_of(dump)->packets - 1;
    out->width = has_picture ? 3 + (uint32_t)(number % 4) : 0;
    out->height = has_picture ? 2 : 0;
    out->significant_bits = 5;
    return 0;
}

static void fake_frame_time(struct dump *dump, uint64_t number, struct text *text)
{
    (void)dump;
    if (number == 0)
        text_add_char(text, '-');
    else
        text_printf(text, "%.6f", (double)number / 60);
}

static int fake_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out)
{
    struct fake *fake = fake_of(dump);
    int status = fake->gated_metadata ? pass_gate(fake, cancel) : 0;

    metadata_add(out, "format", "fake");
    metadata_add_u64(out, "packets", fake->packets);
    return status;
}

static int fake_settle(struct dump *dump, const struct cancel *cancel)
{
    struct fake *fake = fake_of(dump);

    fake->settlings++;
    while (!fake->settled) {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        if (cancel_requested(cancel))
            return -EINTR;
    }
    return fake->settlement;
}

static int rows_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "packet\tname\n");
    return 0;
}

static int row_pieces(uint64_t rows, uint64_t *pieces)
{
    *pieces = (rows + FAKE_ROWS_PER_PIECE - 1) / FAKE_ROWS_PER_PIECE;
    return 0;
}

static int add_rows(struct dump *dump, uint64_t first, uint64_t last, struct text *text)
{
    fake_of(dump)->pieces++;
    for (uint64_t row = first; row <= last; row++)
        text_printf(text, "%" PRIu64 "\tsome row\n", row);
    return 0;
}

static int packet_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *pieces)
{
    (void)key, (void)cancel;
    return row_pieces(fake_of(dump)->packets, pieces);
}

static int packet_piece(struct dump *dump, uint64_t key, uint64_t piece,
                        const struct cancel *cancel, struct text *text)
{
    uint64_t first = piece * FAKE_ROWS_PER_PIECE, last = first + FAKE_ROWS_PER_PIECE - 1;
    struct fake *fake = fake_of(dump);
    uint64_t max = fake->packets - 1;
    int status = piece + 1 == fake->gated_piece ? pass_gate(fake, cancel) : 0;

    (void)key;
    return status < 0 ? status : add_rows(dump, first, last < max ? last : max, text);
}

static int frame_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        uint64_t *pieces)
{
    (void)dump, (void)frame, (void)cancel;
    *pieces = 1;
    return 0;
}

static int frame_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text)
{
    struct fake *fake = fake_of(dump);
    struct dump_frame description = {0};
    int status = fake_frame(dump, frame, &description);

    (void)piece;
    if (status == 0 && frame >= fake->gated_from && frame < fake->gated_to)
        status = pass_gate(fake, cancel);
    if (status == 0 && frame + 1 == fake->broken)
        status = fake->failure;
    if (status < 0)
        return status;
    return add_rows(dump, description.first_packet, description.last_packet, text);
}

static int frames_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *pieces)
{
    (void)key, (void)cancel;
    return row_pieces(fake_of(dump)->frames, pieces);
}

static int packet_text_pieces(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                              uint64_t *pieces)
{
    (void)cancel;
    *pieces = 1;
    return packet < fake_of(dump)->packets ? 0 : -ENOENT;
}

static int packet_text_piece(struct dump *dump, uint64_t packet, uint64_t piece,
                             const struct cancel *cancel, struct text *text)
{
    struct fake *fake = fake_of(dump);
    uint64_t frame = packet / FAKE_PACKETS_PER_FRAME;
    int status = 0;

    (void)piece;
    if (frame >= fake->gated_from && frame < fake->gated_to)
        status = pass_gate(fake, cancel);
    return status < 0 ? status : add_rows(dump, packet, packet, text);
}

static int fake_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct text *text)
{
    struct fake *fake = fake_of(dump);

    (void)cancel;
    text_field(text, "half", "%" PRIu64, frame / 2);
    for (unsigned i = 0; i < fake->letters && text_status(text) == 0; i++, fake->letters_made++)
        text_add_char(text, 'x');
    return 0;
}

static int work_on_picture(struct fake *fake, uint64_t frame, const struct cancel *cancel)
{
    while (fake->heavy == frame + 1)
        if (cancel_requested(cancel))
            return -EINTR;
    if (fake->greedy == frame + 1)
        return -ENOMEM;
    if (fake->transient_failure == frame + 1) {
        transient_failures_add();
        return -EIO;
    }
    return fake->quick ? 0 : pass_gate(fake, cancel);
}

static int make_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct blob **out)
{
    struct dump_picture picture;
    uint8_t pixels[3 * 8 * 2] = {0};
    int status = work_on_picture(fake_of(dump), frame, cancel);

    if (status == 0)
        status = dump_picture_header(dump, frame, &picture);
    if (status < 0)
        return status;
    fake_of(dump)->pictures++;
    memset(pixels, (int)frame & 0xFF, sizeof(pixels));
    return picture_encode(&picture.header, pixels, picture.header.width * 3, dump->options->png,
                          out);
}

static int fake_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                              struct blob **out)
{
    if (!fake_of(dump)->staged)
        return make_picture(dump, frame, cancel, out);
    fake_of(dump)->drawn++;
    return blob_create(1, out) == 0 ? CACHE_FIRST_STAGE : -ENOMEM;
}

static int fake_finish_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                               const struct blob *stage, struct blob **out)
{
    return stage->size == 1 ? make_picture(dump, frame, cancel, out) : -EINVAL;
}

static const char *fake_game(const struct dump *dump)
{
    (void)dump;
    return "FAKE-\t1";
}

static void fake_start(struct dump *dump)
{
    fake_of(dump)->started++;
}

static void fake_close(struct dump **dump)
{
    fake_of(*dump)->closed++;
    *dump = NULL;
}

static int fake_prepare(struct dump *dump, unsigned rule, uint64_t key,
                        const struct cancel *cancel);

static const struct dump_ops fake_ops = {
    .packets = fake_packets,
    .frames = fake_frames,
    .packet = fake_packet,
    .frame = fake_frame,
    .metadata = fake_metadata,
    .settle = fake_settle,
    .start = fake_start,
    .close = fake_close,
    .readiness = {.prepare = fake_prepare},
    .recording = {.game = fake_game, .frame_time = fake_frame_time},
    .tables = {.packet_table = {.head = rows_head, .pieces = packet_pieces, .piece = packet_piece},
               .frame_packet_table = {.head = rows_head,
                                      .pieces = frame_pieces,
                                      .piece = frame_piece},
               .frame_table = {.head = rows_head, .pieces = frames_pieces, .piece = packet_piece}},
    .texts = {.packet = {.pieces = packet_text_pieces, .piece = packet_text_piece},
              .commands = {.pieces = frame_pieces, .piece = frame_piece},
              .frame_info = fake_frame_info,
              .frame_state = fake_frame_info},
    .pictures = {.make = fake_frame_picture, .finish = fake_finish_picture},
    .introduction = "A dump made up for tests. It shows nothing that ever was on a screen, and has "
                    "a sentence\nlong enough to be broken, which 'must not: happen' in quotes.\n",
};

/* Rules of the fake. */

/* What has to be prepared before names and sizes are known; bits of `known`. */
enum { LATE_GROUPS, LATE_NAMES, LATE_SIZES, LATE_LINKS, LATE_COUNT = 3 };

static int know(struct dump *dump, unsigned what)
{
    struct fake *fake = fake_of(dump);

    return !fake->unknown || (fake->known & 1U << what) != 0 ? 0 : -EAGAIN;
}

static const char *const thing_names[THINGS] = {"a", "b", "c.d", "e_f", "g-9"};

static int next_thing(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    (void)dump, (void)parent_key;
    *ordinal = from;
    return from < THINGS ? 0 : -ENOENT;
}

static int name_thing(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)dump, (void)parent_key;
    sprintf(name, "%02" PRIu64 "-%s", ordinal, thing_names[ordinal]);
    return 0;
}

/* Only even numbers are members, so that there are gaps. */
static int next_inner(struct dump *dump, uint64_t thing, uint64_t from, uint64_t *ordinal)
{
    (void)dump, (void)thing;
    *ordinal = (from + 1) & ~UINT64_C(1);
    return *ordinal < 2 * INNER_FILES ? 0 : -ENOENT;
}

static int name_inner(struct dump *dump, uint64_t thing, uint64_t ordinal, char *name)
{
    (void)dump, (void)thing;
    sprintf(name, "%02" PRIu64 ".bin", ordinal);
    return 0;
}

static int name_inner_text(struct dump *dump, uint64_t thing, uint64_t ordinal, char *name)
{
    (void)dump, (void)thing;
    sprintf(name, "%02" PRIu64 ".txt", ordinal);
    return 0;
}

/* The key is thing << 8 | number. */
static int inner_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    (void)dump;
    *size = key * 7 % 100;
    return 0;
}

static int make_inner(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    int status = blob_create(key * 7 % 100, out);

    (void)dump, (void)cancel;
    if (status == 0)
        memset((*out)->data, (int)(key & 0xFF), (*out)->size);
    return status;
}

static int notes_head(struct dump *dump, uint64_t thing, struct text *text)
{
    (void)dump;
    if (thing != 2)
        text_add(text, "notes\n");
    return 0;
}

static int notes_pieces(struct dump *dump, uint64_t thing, const struct cancel *cancel,
                        uint64_t *pieces)
{
    (void)dump, (void)cancel;
    *pieces = thing == 3 ? 9 : thing;
    return 0;
}

static int notes_piece(struct dump *dump, uint64_t thing, uint64_t piece,
                       const struct cancel *cancel, struct text *text)
{
    (void)thing, (void)cancel;
    fake_of(dump)->pieces++;
    for (uint64_t i = 0; i < piece * 5 && piece % 3 != 2; i++)
        text_printf(text, "piece %" PRIu64 " line %" PRIu64 "\n", piece, i);
    return 0;
}

static int long_pieces(struct dump *dump, uint64_t thing, const struct cancel *cancel,
                       uint64_t *pieces)
{
    (void)thing;
    *pieces = LONG_PIECES;
    return fake_of(dump)->counting ? pass_gate(fake_of(dump), cancel) : 0;
}

static int long_piece(struct dump *dump, uint64_t thing, uint64_t piece,
                      const struct cancel *cancel, struct text *text)
{
    int status = pass_gate(fake_of(dump), cancel);

    (void)thing;
    fake_of(dump)->pieces++;
    for (int i = 0; i < LONG_PIECE / 64; i++)
        text_printf(text, "%031" PRIu64 " %031d\n", piece, i);
    return status;
}

static int big_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    (void)key;
    *size = fake_of(dump)->big_bytes;
    return 0;
}

static int make_big(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    int status = pass_gate(fake_of(dump), cancel);

    (void)key;
    if (status == 0)
        status = blob_create(fake_of(dump)->big_bytes, out);
    if (status == 0 && (*out)->size <= 8 << 20)
        memset((*out)->data, 'B', (*out)->size);
    fake_of(dump)->bigs += status == 0;
    return status;
}

static int huge_size(struct dump *dump, uint64_t thing, uint64_t *size)
{
    *size = fake_of(dump)->huge_bytes + thing;
    return know(dump, LATE_SIZES);
}

/* Each byte depends on its offset. */
static int huge_piece(struct dump *dump, uint64_t thing, uint64_t offset, size_t length,
                      const struct cancel *cancel, struct blob **out)
{
    int status = pass_gate(fake_of(dump), cancel);

    if (status == 0)
        status = blob_create(length - fake_of(dump)->short_of, out);
    if (status != 0)
        return status;
    for (size_t i = 0; i < (*out)->size; i++)
        (*out)->data[i] = (uint8_t)((offset + i) % 251 + thing);
    fake_of(dump)->huges++;
    return 0;
}

static int make_broken(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    (void)key, (void)cancel, (void)out;
    return fake_of(dump)->failure;
}

static int lying_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    (void)dump, (void)key;
    *size = 5;
    return 0;
}

static int make_lying(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    (void)dump, (void)key, (void)cancel;
    return blob_borrow("four", 4, out);
}

static int make_next(struct dump *dump, uint64_t thing, const struct cancel *cancel,
                     struct blob **out)
{
    struct text text = TEXT_INIT;
    char name[RULE_NAME_MAX + 1];

    (void)cancel;
    name_thing(dump, 0, (thing + 1) % THINGS, name);
    text_printf(&text, "../%s", name);
    return text_blob(&text, out);
}

static int not_the_third(struct dump *dump, uint64_t thing)
{
    (void)dump;
    return thing != 3 ? 0 : -ENOENT;
}

static int next_letter(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    (void)dump, (void)parent_key;
    *ordinal = from;
    return from < 26 ? 0 : -ENOENT;
}

static int name_letter(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)dump, (void)parent_key;
    sprintf(name, "%c-letter", (int)('a' + ordinal));
    return 0;
}

static bool parse_letter(struct dump *dump, uint64_t parent_key, const char *name,
                         uint64_t *ordinal)
{
    (void)dump, (void)parent_key;
    *ordinal = (uint64_t)(unsigned char)*name - 'a';
    return true;
}

static int next_hidden(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    (void)dump, (void)parent_key;
    *ordinal = from;
    return from < FAKE_HIDDEN ? 0 : -ENOENT;
}

static int name_hidden(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)dump, (void)parent_key;
    sprintf(name, "%02" PRIu64 ".hidden", ordinal);
    return 0;
}

static int next_wide(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    (void)dump, (void)parent_key;
    *ordinal = from;
    return 0;
}

static int name_wide(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)dump, (void)parent_key;
    sprintf(name, "%02" PRIu64, ordinal);
    return 0;
}

static int next_late(struct dump *dump, unsigned what, uint64_t from, uint64_t *ordinal)
{
    int status = know(dump, what);

    *ordinal = from;
    return status == 0 && from >= LATE_COUNT ? -ENOENT : status;
}

static int next_late_group(struct dump *dump, uint64_t key, uint64_t from, uint64_t *ordinal)
{
    (void)key;
    return next_late(dump, LATE_GROUPS, from, ordinal);
}

static int next_late_bin(struct dump *dump, uint64_t key, uint64_t from, uint64_t *ordinal)
{
    (void)key;
    return next_late(dump, LATE_NAMES, from, ordinal);
}

static int name_late_bin(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)parent_key;
    sprintf(name, "%02" PRIu64 ".bin", ordinal);
    return know(dump, LATE_NAMES);
}

static int late_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    *size = 1000 + key;
    return know(dump, LATE_SIZES);
}

static int make_late(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out)
{
    int status = blob_create(1000 + key, out);

    (void)dump, (void)cancel;
    if (status == 0)
        memset((*out)->data, 'L', (*out)->size);
    return status;
}

static int maybe_exists(struct dump *dump, uint64_t group)
{
    int status = know(dump, LATE_NAMES);

    return status == 0 && group % 2 == 1 ? -ENOENT : status;
}

static int make_there(struct dump *dump, uint64_t group, const struct cancel *cancel,
                      struct blob **out)
{
    int status = know(dump, LATE_LINKS);

    (void)group, (void)cancel;
    return status < 0 ? status : blob_borrow("01.bin", 6, out);
}

static const struct rule_family late_group_family = {8, next_late_group, name_wide, NULL};
static const struct rule_family late_family = {8, next_late_bin, name_late_bin, NULL};
static const struct rule_family thing_family = {16, next_thing, name_thing, NULL};
static const struct rule_family inner_family = {8, next_inner, name_inner, NULL};
static const struct rule_family inner_text_family = {8, next_inner, name_inner_text, NULL};
static const struct rule_family letter_family = {5, next_letter, name_letter, parse_letter};
static const struct rule_family hidden_family = {8, next_hidden, name_hidden, NULL};
static const struct rule_family wide_family = {4, next_wide, name_wide, NULL};
static const struct dump_listing notes_listing = {
    .head = notes_head, .pieces = notes_pieces, .piece = notes_piece};
static const struct dump_listing long_listing = {.pieces = long_pieces, .piece = long_piece};

enum {
    FAKE_THINGS = RULE_FORMAT_FIRST,
    FAKE_THING,
    FAKE_INNER,
    FAKE_INNER_BIN,
    FAKE_INNER_TXT,
    FAKE_NOTES,
    FAKE_LONG,
    FAKE_BIG,
    FAKE_HUGE,
    FAKE_BROKEN,
    FAKE_LYING,
    FAKE_NEXT,
    FAKE_LETTERS,
    FAKE_LETTER,
    FAKE_HIDDEN_ONE,
    FAKE_WIDE,
    FAKE_WIDE_ONE,
    FAKE_LATE,
    FAKE_LATE_GROUP,
    FAKE_LATE_BIN,
    FAKE_LATE_MAYBE,
    FAKE_LATE_THERE,
};

/* Waits at the gate. */
static int fake_prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    static const unsigned bits[] = {[FAKE_LATE] = 1U << LATE_GROUPS,
                                    [FAKE_LATE_GROUP] = 1U << LATE_NAMES,
                                    [FAKE_LATE_BIN] = 1U << LATE_SIZES,
                                    [FAKE_HUGE] = 1U << LATE_SIZES,
                                    [FAKE_LATE_THERE] = 1U << LATE_LINKS};
    struct fake *fake = fake_of(dump);
    int status = pass_gate(fake, cancel);

    (void)key;
    assert_true(rule < COUNT_OF(bits) && bits[rule] != 0);
    fake->preparations++;
    if (status == 0 && !fake->useless)
        fake->known |= bits[rule];
    return status;
}

#define RULE(what, own_id, in, pattern)                                                            \
    .kind = RULE_##what, .id = FAKE_##own_id, .parent = in, .name = pattern

const struct rule fake_rules[] = {
    {RULE(DIRECTORY, THINGS, RULE_ROOT, "things"), .help = "things, for the tests"},
    {RULE(DIRECTORY, THING, FAKE_THINGS, "NN-NAME"), .family = &thing_family, .counts = "thing"},
    {RULE(DIRECTORY, INNER, FAKE_THING, "inner")},
    {RULE(FILE, INNER_BIN, FAKE_INNER, "NN.bin"), .family = &inner_family, .size = inner_size,
     .make = make_inner, .help = "bytes"},
    {RULE(FILE, INNER_TXT, FAKE_INNER, "NN.txt"), .family = &inner_text_family, .make = make_inner,
     .ahead = true, .unlisted = true},
    {RULE(FILE, NOTES, FAKE_THING, "notes.txt"), .listing = &notes_listing},
    {RULE(FILE, LONG, FAKE_THING, "long.txt"), .listing = &long_listing},
    {RULE(FILE, BIG, FAKE_THING, "big.bin"), .size = big_size, .make = make_big,
     .work = CACHE_RENDER, .slow = true},
    {RULE(FILE, HUGE, FAKE_THING, "huge.bin"), .size = huge_size, .piece = huge_piece,
     .work = CACHE_RENDER},
    {RULE(FILE, BROKEN, FAKE_THING, "broken.txt"), .make = make_broken},
    {RULE(FILE, LYING, FAKE_THING, "lying.bin"), .size = lying_size, .make = make_lying},
    {RULE(LINK, NEXT, FAKE_THING, "next"), .make = make_next, .exists = not_the_third},
    {RULE(DIRECTORY, LETTERS, RULE_ROOT, "letters")},
    {RULE(FILE, LETTER, FAKE_LETTERS, "NAME"), .family = &letter_family, .size = inner_size,
     .make = make_inner},
    {RULE(FILE, HIDDEN_ONE, FAKE_LETTERS, "NN.hidden"), .family = &hidden_family,
     .size = inner_size, .make = make_inner, .unlisted = true},
    {RULE(DIRECTORY, WIDE, RULE_ROOT, "wide")},
    {RULE(FILE, WIDE_ONE, FAKE_WIDE, "NN"), .family = &wide_family, .make = make_inner},
    {RULE(DIRECTORY, LATE, RULE_ROOT, "late")},
    {RULE(DIRECTORY, LATE_GROUP, FAKE_LATE, "NN"), .family = &late_group_family},
    {RULE(FILE, LATE_BIN, FAKE_LATE_GROUP, "NN.bin"), .family = &late_family, .size = late_size,
     .make = make_late, .counts = "late"},
    {RULE(FILE, LATE_MAYBE, FAKE_LATE_GROUP, "maybe.txt"), .make = make_late,
     .exists = maybe_exists},
    {RULE(LINK, LATE_THERE, FAKE_LATE_GROUP, "there"), .make = make_there},
};

const size_t fake_rule_count = COUNT_OF(fake_rules);

struct fake *fake_create(uint64_t packets)
{
    static char path[] = "/somewhere/made up.fake";
    struct fake *fake = calloc(1, sizeof(*fake));
    uint8_t *data = malloc(packets * FAKE_PACKET_BYTES + 1);

    assert_non_null(fake);
    assert_non_null(data);
    for (uint64_t i = 0; i < packets * FAKE_PACKET_BYTES; i++)
        data[i] = (uint8_t)(i * 31 >> 2);
    assert_int_equal(problems_create(&fake->problems), 0);
    options_init(&fake->options);
    fake->options.cache = 1 << 20;
    fake->source = (struct source){.data = data, .size = packets * FAKE_PACKET_BYTES, .path = path};
    fake->dump = (struct dump){.ops = &fake_ops,
                               .format = "fake",
                               .source = &fake->source,
                               .options = &fake->options,
                               .problems = fake->problems};
    cancel_init(&fake->dump.cancel, NULL);
    fake->packets = packets;
    fake->frames = (packets + FAKE_PACKETS_PER_FRAME - 1) / FAKE_PACKETS_PER_FRAME;
    fake->big_bytes = 3 << 20;
    fake->huge_bytes = RULE_PIECE;
    fake->failure = -EBADF;
    fake->settled = true;
    return fake;
}

struct tree *fake_tree(struct fake *fake, unsigned threads)
{
    struct tree_params params = {.dump = &fake->dump,
                                 .rules = fake_rules,
                                 .rule_count = fake_rule_count,
                                 .threads = threads};
    struct tree *tree = NULL;

    cancel_init(&fake->dump.cancel, NULL);
    assert_int_equal(tree_create(&params, &tree), 0);
    return tree;
}

void fake_free(struct fake *fake)
{
    problems_destroy(&fake->problems);
    options_clear(&fake->options);
    free((void *)(uintptr_t)fake->source.data);
    free(fake);
}
