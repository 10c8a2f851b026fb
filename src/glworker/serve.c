#include "config.h"

#include "glworker/serve.h"

#include "glworker/confine.h"
#include "worker/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct blob *current; /* the message that is handled */

struct blob *serve_payload(void)
{
    return current;
}

int serve_refuse(struct serve_answer *answer, int status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(answer->reason, sizeof(answer->reason), format, arguments);
    va_end(arguments);
    return status;
}

int serve_one(const struct serve_kind *kinds, uint16_t kind, struct blob *payload,
              struct serve_answer *answer)
{
    struct message_reader reader;
    int status;

    current = payload;
    while (kinds->handle != NULL && kinds->kind != kind)
        kinds++;
    if (kinds->handle == NULL)
        return serve_refuse(answer, -EOPNOTSUPP, "no such message: %u", kind);
    message_reader_init(&reader, payload->data, payload->size);
    status = kinds->handle(&reader, answer);
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

int serve(int socket, const struct serve_kind *kinds)
{
    const struct message_wait for_ever = {.deadline = INT64_MAX};

    for (;;) {
        struct serve_answer answer = {.bulk = NULL};
        struct message_header header = {0};
        struct blob *payload;
        int status = message_receive(socket, WORKER_PAYLOAD_MAX, &for_ever, &header, &payload);

        if (status < 0)
            return status == -EPIPE ? 0 : status;
        confine_time();
        status = serve_one(kinds, header.kind, payload, &answer);
        blob_unref(&payload);
        status = reply(socket, &header, status, &answer);
        serve_answer_free(&answer);
        if (status < 0)
            return status == -EPIPE ? 0 : status;
    }
}
