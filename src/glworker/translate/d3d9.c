/* SPDX-License-Identifier: MIT */
/* Translates Direct3D 9 tokens to GLSL by mojoshader. */
#include "config.h"

#include "glworker/translate/translate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef HAVE_MOJOSHADER

#include <mojoshader.h>

int translate_d3d9(const uint8_t *bytes, size_t size, struct translation *out,
                   char reason[WORKER_REASON])
{
    const MOJOSHADER_parseData *data;
    struct blob *genuine = NULL;
    int status = dxbc_d3d9_genuine(bytes, size, &genuine);

    *out = (struct translation){.glsl = NULL};
    if (status < 0) {
        snprintf(reason, WORKER_REASON, "D3D9 bytecode without an end token");
        return status;
    }
    data = MOJOSHADER_parse("glsl120", "main", genuine->data, (unsigned)genuine->size, NULL, 0,
                            NULL, 0, NULL, NULL, NULL);
    if (data->error_count > 0) {
        snprintf(reason, WORKER_REASON, "mojoshader refuses it: %.250s", data->errors[0].error);
        status = -EINVAL;
    } else {
        out->glsl = strndup(data->output, (size_t)data->output_len);
        status = out->glsl == NULL ? -ENOMEM : 0;
    }
    MOJOSHADER_freeParseData(data);
    blob_unref(&genuine);
    return status;
}

#else

int translate_d3d9(const uint8_t *bytes, size_t size, struct translation *out,
                   char reason[WORKER_REASON])
{
    (void)bytes, (void)size;
    *out = (struct translation){.glsl = NULL};
    snprintf(reason, WORKER_REASON, "built without mojoshader");
    return -ENOSYS;
}

#endif
