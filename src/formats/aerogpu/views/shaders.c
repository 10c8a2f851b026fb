/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/views/views.h"

#include "dxbc/dxbc.h"
#include "formats/aerogpu/replay/replay.h"

#include <errno.h>
#include <inttypes.h>

static int code_kind(struct dump *dump, uint64_t key, enum dxbc_shader_kind *kind)
{
    const struct aerogpu_life *life = NULL;
    int status = aerogpu_life_find(dump, key, &life);

    if (status != 0)
        return status;
    if (life->object.kind != AEROGPU_OBJECT_SHADER || life->object.shader.code == NULL)
        return -ENOENT;
    *kind = dxbc_classify(life->object.shader.code, life->object.shader.length);
    return 0;
}

/*
 * Returns 0 if it is a shader of one of `kinds`, a set of bits numbered by enum dxbc_shader_kind.
 */
static int exists_as(struct dump *dump, uint64_t key, unsigned kinds)
{
    enum dxbc_shader_kind kind = DXBC_SHADER_BAD;
    int status = code_kind(dump, key, &kind);

    return status == 0 && (kinds & 1u << kind) == 0 ? -ENOENT : status;
}

enum {
    D3D9 = 1 << DXBC_SHADER_D3D9,
    DXBC = 1 << DXBC_SHADER_GENUINE | 1 << DXBC_SHADER_DIALECT,
    NO_SHADER = 1 << DXBC_SHADER_BAD,
};

int aerogpu_d3d9_exists(struct dump *dump, uint64_t key)
{
    return exists_as(dump, key, D3D9);
}

/* Code that is not a valid shader is shown under this name, too. */
int aerogpu_dxbc_exists(struct dump *dump, uint64_t key)
{
    return exists_as(dump, key, DXBC | NO_SHADER);
}

int aerogpu_shader_exists(struct dump *dump, uint64_t key)
{
    return exists_as(dump, key, DXBC | D3D9);
}

/* SPIR-V can only be made from DXBC. */
int aerogpu_spirv_exists(struct dump *dump, uint64_t key)
{
    return exists_as(dump, key, DXBC);
}

int aerogpu_code_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct aerogpu_life *life = NULL;
    int status = aerogpu_life_find(dump, key, &life);

    if (status == 0)
        *size = life->object.shader.length;
    return status;
}

int aerogpu_code_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    const struct aerogpu_life *life = NULL;
    int status = aerogpu_life_find(dump, key, &life);

    (void)cancel;
    return status == 0 ? blob_borrow(life->object.shader.code, life->object.shader.length, out)
                       : status;
}

int aerogpu_genuine_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out)
{
    const struct aerogpu_life *life = NULL;
    enum dxbc_shader_kind kind = DXBC_SHADER_BAD;
    int status = aerogpu_life_need(dump, key, cancel, &life);

    if (status == 0)
        status = code_kind(dump, key, &kind);
    if (status == 0 && kind == DXBC_SHADER_D3D9)
        status = -ENOENT;
    if (status == 0)
        status = dxbc_genuine(life->object.shader.code, life->object.shader.length, out);
    if (status != -EINVAL)
        return status;
    problems_add(dump->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, life->created.record,
                 "shader %" PRIu32 " contains tokens that cannot be converted to standard DXBC",
                 life->object.handle);
    return -EIO;
}

int aerogpu_signature_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out)
{
    const struct aerogpu_life *life = NULL;
    struct text text = TEXT_INIT;
    int status = aerogpu_life_need(dump, key, cancel, &life);

    if (status != 0)
        return status;
    dxbc_signature_write(life->object.shader.code, life->object.shader.length, &text);
    return text_blob(&text, out);
}

int aerogpu_disassembly_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out)
{
    const struct aerogpu_life *life = NULL;
    struct text text = TEXT_INIT;
    int status = aerogpu_life_need(dump, key, cancel, &life);

    if (status == 0)
        status = dxbc_disassemble(life->object.shader.code, life->object.shader.length, &text);
    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}

/* The results of the translators, which run in the worker. */

int aerogpu_spirv_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    return aerogpu_replay_translate(aerogpu_dump_of(dump), (uint32_t)key, true, cancel, out);
}

int aerogpu_glsl_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    return aerogpu_replay_translate(aerogpu_dump_of(dump), (uint32_t)key, false, cancel, out);
}
