/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/dump.h"

#include <errno.h>
#include <stdlib.h>

static int find_objects(struct apitrace_dump *apitrace, const struct cancel *cancel)
{
    int status =
        apitrace_object_index_find(&apitrace->index, apitrace->base.options->max_memory / 4,
                                   apitrace->base.problems, cancel, &apitrace->objects);

    if (status < 0)
        apitrace_object_index_clear(&apitrace->objects);
    return status;
}

static int find_presentation(struct apitrace_dump *apitrace, const struct cancel *cancel)
{
    int status = apitrace_presentation_find(&apitrace->index, cancel, &apitrace->presentation);

    if (status < 0)
        apitrace_presentation_clear(&apitrace->presentation);
    return status;
}

static int find_cuts(struct apitrace_dump *apitrace, const struct cancel *cancel)
{
    const struct apitrace_presentation *presentation;
    int status = apitrace_dump_presentation(&apitrace->base, cancel, &presentation);

    if (status == 0)
        status = apitrace_cuts_find(&apitrace->index, presentation, cancel, &apitrace->cuts);
    if (status < 0)
        apitrace_cuts_clear(&apitrace->cuts);
    return status;
}

/* Finds something once. Threads that come at the same time wait for the first one. */
static int find_once(struct apitrace_dump *apitrace, struct cancellable_mutex *mutex,
                     atomic_bool *has,
                     int (*find)(struct apitrace_dump *apitrace, const struct cancel *cancel),
                     const struct cancel *cancel)
{
    int status;

    if (atomic_load(has))
        return 0;
    status = cancellable_mutex_lock(mutex, cancel);
    if (status < 0)
        return status;
    if (!atomic_load(has)) {
        status = find(apitrace, cancel);
        atomic_store(has, status == 0);
    }
    cancellable_mutex_unlock(mutex);
    return status;
}

int apitrace_dump_objects(struct dump *dump, const struct cancel *cancel,
                          const struct apitrace_object_index **out)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    *out = &apitrace->objects;
    return find_once(apitrace, &apitrace->objects_mutex, &apitrace->has_objects, find_objects,
                     cancel);
}

const struct apitrace_object_index *apitrace_dump_peek_objects(struct dump *dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    return atomic_load(&apitrace->has_objects) ? &apitrace->objects : NULL;
}

int apitrace_dump_presentation(struct dump *dump, const struct cancel *cancel,
                               const struct apitrace_presentation **out)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    *out = &apitrace->presentation;
    return find_once(apitrace, &apitrace->presentation_mutex, &apitrace->has_presentation,
                     find_presentation, cancel);
}

const struct apitrace_presentation *apitrace_dump_peek_presentation(struct dump *dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    return atomic_load(&apitrace->has_presentation) ? &apitrace->presentation : NULL;
}

int apitrace_dump_cuts(struct dump *dump, const struct cancel *cancel,
                       const struct apitrace_cuts **out)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    *out = &apitrace->cuts;
    return apitrace_index_grows(&apitrace->index)
               ? -ENOENT
               : find_once(apitrace, &apitrace->cuts_mutex, &apitrace->has_cuts, find_cuts, cancel);
}

const struct apitrace_cuts *apitrace_dump_peek_cuts(struct dump *dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    return atomic_load(&apitrace->has_cuts) ? &apitrace->cuts : NULL;
}

int apitrace_dump_drawables(struct apitrace_dump *dump,
                            struct apitrace_session_drawable **drawables, size_t *count,
                            uint64_t *changes)
{
    const struct apitrace_presentation *presentation = &dump->presentation;

    apitrace_drawables_lock(dump);
    *count = (size_t)presentation->drawables.count;
    *changes = presentation->drawables.changes;
    *drawables = calloc(*count + 1, sizeof(**drawables));
    if (*drawables != NULL && *count > 0)
        memcpy(*drawables, presentation->drawables.list, *count * sizeof(**drawables));
    apitrace_drawables_unlock(dump);
    return *drawables != NULL ? 0 : -ENOMEM;
}

uint64_t apitrace_dump_changes(struct apitrace_dump *dump)
{
    uint64_t changes;

    apitrace_drawables_lock(dump);
    changes = dump->presentation.drawables.changes;
    apitrace_drawables_unlock(dump);
    return changes;
}
