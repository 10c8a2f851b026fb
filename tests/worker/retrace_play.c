/* SPDX-License-Identifier: MIT */
/* The functions of retrace_play.h. */
#include "config.h"

#include "tests/worker/retrace_play.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct replaying playing;
unsigned replay_limit_ms = REPLAY_LIMIT_MS;

static bool loud;
static struct worker *leader;

static void note(void *context, enum problem_severity severity, uint64_t call, const char *text)
{
    (void)context;
    playing.notes++;
    if (loud)
        print_message("%d call %llu: %s\n", (int)severity, (unsigned long long)call, text);
}

int replay_begin(void **state)
{
    const struct worker_params params = {.time_limit_ms = replay_limit_ms, .leader = leader};
    const struct apitrace_session_params retrace = {.note = note};

    (void)state;
    loud = getenv("GPUDUMPFS_LOUD") != NULL;
    assert_int_equal(worker_create(&params, &playing.worker), 0);
    assert_int_equal(worker_acquire(playing.worker, NULL), 0);
    assert_int_equal(apitrace_session_create(playing.worker, &retrace, &playing.session), 0);
    return 0;
}

int replay_begin_compile_only(void **state)
{
    assert_int_equal(worker_create(&(struct worker_params){.program = NULL}, &leader), 0);
    assert_int_equal(worker_acquire(leader, NULL), 0);
    assert_int_equal(worker_start(leader, NULL), 0);
    return replay_begin(state);
}

int replay_end(void **state)
{
    replay_limit_ms = REPLAY_LIMIT_MS;
    (void)state;
    worker_release(playing.worker);
    apitrace_session_destroy(&playing.session);
    worker_destroy(&playing.worker);
    if (leader != NULL)
        worker_release(leader);
    worker_destroy(&leader);
    return 0;
}

void replay_reset(const struct apitrace_session_drawable *drawables, size_t count)
{
    int status = apitrace_session_reset(playing.session, drawables, count, NULL);

    if (status == -ENODEV)
        support_skip_driver();
    if (status < 0)
        print_error("%s\n", apitrace_session_reason(playing.session));
    assert_int_equal(status, 0);
}

void replay_feed(struct played *played, uint64_t stop, uint32_t flags)
{
    const struct apitrace_stream *stream = &played->index->stream;
    struct apitrace_stretch stretch = {.blob = NULL};
    struct apitrace_session_feed feed = {
        .offset = played->progress.next, .stop = stop, .flags = flags};
    int status;

    if (played->progress.state == APITRACE_FEED_HUNGRY && feed.offset < stream->size) {
        assert_int_equal(apitrace_stream_get(stream, feed.offset, NULL, &stretch), 0);
        feed.bytes = stretch.data + (feed.offset - stretch.begin);
        feed.size = (size_t)(stretch.size - (feed.offset - stretch.begin));
        if (feed.size > played->portion)
            feed.size = played->portion;
    }
    if (feed.offset + feed.size == stream->size)
        feed.flags |= APITRACE_FEED_END;
    status = apitrace_session_feed(playing.session, &feed, NULL, &played->progress);
    blob_unref(&stretch.blob);
    if (status < 0)
        print_error("%d: %s\n", status, apitrace_session_reason(playing.session));
    assert_int_equal(status, 0);
}

void replay_to(struct played *played, uint64_t stop, uint32_t flags)
{
    do
        replay_feed(played, stop, flags);
    while (played->progress.state == APITRACE_FEED_HUNGRY ||
           played->progress.state == APITRACE_FEED_PAUSED);
}

void replay_open(const char *path, struct played *played)
{
    *played = (struct played){.portion = APITRACE_FEED_BYTES};
    apitrace_open(path, &played->opened);
    played->index = apitrace_opened_index(&played->opened);
}

unsigned replay_compare(const char *name, unsigned frame, const uint8_t *expected, uint32_t width,
                        uint32_t height)
{
    const struct apitrace_picture_request request = {
        .kind = APITRACE_PICTURE_COLOUR, .width = width, .height = height};
    struct apitrace_picture picture = {.owner = NULL};
    unsigned wrong = 0;
    int status = apitrace_session_picture(playing.session, &request, NULL, &picture);

    if (status < 0) {
        print_error("%s %u: %s\n", name, frame, apitrace_session_reason(playing.session));
        return 1;
    }
    if (picture.width != width || picture.height != height || picture.pixel_bytes != 3)
        wrong = width * height;
    for (uint64_t n = 0; wrong == 0 && n < (uint64_t)width * height; n++)
        wrong += memcmp(picture.pixels + 3 * n, expected + 3 * n, 3) != 0;
    if (wrong > 0)
        print_error("%s %u: %u pixels of %ux%u differ\n", name, frame, wrong, picture.width,
                    picture.height);
    blob_unref(&picture.owner);
    return wrong > 0;
}

bool replay_capture_scenes(const char *profile, const char *folder, char *trace, size_t size)
{
    char command[1024];
    int status;

    snprintf(trace, size, "%s/scenes.trace", folder);
    snprintf(command, sizeof(command),
             "LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe HOME=%s apitrace trace -a egl -o %s "
             "tests/worker/gl_scenes %s %s >%s/log 2>&1",
             folder, trace, profile, folder, folder);
    status = system(command);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && access(trace, R_OK) == 0;
}
