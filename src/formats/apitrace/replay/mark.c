/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/mark.h"

#include "formats/apitrace/dump.h"

#include <errno.h>

struct apitrace_replay_goal apitrace_mark_goal(const struct apitrace_dump *dump, uint64_t frame)
{
    const uint64_t order = dump->index.frames[frame].first;

    return (struct apitrace_replay_goal){.order = order,
                                         .call = apitrace_index_listed(&dump->index, order)};
}

/*
 * Returns whether the request concerns one frame, and depends on nothing that was drawn before it.
 */
static bool is_of_one_frame(const struct apitrace_dump *dump,
                            const struct apitrace_request *request)
{
    return apitrace_request_base(dump, request) >= request->frame &&
           (request->watch == NULL || request->watch->frame == request->frame);
}

void apitrace_mark_refuse(struct apitrace_mark *mark, uint64_t frame)
{
    mark->refused[mark->next_refused++ % APITRACE_MARKS_REFUSED] = frame + 1;
}

static bool is_refused(const struct apitrace_mark *mark, uint64_t frame)
{
    for (unsigned n = 0; n < APITRACE_MARKS_REFUSED; n++)
        if (mark->refused[n] == frame + 1)
            return true;
    return false;
}

bool apitrace_mark_is_of_use(const struct apitrace_mark *mark, const struct apitrace_dump *dump,
                             const struct apitrace_request *request)
{
    return !mark->set && !is_refused(mark, request->frame) && !apitrace_index_grows(&dump->index) &&
           is_of_one_frame(dump, request);
}

bool apitrace_mark_serves(const struct apitrace_mark *mark, const struct apitrace_dump *dump,
                          const struct apitrace_request *request)
{
    return mark->set && mark->frame == request->frame && is_of_one_frame(dump, request);
}

/*
 * Setting a mark and going back to it take only a moment, so they cannot be cancelled: otherwise it
 * would be unknown what was done.
 */

int apitrace_mark_set(struct apitrace_mark *mark, struct apitrace_replay_feed *feed, uint64_t frame)
{
    struct apitrace_session_place place;
    int status;

    mark->frame = frame;
    status = apitrace_session_mark(feed->session, NULL, &place);

    if (status == -ENOENT || status == -EOPNOTSUPP) {
        apitrace_mark_refuse(mark, frame);
        return 0;
    }
    mark->set = status == 0;
    return status;
}

int apitrace_mark_go_back(struct apitrace_mark *mark, struct apitrace_replay_feed *feed, bool stay)
{
    struct apitrace_session_place place;
    int status = apitrace_session_back(feed->session, stay, NULL, &place);

    mark->set = status == 0 && stay;
    if (status < 0)
        return status;
    feed->order = feed->dump->index.frames[mark->frame].first;
    feed->next = place.next;
    feed->hungry = true;
    feed->dry = false;
    return 0;
}
