/* Copies of the session as it was between two submissions (worker.md 5.6). */
#include "config.h"

#include "glworker/aero.h"

#include <errno.h>
#include <stdlib.h>

#define SAVED_BYTES (UINT64_C(512) << 20) /* that copies may hold beside the session */

static struct aero *saved[AEROGPU_SESSION_SAVED_MAX];

static void forget(uint32_t slot)
{
    if (saved[slot] == NULL)
        return;
    aero_drop_session(saved[slot]);
    free(saved[slot]);
    saved[slot] = NULL;
}

void aero_forget_saved(void)
{
    for (uint32_t i = 0; i < AEROGPU_SESSION_SAVED_MAX; i++)
        forget(i);
}

static int read_slot(struct message_reader *request, struct serve_answer *answer, uint32_t *slot)
{
    *slot = message_read_u32(request);
    if (aero_session() == NULL)
        return serve_refuse(answer, -EINVAL, "there was no reset");
    return *slot < AEROGPU_SESSION_SAVED_MAX ? 0 : -EPROTO;
}

int aero_handle_save(struct message_reader *request, struct serve_answer *answer)
{
    struct aero *session = aero_session();
    uint32_t slot;
    int status = read_slot(request, answer, &slot);

    if (status == 0 && !message_read_all(request))
        status = -EPROTO;
    if (status < 0)
        return status;
    if (!session->ended || session->toy != NULL)
        return serve_refuse(answer, -EBUSY, "not in the midst of commands, nor of Appendix A");
    forget(slot);
    if (aero_saved_bytes(session) > SAVED_BYTES)
        return serve_refuse(answer, -ENOSPC, "saved sessions hold too much");
    saved[slot] = calloc(1, sizeof(*saved[slot]));
    if (saved[slot] == NULL)
        return -ENOMEM;
    status = aero_copy_session(saved[slot], session);
    if (status < 0)
        forget(slot);
    return status;
}

int aero_handle_load(struct message_reader *request, struct serve_answer *answer)
{
    struct aero *session = aero_session();
    uint32_t slot, flags;
    int status = read_slot(request, answer, &slot);

    flags = message_read_u32(request);
    if (status == 0 && !message_read_all(request))
        status = -EPROTO;
    if (status < 0)
        return status;
    if (saved[slot] == NULL)
        return serve_refuse(answer, -ENOENT, "nothing was saved there");
    aero_drop_submission(session);
    aero_drop_session(session);
    session->flags = flags;
    status = aero_copy_session(session, saved[slot]);
    /* Half a session is none. */
    if (status < 0)
        aero_end();
    return status;
}

int aero_handle_forget(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t slot;
    int status = read_slot(request, answer, &slot);

    if (status == 0 && !message_read_all(request))
        status = -EPROTO;
    if (status == 0)
        forget(slot);
    return status;
}
