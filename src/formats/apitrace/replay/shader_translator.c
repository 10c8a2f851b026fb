/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/shader_translator.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct apitrace_shader_translator {
    struct worker *worker;
    struct session session; /* for the thread that has acquired the worker */
};

int apitrace_shader_translator_create(const struct apitrace_dump *dump,
                                      struct apitrace_shader_translator **out)
{
    struct apitrace_shader_translator *translator = calloc(1, sizeof(*translator));
    const struct worker_params params = {
        .time_limit_ms = apitrace_options_of(dump->base.options)->time_limit * 1000};
    int status = -ENOMEM;

    if (translator != NULL)
        status = worker_create(&params, &translator->worker);
    if (status == 0)
        session_init(&translator->session, &shader_translation_session, translator->worker, NULL,
                     NULL);
    else
        free(translator);
    *out = status == 0 ? translator : NULL;
    return status;
}

void apitrace_shader_translator_destroy(struct apitrace_shader_translator **translator)
{
    if (*translator == NULL)
        return;
    worker_destroy(&(*translator)->worker);
    free(*translator);
    *translator = NULL;
}

int apitrace_shader_translate(struct dump *dump, uint32_t number, const struct blob *code,
                              const struct cancel *cancel, struct shader_translation *out)
{
    struct apitrace_shader_translator *translator = apitrace_dump_of(dump)->translator;
    int status = worker_acquire(translator->worker, cancel);

    if (status < 0)
        return status;
    status = shader_translation_make(&translator->session, code->data, code->size, cancel, out);
    if (status < 0 && status != -EINTR && status != -ENOMEM) {
        problems_add_drawing(dump->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, number,
                             "the shader cannot be translated: %s", translator->session.reason);
        status = -EIO;
    }
    worker_release(translator->worker);
    return status;
}
