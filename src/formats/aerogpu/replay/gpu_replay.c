/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/replay/replay.h"

#include "base/bytes.h"
#include "formats/aerogpu/dump.h"
#include "formats/aerogpu/replay/player.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
    ATTEMPTS = 64, /* how often the worker may die on the way to one picture */
    BLOBS_OF_PACKET = 3,
    BEFORE_WIREFRAME = AEROGPU_CHECKPOINTS_MAX, /* number under which the worker saves that state */
};
_Static_assert((int)BEFORE_WIREFRAME < (int)AEROGPU_SESSION_SAVED_MAX,
               "a number for each that is saved");

/* A unit that is fed to the worker: a submission, or a packet of Appendix A. */
struct gpu_piece {
    enum aerogpu_dialect dialect;
    uint8_t *commands; /* a copy in which refused commands are NOPs */
    size_t size;
    const uint8_t *origin; /* in the dump, for offsets in problems */
    struct aerogpu_session_range *ranges;
    size_t range_count;
    uint32_t submission, record;
    uint64_t begin, end; /* ticks */
};

struct aerogpu_gpu_replay {
    struct aerogpu_dump *dump;
    struct worker *worker;
    struct aerogpu_session *session;
    bool ready; /* the worker has everything that was fed */
    uint32_t flags;
    uint64_t tick;                /* number of commands that the worker has done */
    struct aerogpu_player player; /* ahead of the worker, at the end of the piece */
    struct gpu_piece piece;
    uint64_t record; /* of the last piece, for problems; PROBLEM_NOWHERE if there was none yet */
    bool fed;        /* the piece was submitted and can be continued */
    /* What the worker has saved, under the same numbers. */
    struct aerogpu_checkpoints checkpoints;
    bool unsaved;                 /* the worker cannot save what this trace does */
    struct aerogpu_player before; /* the state before a wireframe, to go back to; no index: none */
};

/* Reports the worker's notes on commands at the commands' offsets in the dump. */
static void note(void *context, enum problem_severity severity, uint64_t offset, const char *text)
{
    const struct aerogpu_gpu_replay *gpu = context;
    const struct aerogpu_dump *dump = gpu->dump;
    uint64_t place = (uint64_t)(gpu->piece.origin - aerogpu_dump_index(dump)->data) + offset;

    problems_add_drawing(dump->base.problems, severity, place, gpu->piece.record, "%s", text);
}

int aerogpu_gpu_replay_create(struct aerogpu_dump *dump, struct aerogpu_gpu_replay **out)
{
    struct aerogpu_gpu_replay *gpu = calloc(1, sizeof(*gpu));
    struct worker_params worker = {.time_limit_ms =
                                       aerogpu_options_of(dump->base.options)->time_limit * 1000,
                                   .cache = &dump->base.cache};
    const struct aerogpu_session_params params = {.width = dump->limits.back_width,
                                                  .height = dump->limits.back_height,
                                                  .note = note,
                                                  .context = gpu};
    int status = 0;

    *out = NULL;
    if (gpu == NULL)
        return -ENOMEM;
    gpu->dump = dump;
    gpu->record = PROBLEM_NOWHERE;
    aerogpu_checkpoints_init(&gpu->checkpoints, aerogpu_dump_index(dump)->frame_count);
    if (dump->base.options->shader_cache == OPTIONS_KEEP)
        worker.kept_for = dump->base.source;
    status = worker_create(&worker, &gpu->worker);
    if (status == 0)
        status = aerogpu_session_create(gpu->worker, &params, &gpu->session);
    if (status == 0)
        *out = gpu;
    else
        aerogpu_gpu_replay_destroy(&gpu);
    return status;
}

static void clear_piece(struct gpu_piece *piece)
{
    free(piece->commands);
    free(piece->ranges);
    *piece = (struct gpu_piece){0};
}

static void clear_player(struct aerogpu_player *player)
{
    if (player->index != NULL)
        aerogpu_player_clear(player);
    player->index = NULL;
}

static void forget(struct aerogpu_gpu_replay *gpu)
{
    clear_player(&gpu->player);
    clear_player(&gpu->before);
    clear_piece(&gpu->piece);
    aerogpu_checkpoints_clear(&gpu->checkpoints);
    gpu->ready = false;
}

void aerogpu_gpu_replay_destroy(struct aerogpu_gpu_replay **gpu)
{
    if (*gpu == NULL)
        return;
    forget(*gpu);
    if ((*gpu)->session != NULL)
        aerogpu_session_destroy(&(*gpu)->session);
    if ((*gpu)->worker != NULL)
        worker_destroy(&(*gpu)->worker);
    free(*gpu);
    *gpu = NULL;
}

static int begin_anew(struct aerogpu_gpu_replay *gpu, uint32_t flags, const struct cancel *cancel)
{
    struct aerogpu_dump *dump = gpu->dump;
    int status = 0;

    forget(gpu);
    status = aerogpu_session_reset(gpu->session, flags, cancel);
    if (status != 0)
        return status;
    aerogpu_player_init(&gpu->player, aerogpu_dump_index(dump), NULL, NULL, &dump->limits);
    gpu->flags = flags;
    gpu->tick = 0;
    gpu->ready = true;
    return 0;
}

/* Drops every second checkpoint when the worker has no room for more. */
static int thin_out(struct aerogpu_gpu_replay *gpu, const struct cancel *cancel)
{
    int status = 0;

    aerogpu_checkpoints_spread(&gpu->checkpoints);
    for (int i = 0; status == 0 && i < AEROGPU_CHECKPOINTS_MAX; i++)
        if (aerogpu_checkpoints_misaligned(&gpu->checkpoints, i)) {
            status = aerogpu_session_forget(gpu->session, (uint32_t)i, cancel);
            aerogpu_checkpoints_drop(&gpu->checkpoints, i);
        }
    return status;
}

/*
 * Saves a checkpoint at the beginning of a frame, when all commands before it are done. Continues
 * without it if it cannot be saved.
 */
static int keep(struct aerogpu_gpu_replay *gpu, const struct cancel *cancel)
{
    int status = aerogpu_checkpoints_full(&gpu->checkpoints) ? thin_out(gpu, cancel) : 0;
    int number = gpu->flags != 0 || gpu->unsaved
                     ? -1
                     : aerogpu_checkpoints_wanted(&gpu->checkpoints, &gpu->player);

    if (number < 0 || status != 0)
        return status;
    status = aerogpu_session_save(gpu->session, (uint32_t)number, cancel);
    if (status == 0 && aerogpu_checkpoints_add(&gpu->checkpoints, number, &gpu->player) != 0) {
        aerogpu_checkpoints_drop(&gpu->checkpoints, number);
        return aerogpu_session_forget(gpu->session, (uint32_t)number, cancel);
    }
    gpu->unsaved = status == -EBUSY;
    return status == -ENOSPC ? thin_out(gpu, cancel) : status == -EBUSY ? 0 : status;
}

/* Restores a saved state in the worker, and sets the player to the same position. */
static int load(struct aerogpu_gpu_replay *gpu, uint32_t slot, uint32_t flags,
                const struct aerogpu_player *player, const struct cancel *cancel)
{
    int status = aerogpu_session_load(gpu->session, slot, flags, cancel);

    if (status != 0)
        return status;
    clear_piece(&gpu->piece);
    clear_player(&gpu->player);
    gpu->flags = flags;
    gpu->tick = player->tick;
    status = aerogpu_player_copy(&gpu->player, player);
    gpu->player.index = status == 0 ? aerogpu_dump_index(gpu->dump) : NULL;
    return status;
}

/* Passes guest memory as the ranges of a submission. */
static int take_ranges(struct aerogpu_gpu_replay *gpu)
{
    const struct aerogpu_memory *memory = &gpu->player.memory;
    struct gpu_piece *piece = &gpu->piece;

    if (memory->count > AEROGPU_SESSION_RANGES_MAX)
        return -E2BIG;
    piece->ranges = calloc(memory->count + 1, sizeof(*piece->ranges));
    if (piece->ranges == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < memory->count; i++) {
        if (i > 0 && memory->list[i].id == memory->list[i - 1].id)
            continue;
        piece->ranges[piece->range_count++] =
            (struct aerogpu_session_range){.id = memory->list[i].id,
                                           .flags = memory->list[i].flags,
                                           .data = memory->list[i].bytes,
                                           .size = memory->list[i].held};
    }
    return 0;
}

static void blank(struct gpu_piece *piece, uint32_t offset)
{
    memset(piece->commands + offset, AEROGPU_NOP, 4);
}

/* Plays the machine to the end of the submission, and blanks out the commands that it refuses. */
static int take_commands(struct aerogpu_gpu_replay *gpu)
{
    enum aerogpu_step step = AEROGPU_STEP_COMMAND;
    int status = 0;

    while (status == 0 && step == AEROGPU_STEP_COMMAND) {
        status = aerogpu_player_step(&gpu->player, &step);
        if (status == 0 && step == AEROGPU_STEP_COMMAND && gpu->player.refusal != NULL)
            blank(&gpu->piece, gpu->player.command.offset);
    }
    return status;
}

static int take_submission(struct aerogpu_gpu_replay *gpu)
{
    const struct aerogpu_stream *stream = &gpu->player.stream;
    struct gpu_piece *piece = &gpu->piece;
    int status = 0;

    clear_piece(piece);
    piece->dialect = AEROGPU_A3A0;
    piece->submission = gpu->player.submission;
    gpu->record = piece->record = gpu->player.record - 1;
    piece->begin = gpu->player.tick;
    piece->origin = stream->bytes;
    /* If the header is refused, no commands follow it. Bytes beyond the stream's size are slack. */
    piece->size = stream->error.kind == AEROGPU_OK ? stream->size : 0;
    piece->commands = malloc(piece->size + 1);
    if (piece->commands == NULL)
        return -ENOMEM;
    memcpy(piece->commands, stream->bytes, piece->size);
    status = take_ranges(gpu);
    if (status == 0)
        status = take_commands(gpu);
    piece->end = gpu->player.tick;
    return status;
}

/* Takes a packet of A3A0 that is alone in its record. The worker gets it in a stream of its own. */
static int take_bare(struct aerogpu_gpu_replay *gpu)
{
    const struct aerogpu_command *command = &gpu->player.command;
    struct gpu_piece *piece = &gpu->piece;
    uint32_t size = AEROGPU_STREAM_HEADER + command->size;

    if (size < command->size)
        return -EINVAL;
    piece->dialect = AEROGPU_A3A0;
    piece->origin = command->bytes - AEROGPU_STREAM_HEADER;
    piece->commands = calloc(1, size);
    if (piece->commands == NULL)
        return -ENOMEM;
    piece->size = size;
    bytes_put_le32(piece->commands, AEROGPU_STREAM_MAGIC);
    bytes_put_le32(piece->commands + 4, (uint32_t)AEROGPU_ABI_MAJOR << 16 | command->abi_minor);
    bytes_put_le32(piece->commands + 8, size);
    memcpy(piece->commands + AEROGPU_STREAM_HEADER, command->bytes, command->size);
    return 0;
}

static void add_blob(struct aerogpu_gpu_replay *gpu, uint64_t id)
{
    struct gpu_piece *piece = &gpu->piece;
    struct aerogpu_blob blob;
    uint32_t record = 0;

    if (id != 0 &&
        aerogpu_index_blob(aerogpu_dump_index(gpu->dump), id, piece->record, &blob, &record))
        piece->ranges[piece->range_count++] = (struct aerogpu_session_range){
            .id = id, .flags = blob.kind, .data = blob.data, .size = blob.size};
}

/* Takes a packet of Appendix A, with the blobs that it names. */
static int take_appendix(struct aerogpu_gpu_replay *gpu)
{
    const struct aerogpu_command *command = &gpu->player.command;
    struct gpu_piece *piece = &gpu->piece;

    piece->dialect = AEROGPU_APPENDIX_A;
    piece->origin = command->bytes;
    piece->size = command->size;
    piece->commands = malloc(piece->size);
    piece->ranges = calloc(BLOBS_OF_PACKET, sizeof(*piece->ranges));
    if (piece->commands == NULL || piece->ranges == NULL)
        return -ENOMEM;
    memcpy(piece->commands, command->bytes, piece->size);
    if (command->opcode == AEROGPU_A_UPLOAD_BUFFER)
        add_blob(gpu, aerogpu_u64(command, AEROGPU_AT_A_UPLOAD_BUFFER_BLOB));
    if (command->opcode == AEROGPU_A_CREATE_SHADER) {
        add_blob(gpu, aerogpu_u64(command, AEROGPU_AT_A_CREATE_SHADER_GLSL));
        add_blob(gpu, aerogpu_u64(command, AEROGPU_AT_A_CREATE_SHADER_WGSL));
        add_blob(gpu, aerogpu_u64(command, AEROGPU_AT_A_CREATE_SHADER_DXBC));
    }
    return 0;
}

/*
 * Takes a packet that is alone in its record. A packet that is refused is not sent to the worker.
 */
static int take_packet(struct aerogpu_gpu_replay *gpu)
{
    const struct aerogpu_player *player = &gpu->player;
    struct gpu_piece *piece = &gpu->piece;

    clear_piece(piece);
    piece->submission = AEROGPU_NONE;
    gpu->record = piece->record = player->record - 1;
    piece->begin = player->tick - 1;
    piece->end = player->tick;
    piece->origin = player->command.bytes;
    if (player->refusal != NULL)
        return 0;
    return player->command.type->dialect == AEROGPU_APPENDIX_A ? take_appendix(gpu)
                                                               : take_bare(gpu);
}

/* Takes the next piece. Returns -ENOENT at the end of the trace. */
static int take_piece(struct aerogpu_gpu_replay *gpu, const struct cancel *cancel)
{
    enum aerogpu_step step = AEROGPU_STEP_FRAME;
    int status = 0;

    gpu->fed = false;
    while (status == 0) {
        status = aerogpu_player_step(&gpu->player, &step);
        if (status != 0 || step == AEROGPU_STEP_DONE)
            break;
        if (step == AEROGPU_STEP_FRAME)
            status = keep(gpu, cancel);
        if (step == AEROGPU_STEP_COMMAND)
            return take_packet(gpu);
        if (step == AEROGPU_STEP_SUBMISSION && gpu->player.refusal == NULL)
            return take_submission(gpu);
    }
    return status == 0 ? -ENOENT : status;
}

/*
 * Gets the offset at which the piece must stop so that `tick` commands are done. Returns -EIO if it
 * has no such offset.
 */
static int stop_at(const struct aerogpu_gpu_replay *gpu, uint64_t tick, uint32_t *out)
{
    const struct aerogpu_dump *dump = gpu->dump;
    struct aerogpu_command command;

    *out = UINT32_MAX;
    if (tick >= gpu->piece.end || gpu->piece.submission == AEROGPU_NONE)
        return 0;
    if (!aerogpu_scan_command(aerogpu_dump_index(dump), aerogpu_dump_scanned(dump),
                              gpu->piece.submission, (uint32_t)(tick - gpu->piece.begin), &command))
        return -EIO;
    *out = command.offset;
    return 0;
}

/*
 * Runs the piece up to an offset. With 0, the worker receives the piece, but executes none of it.
 */
static int feed(struct aerogpu_gpu_replay *gpu, uint32_t until, const struct cancel *cancel)
{
    const struct gpu_piece *piece = &gpu->piece;
    const struct aerogpu_session_submission submission = {.dialect = piece->dialect,
                                                          .commands = piece->commands,
                                                          .size = piece->size,
                                                          .ranges = piece->ranges,
                                                          .range_count = piece->range_count,
                                                          .until = until};
    int status = 0;

    if (piece->size > 0)
        status = gpu->fed ? aerogpu_session_continue(gpu->session, until, cancel, NULL)
                          : aerogpu_session_submit(gpu->session, &submission, cancel, NULL);
    gpu->fed = gpu->fed || status == 0;
    return status;
}

static int run_piece(struct aerogpu_gpu_replay *gpu, uint64_t tick, const struct cancel *cancel)
{
    uint32_t until;
    int status = stop_at(gpu, tick, &until);

    if (status == 0)
        status = feed(gpu, until, cancel);
    if (status == 0)
        gpu->tick = tick < gpu->piece.end ? tick : gpu->piece.end;
    return status;
}

static int advance(struct aerogpu_gpu_replay *gpu, uint64_t tick, const struct cancel *cancel)
{
    int status = 0;

    gpu->player.index = aerogpu_dump_index(gpu->dump); /* the trace may have grown */
    while (status == 0 && gpu->tick < tick) {
        if (gpu->tick >= gpu->piece.end)
            status = take_piece(gpu, cancel);
        if (status == 0)
            status = run_piece(gpu, tick, cancel);
    }
    return status == -ENOENT ? -EIO : status;
}

/*
 * Goes to `tick`: from the current position, from the last state saved before `tick`, or from the
 * beginning.
 */
static int go(struct aerogpu_gpu_replay *gpu, uint64_t tick, const struct cancel *cancel)
{
    int number = aerogpu_checkpoints_find(&gpu->checkpoints, tick), status = 0;
    bool here = gpu->ready && gpu->flags == 0 && gpu->tick <= tick;

    if (gpu->ready && number >= 0 &&
        (!here || gpu->checkpoints.list[number].player.tick > gpu->tick))
        status = load(gpu, (uint32_t)number, 0, &gpu->checkpoints.list[number].player, cancel);
    else if (!here)
        status = begin_anew(gpu, 0, cancel);
    return status == 0 ? advance(gpu, tick, cancel) : status;
}

/*
 * Goes to `tick`, with the commands from `from` on drawn as edges; or all commands, if the worker
 * cannot save the state at `from`.
 */
static int go_wireframe(struct aerogpu_gpu_replay *gpu, uint64_t from, uint64_t tick,
                        const struct cancel *cancel)
{
    int status = gpu->unsaved ? -EBUSY : go(gpu, from, cancel);

    if (status == 0)
        status = aerogpu_session_save(gpu->session, BEFORE_WIREFRAME, cancel);
    gpu->unsaved = gpu->unsaved || status == -EBUSY;
    if (status == -EBUSY || status == -ENOSPC)
        status = begin_anew(gpu, AEROGPU_SESSION_WIREFRAME, cancel);
    else if (status == 0)
        status = aerogpu_player_copy(&gpu->before, &gpu->player);
    if (status == 0 && gpu->before.index != NULL)
        status = load(gpu, BEFORE_WIREFRAME, AEROGPU_SESSION_WIREFRAME, &gpu->before, cancel);
    return status == 0 ? advance(gpu, tick, cancel) : status;
}

/* Goes back to the state before the wireframe. If that fails, the next picture begins again. */
static void leave_wireframe(struct aerogpu_gpu_replay *gpu, const struct cancel *cancel)
{
    if (gpu->flags == 0)
        return;
    if (gpu->before.index == NULL || load(gpu, BEFORE_WIREFRAME, 0, &gpu->before, cancel) != 0)
        forget(gpu);
    clear_player(&gpu->before);
}

/* Returns why a request failed. */
static const char *reason_of(const struct aerogpu_gpu_replay *gpu, int status)
{
    const char *reason = aerogpu_session_reason(gpu->session);

    if (status == -E2BIG)
        return "a submission has more ranges of memory than the graphics worker takes";
    return reason[0] != '\0' ? reason : "the commands do not reach it";
}

static void tell(struct aerogpu_gpu_replay *gpu, int status, const char *what)
{
    problems_add_drawing(gpu->dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, gpu->record,
                         "%s cannot be drawn: %s", what, reason_of(gpu, status));
}

/*
 * A request to the worker at a tick. It is for a picture if `request` is set, otherwise for a probe
 * if `probe` is set, otherwise for the contents of a resource.
 */
struct gpu_query {
    bool wireframe; /* triangles are drawn as their edges from tick `from` on */
    uint64_t from, tick;
    const struct aerogpu_picture_request *request;
    struct aerogpu_picture *picture;
    /*
     * A probe of the command after the tick. If `probed` is not NULL, it receives the effect on a
     * texel; otherwise *mask receives which texels are written.
     */
    const struct aerogpu_probe_request *probe;
    struct aerogpu_probe *probed;
    struct blob **mask;
    uint32_t handle; /* of the resource whose contents are requested */
    struct blob **contents;
};

/* Executes the next command to get the answer. */
static int probe(struct aerogpu_gpu_replay *gpu, const struct gpu_query *query,
                 const struct cancel *cancel)
{
    int status = 0;

    while (status == 0 && gpu->tick >= gpu->piece.end) { /* some pieces have no commands */
        status = take_piece(gpu, cancel);
        if (status == 0 && gpu->tick >= gpu->piece.end)
            status = run_piece(gpu, gpu->tick, cancel);
    }
    if (status == 0 && gpu->piece.size == 0)
        status = -ENOENT;
    if (status == 0 && !gpu->fed)
        status = feed(gpu, 0, cancel);
    if (status == 0 && query->probed != NULL)
        status = aerogpu_session_probe(gpu->session, query->probe, cancel, query->probed);
    else if (status == 0)
        status = aerogpu_session_mask(gpu->session, query->probe, cancel, query->mask);
    gpu->tick += status == 0;
    return status;
}

static int answer(struct aerogpu_gpu_replay *gpu, const struct gpu_query *query,
                  const struct cancel *cancel)
{
    if (query->request != NULL)
        return aerogpu_session_picture(gpu->session, query->request, cancel, query->picture);
    if (query->probe != NULL)
        return probe(gpu, query, cancel);
    return aerogpu_session_content(gpu->session, query->handle, cancel, query->contents);
}

static int run_query(struct aerogpu_gpu_replay *gpu, const struct gpu_query *query,
                     const struct cancel *cancel)
{
    int status = worker_acquire(gpu->worker, cancel);

    if (status != 0)
        return status;
    for (int i = 0; i < ATTEMPTS; i++) {
        status = query->wireframe ? go_wireframe(gpu, query->from, query->tick, cancel)
                                  : go(gpu, query->tick, cancel);
        if (status == 0)
            status = answer(gpu, query, cancel);
        if (status == 0)
            break;
        if (status == -EAGAIN)
            problems_add_drawing(gpu->dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE,
                                 gpu->record, "a shader is drawn in magenta: %s",
                                 aerogpu_session_reason(gpu->session));
        forget(gpu);
        if (status != -ESTALE && status != -EAGAIN)
            break;
    }
    leave_wireframe(gpu, cancel);
    worker_release(gpu->worker);
    return status;
}

/*
 * Converts a status to what a reader gets. Errors other than these two are the fault of the dump or
 * of the worker, and are reported.
 */
static int finish(struct aerogpu_gpu_replay *gpu, int status, const char *what)
{
    if (status == 0 || status == -EINTR || status == -ENOMEM)
        return status;
    tell(gpu, status, what);
    return -EIO;
}

int aerogpu_gpu_replay_picture(struct aerogpu_gpu_replay *gpu, uint64_t tick,
                               const struct aerogpu_picture_request *request,
                               const struct cancel *cancel, struct aerogpu_picture *out)
{
    const struct gpu_query query = {.tick = tick, .request = request, .picture = out};

    return finish(gpu, run_query(gpu, &query, cancel), "a picture");
}

int aerogpu_gpu_replay_wireframe(struct aerogpu_gpu_replay *gpu, uint64_t from, uint64_t tick,
                                 const struct aerogpu_picture_request *request,
                                 const struct cancel *cancel, struct aerogpu_picture *out)
{
    const struct gpu_query query = {
        .wireframe = true, .from = from, .tick = tick, .request = request, .picture = out};

    return finish(gpu, run_query(gpu, &query, cancel), "a wireframe");
}

int aerogpu_gpu_replay_content(struct aerogpu_gpu_replay *gpu, uint64_t tick, uint32_t handle,
                               const struct cancel *cancel, struct blob **out)
{
    const struct gpu_query query = {.tick = tick, .handle = handle, .contents = out};

    return finish(gpu, run_query(gpu, &query, cancel), "a resource");
}

int aerogpu_gpu_replay_probe(struct aerogpu_gpu_replay *gpu, uint64_t tick,
                             const struct aerogpu_probe_request *request,
                             const struct cancel *cancel, struct aerogpu_probe *out)
{
    const struct gpu_query query = {.tick = tick, .probe = request, .probed = out};

    return finish(gpu, run_query(gpu, &query, cancel), "a pixel");
}

int aerogpu_gpu_replay_mask(struct aerogpu_gpu_replay *gpu, uint64_t tick,
                            const struct aerogpu_probe_request *request,
                            const struct cancel *cancel, struct blob **out)
{
    const struct gpu_query query = {.tick = tick, .probe = request, .mask = out};

    return finish(gpu, run_query(gpu, &query, cancel), "what a draw writes");
}

int aerogpu_gpu_replay_translate(struct aerogpu_gpu_replay *gpu, const uint8_t *code, size_t size,
                                 const char *what, const struct cancel *cancel,
                                 struct shader_translation *out)
{
    int status = worker_acquire(gpu->worker, cancel);

    if (status != 0)
        return status;
    status = aerogpu_session_translate(gpu->session, code, size, cancel, out);
    worker_release(gpu->worker);
    return finish(gpu, status, what);
}
