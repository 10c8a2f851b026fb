#include "formats/psx/replay/gpu_instance.h"

#include "core/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In words: carried out in one go, so that the machine survives a cancel. */
enum { SMALL_PACKET = 1024 };

void psx_machine_destroy(struct psx_machine **machine)
{
    if (*machine == NULL)
        return;
    psx_gpu_destroy(&(*machine)->gpu);
    free(*machine);
    *machine = NULL;
}

void psx_machine_rewind(struct psx_machine *machine, const struct psx_index *index)
{
    struct psx_gpu *gpu = machine->gpu;

    psx_state_reset(&gpu->state);
    gpu->state.registers.first_gpu = psx_index_is_first_gpu(index);
    gpu->state.restoring = index->begin_packet != PSX_NO_PACKET;
    gpu->never_skip = index->field_option == PSX_FIELD_BOTH;
    memset(gpu->vram, 0, sizeof(*gpu->vram) * PSX_VRAM_WIDTH * gpu->lines);
    machine->packet = 0;
    machine->offset = psx_magic_length(index->magic);
    machine->frame = 0;
    machine->part = PSX_MACHINE_WHOLE;
}

int psx_machine_create(const struct psx_index *index, struct psx_machine **out)
{
    struct psx_machine *machine = calloc(1, sizeof(*machine));

    if (machine == NULL || psx_gpu_create(index->vram_lines, &machine->gpu) != 0) {
        free(machine);
        return -ENOMEM;
    }
    psx_machine_rewind(machine, index);
    *out = machine;
    return 0;
}

uint64_t psx_machine_bytes(const struct psx_machine *machine)
{
    return sizeof(*machine) + psx_gpu_bytes(machine->gpu);
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

int psx_machine_run(struct psx_machine *machine, const struct psx_index *index, uint64_t packet,
                    const struct cancel *cancel, bool *lost)
{
    *lost = false;
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

/* The first frame that starts at the checkpoint or later. */
static uint64_t next_frame(const struct psx_index *index, const struct psx_parser_state *checkpoint)
{
    if (checkpoint->frame == PSX_INITIAL)
        return 0;
    return checkpoint->packet > index->frames[checkpoint->frame].packet ? checkpoint->frame + 1
                                                                        : checkpoint->frame;
}

int psx_machine_slice(struct psx_machine *machine, const struct psx_index *index,
                      const struct psx_plan *plan, const struct psx_tiles *tiles,
                      const struct cancel *cancel)
{
    int status;

    machine->part = PSX_MACHINE_TILES;
    machine->tiles = (struct psx_tiles){0};
    status = psx_plan_run(plan, index, machine->gpu, NULL, cancel);
    if (status != 0)
        return status;
    machine->tiles = *tiles;
    machine->packet = plan->end.packet;
    machine->offset = plan->end.offset;
    machine->frame = next_frame(index, &plan->end);
    return 0;
}
