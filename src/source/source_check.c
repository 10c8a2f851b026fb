/* SPDX-License-Identifier: MIT */
/* Checks whether a source's bytes are still what they were when it was opened. */
#include "source/filewatch.h"
#include "source/growing_source.h"
#include "source/source.h"

static const enum source_state states[] = {
    [FILEWATCH_SAME] = SOURCE_INTACT,
    [FILEWATCH_SHORTENED] = SOURCE_SHORTENED,
    [FILEWATCH_WRITTEN] = SOURCE_WRITTEN,
};

atomic_bool *source_lost(const struct source *source)
{
    return (atomic_bool *)(uintptr_t)&source->lost;
}

/*
 * If bytes are missing from a file that has its old length, or from a spool, which has no name, the
 * disk failed to read them.
 */
enum source_state source_state(const struct source *source)
{
    enum source_state state = SOURCE_INTACT;

    if (source->original != NULL && source_state(source->original) != SOURCE_INTACT)
        return source_state(source->original);
    if (source->watch != NULL)
        state = states[filewatch_seen(source->watch)];
    if (state != SOURCE_INTACT || !atomic_load(&source->lost))
        return state;
    return source->growth != NULL ? SOURCE_SHORTENED : SOURCE_UNREADABLE;
}

/* Checks what a source depends on besides its own watch. */
static void look_beside(const struct source *source)
{
    if (source->original != NULL)
        (void)source_check(source->original);
    if (source->growth != NULL)
        growing_source_look(source->growth);
}

enum source_state source_check(const struct source *source)
{
    source_check_several(&source, 1);
    return source_state(source);
}

/*
 * If bytes are missing, the file may have been truncated after the first check: a second one
 * detects that.
 */
void source_check_several(const struct source *const *sources, size_t count)
{
    struct filewatch *watches[SOURCE_SEVERAL] = {NULL};
    size_t watched = 0;

    for (size_t n = 0; n < count; n++) {
        look_beside(sources[n]);
        if (sources[n]->watch != NULL)
            watches[watched++] = sources[n]->watch;
    }
    filewatch_look_at(watches, watched);
    for (size_t n = 0; n < count; n++)
        if (sources[n]->watch != NULL && source_state(sources[n]) == SOURCE_UNREADABLE)
            (void)filewatch_look(sources[n]->watch);
}
