/* SPDX-License-Identifier: MIT */
/*
 * Requests of the daemon, on a real driver: the input is a SUBMIT, after which everything is
 * requested. Shader translators are left out, because they are made to abort(), and so is the
 * confinement.
 */
#include "config.h"

#include "formats/aerogpu/replay/worker_protocol.h"
#include "glworker/core/confine.h"
#include "glworker/d3d/session.h"
#include "glworker/translate/translate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct serve_kind *const kinds[] = {aero_kinds, NULL};

int confine_finish(void)
{
    return 0;
}

void confine_time(void)
{
}

void confine_be_busy(bool now)
{
    (void)now;
}

void confine_memory(uint64_t objects)
{
    (void)objects;
}

int translate_dxbc(const uint8_t *bytes, size_t size, enum dxbc_program stage, bool flip,
                   struct translation *out, char reason[WORKER_REASON])
{
    (void)bytes, (void)size, (void)stage, (void)flip;
    *out = (struct translation){.glsl = NULL};
    snprintf(reason, WORKER_REASON, "not translated");
    return -ENOSYS;
}

void translate_free(struct translation *translation)
{
    (void)translation;
}

/* Sends a message. Returns 0, or -errno if it failed. */
static int send(uint16_t kind, const void *bytes, size_t size)
{
    struct serve_answer answer = {.bulk = NULL};
    struct blob *payload = NULL;
    int status;

    if (blob_create(size, &payload) < 0)
        return -ENOMEM;
    if (size > 0)
        memcpy(payload->data, bytes, size);
    status = serve_one(kinds, kind, payload, &answer);
    if (status < 0 && answer.reason[0] == '\0')
        abort();
    serve_answer_free(&answer);
    blob_unref(&payload);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* 32x32, no bad shaders, at most 16 MiB of textures */
    static const uint32_t reset[] = {0, 32, 32, 0, 16 << 20, 0};
    static const uint32_t none[] = {UINT32_MAX}, saved[] = {3, 0};

    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    if (send(AEROGPU_MESSAGE_RESET, reset, sizeof(reset)) < 0)
        return 0; /* there is no driver */
    send(AEROGPU_MESSAGE_SUBMIT, data, size);
    send(AEROGPU_MESSAGE_CONTINUE, none, sizeof(none));
    /* Submits the input again after saving the state, and goes back to that state. */
    send(AEROGPU_MESSAGE_SAVE, saved, 4);
    send(AEROGPU_MESSAGE_SUBMIT, data, size);
    send(AEROGPU_MESSAGE_LOAD, saved, sizeof(saved));
    send(AEROGPU_MESSAGE_FORGET, saved, 4);
    for (uint32_t what = 0; what < 5; what++)
        for (uint32_t handle = 0; handle < 8; handle++) {
            const uint32_t picture[] = {what, handle, handle, handle & 1, handle & 2};

            send(AEROGPU_MESSAGE_PICTURE, picture, sizeof(picture));
            send(AEROGPU_MESSAGE_CONTENT, &handle, sizeof(handle));
        }
    return 0;
}
