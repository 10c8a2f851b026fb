/* SPDX-License-Identifier: MIT */
/*
 * gpudumpfs-glworker: the only program that runs graphics drivers and shader compilers. gpudumpfs
 * starts it with a socket as descriptor LAUNCH_SOCKET. What it receives comes from an untrusted
 * dump and may crash it, so it is confined.
 */
#include "config.h"

#include "glworker/core/breadcrumb_page.h"
#include "glworker/core/confine.h"
#include "glworker/core/serve.h"
#include "glworker/d3d/session.h"
#ifdef HAVE_RETRACER
#include "glworker/gl/session.h"
#endif
#ifdef HAVE_VULKAN
#include "glworker/vk/session.h"
#endif
#include "glworker/translate/translate.h"
#include "worker/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Answers the first message with the layers of the confinement that are in force. */
static int handle_hello(struct message_reader *request, struct serve_answer *answer)
{
    if (!message_read_all(request))
        return -EPROTO;
    message_write_u32(&answer->body, confine_layers());
    return 0;
}

static const struct serve_kind common_kinds[] = {{MESSAGE_HELLO, handle_hello}, {0, NULL}};

static const struct serve_kind *const kinds[] = {
    common_kinds,  translate_kinds, aero_kinds,
#ifdef HAVE_RETRACER
    retrace_kinds,
#endif
#ifdef HAVE_VULKAN
    vk_kinds,
#endif
    NULL,
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
    /* Skips the drivers' exit handlers. */
    _exit(status < 0 ? 1 : 0);
}
