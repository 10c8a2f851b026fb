#include "formats/psx/replay/gpu_instance_pool.h"

static struct psx_machine *machine_of(const struct idle_item *item)
{
    return (struct psx_machine *)(uintptr_t)item; /* the machine's first member */
}

static void destroy(struct idle_item *item)
{
    struct psx_machine *machine = machine_of(item);

    psx_machine_destroy(&machine);
}

void psx_machines_init(struct psx_machines *machines, unsigned most, struct cache *const *cache)
{
    const struct idle_params params = {
        .most = most, .bytes = UINT64_MAX, .destroy = destroy, .cache = cache};

    idle_init(&machines->idle, &params);
}

void psx_machines_clear(struct psx_machines *machines)
{
    idle_clear(&machines->idle);
}

/* What is wanted of a machine. */
struct search {
    enum psx_machines_use use;
    const struct psx_want *want;
    const struct psx_tiles *tiles;
};

static uint64_t rate_there(const struct psx_machine *machine, const struct psx_want *want,
                           const struct psx_tiles *tiles)
{
    if (machine->packet < want->packet || machine->packet > want->upto)
        return 0;
    if (machine->part == PSX_MACHINE_TILES)
        return psx_tiles_hold(&machine->tiles, tiles);
    return machine->part == PSX_MACHINE_WHOLE || (want->shown && !want->read);
}

static uint64_t rate_before(const struct psx_machine *machine, const struct psx_want *want)
{
    if (machine->packet >= want->packet || machine->part == PSX_MACHINE_TILES)
        return 0;
    return machine->part == PSX_MACHINE_WHOLE || (want->shown && !want->read) ? machine->packet + 1
                                                                              : 0;
}

static uint64_t rate(const void *context, const struct idle_item *item)
{
    const struct search *search = context;
    const struct psx_machine *machine = machine_of(item);

    switch (search->use) {
    case PSX_MACHINES_THERE:
        return rate_there(machine, search->want, search->tiles);
    case PSX_MACHINES_BEFORE:
        return rate_before(machine, search->want);
    default:
        return item->spare;
    }
}

struct psx_machine *psx_machines_take(struct psx_machines *machines, enum psx_machines_use use,
                                      const struct psx_want *want, const struct psx_tiles *tiles)
{
    const struct search search = {use, want, tiles};
    struct idle_item *taken = idle_take(&machines->idle, rate, &search);

    return taken != NULL ? machine_of(taken) : NULL;
}

/* A slice cannot go on: it is of use where it stands, and for its memory. */
void psx_machines_give(struct psx_machines *machines, struct psx_machine **machine)
{
    struct psx_machine *given = *machine;

    *machine = NULL;
    given->idle.bytes = psx_machine_bytes(given);
    given->idle.spare = given->part == PSX_MACHINE_TILES;
    idle_give(&machines->idle, &given->idle);
}
