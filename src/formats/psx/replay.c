/*
 * Idle machines stand in a list, the latest given first. Of those that have not
 * gone too far the one that is nearest is taken; if the cache holds VRAM of a
 * later frame, that is copied into it first. A machine whose replay is cancelled
 * between two packets is kept; within a packet it is lost.
 */
#include "formats/psx/replay.h"

#include "core/bytes.h"
#include "formats/psx/halfwords.h"
#include "formats/psx/rules.h"
#include "tree/inode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPARE_MACHINES = 2,  /* kept besides one for each thread */
    CACHED_FRAMES = 64,  /* how far back VRAM is looked for in the cache */
    SMALL_PACKET = 1024, /* words: carried out in one go, so that the machine survives a cancel */
    CLUT_BYTES = 256 * 2,
};

/* Where the cache keeps the palette latch that goes with a VRAM. */
static const uint64_t clut_part = 1;

struct psx_replay {
    pthread_mutex_t lock;
    struct psx_machine *idle;
    unsigned idle_count, idle_most;
};

static void destroy_machine(struct psx_machine **machine)
{
    if (*machine == NULL)
        return;
    psx_gpu_destroy(&(*machine)->gpu);
    free(*machine);
    *machine = NULL;
}

/* Back to power-on. */
static void rewind_machine(struct psx_machine *machine, const struct psx_index *index)
{
    struct psx_gpu *gpu = machine->gpu;

    psx_state_reset(&gpu->state);
    gpu->state.restoring = index->begin_packet != PSX_NO_PACKET;
    gpu->never_skip = index->field_option == PSX_FIELD_BOTH;
    memset(gpu->vram, 0, sizeof(*gpu->vram) * PSX_VRAM_WIDTH * gpu->lines);
    machine->packet = 0;
    machine->offset = psx_magic_length(index->magic);
    machine->frame = 0;
}

static int create_machine(const struct psx_index *index, struct psx_machine **out)
{
    struct psx_machine *machine = calloc(1, sizeof(*machine));

    if (machine == NULL || psx_gpu_create(index->vram_lines, &machine->gpu) != 0) {
        free(machine);
        return -ENOMEM;
    }
    rewind_machine(machine, index);
    *out = machine;
    return 0;
}

/* One for each thread and some more, but at most an eighth of the cache's budget, and one. */
static unsigned most_idle(const struct psx_dump *dump)
{
    uint64_t bytes = 4 * (uint64_t)PSX_VRAM_WIDTH * dump->index.vram_lines; /* VRAM and a read */
    uint64_t affordable = dump->base.options->cache / 8 / bytes;
    unsigned wanted = dump->base.options->threads + SPARE_MACHINES;

    if (affordable < 1)
        return 1;
    return affordable < wanted ? (unsigned)affordable : wanted;
}

int psx_replay_create(const struct psx_dump *dump, struct psx_replay **out)
{
    struct psx_replay *replay = calloc(1, sizeof(*replay));

    if (replay == NULL)
        return -ENOMEM;
    pthread_mutex_init(&replay->lock, NULL);
    replay->idle_most = most_idle(dump);
    *out = replay;
    return 0;
}

void psx_replay_destroy(struct psx_replay **replay)
{
    if (*replay == NULL)
        return;
    for (struct psx_machine *machine = (*replay)->idle, *next; machine != NULL; machine = next) {
        next = machine->next;
        destroy_machine(&machine);
    }
    pthread_mutex_destroy(&(*replay)->lock);
    free(*replay);
    *replay = NULL;
}

/* Takes the idle machine that has come furthest, but not beyond `upto`; NULL: none. */
static struct psx_machine *take_idle(struct psx_replay *replay, uint64_t upto)
{
    struct psx_machine **best = NULL, *taken = NULL;

    pthread_mutex_lock(&replay->lock);
    for (struct psx_machine **link = &replay->idle; *link != NULL; link = &(*link)->next)
        if ((*link)->packet <= upto && (best == NULL || (*link)->packet > (*best)->packet))
            best = link;
    if (best != NULL) {
        taken = *best;
        *best = taken->next;
        taken->next = NULL;
        replay->idle_count--;
    }
    pthread_mutex_unlock(&replay->lock);
    return taken;
}

/* The one that was not used for the longest time gives way. */
static struct psx_machine *drop_oldest(struct psx_replay *replay)
{
    struct psx_machine **link = &replay->idle, *oldest;

    while ((*link)->next != NULL)
        link = &(*link)->next;
    oldest = *link;
    *link = NULL;
    replay->idle_count--;
    return oldest;
}

void psx_replay_give(struct psx_dump *dump, struct psx_machine **machine)
{
    struct psx_replay *replay = dump->replay;
    struct psx_machine *dropped = NULL;

    pthread_mutex_lock(&replay->lock);
    (*machine)->next = replay->idle;
    replay->idle = *machine;
    if (++replay->idle_count > replay->idle_most)
        dropped = drop_oldest(replay);
    pthread_mutex_unlock(&replay->lock);
    destroy_machine(&dropped);
    *machine = NULL;
}

static struct cache_key vram_key(uint64_t frame, uint64_t part)
{
    return (struct cache_key){.item = inode_pack(PSX_RULE_VRAM_BIN, frame), .part = part};
}

void psx_replay_offer(struct psx_dump *dump, const struct psx_machine *machine, uint64_t frame)
{
    struct blob *palette = NULL;

    if (dump->base.cache == NULL || blob_create(CLUT_BYTES, &palette) != 0)
        return;
    memcpy(palette->data, machine->gpu->clut, CLUT_BYTES);
    cache_offer(dump->base.cache, vram_key(frame, clut_part), palette);
    blob_unref(&palette);
}

/* VRAM out of a cached vram/NNNNNN.bin, everything else out of the index. */
static void load_vram(struct psx_machine *machine, const struct psx_index *index, uint64_t frame,
                      const struct psx_place *place, const struct blob *vram)
{
    struct psx_gpu *gpu = machine->gpu;

    gpu->state = place->state;
    psx_halfwords_load(gpu->vram, vram->data, vram->size / 2);
    machine->packet = index->frames[frame + 1].packet;
    machine->offset = index->frames[frame + 1].offset;
    machine->frame = frame + 1;
}

/* Whether the cache has all that a machine at this frame's end needs; then it is loaded. */
static bool load_frame(struct psx_dump *dump, uint64_t frame, struct psx_machine *machine)
{
    struct cache *cache = dump->base.cache;
    struct psx_index *index = &dump->index;
    struct blob *vram = cache_peek(cache, vram_key(frame, 0)), *palette = NULL;
    struct psx_place place;
    bool loaded = false;

    if (vram == NULL)
        return false;
    psx_index_frame_place(index, frame + 1, &place);
    palette = cache_peek(cache, vram_key(frame, clut_part));
    if (place.state.read.total == 0 && palette != NULL &&
        vram->size == sizeof(*machine->gpu->vram) * PSX_VRAM_WIDTH * machine->gpu->lines) {
        memcpy(machine->gpu->clut, palette->data, CLUT_BYTES);
        load_vram(machine, index, frame, &place, vram);
        loaded = true;
    }
    blob_unref(&palette);
    blob_unref(&vram);
    return loaded;
}

/* Skips ahead to the latest frame's end that the cache knows, if that is further. */
static void start_from_cache(struct psx_dump *dump, const struct psx_want *want,
                             struct psx_machine *machine)
{
    const struct psx_index *index = &dump->index;
    uint64_t frame = psx_index_frame_of(index, want->upto);

    if (dump->base.cache == NULL)
        return;
    if (frame == PSX_INITIAL)
        frame = want->upto >= index->frames[index->frame_count].packet ? index->frame_count : 0;
    for (unsigned n = 0; n < CACHED_FRAMES && frame-- > 0; n++)
        if (index->frames[frame + 1].packet <= machine->packet || load_frame(dump, frame, machine))
            return;
}

static int step_words(struct psx_machine *machine, const struct psx_packet *packet,
                      const struct cancel *cancel)
{
    if (packet->type == PSX_PACKET_GP0)
        return psx_gpu_gp0(machine->gpu, packet->payload, packet->words,
                           packet->words > SMALL_PACKET ? cancel : NULL);
    for (uint32_t i = 0; i < packet->words; i++)
        psx_gpu_gp1(machine->gpu, bytes_le32(packet->payload + 4 * (uint64_t)i));
    return 0;
}

int psx_machine_step(struct psx_machine *machine, const struct psx_index *index,
                     const struct cancel *cancel)
{
    struct psx_packet packet;
    int status = 0;

    if (!psx_packet_read(index->data, index->size, machine->offset, &packet))
        return -ENOENT;
    if (machine->frame < index->frame_count &&
        machine->packet == index->frames[machine->frame].packet)
        machine->gpu->state.registers.field = index->frames[machine->frame++].field;
    switch (packet.type) {
    case PSX_PACKET_GP0:
    case PSX_PACKET_GP1:
        status = step_words(machine, &packet, cancel);
        break;
    case PSX_PACKET_DISCARD:
    case PSX_PACKET_READBACK:
        if (packet.words > 0)
            psx_gpu_read(machine->gpu, bytes_le32(packet.payload), NULL);
        break;
    case PSX_PACKET_BEGIN:
        if (machine->packet == index->begin_packet)
            machine->gpu->state.restoring = false;
        break;
    default:
        break;
    }
    machine->packet++;
    machine->offset = psx_packet_end(&packet);
    return status;
}

/* *lost: the machine stands within a packet. */
static int run_machine(struct psx_machine *machine, const struct psx_index *index, uint64_t packet,
                       const struct cancel *cancel, bool *lost)
{
    while (machine->packet < packet) {
        int status = psx_machine_step(machine, index, cancel);

        *lost = status != 0;
        if (status == -ENOENT)
            return -EIO;
        if (status != 0 || cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

int psx_replay_take(struct psx_dump *dump, const struct psx_want *want, const struct cancel *cancel,
                    struct psx_machine **out)
{
    const struct psx_index *index = &dump->index;
    struct psx_machine *machine = take_idle(dump->replay, want->upto);
    bool lost = false;
    int status = machine == NULL ? create_machine(index, &machine) : 0;

    if (status != 0)
        return status;
    if (machine->packet < want->packet)
        start_from_cache(dump, want, machine);
    status = run_machine(machine, index, want->packet, cancel, &lost);
    if (status == 0)
        *out = machine;
    else if (lost)
        destroy_machine(&machine);
    else
        psx_replay_give(dump, &machine);
    return status;
}

void psx_want_frame(const struct psx_index *index, uint64_t frame, struct psx_want *out)
{
    uint64_t since = frame - index->counts[frame].same_vram;

    *out = (struct psx_want){.packet = index->frames[since + 1].packet,
                             .upto = index->frames[frame + 1].packet,
                             .area = {0, 0, PSX_VRAM_WIDTH, (int)index->vram_lines}};
}
