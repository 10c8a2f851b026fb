/* SPDX-License-Identifier: MIT */
/*
 * Opens each cut as a dump of its own, which must show and leave in video memory what the frame or
 * draw does from which it was cut. Cuts recordings, probes and random streams; the streams also
 * with their VSyncs at any word, within commands, uploads and polylines. GPUDUMPFS_CUT_SEEDS sets
 * the number of these, to try more by hand, and GPUDUMPFS_CUT_SEED the first one.
 */
#include "tests/formats/psx/streams.h"
#include "tests/formats/psx/view.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "base/bytes.h"
#include "formats/psx/frame/frame.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/index/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_OF_DUMP = 24, SEEDS = 3, FIRST_SEED = 500 };

static uint64_t number_from(const char *variable, uint64_t standard)
{
    const char *text = getenv(variable);

    return text != NULL ? strtoull(text, NULL, 10) : standard;
}

/* A dump, and its name in messages */
struct subject {
    char name[160];
    struct psx_opened opened;
};

static void open_subject(struct subject *subject, const uint8_t *bytes, size_t size)
{
    psx_opened_init(&subject->opened, bytes, size);
    psx_opened_tree(&subject->opened);
}

static uint64_t told_size(const struct psx_opened *opened, const char *path)
{
    struct tree_attributes attributes;
    uint64_t inode;

    assert_int_equal(tree_find(opened->tree, path, true, &inode), 0);
    assert_int_equal(tree_stat(opened->tree, inode, NULL, &attributes), 0);
    return attributes.size;
}

/* Reads the cut at that path, which must be as long as its size said before it was built. */
static uint8_t *read_cut(const struct subject *subject, const char *path, size_t *size)
{
    uint64_t told = told_size(&subject->opened, path);
    uint8_t *bytes = (uint8_t *)walk_read(subject->opened.tree, path, size);

    if (*size != told)
        fail_msg("%s: %s has %zu bytes, %llu were told", subject->name, path, *size,
                 (unsigned long long)told);
    return bytes;
}

static void compare_vram(const struct subject *of, unsigned of_frame, const struct subject *cut,
                         unsigned cut_frame)
{
    size_t size, cut_size;
    uint8_t *vram =
        (uint8_t *)walk_read(of->opened.tree, psx_view_path(of_frame, "vram.bin"), &size);
    uint8_t *cut_vram =
        (uint8_t *)walk_read(cut->opened.tree, psx_view_path(cut_frame, "vram.bin"), &cut_size);

    assert_int_equal(size, cut_size);
    for (size_t i = 0; i < size; i += 2)
        if (memcmp(vram + i, cut_vram + i, 2) != 0)
            fail_msg("%s: pixel %zu,%zu is %04x, in frame %u it is %04x", cut->name,
                     i / 2 % PSX_VRAM_WIDTH, i / 2 / PSX_VRAM_WIDTH, bytes_le16(cut_vram + i),
                     of_frame, bytes_le16(vram + i));
    free(vram);
    free(cut_vram);
}

static void compare_pictures(const struct subject *of, unsigned of_frame, const struct subject *cut,
                             unsigned cut_frame)
{
    struct psx_picture picture, cut_picture;

    psx_view_picture(&of->opened, psx_view_path(of_frame, "image.png"), &picture);
    psx_view_picture(&cut->opened, psx_view_path(cut_frame, "image.png"), &cut_picture);
    if (picture.width != cut_picture.width || picture.height != cut_picture.height)
        fail_msg("%s: its picture has %ux%u pixels, that of frame %u %ux%u", cut->name,
                 cut_picture.width, cut_picture.height, of_frame, picture.width, picture.height);
    if (memcmp(picture.rgba, cut_picture.rgba, (size_t)4 * picture.width * picture.height) != 0)
        fail_msg("%s: its picture %u is not that of frame %u", cut->name, cut_frame, of_frame);
    psx_view_free(&picture);
    psx_view_free(&cut_picture);
}

static void compare_frames(const struct subject *of, unsigned of_frame, const struct subject *cut,
                           unsigned cut_frame)
{
    compare_vram(of, of_frame, cut, cut_frame);
    compare_pictures(of, of_frame, cut, cut_frame);
}

static void compare_readback(const struct subject *of, uint64_t packet, const struct subject *cut,
                             uint64_t cut_packet)
{
    char path[40], cut_path[40], *data, *cut_data;
    size_t size, cut_size;

    snprintf(path, sizeof(path), "readbacks/%08llu.bin", (unsigned long long)packet);
    snprintf(cut_path, sizeof(cut_path), "readbacks/%08llu.bin", (unsigned long long)cut_packet);
    data = walk_read(of->opened.tree, path, &size);
    cut_data = walk_read(cut->opened.tree, cut_path, &cut_size);
    if (size != cut_size || memcmp(data, cut_data, size) != 0)
        fail_msg("%s: packet %llu does not read what packet %llu of the dump does", cut->name,
                 (unsigned long long)cut_packet, (unsigned long long)packet);
    free(data);
    free(cut_data);
}

/*
 * Compares what the frame's packets read from port 0, which may belong to a command before the
 * frame.
 */
static void compare_readbacks(const struct subject *of, unsigned of_frame,
                              const struct subject *cut)
{
    const struct psx_index *index = psx_opened_index(&of->opened);
    uint64_t first = index->frames[of_frame].packet, end = index->frames[of_frame + 1].packet;
    uint64_t cut_first = psx_opened_index(&cut->opened)->begin_packet + 1;

    if (of_frame == 0)
        return; /* the head of the cut has some of the packets there */
    for (uint64_t packet = psx_index_next_readback(index, first); packet < end;
         packet = psx_index_next_readback(index, packet + 1))
        compare_readback(of, packet, cut, packet - first + cut_first);
}

/* Compares all state at the frame's start that follows from the words alone. */
static void compare_states(const struct subject *of, unsigned of_frame, const struct subject *cut)
{
    struct psx_parser_state at, cut_at;

    psx_index_frame_checkpoint(psx_opened_index(&of->opened), of_frame, &at);
    psx_index_frame_checkpoint(psx_opened_index(&cut->opened), 0, &cut_at);
    cut_at.state.texel_run = at.state.texel_run; /* numbered from the dump's beginning */
    cut_at.state.restoring = at.state.restoring;
    if (at.state.clut.entries == 0 && cut_at.state.clut.entries == 0)
        cut_at.state.clut.id = at.state.clut.id; /* has no meaning then */
    assert_memory_equal(&cut_at.state.registers, &at.state.registers, sizeof(at.state.registers));
    assert_memory_equal(&cut_at.state.clut, &at.state.clut, sizeof(at.state.clut));
    assert_memory_equal(&cut_at.state.upload, &at.state.upload, sizeof(at.state.upload));
    assert_memory_equal(&cut_at.state.read, &at.state.read, sizeof(at.state.read));
    assert_memory_equal(cut_at.state.last_vertex, at.state.last_vertex,
                        sizeof(at.state.last_vertex));
    assert_int_equal(cut_at.state.parser.phase, at.state.parser.phase);
    assert_int_equal(cut_at.state.parser.due, at.state.parser.due);
    if (at.state.parser.phase == GP0_PHASE_COMMAND || at.state.parser.phase == GP0_PHASE_POLYLINE) {
        assert_int_equal(cut_at.state.parser.op, at.state.parser.op);
        assert_int_equal(cut_at.state.parser.have, at.state.parser.have);
        assert_memory_equal(cut_at.state.parser.words, at.state.parser.words,
                            sizeof(at.state.parser.words));
    }
}

/* Checks that the cut itself does not report lost state. */
static void check_comment(const struct subject *cut)
{
    char *metadata = psx_opened_read(&cut->opened, "metadata.txt");

    if (strstr(metadata, "not restored") != NULL)
        fail_msg("%s: not all of the state was restored", cut->name);
    free(metadata);
}

/*
 * Checks that the head of the cut breaks no rule of the format; what follows the head is the dump's
 * own.
 */
static void check_problems(const struct subject *cut)
{
    char *problems = psx_opened_problems(&cut->opened), *rest = problems, *line;
    const uint64_t begin = psx_opened_index(&cut->opened)->begin_packet;

    while ((line = strsep(&rest, "\n")) != NULL) {
        const char *packet = strstr(line, " packet ");

        if (strstr(line, "warning") == NULL && strstr(line, "error") == NULL &&
            strstr(line, "gp1") == NULL)
            continue;
        if (packet == NULL || strtoull(packet + strlen(" packet "), NULL, 10) <= begin)
            fail_msg("%s: %s", cut->name, line);
    }
    free(problems);
}

static void check_frame(const struct subject *subject, unsigned frame)
{
    struct subject cut;
    size_t size;
    uint8_t *bytes = read_cut(subject, psx_view_path(frame, "frame.psxgpu"), &size);

    snprintf(cut.name, sizeof(cut.name), "%.120s, cut of frame %u", subject->name, frame);
    open_subject(&cut, bytes, size);
    assert_int_equal(cut.opened.dump->ops->frames(cut.opened.dump), 1);
    check_comment(&cut);
    compare_frames(subject, frame, &cut, 0);
    compare_states(subject, frame, &cut);
    compare_readbacks(subject, frame, &cut);
    psx_opened_close(&cut.opened);
    free(bytes);
}

/* Checks up to `max` frames, evenly spread from the first to the last. */
static void check_frames(const struct subject *subject, unsigned max)
{
    unsigned count = (unsigned)subject->opened.dump->ops->frames(subject->opened.dump);

    if (count <= max) {
        for (unsigned frame = 0; frame < count; frame++)
            check_frame(subject, frame);
        return;
    }
    for (unsigned i = 0; i < max; i++)
        check_frame(subject, (unsigned)((uint64_t)i * (count - 1) / (max - 1)));
}

static int take_bytes(void *context, const void *bytes, size_t size)
{
    psx_build_bytes(context, bytes, size);
    return 0;
}

/* Checks that all frames of the cut show what those of the dump do. */
static void check_range(const struct subject *subject, unsigned first, unsigned last)
{
    struct dump *dump = subject->opened.dump;
    struct psx_build build = {0};
    struct subject cut;

    snprintf(cut.name, sizeof(cut.name), "%.100s, cut of frames %u to %u", subject->name, first,
             last);
    assert_int_equal(dump->ops->cut(dump, first, last, NULL, take_bytes, &build), 0);
    open_subject(&cut, build.bytes, build.size);
    assert_int_equal(cut.opened.dump->ops->frames(cut.opened.dump), last - first + 1);
    for (unsigned frame = first; frame <= last; frame++)
        compare_frames(subject, frame, &cut, frame - first);
    psx_opened_close(&cut.opened);
    psx_build_free(&build);
}

/* Checks that a cut of a cut of a frame shows the same. */
static void check_twice(const struct subject *subject, unsigned frame)
{
    struct subject cut, again;
    size_t size, size_again;
    uint8_t *bytes = read_cut(subject, psx_view_path(frame, "frame.psxgpu"), &size), *bytes_again;

    snprintf(cut.name, sizeof(cut.name), "%.120s, cut of frame %u", subject->name, frame);
    snprintf(again.name, sizeof(again.name), "%.140s, twice", cut.name);
    open_subject(&cut, bytes, size);
    bytes_again = read_cut(&cut, psx_view_path(0, "frame.psxgpu"), &size_again);
    open_subject(&again, bytes_again, size_again);
    compare_frames(subject, frame, &again, 0);
    psx_opened_close(&again.opened);
    psx_opened_close(&cut.opened);
    free(bytes_again);
    free(bytes);
}

/* Draws, compared with a replay that stops after each */

static void carry_out(struct psx_gpu *gpu, struct psx_walk *walk, const struct psx_step *step)
{
    if (step->kind == PSX_STEP_GP0)
        psx_gpu_run(gpu, &step->event);
    else if (step->kind == PSX_STEP_GP1)
        psx_gpu_gp1(gpu, step->gp1);
    else if (psx_step_reads(step))
        psx_gpu_read(gpu, psx_step_read_words(step), NULL);
    psx_walk_apply(walk, step);
    gpu->state.restoring = walk->at.state.restoring;
    gpu->state.registers.field = walk->at.state.registers.field;
}

/*
 * Plays up to the draw's last word, in whatever frame that is; for a polyline, to its end or the
 * end of that frame.
 */
static struct psx_gpu *play_draw(const struct subject *subject, unsigned frame, unsigned draw)
{
    struct psx_index *index = psx_opened_index(&subject->opened);
    struct psx_gpu *gpu;
    struct psx_found found;
    struct psx_walk walk;
    struct psx_step step;
    bool is_done = false;

    assert_int_equal(
        psx_find_command(psx_dump_of(subject->opened.dump), frame, FIND_DRAW, draw, NULL, &found),
        0);
    assert_int_equal(psx_gpu_create(index->model, &gpu), 0);
    psx_walk_start(&walk, index);
    gpu->state = walk.at.state;
    while (!is_done && psx_walk_next(&walk, &step)) {
        carry_out(gpu, &walk, &step);
        is_done = step.number == found.step.number && step.word == found.step.word;
    }
    frame = (unsigned)walk.at.frame;
    while (walk.at.state.parser.phase == GP0_PHASE_POLYLINE && psx_walk_next(&walk, &step)) {
        carry_out(gpu, &walk, &step);
        if (walk.at.frame != frame)
            break;
    }
    return gpu;
}

static void check_draw(const struct subject *subject, unsigned frame, unsigned draw)
{
    struct psx_index *index = psx_opened_index(&subject->opened);
    struct psx_display wanted = index->frames[frame].display, found;
    struct subject cut;
    struct psx_gpu *gpu;
    size_t size, vram_size;
    uint8_t *bytes = read_cut(subject, psx_view_path(frame, "draws/%05u.psxgpu", draw), &size);
    uint8_t *vram;

    snprintf(cut.name, sizeof(cut.name), "%.100s, cut of draw %u of frame %u", subject->name, draw,
             frame);
    open_subject(&cut, bytes, size);
    assert_int_equal(cut.opened.dump->ops->frames(cut.opened.dump), 1);
    check_comment(&cut);
    check_problems(&cut);
    gpu = play_draw(subject, frame, draw);
    vram = (uint8_t *)walk_read(cut.opened.tree, psx_view_path(0, "vram.bin"), &vram_size);
    assert_int_equal(vram_size, 2 * (size_t)PSX_VRAM_WIDTH * gpu->lines);
    for (size_t i = 0; i < vram_size / 2; i++)
        if (bytes_le16(vram + 2 * i) != gpu->vram[i])
            fail_msg("%s: pixel %zu,%zu is %04x, not %04x", cut.name, i % PSX_VRAM_WIDTH,
                     i / PSX_VRAM_WIDTH, bytes_le16(vram + 2 * i), gpu->vram[i]);
    found = psx_opened_index(&cut.opened)->frames[0].display;
    wanted.dma = found.dma = 0; /* no picture depends on it */
    assert_memory_equal(&found, &wanted, sizeof(found));
    free(vram);
    psx_gpu_destroy(&gpu);
    psx_opened_close(&cut.opened);
    free(bytes);
}

static void check_draws(const struct subject *subject, unsigned frame, unsigned max)
{
    struct psx_index *index = psx_opened_index(&subject->opened);
    unsigned count, step;

    assert_int_equal(psx_index_wait_all(index, NULL), 0);
    count = index->counts[frame].draws;
    step = count > max ? count / max : 1;
    for (unsigned draw = 0; draw < count; draw += step)
        check_draw(subject, frame, draw);
}

/* The same commands with VSyncs at other places, and with reads */

struct recutting {
    struct psx_build *out;
    struct psx_gp0_parser parser;
    uint64_t random;
    uint64_t time;
    unsigned words_of_frame; /* on average */
};

static bool once_in(struct recutting *recutting, unsigned times)
{
    return (support_random(&recutting->random) >> 24) % times == 0;
}

/* Appends a VSync, whose time implies a field or does not. */
static void add_vsync(struct recutting *recutting)
{
    static const unsigned cycles[] = {563969, 566121, 500000};

    recutting->time += cycles[(support_random(&recutting->random) >> 24) % COUNT_OF(cycles)];
    if (once_in(recutting, 6))
        EMPTY_PACKET(recutting->out, PSX_PACKET_VSYNC);
    else
        psx_build_vsync(recutting->out, recutting->time);
}

/* Appends a read of any area. Some of its words are taken later, between other commands. */
static void add_read(struct recutting *recutting)
{
    uint64_t random = support_random(&recutting->random);

    GP0(recutting->out, 0xC0000000, random & 0x03FF03FF, random >> 32 & 0x001F003F);
}

static void follow_parser(struct recutting *recutting, const struct psx_packet *packet,
                          uint32_t word)
{
    const uint8_t *bytes = packet->payload + 4 * (uint64_t)word;
    struct psx_gp0_event event;

    if (packet->type == PSX_PACKET_GP0)
        psx_gp0_parse(&recutting->parser, bytes, 1, &event);
    else if (psx_gp1_aborts(bytes_le32(bytes)))
        psx_gp0_parser_reset(&recutting->parser);
}

static void add_words(struct recutting *recutting, const struct psx_packet *packet)
{
    for (uint32_t word = 0; word < packet->words; word++) {
        uint32_t value = bytes_le32(packet->payload + 4 * (uint64_t)word);

        psx_build_packet(recutting->out, packet->type, &value, 1);
        follow_parser(recutting, packet, word);
        if (recutting->parser.phase == GP0_PHASE_IDLE && once_in(recutting, 40))
            add_read(recutting);
        if (once_in(recutting, 60))
            PACKET(recutting->out, PSX_PACKET_READBACK, 1 + once_in(recutting, 2) * 30);
        if (once_in(recutting, recutting->words_of_frame))
            add_vsync(recutting);
    }
}

static void recut(const struct psx_build *from, uint64_t seed, struct psx_build *out)
{
    struct recutting recutting = {.out = out, .random = seed, .words_of_frame = 400};
    struct psx_packet packet;
    uint64_t offset = psx_magic_length(PSX_MAGIC_16);

    psx_build_start(out, PSX_MAGIC_16);
    for (; psx_packet_read(from->bytes, from->size, offset, &packet);
         offset = psx_packet_end(&packet)) {
        if (packet.type == PSX_PACKET_VSYNC)
            continue;
        if (packet.type == PSX_PACKET_GP0 || packet.type == PSX_PACKET_GP1)
            add_words(&recutting, &packet);
        else
            psx_build_bytes(out, from->bytes + packet.offset, 4 + 4 * (size_t)packet.words);
    }
    add_vsync(&recutting);
}

static const char *const kinds[] = {"clean", "interlaced", "aborts", "feedback",
                                    "areas", "first-gpu",  "2-mib"};

static void check_stream(const char *kind, uint64_t seed)
{
    struct subject subject;
    struct psx_build build;

    snprintf(subject.name, sizeof(subject.name), "stream %s %llu", kind, (unsigned long long)seed);
    assert_true(psx_streams_build(kind, seed, &build));
    open_subject(&subject, build.bytes, build.size);
    check_frames(&subject, STREAM_FRAMES);
    check_range(&subject, 1, STREAM_FRAMES - 2);
    check_twice(&subject, STREAM_FRAMES / 2);
    check_draws(&subject, STREAM_FRAMES - 1, 5);
    psx_opened_close(&subject.opened);
    psx_build_free(&build);
}

static void check_recut_stream(const char *kind, uint64_t seed)
{
    struct subject subject;
    struct psx_build build, whole;
    unsigned frames;

    snprintf(subject.name, sizeof(subject.name), "recut stream %s %llu", kind,
             (unsigned long long)seed);
    assert_true(psx_streams_build(kind, seed, &whole));
    recut(&whole, seed, &build);
    psx_build_free(&whole);
    open_subject(&subject, build.bytes, build.size);
    frames = (unsigned)subject.opened.dump->ops->frames(subject.opened.dump);
    assert_true(frames > 4);
    check_frames(&subject, FRAMES_OF_DUMP);
    check_range(&subject, frames / 2, frames / 2 + 2);
    check_twice(&subject, frames / 3);
    check_draws(&subject, frames - 3, 3);
    psx_opened_close(&subject.opened);
    psx_build_free(&build);
}

static void test_streams(void **state)
{
    uint64_t first = number_from("GPUDUMPFS_CUT_SEED", FIRST_SEED);
    uint64_t count = number_from("GPUDUMPFS_CUT_SEEDS", SEEDS);

    (void)state;
    for (size_t kind = 0; kind < COUNT_OF(kinds); kind++)
        for (uint64_t seed = first; seed < first + count; seed += support_stride())
            check_stream(kinds[kind], seed);
}

static void test_vsyncs_anywhere(void **state)
{
    uint64_t first = number_from("GPUDUMPFS_CUT_SEED", FIRST_SEED);
    uint64_t count = number_from("GPUDUMPFS_CUT_SEEDS", SEEDS);

    (void)state;
    for (size_t kind = 0; kind < COUNT_OF(kinds); kind++)
        for (uint64_t seed = first; seed < first + count; seed += support_stride())
            check_recut_stream(kinds[kind], seed);
}

/*
 * Returns the number of frames to cut out of each dump of the corpus. GPUDUMPFS_CUT_FRAMES sets it,
 * to try more by hand.
 */
static unsigned frames_of_dump(void)
{
    return (unsigned)number_from("GPUDUMPFS_CUT_FRAMES", FRAMES_OF_DUMP);
}

static void check_recording(const char *name)
{
    struct subject subject;
    struct psx_build build;
    unsigned frames;

    psx_view_recording(name, &build);
    snprintf(subject.name, sizeof(subject.name), "%s", name);
    open_subject(&subject, build.bytes, build.size);
    frames = (unsigned)subject.opened.dump->ops->frames(subject.opened.dump);
    check_frames(&subject, frames_of_dump());
    check_twice(&subject, frames / 2);
    if (frames > 3)
        check_range(&subject, frames / 2, frames / 2 + 1);
    psx_opened_close(&subject.opened);
    psx_build_free(&build);
}

static void test_recordings(void **state)
{
    (void)state;
    for (size_t i = 0; i < psx_view_recording_count; i += support_stride())
        check_recording(psx_view_recordings[i]);
}

static void check_case(void *context, const char *name, const struct psx_build *build)
{
    struct subject subject;

    (void)context;
    snprintf(subject.name, sizeof(subject.name), "%s", name);
    open_subject(&subject, build->bytes, build->size);
    check_frames(&subject, frames_of_dump());
    psx_opened_close(&subject.opened);
}

static void test_cases(void **state)
{
    (void)state;
    psx_view_cases(check_case, NULL);
}

/* State that commands cannot set: frame 0 leaves it, and frame 1 depends on it. */

enum { TEXTURE_X = 640, PALETTE_Y = 480 };

/* Fills all of the texture, or a complete palette, with `colour`. */
static void upload_plain(struct psx_build *build, uint32_t place, uint32_t words, uint16_t colour)
{
    uint32_t packet[3 + 128] = {0xA0000000, place, 1 << 16 | 2 * words};

    for (uint32_t i = 0; i < words; i++)
        packet[3 + i] = (uint32_t)colour << 16 | colour;
    psx_build_packet(build, PSX_PACKET_GP0, packet, 3 + words);
}

/* Draws texel 0,0 of the page at TEXTURE_X,0, with the palette at 0,PALETTE_Y, at x,100. */
static void draw_texel(struct psx_build *build, unsigned depth, uint32_t x)
{
    GP0(build, 0xE1000400 | depth << 7 | TEXTURE_X / 64, 0x6D000000, 100 << 16 | x,
        (uint32_t)PALETTE_Y << 22);
}

static void start_carried(struct psx_build *build)
{
    psx_build_start(build, PSX_MAGIC_16);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    psx_build_full_area(build);
    GP0(build, 0xE6000000);
    GP1(build, 0x03000000);
    GP1(build, 0x06C60260);
    GP1(build, 0x07040010);
    GP1(build, 0x08000001);
}

static uint16_t pixel_of_frame(const struct subject *subject, unsigned frame, uint32_t x)
{
    size_t size;
    char *vram = walk_read(subject->opened.tree, psx_view_path(frame, "vram.bin"), &size);
    uint16_t pixel = bytes_le16((uint8_t *)vram + 2 * (100 * (size_t)PSX_VRAM_WIDTH + x));

    free(vram);
    return pixel;
}

/*
 * Checks that frame 1 shows `carried` at 8,100, which it would not if it began with VRAM alone, and
 * that its cuts do as well.
 */
static void check_carried(struct psx_build *build, const char *name, uint16_t carried)
{
    struct subject subject;

    snprintf(subject.name, sizeof(subject.name), "%s", name);
    psx_build_vsync(build, 1000000);
    open_subject(&subject, build->bytes, build->size);
    assert_int_equal(pixel_of_frame(&subject, 1, 8), carried);
    check_frame(&subject, 0);
    check_frame(&subject, 1);
    check_twice(&subject, 1);
    check_range(&subject, 1, 1);
    check_draws(&subject, 1, 4);
    psx_opened_close(&subject.opened);
    psx_build_free(build);
}

static void test_a_palette_that_was_overwritten(void **state)
{
    (void)state;
    for (unsigned depth = 0; depth < 2; depth++) {
        const uint32_t words = depth == 0 ? 8 : 128;
        struct psx_build build;

        start_carried(&build);
        upload_plain(&build, (uint32_t)PALETTE_Y << 16, words, 0x1234);
        draw_texel(&build, depth, 0);
        upload_plain(&build, (uint32_t)PALETTE_Y << 16, words, 0x4321);
        psx_build_vsync(&build, 500000);
        draw_texel(&build, depth, 8);
        check_carried(&build, "a palette", 0x1234);
    }
}

/* With a palette, the texel's index is drawn over: index 0 is shown as 1111h, index 1 as 2222h. */
static void build_texels(struct psx_build *build, unsigned depth, bool aborts, bool masks)
{
    uint32_t palette[3 + 128] = {0xA0000000, (uint32_t)PALETTE_Y << 16, 1 << 16 | 256, 0x22221111};

    start_carried(build);
    psx_build_packet(build, PSX_PACKET_GP0, palette, COUNT_OF(palette));
    if (depth == 2)
        upload_plain(build, TEXTURE_X, 8, 0x1111);
    draw_texel(build, depth, 0);
    GP0(build, 0xE6000000 | masks, 0x68FFFFFF, 0); /* where the head of a cut draws, and … */
    GP0(build, 0x68000000 | (depth == 2 ? 0xFFFFFF : 8), TEXTURE_X); /* … 7FFFh, or index 1 */
    GP0(build, 0xE6000000);
    if (aborts)
        GP1(build, 0x01000000); /* no palette is latched from here on */
    psx_build_vsync(build, 500000);
    draw_texel(build, depth, 8);
}

static void test_texels_that_were_drawn_over(void **state)
{
    (void)state;
    for (unsigned depth = 0; depth < 3; depth++)
        for (unsigned variant = 0; variant < 4; variant++) {
            struct psx_build build;

            build_texels(&build, depth, variant & 1, variant & 2);
            check_carried(&build, "texels", 0x1111);
        }
}

/*
 * The cache holds exactly a texture of 32 x 32 texels, and other pixels are drawn over all of it.
 */
static void test_all_texels_were_drawn_over(void **state)
{
    const uint32_t cell = 0x00200020;
    struct psx_build build;

    (void)state;
    start_carried(&build);
    upload_plain(&build, TEXTURE_X, 8, 0x1111);
    GP0(&build, 0xE1000500 | TEXTURE_X / 64, 0x65808080, 0, (uint32_t)PALETTE_Y << 22, cell);
    GP0(&build, 0x60FFFFFF, TEXTURE_X, cell);
    psx_build_vsync(&build, 500000);
    draw_texel(&build, 2, 8);
    check_carried(&build, "all texels", 0x1111);
}

/* Both the segment of frame 0 that ends at 8,100 and the segment of frame 1 blend that pixel. */
static void test_an_open_polyline(void **state)
{
    (void)state;
    for (unsigned gouraud = 0; gouraud < 2; gouraud++) {
        struct psx_build build;

        start_carried(&build);
        upload_plain(&build, 100 << 16, 16, 0x0421);
        GP0(&build, 0xE1000420); /* adds both */
        if (gouraud)
            GP0(&build, 0x5A080808, 100 << 16, 0x080808, 100 << 16 | 8, 0x101010);
        else
            GP0(&build, 0x4A080808, 100 << 16, 100 << 16 | 8);
        psx_build_vsync(&build, 500000);
        GP0(&build, 100 << 16 | 12, 0x55555555);
        check_carried(&build, "a polyline", 0x0C63);
    }
}

/* GPUREAD, the interrupt, and the first half of a command, which has the colour */
static void test_latches(void **state)
{
    struct psx_build build;

    (void)state;
    start_carried(&build);
    GP0(&build, 0xE2012345);
    GP1(&build, 0x10000002);
    GP0(&build, 0xE2000000, 0x1F000000, 0x6800FF00);
    psx_build_vsync(&build, 500000);
    GP0(&build, 100 << 16 | 8);
    check_carried(&build, "latches", 0x03E0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_palette_that_was_overwritten),
        cmocka_unit_test(test_texels_that_were_drawn_over),
        cmocka_unit_test(test_all_texels_were_drawn_over),
        cmocka_unit_test(test_an_open_polyline),
        cmocka_unit_test(test_latches),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_vsyncs_anywhere),
        cmocka_unit_test(test_recordings),
        cmocka_unit_test(test_cases),
    };

    return cmocka_run_group_tests_name("psx_cut", tests, NULL, NULL);
}
