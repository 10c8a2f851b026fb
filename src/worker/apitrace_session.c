/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/apitrace_session.h"

#include "image/picture.h"

#include <errno.h>
#include <stdlib.h>

enum { IDLE_MAX = 16 }; /* feed replies in a row without progress; a sound worker sends none */

struct apitrace_session {
    struct session base;
    struct apitrace_session_params params;
    uint64_t next, listed; /* of the worker's last reply; 0: it may have gone back since */
    uint64_t sent;         /* end of the bytes sent; the reply to them may have been lost */
    unsigned idle;         /* last feed replies in a row without progress */
};

static const struct session_kind kind = {
    .bad_max = 64,
    .makes = SESSION_MAKES(APITRACE_MESSAGE_PICTURE) | SESSION_MAKES(APITRACE_MESSAGE_TEXTURE) |
             SESSION_MAKES(APITRACE_MESSAGE_MEMORY) | SESSION_MAKES(APITRACE_MESSAGE_DRAW_TEXT) |
             SESSION_MAKES(APITRACE_MESSAGE_DRAW_PARTS) |
             SESSION_MAKES(APITRACE_MESSAGE_DRAW_PART) | SESSION_MAKES(APITRACE_MESSAGE_WATCHED),
    .wide_places = true,
    .notes_max = SESSION_NOTES_MAX,
};

int apitrace_session_create(struct worker *worker, const struct apitrace_session_params *params,
                            struct apitrace_session **out)
{
    struct apitrace_session *session = calloc(1, sizeof(*session));

    if (session == NULL)
        return -ENOMEM;
    session_init(&session->base, &kind, worker, params->note, params->context);
    if (params->warned != NULL)
        session_warn(&session->base, &params->warned->base);
    session->params = *params;
    session->params.warned = NULL;
    *out = session;
    return 0;
}

void apitrace_session_destroy(struct apitrace_session **session)
{
    free(*session);
    *session = NULL;
}

const char *apitrace_session_reason(const struct apitrace_session *session)
{
    return session->base.reason;
}

void apitrace_session_fast_compile(struct apitrace_session *session, bool fast_compile)
{
    worker_set_fast_compile(session->base.worker, fast_compile);
}

void apitrace_session_one_thread(struct apitrace_session *session, bool one_thread)
{
    worker_set_one_thread(session->base.worker, one_thread);
}

uint64_t apitrace_session_leaders_call(const struct apitrace_session *session)
{
    return worker_leaders_subject(session->base.worker) - 1; /* 0 gives APITRACE_NO_CALL */
}

static void write_reset(struct message_writer *writer, const struct apitrace_session *session,
                        const struct apitrace_session_drawable *drawables, size_t count)
{
    message_write_u64(writer, session->params.texture_bytes);
    message_write_u32(writer, (uint32_t)count);
    message_write_u32(writer, session->base.bad_count);
    for (size_t i = 0; i < count; i++) {
        message_write_u64(writer, drawables[i].call);
        message_write_u64(writer, drawables[i].handle);
        message_write_u32(writer, drawables[i].width);
        message_write_u32(writer, drawables[i].height);
        message_write_u32(writer, drawables[i].samples);
        message_write_u32(writer, 0);
    }
    session_write_bad(&session->base, writer);
}

int apitrace_session_reset(struct apitrace_session *session,
                           const struct apitrace_session_drawable *drawables, size_t count,
                           const struct cancel *cancel)
{
    struct message_writer writer = {.bytes = NULL};

    if (count > APITRACE_SESSION_DRAWABLES_MAX)
        return -EFBIG;
    write_reset(&writer, session, drawables, count);
    session->next = session->listed = session->sent = 0;
    session->idle = 0;
    return session_reset(&session->base, APITRACE_MESSAGE_RESET, &writer, cancel);
}

/* Each call takes at least one byte. */
static bool is_place(const struct apitrace_session *session, uint64_t next, uint64_t listed)
{
    return next <= session->sent && listed <= session->sent;
}

/* Nothing is undone, except by going back, and all bytes of a feed are taken. */
static bool is_behind(const struct apitrace_session *session,
                      const struct apitrace_session_feed *feed,
                      const struct apitrace_session_progress *progress)
{
    return is_place(session, progress->next, progress->listed) && progress->next >= session->next &&
           progress->listed >= session->listed &&
           (feed->size == 0 || progress->next == feed->offset + feed->size);
}

/*
 * Returns whether the worker wants another feed without having made progress. A pause comes only
 * after a call.
 */
static bool is_idle(const struct apitrace_session *session,
                    const struct apitrace_session_feed *feed,
                    const struct apitrace_session_progress *progress)
{
    if (progress->state == APITRACE_FEED_HUNGRY)
        return (feed->flags & (APITRACE_FEED_END | APITRACE_FEED_STAY)) == APITRACE_FEED_END;
    return progress->state == APITRACE_FEED_PAUSED && progress->listed == session->listed;
}

/* A worker that never makes progress would otherwise be fed for ever. */
static bool is_progress(struct apitrace_session *session, const struct apitrace_session_feed *feed,
                        const struct apitrace_session_progress *progress)
{
    session->idle = is_idle(session, feed, progress) ? session->idle + 1 : 0;
    return is_behind(session, feed, progress) && session->idle <= IDLE_MAX;
}

/* Reads the reply to a feed: its progress, and notes. */
static int read_progress(struct apitrace_session *session, const struct apitrace_session_feed *feed,
                         const struct blob *payload, struct apitrace_session_progress *out)
{
    struct message_reader reader;
    struct apitrace_session_progress progress;
    uint32_t state;
    int status;

    message_reader_init(&reader, payload->data, payload->size);
    progress.next = message_read_u64(&reader);
    progress.listed = message_read_u64(&reader);
    progress.call = message_read_u64(&reader);
    progress.skipped = message_read_u64(&reader);
    state = message_read_u32(&reader);
    if (state > APITRACE_FEED_ENDED)
        return session_broken(&session->base);
    progress.state = (enum apitrace_feed_state)state;
    if (!is_progress(session, feed, &progress))
        return session_broken(&session->base);
    status = session_read_notes(&session->base, &reader, message_read_u32(&reader));
    if (status < 0)
        return status;
    session->next = progress.next;
    session->listed = progress.listed;
    *out = progress;
    return 0;
}

int apitrace_session_feed(struct apitrace_session *session,
                          const struct apitrace_session_feed *feed, const struct cancel *cancel,
                          struct apitrace_session_progress *progress)
{
    const struct message_part bytes = {feed->bytes, feed->size};
    const struct worker_request request = {.kind = APITRACE_MESSAGE_FEED,
                                           .parts = &bytes,
                                           .part_count = 1,
                                           .max_reply = SESSION_NOTES_BYTES};
    struct message_writer writer = {.bytes = NULL};
    struct blob *payload;
    int status;

    message_write_u64(&writer, feed->offset);
    message_write_u64(&writer, feed->stop);
    message_write_u32(&writer, feed->flags);
    message_write_u32(&writer, 0);
    if (session->sent < feed->offset + feed->size)
        session->sent = feed->offset + feed->size;
    status = session_request(&session->base, &writer, &request, cancel, &payload);
    if (status == 0)
        status = read_progress(session, feed, payload, progress);
    blob_unref(&payload);
    return status;
}

enum { PLACE_BYTES = 16 };

static int request_place(struct apitrace_session *session, uint16_t message,
                         const uint32_t *numbers, size_t count, const struct cancel *cancel,
                         struct apitrace_session_place *out)
{
    struct message_reader reader;
    struct blob *payload;
    int status = session_request_numbers(&session->base, message, numbers, count, PLACE_BYTES,
                                         cancel, &payload);

    if (status < 0)
        return status;
    message_reader_init(&reader, payload->data, payload->size);
    out->next = message_read_u64(&reader);
    out->listed = message_read_u64(&reader);
    status = message_read_all(&reader) && is_place(session, out->next, out->listed)
                 ? 0
                 : session_broken(&session->base);
    blob_unref(&payload);
    return status;
}

int apitrace_session_mark(struct apitrace_session *session, const struct cancel *cancel,
                          struct apitrace_session_place *out)
{
    return request_place(session, APITRACE_MESSAGE_MARK, NULL, 0, cancel, out);
}

int apitrace_session_back(struct apitrace_session *session, bool stay, const struct cancel *cancel,
                          struct apitrace_session_place *out)
{
    const uint32_t number = stay;

    int status;

    session->next = session->listed = 0;
    status = request_place(session, APITRACE_MESSAGE_BACK, &number, 1, cancel, out);
    if (status == 0) {
        session->next = out->next;
        session->listed = out->listed;
    }
    return status;
}

/* Reads the rest of a payload as a picture. Takes ownership of the payload. */
static int read_rest(struct apitrace_session *session, struct message_reader *reader,
                     struct blob *payload, struct apitrace_picture *out)
{
    uint32_t real;

    out->width = message_read_u32(reader);
    out->height = message_read_u32(reader);
    out->pixel_bytes = message_read_u32(reader);
    real = message_read_u32(reader);
    out->real = real == 1;
    out->pixels = reader->next;
    if (real > 1 || out->pixel_bytes > 16 ||
        !session_has_pixels(reader, out->width, out->height, out->pixel_bytes)) {
        blob_unref(&payload);
        return session_broken(&session->base);
    }
    out->owner = payload;
    return 0;
}

static int read_picture(struct apitrace_session *session, struct blob *payload,
                        struct apitrace_picture *out)
{
    struct message_reader reader;

    message_reader_init(&reader, payload->data, payload->size);
    return read_rest(session, &reader, payload, out);
}

int apitrace_session_expect(struct apitrace_picture *picture, uint32_t width, uint32_t height,
                            uint32_t pixel_bytes)
{
    if (picture->width == width && picture->height == height && picture->pixel_bytes == pixel_bytes)
        return 0;
    blob_unref(&picture->owner);
    return -ERANGE;
}

static int request_picture(struct apitrace_session *session, uint16_t message,
                           const uint32_t *numbers, size_t count, const struct cancel *cancel,
                           struct apitrace_picture *out)
{
    struct blob *payload;
    int status = session_request_numbers(&session->base, message, numbers, count,
                                         WORKER_PAYLOAD_MAX, cancel, &payload);

    return status < 0 ? status : read_picture(session, payload, out);
}

int apitrace_session_picture(struct apitrace_session *session,
                             const struct apitrace_picture_request *request,
                             const struct cancel *cancel, struct apitrace_picture *out)
{
    const uint32_t numbers[] = {request->kind, request->width, request->height};

    return request_picture(session, APITRACE_MESSAGE_PICTURE, numbers, 3, cancel, out);
}

int apitrace_session_texture(struct apitrace_session *session,
                             const struct apitrace_texture_request *request,
                             const struct cancel *cancel, struct apitrace_picture *out)
{
    const uint32_t numbers[] = {request->name, request->target, request->level, request->layer};

    return request_picture(session, APITRACE_MESSAGE_TEXTURE, numbers, 4, cancel, out);
}

int apitrace_session_memory(struct apitrace_session *session, uint64_t address, uint64_t size,
                            const struct cancel *cancel, struct blob **out)
{
    const uint32_t numbers[] = {(uint32_t)address, (uint32_t)(address >> 32), (uint32_t)size,
                                (uint32_t)(size >> 32)};
    int status = session_request_numbers(&session->base, APITRACE_MESSAGE_MEMORY, numbers, 4, size,
                                         cancel, out);

    if (status < 0 || (*out)->size == size)
        return status;
    blob_unref(out);
    return session_broken(&session->base);
}

int apitrace_session_draw_text(struct apitrace_session *session, enum apitrace_draw_text what,
                               const struct cancel *cancel, struct blob **out)
{
    const uint32_t number = what;
    int status = session_request_numbers(&session->base, APITRACE_MESSAGE_DRAW_TEXT, &number, 1,
                                         APITRACE_DRAW_TEXT_MAX, cancel, out);

    if (status < 0 || message_plain_bytes((*out)->data, (*out)->size) == (*out)->size)
        return status;
    blob_unref(out);
    return session_broken(&session->base);
}

/* Watching. */

enum { CHANGE_BYTES = 32 }; /* bytes of a change in the message */

int apitrace_session_watch(struct apitrace_session *session,
                           const struct apitrace_watch_request *request,
                           const struct cancel *cancel)
{
    const uint32_t numbers[] = {(uint32_t)request->handle,
                                (uint32_t)(request->handle >> 32),
                                request->kind,
                                request->x,
                                request->y,
                                request->width,
                                request->height,
                                request->flags};
    struct blob *payload = NULL;
    int status = session_request_numbers(&session->base, APITRACE_MESSAGE_WATCH, numbers,
                                         sizeof(numbers) / sizeof(numbers[0]), 0, cancel, &payload);

    blob_unref(&payload);
    return status;
}

static void read_sight(struct message_reader *reader, struct apitrace_sight *out)
{
    uint32_t colour = message_read_u32(reader), depth = message_read_u32(reader);

    for (unsigned n = 0; n < 4; n++)
        out->rgba[n] = (uint8_t)(colour >> 8 * n);
    out->depth = depth >> 8;
    out->stencil = (uint8_t)depth;
}

static int read_changes(struct apitrace_session *session, const struct blob *payload,
                        struct apitrace_pixel_changes *out)
{
    struct message_reader reader;
    uint32_t outcome;

    message_reader_init(&reader, payload->data, payload->size);
    out->planes = message_read_u32(&reader);
    out->count = message_read_u32(&reader);
    read_sight(&reader, &out->first);
    if (reader.bad || reader.left != (size_t)out->count * CHANGE_BYTES)
        return session_broken(&session->base);
    out->list = calloc(out->count + (size_t)1, sizeof(*out->list));
    if (out->list == NULL)
        return -ENOMEM;
    for (uint32_t n = 0; n < out->count; n++) {
        out->list[n].call = message_read_u64(&reader);
        out->list[n].flags = message_read_u32(&reader);
        read_sight(&reader, &out->list[n].before);
        read_sight(&reader, &out->list[n].after);
        outcome = message_read_u32(&reader);
        if (outcome >= APITRACE_PIXEL_OUTCOMES)
            return session_broken(&session->base);
        out->list[n].outcome = (enum apitrace_pixel_outcome)outcome;
    }
    return 0;
}

int apitrace_session_watched_pixel(struct apitrace_session *session, const struct cancel *cancel,
                                   struct apitrace_pixel_changes *out)
{
    struct blob *payload = NULL;
    int status;

    *out = (struct apitrace_pixel_changes){.list = NULL};
    status = session_request_numbers(&session->base, APITRACE_MESSAGE_WATCHED, NULL, 0,
                                     16 + (uint64_t)APITRACE_WATCHED_MAX * CHANGE_BYTES, cancel,
                                     &payload);
    if (status == 0)
        status = read_changes(session, payload, out);
    blob_unref(&payload);
    return status;
}

int apitrace_session_watched_ids(struct apitrace_session *session, const struct cancel *cancel,
                                 struct apitrace_picture *out)
{
    return request_picture(session, APITRACE_MESSAGE_WATCHED, NULL, 0, cancel, out);
}

int apitrace_session_watched_coverage(struct apitrace_session *session, const struct cancel *cancel,
                                      uint32_t *told, struct apitrace_picture *out)
{
    struct message_reader reader;
    struct blob *payload;
    int status = session_request_numbers(&session->base, APITRACE_MESSAGE_WATCHED, NULL, 0,
                                         WORKER_PAYLOAD_MAX, cancel, &payload);

    if (status < 0)
        return status;
    message_reader_init(&reader, payload->data, payload->size);
    *told = message_read_u32(&reader);
    if ((*told & ~(uint32_t)APITRACE_COVERED_BITS) != 0) {
        blob_unref(&payload);
        return session_broken(&session->base);
    }
    return read_rest(session, &reader, payload, out);
}

static void read_part(struct message_reader *reader, struct apitrace_draw_part *part)
{
    uint32_t *const numbers[] = {&part->kind,   &part->number, &part->target,
                                 &part->object, &part->level,  &part->width,
                                 &part->height, &part->slices, &part->format};

    for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++)
        *numbers[n] = message_read_u32(reader);
    part->bytes = message_read_u64(reader);
}

/*
 * Returns whether a part has the size that its kind requires, is not larger than a file may be, and
 * can be named.
 */
static bool is_sound(const struct apitrace_draw_part *part, uint32_t place)
{
    uint64_t pixels = (uint64_t)part->width * part->height * part->slices;
    bool shapeless = part->width == 0 && part->height == 0 && part->slices == 0;
    bool sized = part->width > 0 && part->height > 0 && part->slices > 0 &&
                 part->width <= PICTURE_MAX && part->slices <= PICTURE_MAX &&
                 (uint64_t)part->height * part->slices <= PICTURE_MAX;

    switch (part->kind) {
    case APITRACE_PART_COLOUR:
        return sized && part->number < APITRACE_DRAW_COLOURS_MAX &&
               place < APITRACE_DRAW_COLOURS_MAX && part->bytes == pixels * 4;
    case APITRACE_PART_DEPTH:
        return sized && part->bytes == pixels * 4;
    case APITRACE_PART_STENCIL:
        return sized && part->bytes == pixels;
    case APITRACE_PART_TEXTURE:
        return sized && part->level < 32;
    case APITRACE_PART_BUFFER:
        return shapeless && part->number < APITRACE_BUFFER_ROLES &&
               part->bytes <= WORKER_PAYLOAD_MAX;
    case APITRACE_PART_COVERAGE:
        return sized && part->slices == 1 && part->bytes == pixels * 4 && part->number != 0 &&
               part->number < 8;
    default:
        return part->kind == APITRACE_PART_SHADER && shapeless && part->bytes <= WORKER_PAYLOAD_MAX;
    }
}

int apitrace_session_draw_parts(struct apitrace_session *session, uint32_t width, uint32_t height,
                                const struct cancel *cancel, struct blob **out)
{
    const uint32_t numbers[] = {width, height};
    struct apitrace_draw_part *parts;
    struct message_reader reader;
    struct blob *payload;
    uint32_t count;
    int status = session_request_numbers(&session->base, APITRACE_MESSAGE_DRAW_PARTS, numbers, 2,
                                         SESSION_NOTES_BYTES, cancel, &payload);

    if (status < 0)
        return status;
    message_reader_init(&reader, payload->data, payload->size);
    count = message_read_u32(&reader);
    if (reader.left != (size_t)count * APITRACE_PART_BYTES || count > APITRACE_DRAW_PARTS_MAX)
        status = session_broken(&session->base);
    if (status == 0)
        status = blob_create(count * sizeof(*parts), out);
    for (uint32_t n = 0; status == 0 && n < count; n++) {
        parts = (struct apitrace_draw_part *)(void *)(*out)->data;
        read_part(&reader, &parts[n]);
        if (!is_sound(&parts[n], n)) {
            blob_unref(out);
            status = session_broken(&session->base);
        }
    }
    blob_unref(&payload);
    return status;
}

int apitrace_session_draw_part(struct apitrace_session *session, uint32_t width, uint32_t height,
                               uint32_t place, uint64_t bytes, const struct cancel *cancel,
                               struct blob **out)
{
    const uint32_t numbers[] = {width, height, place};
    int status = session_request_numbers(&session->base, APITRACE_MESSAGE_DRAW_PART, numbers, 3,
                                         WORKER_PAYLOAD_MAX, cancel, out);

    if (status < 0 || (*out)->size == bytes)
        return status;
    blob_unref(out);
    return session_broken(&session->base);
}
