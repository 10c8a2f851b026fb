#include "formats/psx/machines.h"

void psx_machines_init(struct psx_machines *machines, unsigned most)
{
    *machines = (struct psx_machines){.most = most};
    pthread_mutex_init(&machines->lock, NULL);
}

void psx_machines_clear(struct psx_machines *machines)
{
    for (struct psx_machine *machine = machines->idle, *next; machine != NULL; machine = next) {
        next = machine->next;
        psx_machine_destroy(&machine);
    }
    if (machines->cache != NULL)
        cache_charge(machines->cache, &machines->charged, 0, 0);
    pthread_mutex_destroy(&machines->lock);
}

/* How well a machine serves: the larger the better, 0 not at all. */

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

static uint64_t rate(const struct psx_machine *machine, enum psx_machines_use use,
                     const struct psx_want *want, const struct psx_tiles *tiles)
{
    switch (use) {
    case PSX_MACHINES_THERE:
        return rate_there(machine, want, tiles);
    case PSX_MACHINES_BEFORE:
        return rate_before(machine, want);
    default:
        return machine->part == PSX_MACHINE_TILES;
    }
}

/* The lock is held in all functions down to psx_machines_take(). */

static struct psx_machine *remove_at(struct psx_machines *machines, struct psx_machine **link)
{
    struct psx_machine *removed = *link;

    *link = removed->next;
    removed->next = NULL;
    machines->count--;
    return removed;
}

/* Counts what is idle in the cache; false: there is no room for so many. */
static bool charge(struct psx_machines *machines)
{
    uint64_t bytes = 0;

    if (machines->cache == NULL)
        return true;
    for (const struct psx_machine *machine = machines->idle; machine != NULL;
         machine = machine->next)
        bytes += psx_machine_bytes(machine);
    return cache_charge(machines->cache, &machines->charged, bytes, UINT64_MAX) == 0;
}

/*
 * The one that was not used for the longest time gives way: of slices if there
 * are some, since one is enough to draw on, else of those that can go on.
 */
static struct psx_machine *drop_one(struct psx_machines *machines)
{
    struct psx_machine **oldest[2] = {NULL, NULL};
    unsigned slices = 0;

    for (struct psx_machine **link = &machines->idle; *link != NULL; link = &(*link)->next) {
        bool slice = (*link)->part == PSX_MACHINE_TILES;

        oldest[slice] = link;
        slices += slice;
    }
    return remove_at(machines, slices > 1 || oldest[0] == NULL ? oldest[1] : oldest[0]);
}

struct psx_machine *psx_machines_take(struct psx_machines *machines, enum psx_machines_use use,
                                      const struct psx_want *want, const struct psx_tiles *tiles)
{
    struct psx_machine **best = NULL, *taken = NULL;
    uint64_t best_rate = 0;

    pthread_mutex_lock(&machines->lock);
    for (struct psx_machine **link = &machines->idle; *link != NULL; link = &(*link)->next) {
        uint64_t rated = rate(*link, use, want, tiles);

        if (rated > best_rate) {
            best_rate = rated;
            best = link;
        }
    }
    if (best != NULL) {
        taken = remove_at(machines, best);
        charge(machines);
    }
    pthread_mutex_unlock(&machines->lock);
    return taken;
}

/* One is kept in any case: without it every picture would cost all that came before. */
void psx_machines_give(struct psx_machines *machines, struct psx_machine **machine,
                       struct cache *cache)
{
    struct psx_machine *dropped = NULL;

    pthread_mutex_lock(&machines->lock);
    machines->cache = cache;
    (*machine)->next = machines->idle;
    machines->idle = *machine;
    machines->count++;
    if (machines->count > machines->most || (!charge(machines) && machines->count > 1)) {
        dropped = drop_one(machines);
        charge(machines);
    }
    pthread_mutex_unlock(&machines->lock);
    psx_machine_destroy(&dropped);
    *machine = NULL;
}
