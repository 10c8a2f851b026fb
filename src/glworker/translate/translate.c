/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/translate/translate.h"

#include "glworker/core/breadcrumb_page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void translate_free(struct translation *translation)
{
    free(translation->glsl);
    free(translation->spirv);
    *translation = (struct translation){.glsl = NULL};
}

/* Translates a shader as it would be drawn with; a D3D9 shader only to GLSL. */
static int translate(const uint8_t *bytes, size_t size, struct translation *out,
                     char reason[WORKER_REASON])
{
    struct dxbc dxbc;
    struct blob *genuine = NULL;
    int status;

    if (dxbc_classify(bytes, size) == DXBC_SHADER_D3D9)
        return translate_d3d9(bytes, size, out, reason);
    status = dxbc_genuine(bytes, size, &genuine);
    if (status == -EINVAL)
        snprintf(reason, WORKER_REASON, "neither DXBC nor D3D9 bytecode");
    if (status == 0 && dxbc_open(genuine->data, genuine->size, &dxbc))
        status = translate_dxbc(genuine->data, genuine->size, dxbc.program, dxbc.program == DXBC_VS,
                                out, reason);
    blob_unref(&genuine);
    return status;
}

static int handle_translate(struct message_reader *request, struct serve_answer *answer)
{
    size_t size = request->left;
    const uint8_t *bytes = message_read_bytes(request, size);
    struct translation translation = {.glsl = NULL};
    int status;

    breadcrumb_set_one(BREADCRUMB_TRANSLATE, breadcrumb_name(bytes, size));
    status = translate(bytes, size, &translation, answer->reason);
    breadcrumb_set(BREADCRUMB_NONE, NULL);
    if (status == 0) {
        size_t length = translation.glsl == NULL ? 0 : strlen(translation.glsl);

        message_write_u32(&answer->body, (uint32_t)translation.spirv_size);
        message_write_u32(&answer->body, (uint32_t)length);
        message_write_bytes(&answer->body, translation.spirv, translation.spirv_size);
        message_write_bytes(&answer->body, translation.glsl, length);
    }
    translate_free(&translation);
    return status;
}

const struct serve_kind translate_kinds[] = {{MESSAGE_TRANSLATE, handle_translate}, {0, NULL}};
