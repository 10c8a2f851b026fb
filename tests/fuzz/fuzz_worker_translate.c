/* SPDX-License-Identifier: MIT */
/*
 * Shaders that the worker translates: DXBC with vkd3d-shader and SPIRV-Cross, and shader models 1
 * to 3 with mojoshader, in this process and without its confinement. vkd3d-shader asserts
 * properties of shaders that it has not checked. A failed assertion ends a worker, which is known
 * (worker.md 5.2); here it only ends the input, and the memory that vkd3d-shader used is leaked.
 * Any other failure is a finding.
 */
#include "config.h"

#include "glworker/core/confine.h"
#include "glworker/translate/translate.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct serve_kind *const kinds[] = {translate_kinds, NULL};

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

/* Disables the leak check: memory that vkd3d-shader used when an assertion failed is not a leak. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}

static sigjmp_buf asserted;

static void leave(int number)
{
    (void)number;
    siglongjmp(asserted, 1);
}

static void translate(struct blob *shader)
{
    struct serve_answer answer = {.bulk = NULL};

    (void)serve_one(kinds, MESSAGE_TRANSLATE, shader, &answer);
    serve_answer_free(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct sigaction catch = {.sa_handler = leave}, die = {.sa_handler = SIG_DFL};
    struct blob *shader;

    setenv("VKD3D_SHADER_DEBUG", "none", 0);
    if (blob_create(size, &shader) < 0)
        return 0;
    if (size > 0)
        memcpy(shader->data, data, size);
    sigaction(SIGABRT, &catch, NULL);
    if (sigsetjmp(asserted, 1) == 0)
        translate(shader);
    sigaction(SIGABRT, &die, NULL);
    blob_unref(&shader);
    return 0;
}
