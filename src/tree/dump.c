#include "tree/dump.h"

#include "base/log.h"

#include <errno.h>

static const char *const changes[] = {
    [SOURCE_SHORTENED] = "shortened",
    [SOURCE_WRITTEN] = "written",
};

static const char sentence[] =
    "%s was %s after it was opened, and what it held is gone: nothing more can be shown; open it "
    "again, or follow it (gpudumpfs --follow) while it is recorded";

static void tell_change(struct dump *dump, const struct source *source)
{
    const char *change = changes[source_state(source)];

    if (atomic_exchange(&dump->told_change, true))
        return;
    problems_add(dump->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE, sentence,
                 source_basename(source), change);
    log_write(LOG_ERR, sentence, source->path, change);
}

/* The dump's files in turn; NULL behind the last. */
static const struct source *file_at(const struct dump *dump, size_t index)
{
    if (index == 0)
        return dump->source;
    return index <= DUMP_BESIDE_MAX ? dump->beside[index - 1] : NULL;
}

int dump_check_files(struct dump *dump)
{
    const struct source *source;

    for (size_t i = 0; (source = file_at(dump, i)) != NULL; i++)
        if (source_check(source) != SOURCE_INTACT) {
            tell_change(dump, source);
            return -EIO;
        }
    return 0;
}

bool dump_has_changed(const struct dump *dump)
{
    const struct source *source;

    for (size_t i = 0; (source = file_at(dump, i)) != NULL; i++)
        if (source_state(source) != SOURCE_INTACT)
            return true;
    return false;
}
