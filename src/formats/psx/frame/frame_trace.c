#include "formats/psx/frame/frame_trace.h"

#include "formats/psx/frame/frame_player.h"
#include "formats/psx/rules.h"
#include "tree/inode.h"

#include <errno.h>
#include <string.h>

/* Where the cache keeps the counts: beside overdraw.png. */
static const uint64_t pixels_part = 1;

static void add_pixels(struct blob *pixels, int32_t writer, uint64_t more)
{
    uint32_t count;

    if (writer < 0 || (uint64_t)writer >= pixels->size / sizeof(count))
        return;
    memcpy(&count, pixels->data + sizeof(count) * (size_t)writer, sizeof(count));
    count = more > UINT32_MAX - count ? UINT32_MAX : count + (uint32_t)more;
    memcpy(pixels->data + sizeof(count) * (size_t)writer, &count, sizeof(count));
}

static int run_frame(struct player *player, const struct cancel *cancel, struct frame_trace *trace)
{
    struct write_log *write_log = &trace->write_log;
    struct psx_step step;

    while (psx_player_next(player, &step)) {
        uint64_t before = write_log->written;

        write_log->writer = psx_player_writer(player, &step);
        psx_player_carry_out(player, &step);
        add_pixels(trace->pixels, write_log->writer, write_log->written - before);
        if (cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

int psx_frame_trace_make(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct frame_trace *out)
{
    struct player *player = NULL;
    int status = psx_write_log_init(&out->write_log, dump->index.vram_lines);

    out->pixels = NULL;
    if (status == 0)
        status =
            blob_create(sizeof(uint32_t) * (size_t)dump->index.counts[frame].draws, &out->pixels);
    if (status == 0)
        status = psx_player_take(dump, frame, 0, cancel, &player);
    if (status != 0)
        return status;
    memset(out->pixels->data, 0, out->pixels->size);
    player->gpu->observer = &out->write_log.observer;
    status = run_frame(player, cancel, out);
    player->gpu->observer = NULL;
    psx_player_give(dump, &player);
    return status;
}

void psx_frame_trace_clear(struct frame_trace *trace)
{
    psx_write_log_clear(&trace->write_log);
    blob_unref(&trace->pixels);
}

static int make_pixels(void *context, struct cache_key key, const struct cancel *cancel,
                       struct blob **out)
{
    struct frame_trace trace = {0};
    int status = psx_frame_trace_make(context, inode_key(key.item), cancel, &trace);

    if (status == 0) {
        *out = trace.pixels;
        trace.pixels = NULL;
    }
    psx_frame_trace_clear(&trace);
    return status;
}

int psx_frame_trace_pixels(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out)
{
    static const struct cache_maker maker = {.work = CACHE_RENDER, .make = make_pixels};
    struct cache_key key = {inode_pack(PSX_RULE_OVERDRAW, frame), pixels_part};

    return cache_get(dump->base.cache, key, &maker, dump, cancel, out);
}
