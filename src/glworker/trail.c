#include "config.h"

#include "glworker/trail.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct worker_trail unread, *trail = &unread;

int trail_open(int fd)
{
    void *page = mmap(NULL, sizeof(*trail), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (page == MAP_FAILED)
        return -errno;
    trail = page;
    close(fd);
    return 0;
}

void trail_act(enum worker_act act, const uint64_t subjects[WORKER_SUBJECTS])
{
    trail->act = act;
    if (subjects != NULL)
        memcpy(trail->subjects, subjects, sizeof(trail->subjects));
    else
        memset(trail->subjects, 0, sizeof(trail->subjects));
}

void trail_act_on(enum worker_act act, uint64_t subject)
{
    trail_act(act, (const uint64_t[WORKER_SUBJECTS]){subject});
}

void trail_place(uint32_t offset)
{
    trail->place = offset;
}
