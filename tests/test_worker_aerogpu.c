/* AeroGPU replay in the worker: the corpus, and scenes made for one thing each. */
#include "config.h"

#include "worker/aerogpu.h"

#include "support.h"

#include "core/bytes.h"
#include "formats/aerogpu/abi.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct blob_record {
    uint64_t id;
    uint32_t kind;
    const uint8_t *data;
    size_t size;
};

struct player {
    struct worker *worker;
    struct aero_session *session;
    struct blob_record blobs[64];
    size_t blob_count;
    unsigned notes;
    char note[300];
};

static void count_note(void *context, enum problem_severity severity, uint32_t offset,
                       const char *text)
{
    struct player *player = context;

    (void)severity, (void)offset;
    player->notes++;
    snprintf(player->note, sizeof(player->note), "%s", text);
}

static void player_open(struct player *player)
{
    const struct worker_params params = {.program = NULL};
    const struct aero_params session = {
        .width = 64, .height = 64, .note = count_note, .context = player};

    memset(player, 0, sizeof(*player));
    assert_int_equal(worker_create(&params, &player->worker), 0);
    assert_int_equal(aero_create(player->worker, &session, &player->session), 0);
    assert_int_equal(worker_acquire(player->worker, NULL), 0);
}

static void player_close(struct player *player)
{
    worker_release(player->worker);
    aero_destroy(&player->session);
    worker_destroy(&player->worker);
}

static void reset(struct player *player, uint32_t flags)
{
    int status = aero_reset(player->session, flags, NULL);

    if (status < 0)
        print_error("%s\n", aero_reason(player->session));
    assert_int_equal(status, 0);
    player->blob_count = 0;
    player->notes = 0;
}

static const struct blob_record *find_blob(const struct player *player, uint64_t id)
{
    for (size_t i = player->blob_count; i > 0; i--)
        if (player->blobs[i - 1].id == id)
            return &player->blobs[i - 1];
    fail_msg("blob %llu is not there", (unsigned long long)id);
    return NULL;
}

static void submit(struct player *player, const struct aero_submission *submission)
{
    int status = aero_submit(player->session, submission, NULL, NULL);

    if (status < 0)
        print_error("%s\n", aero_reason(player->session));
    assert_int_equal(status, 0);
}

static void play_submission(struct player *player, const uint8_t *payload)
{
    const struct blob_record *stream = find_blob(player, bytes_le64(payload + 32));
    struct aero_range ranges[16];
    size_t count = bytes_le32(payload + 48);
    struct aero_submission submission = {.commands = stream->data,
                                         .size = stream->size,
                                         .ranges = ranges,
                                         .range_count = count,
                                         .until = UINT32_MAX};

    assert_true(count <= COUNT_OF(ranges));
    for (size_t i = 0; i < count; i++) {
        const uint8_t *range = payload + bytes_le32(payload + 4) + 32 * i;
        const struct blob_record *memory = find_blob(player, bytes_le64(range + 24));

        ranges[i] = (struct aero_range){.id = bytes_le32(range),
                                        .flags = bytes_le32(range + 4),
                                        .data = memory->data,
                                        .size = memory->size};
    }
    submit(player, &submission);
}

/* A Packet record: a whole stream, or one command of Appendix A with all blobs. */
static void play_packet(struct player *player, const uint8_t *payload, size_t size)
{
    struct aero_range ranges[64];
    struct aero_submission submission = {
        .commands = payload, .size = size, .until = UINT32_MAX, .ranges = ranges};

    if (bytes_le32(payload) != AEROGPU_STREAM_MAGIC) {
        submission.dialect = AERO_APPENDIX_A;
        for (size_t i = 0; i < player->blob_count; i++)
            ranges[i] = (struct aero_range){.id = player->blobs[i].id,
                                            .data = player->blobs[i].data,
                                            .size = player->blobs[i].size};
        submission.range_count = player->blob_count;
    }
    submit(player, &submission);
}

/* Feeds all records, in the order of the file. */
static void play(struct player *player, const uint8_t *bytes, size_t size)
{
    size_t at = 32 + bytes_le32(bytes + 24), end = bytes_le64(bytes + size - 16);

    while (at + 8 <= end) {
        const uint8_t *payload = bytes + at + 8;
        uint32_t length = bytes_le32(bytes + at + 4);

        assert_true(length <= end - at - 8);
        if (bytes[at] == 3)
            play_packet(player, payload, length);
        if (bytes[at] == 4) {
            assert_true(player->blob_count < COUNT_OF(player->blobs));
            player->blobs[player->blob_count++] =
                (struct blob_record){.id = bytes_le64(payload),
                                     .kind = bytes_le32(payload + 8),
                                     .data = payload + 16,
                                     .size = length - 16};
        }
        if (bytes[at] == 5)
            play_submission(player, payload);
        at += 8 + length;
    }
}

static void picture(struct player *player, enum aero_picture_kind kind, struct aero_picture *out)
{
    const struct aero_picture_request request = {.kind = kind};
    int status = aero_picture(player->session, &request, NULL, out);

    if (status < 0)
        print_error("%s\n", aero_reason(player->session));
    assert_int_equal(status, 0);
}

/* What the corpus shows: two halves of one colour each, as 0xRRGGBBAA. */
static const struct {
    const char *name;
    uint32_t upper, lower;
} fixtures[] = {
    {"aerogpu_a3a0_clear_red", 0xFF0000FF, 0xFF0000FF},
    {"aerogpu_cmd_clear_b8g8r8a8", 0xFF000000, 0xFF000000},
    {"aerogpu_cmd_clear_b8g8r8x8", 0xFF0000FF, 0xFF0000FF},
    {"aerogpu_cmd_copy_buffer", 0xFFFF00FF, 0xFFFF00FF},
    {"aerogpu_cmd_copy_texture2d", 0x00FFFFFF, 0x00FFFFFF},
    {"aerogpu_cmd_indexed_triangle", 0xFFFFFFFF, 0xFFFFFFFF},
    {"aerogpu_cmd_indexed_triangle_base_vertex", 0x00FF0000, 0x00FF0000},
    {"aerogpu_cmd_indexed_triangle_first_index", 0x00FF0000, 0x00FF0000},
    {"aerogpu_cmd_indexed_triangle_u16", 0x0000FF00, 0x0000FF00},
    {"aerogpu_cmd_scissor_test", 0x00FF00FF, 0xFF0000FF},
    {"aerogpu_cmd_texture_ld_b5g6r5", 0x848284FF, 0x848284FF},
    {"aerogpu_cmd_texture_ld_b8g8r8a8", 0xFFFF00FF, 0xFFFF00FF},
    {"aerogpu_cmd_textured_rgba8_sampler_triangle", 0xFF8000FF, 0xFF8000FF},
    {"aerogpu_cmd_triangle", 0xFF0000FF, 0xFF0000FF},
    {"aerogpu_cmd_triangle_first_vertex", 0x00FF0000, 0x00FF0000},
    {"aerogpu_cmd_triangle_vertex_buffer_offset", 0x00FF0000, 0x00FF0000},
    {"triangle", 0xFF0000FF, 0xFF0000FF},
};

static uint32_t pixel(const struct aero_picture *shown, uint32_t x, uint32_t y)
{
    const uint8_t *bytes = shown->pixels + ((size_t)y * shown->width + x) * 4;

    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void test_corpus(void **state)
{
    struct player player;

    (void)state;
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(fixtures); i++) {
        char name[100], *path;
        struct aero_picture shown;
        size_t size;
        uint8_t *bytes;

        snprintf(name, sizeof(name), "aerogpu/%s.aerogputrace", fixtures[i].name);
        path = support_corpus(name);
        bytes = support_read(path, &size);
        reset(&player, 0);
        play(&player, bytes, size);
        assert_int_equal(player.notes, 0);
        picture(&player, AERO_PRESENTED, &shown);
        assert_int_equal(shown.width, 64);
        assert_int_equal(shown.height, 64);
        for (uint32_t y = 0; y < 64; y++)
            for (uint32_t x = 0; x < 64; x++)
                if (pixel(&shown, x, y) != (y < 32 ? fixtures[i].upper : fixtures[i].lower))
                    fail_msg("%s: %u,%u is 0x%08X", name, x, y, pixel(&shown, x, y));
        blob_unref(&shown.owner);
        free(bytes);
        free(path);
    }
    assert_int_equal(worker_starts(player.worker), 1);
    player_close(&player);
}

static void test_nothing_was_reset(void **state)
{
    const struct aero_picture_request request = {.kind = AERO_PRESENTED};
    const struct aero_submission submission = {.commands = "", .size = 0};
    struct aero_picture shown;
    struct player player;
    struct blob *blob;

    (void)state;
    player_open(&player);
    assert_int_equal(aero_submit(player.session, &submission, NULL, NULL), -ESTALE);
    assert_int_equal(aero_continue(player.session, 0, NULL, NULL), -ESTALE);
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), -ESTALE);
    assert_int_equal(aero_content(player.session, 1, NULL, &blob), -ESTALE);
    assert_int_equal(worker_process(player.worker), 0);
    reset(&player, 0);
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), -ENOENT);
    assert_string_not_equal(aero_reason(player.session), "");
    assert_int_equal(aero_submit(player.session, &submission, NULL, NULL), -EINVAL);
    assert_int_equal(aero_continue(player.session, 0, NULL, NULL), -EINVAL);
    player_close(&player);
}

/* As long as the process lives a session goes on; then it is stale, once and for all. */
static void test_stale_session(void **state)
{
    const struct aero_picture_request request = {.kind = AERO_TARGET};
    struct aero_picture shown;
    struct player player;

    (void)state;
    player_open(&player);
    reset(&player, 0);
    assert_int_equal(kill(worker_process(player.worker), SIGKILL), 0);
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), -EIO);
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), -ESTALE);
    reset(&player, 0);
    picture(&player, AERO_TARGET, &shown);
    assert_int_equal(pixel(&shown, 63, 63), 0);
    blob_unref(&shown.owner);
    player_close(&player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_was_reset),
        cmocka_unit_test(test_stale_session),
        cmocka_unit_test(test_corpus),
    };

    return cmocka_run_group_tests_name("worker_aerogpu", tests, NULL, NULL);
}
