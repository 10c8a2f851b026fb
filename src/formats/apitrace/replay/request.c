/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/request.h"

#include "formats/apitrace/dump.h"

#include <errno.h>
#include <inttypes.h>

struct apitrace_replay_goal apitrace_request_goal(const struct apitrace_dump *dump,
                                                  const struct apitrace_request *request)
{
    if (request->watch != NULL)
        return apitrace_watch_begin(dump, request->watch);
    if (request->snapshot == NULL)
        return apitrace_replay_goal_of(dump, request->frame);
    return (struct apitrace_replay_goal){.order = request->snapshot->order + 1,
                                         .call = request->snapshot->call,
                                         .flags = APITRACE_FEED_AFTER};
}

uint32_t apitrace_request_base(const struct apitrace_dump *dump,
                               const struct apitrace_request *request)
{
    const struct apitrace_presented_frame *presented = &dump->presentation.frames[request->frame];

    if (request->watch != NULL)
        return request->watch->base;
    return request->snapshot != NULL ? request->snapshot->base
           : request->visit != NULL  ? presented->whole
                                     : presented->base;
}

bool apitrace_request_is_of_frame(const struct apitrace_request *request)
{
    return request->snapshot == NULL && request->visit == NULL && request->watch == NULL;
}

bool apitrace_request_is_of_draw(const struct apitrace_request *request)
{
    return request->snapshot != NULL && request->visit == NULL && request->level == NULL &&
           request->watch == NULL;
}

void apitrace_request_report(const struct apitrace_request *request,
                             const struct apitrace_dump *dump,
                             const struct apitrace_session *session, int status)
{
    const char *reason = apitrace_session_reason(session);
    const struct apitrace_level *level = request->level;
    uint64_t call = apitrace_request_goal(dump, request).call;

    if (status == -ERANGE)
        reason = "the graphics worker's picture has an unexpected size";
    else if (status == -ENODATA || reason[0] == '\0')
        reason = "the calls do not reach it";
    if (request->visit != NULL)
        problems_add_drawing(dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, call,
                             "the state of call %" PRIu64 " cannot be read: %s", call, reason);
    else if (request->snapshot != NULL)
        problems_add_drawing(dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, call,
                             "the result of draw %" PRIu64 " cannot be shown: %s", call, reason);
    else if (request->watch != NULL)
        problems_add_drawing(dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, call,
                             "the draws of the pixels of frame %" PRIu64
                             " cannot be determined: %s",
                             request->watch->frame, reason);
    else if (level == NULL)
        problems_add_drawing(dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, call,
                             "frame %" PRIu64 " cannot be drawn: %s", request->frame, reason);
    else
        problems_add_drawing(dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, call,
                             "level %" PRIu32 " of texture %" PRIu32 " cannot be read: %s",
                             level->level, level->object, reason);
}
