/*
 * gpudumpfs-glworker: the program that alone meets graphics drivers and shader
 * compilers, started by gpudumpfs with a socket in place LAUNCH_SOCKET. What it is
 * sent comes from an untrusted dump: it may die of it, and is confined.
 */
#include "config.h"

#include "formats/aerogpu/decode/dxbc.h"
#include "formats/aerogpu/replay/worker_protocol.h"
#include "glworker/aero.h"
#include "glworker/confine.h"
#ifdef HAVE_RETRACER
#include "formats/apitrace/replay/worker_protocol.h"
#include "glworker/retrace.h"
#endif
#include "glworker/breadcrumb.h"
#include "glworker/serve.h"
#include "worker/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The first message: who is here. */
static int handle_hello(struct message_reader *request, struct serve_answer *answer)
{
    if (!message_read_all(request))
        return -EPROTO;
    message_write_u32(&answer->body, confine_layers());
    return 0;
}

/* A shader as it would be drawn with; of D3D9 shaders the GLSL alone. */
static int translate(const uint8_t *bytes, size_t size, struct translation *out,
                     char reason[WORKER_REASON])
{
    struct aerogpu_dxbc dxbc;
    struct blob *genuine = NULL;
    int status;

    if (aerogpu_shader_classify(bytes, size) == AEROGPU_SHADER_D3D9)
        return translate_d3d9(bytes, size, out, reason);
    status = aerogpu_dxbc_genuine(bytes, size, &genuine);
    if (status == -EINVAL)
        snprintf(reason, WORKER_REASON, "neither DXBC nor D3D9 bytecode");
    if (status == 0 && aerogpu_dxbc_open(genuine->data, genuine->size, &dxbc))
        status = translate_dxbc(genuine->data, genuine->size, dxbc.program,
                                dxbc.program == AEROGPU_VS, out, reason);
    blob_unref(&genuine);
    return status;
}

static int handle_translate(struct message_reader *request, struct serve_answer *answer)
{
    size_t size = request->left;
    const uint8_t *bytes = message_read_bytes(request, size);
    struct translation translation = {.glsl = NULL};
    int status;

    breadcrumb_set_one(BREADCRUMB_TRANSLATE, aerogpu_shader_name(bytes, size));
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

/* One session at a time: where AeroGPU's begins, OpenGL's ends. */
static int handle_aero_reset(struct message_reader *request, struct serve_answer *answer)
{
#ifdef HAVE_RETRACER
    retrace_end();
#endif
    return aero_handle_reset(request, answer);
}

static const struct serve_kind kinds[] = {
    {MESSAGE_HELLO, handle_hello},
    {AEROGPU_MESSAGE_TRANSLATE, handle_translate},
    {AEROGPU_MESSAGE_RESET, handle_aero_reset},
    {AEROGPU_MESSAGE_SUBMIT, aero_handle_submit},
    {AEROGPU_MESSAGE_CONTINUE, aero_handle_continue},
    {AEROGPU_MESSAGE_PICTURE, aero_handle_picture},
    {AEROGPU_MESSAGE_CONTENT, aero_handle_content},
    {AEROGPU_MESSAGE_SAVE, aero_handle_save},
    {AEROGPU_MESSAGE_LOAD, aero_handle_load},
    {AEROGPU_MESSAGE_FORGET, aero_handle_forget},
#ifdef HAVE_RETRACER
    {APITRACE_MESSAGE_RESET, retrace_handle_reset},
    {APITRACE_MESSAGE_FEED, retrace_handle_feed},
    {APITRACE_MESSAGE_PICTURE, retrace_handle_picture},
    {APITRACE_MESSAGE_TEXTURE, retrace_handle_texture},
#endif
    {0, NULL},
};

static int started_by_hand(void)
{
    int type = 0;
    socklen_t size = sizeof(type);

    return getsockopt(LAUNCH_SOCKET, SOL_SOCKET, SO_TYPE, &type, &size) < 0 || type != SOCK_STREAM;
}

int main(int count, char **arguments)
{
    uint64_t memory_limit = count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    int status;

    if (started_by_hand()) {
        fprintf(stderr,
                "gpudumpfs-glworker: part of %s; gpudumpfs starts it when a picture needs"
                " it\n",
                PACKAGE_STRING);
        return 2;
    }
    confine_start(memory_limit, getenv(LAUNCH_SHADERS_FOLDER) != NULL);
    status = confine_watch(LAUNCH_SOCKET);
    if (status == 0)
        status = breadcrumb_open(LAUNCH_BREADCRUMB);
    if (status == 0)
        status = serve(LAUNCH_SOCKET, kinds);
    if (status < 0)
        fprintf(stderr, "%s\n", strerror(-status));
    /* Drivers are not asked to tidy up. */
    _exit(status < 0 ? 1 : 0);
}
