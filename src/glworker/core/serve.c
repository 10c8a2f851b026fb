/* SPDX-License-Identifier: MIT */
#include "glworker/core/serve.h"

#include "glworker/core/breadcrumb_page.h"
#include "glworker/core/confine.h"
#include "glworker/core/graphics.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct blob *current; /* payload of the message that is being handled */
static uint32_t serial;      /* serial of the message that is being handled */
static void (*end_session)(void);

struct blob *serve_payload(void)
{
    return current;
}

bool serve_is_withdrawn(void)
{
    return breadcrumb_is_withdrawn(serial);
}

void serve_begin_session(void (*end)(void))
{
    if (end_session != NULL)
        end_session();
    end_session = end;
}

int serve_refuse(struct serve_answer *answer, int status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(answer->reason, sizeof(answer->reason), format, arguments);
    va_end(arguments);
    return status;
}

static serve_handler *find_handler(const struct serve_kind *const *kinds, uint16_t kind)
{
    for (; *kinds != NULL; kinds++)
        for (const struct serve_kind *row = *kinds; row->handle != NULL; row++)
            if (row->kind == kind)
                return row->handle;
    return NULL;
}

int serve_one(const struct serve_kind *const *kinds, uint16_t kind, struct blob *payload,
              struct serve_answer *answer)
{
    serve_handler *handle = find_handler(kinds, kind);
    struct message_reader reader;
    int status;

    current = payload;
    if (handle == NULL)
        return serve_refuse(answer, -EOPNOTSUPP, "no such message: %u", kind);
    message_reader_init(&reader, payload->data, payload->size);
    status = handle(&reader, answer);
    if (status == 0 && answer->body.bad)
        status = -ENOMEM;
    if (status < 0 && answer->reason[0] == '\0')
        serve_refuse(answer, status, "%s", strerror(-status));
    return status;
}

void serve_answer_free(struct serve_answer *answer)
{
    message_writer_free(&answer->body);
    blob_unref(&answer->bulk);
}

static int reply(int socket, struct message_header *header, int status,
                 const struct serve_answer *answer)
{
    const struct message_wait for_ever = {.deadline = INT64_MAX};
    struct message_part parts[2] = {{answer->reason, strlen(answer->reason)}};
    uint64_t sent;

    header->status = status;
    if (status == 0) {
        parts[0] = (struct message_part){answer->body.bytes, answer->body.size};
        if (answer->bulk != NULL)
            parts[1] = (struct message_part){answer->bulk->data, answer->bulk->size};
    }
    header->size = parts[0].size + parts[1].size;
    return message_send(socket, header, parts, 2, &for_ever, &sent);
}

/* Loads the driver, if there is one, and gives up what is needed only for that. */
static int load_driver(void)
{
    char reason[WORKER_REASON];

    (void)graphics_start(reason);
    return confine_finish();
}

int serve(int socket, const struct serve_kind *const *kinds)
{
    const struct message_wait for_ever = {.deadline = INT64_MAX};
    bool greeted = false;

    for (;;) {
        struct serve_answer answer = {.bulk = NULL};
        struct message_header header = {0};
        struct blob *payload;
        uint64_t received;
        int status =
            message_receive(socket, WORKER_PAYLOAD_MAX, &for_ever, &header, &payload, &received);

        if (status < 0)
            return status == -EPIPE ? 0 : status;
        if (!greeted && (header.kind != MESSAGE_HELLO || header.size != 0)) {
            blob_unref(&payload);
            return -EPROTO;
        }
        confine_time();
        confine_be_busy(true);
        serial = header.serial;
        status = serve_one(kinds, header.kind, payload, &answer);
        blob_unref(&payload);
        confine_be_busy(false);
        status = reply(socket, &header, status, &answer);
        serve_answer_free(&answer);
        if (status < 0)
            return status == -EPIPE ? 0 : status;
        /*
         * The daemon has something else to do meanwhile, and no byte of a dump was looked at yet.
         */
        status = greeted ? 0 : load_driver();
        if (status < 0)
            return status;
        greeted = true;
    }
}
