/*
 * A worker that runs no calls, and tells in its pictures what it was asked for since the
 * last reset: R for that, f and d with the number of the call where a feed stopped (d:
 * with its draws discarded), P for a picture. A picture 13 pixels high kills it. Whole
 * feeds are paused first, and bytes are asked for while there are some. One that is to draw
 * no pixels tells what it was asked for in a file beside the program, told; if there is one
 * already, it dies of the reset.
 */
#include "config.h"

#include "core/bytes.h"
#include "worker/apitrace.h"
#include "worker/channel.h"
#include "worker/launch.h"
#include "worker/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FATAL_HEIGHT = 13, HUNGER = 3 };

static const struct channel_wait for_ever = {.deadline = INT64_MAX};
static char told[4096];
static uint64_t next, listed;
static unsigned feeds;

/* A scout's. */
static void tell_file(const char *program, bool begins)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof(path), "%.*s/told", (int)(strrchr(program, '/') - program), program);
    file = fopen(path, begins ? "wx" : "w");
    if (file == NULL)
        abort();
    fprintf(file, "%s;", told);
    fclose(file);
}

static void answer(struct message_header header, int32_t status, const struct message_writer *body)
{
    const struct worker_part part = {.data = body->bytes, .size = body->size};
    uint64_t sent;

    header.status = status;
    header.size = body->size;
    channel_send(LAUNCH_SOCKET, &header, &part, 1, &for_ever, &sent);
}

static void tell_stop(char how, uint64_t stop)
{
    size_t length = strlen(told);

    snprintf(told + length, sizeof(told) - length, "%c%llu ", how, (unsigned long long)stop);
}

static void feed(struct message_reader *request, struct message_writer *body)
{
    uint64_t offset = message_read_u64(request), stop = message_read_u64(request);
    uint32_t flags = message_read_u32(request), state = RETRACE_STOPPED;

    if (offset != next)
        abort();
    message_read_u32(request);
    next += request->left;
    if (flags & RETRACE_STAY)
        state = RETRACE_HUNGRY;
    else if (feeds < HUNGER && (flags & RETRACE_END) == 0)
        state = feeds++ % 2 == 0 ? RETRACE_PAUSED : RETRACE_HUNGRY;
    else
        tell_stop(flags & RETRACE_DISCARD ? 'd' : 'f', stop);
    if (state == RETRACE_STOPPED)
        listed = stop;
    message_write_u64(body, next);
    message_write_u64(body, listed);
    message_write_u64(body, stop);
    message_write_u64(body, 0);
    message_write_u32(body, state);
    message_write_u32(body, 0);
}

static void picture(struct message_reader *request, struct message_writer *body)
{
    uint32_t width, height;
    uint8_t *pixels;

    message_read_u32(request);
    width = message_read_u32(request);
    height = message_read_u32(request);
    if (height == FATAL_HEIGHT)
        abort();
    strcat(told, "P ");
    pixels = calloc((size_t)width * height, 3);
    snprintf((char *)pixels, (size_t)width * 3, "%s;", told);
    message_write_u32(body, width);
    message_write_u32(body, height);
    message_write_u32(body, 3);
    message_write_u32(body, 0);
    message_write_bytes(body, pixels, (size_t)width * height * 3);
    free(pixels);
}

static void act(struct message_header header, const struct blob *payload)
{
    struct message_writer body = {.bytes = NULL};
    struct message_reader request;

    message_reader_init(&request, payload->data, payload->size);
    switch (header.kind) {
    case MESSAGE_HELLO:
        message_write_u32(&body, 0);
        break;
    case MESSAGE_RETRACE_RESET:
        strcpy(told, "R ");
        next = listed = feeds = 0;
        break;
    case MESSAGE_RETRACE_FEED:
        feed(&request, &body);
        break;
    case MESSAGE_RETRACE_PICTURE:
        picture(&request, &body);
        break;
    default:
        abort();
    }
    answer(header, 0, &body);
    message_writer_free(&body);
}

int main(int count, char **arguments)
{
    const bool blind = count > 0 && getenv("LP_NO_RAST") != NULL;
    struct message_header header;
    struct blob *payload;

    while (channel_receive(LAUNCH_SOCKET, WORKER_PAYLOAD_MAX, &for_ever, &header, &payload) == 0) {
        act(header, payload);
        if (blind && header.kind != MESSAGE_HELLO)
            tell_file(arguments[0], header.kind == MESSAGE_RETRACE_RESET);
        blob_unref(&payload);
    }
    return 0;
}
