#include "formats/aerogpu/replay/gpu_replay.h"

#include "formats/aerogpu/options.h"
#include "formats/aerogpu/replay/checkpoints.h"
#include "worker/shelf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
    ATTEMPTS = 64, /* how often the worker may die on the way to one picture */
    BLOBS_OF_PACKET = 3,
    BEFORE_WIREFRAME = AEROGPU_CHECKPOINTS_MOST, /* where that is saved in the worker */
};
_Static_assert((int)BEFORE_WIREFRAME < (int)AERO_SAVED_MOST, "a number for each that is saved");

/* What is fed to the worker at a time: a submission, or a packet of Appendix A. */
struct drawn_piece {
    enum aero_dialect dialect;
    uint8_t *commands; /* a copy, refused commands being NOPs */
    size_t size;
    const uint8_t *origin; /* in the dump, for offsets in problems */
    struct aero_range *ranges;
    size_t range_count;
    uint32_t submission, record;
    uint64_t begin, end; /* ticks */
};

struct aerogpu_drawn {
    struct aerogpu_dump *dump;
    struct worker *worker;
    struct aero_session *session;
    bool ready; /* the worker has what was fed */
    uint32_t flags;
    uint64_t tick;                /* commands that the worker has done */
    struct aerogpu_player player; /* ahead of it, at the piece's end */
    struct drawn_piece piece;
    uint64_t record; /* of the last piece, for problems; PROBLEM_NOWHERE: none yet */
    bool fed;        /* the piece was submitted; it may be run on */
    /* What the worker has saved, under the same numbers. */
    struct aerogpu_checkpoints checkpoints;
    bool unsaved;                 /* it cannot save what this trace does */
    struct aerogpu_player before; /* a wireframe, to go back to; without index: nothing */
};

/* What the worker says of commands goes where they stand in the dump. */
static void note(void *context, enum problem_severity severity, uint64_t offset, const char *text)
{
    const struct aerogpu_drawn *drawn = context;
    const struct aerogpu_dump *dump = drawn->dump;
    uint64_t place = (uint64_t)(drawn->piece.origin - aerogpu_dump_index(dump)->data) + offset;

    problems_add(dump->base.problems, severity, place, drawn->piece.record, "%s", text);
}

int aerogpu_drawn_create(struct aerogpu_dump *dump, struct aerogpu_drawn **out)
{
    struct aerogpu_drawn *drawn = calloc(1, sizeof(*drawn));
    struct worker_params worker = {.time_limit_ms =
                                       aerogpu_options_of(dump->base.options)->time_limit * 1000,
                                   .cache = &dump->base.cache};
    const struct aero_params params = {.width = dump->limits.back_width,
                                       .height = dump->limits.back_height,
                                       .note = note,
                                       .context = drawn};
    char *shelf = NULL;
    int status = 0;

    *out = NULL;
    if (drawn == NULL)
        return -ENOMEM;
    drawn->dump = dump;
    drawn->record = PROBLEM_NOWHERE;
    aerogpu_checkpoints_init(&drawn->checkpoints, aerogpu_dump_index(dump)->frame_count);
    if (dump->base.options->shader_cache == OPTIONS_KEEP)
        shelf = shelf_path(dump->base.source);
    worker.shelf = shelf;
    status = worker_create(&worker, &drawn->worker);
    free(shelf);
    if (status == 0)
        status = aero_create(drawn->worker, &params, &drawn->session);
    if (status == 0)
        *out = drawn;
    else
        aerogpu_drawn_destroy(&drawn);
    return status;
}

static void clear_piece(struct drawn_piece *piece)
{
    free(piece->commands);
    free(piece->ranges);
    *piece = (struct drawn_piece){0};
}

static void clear_player(struct aerogpu_player *player)
{
    if (player->index != NULL)
        aerogpu_player_clear(player);
    player->index = NULL;
}

static void forget(struct aerogpu_drawn *drawn)
{
    clear_player(&drawn->player);
    clear_player(&drawn->before);
    clear_piece(&drawn->piece);
    aerogpu_checkpoints_clear(&drawn->checkpoints);
    drawn->ready = false;
}

void aerogpu_drawn_destroy(struct aerogpu_drawn **drawn)
{
    if (*drawn == NULL)
        return;
    forget(*drawn);
    if ((*drawn)->session != NULL)
        aero_destroy(&(*drawn)->session);
    if ((*drawn)->worker != NULL)
        worker_destroy(&(*drawn)->worker);
    free(*drawn);
    *drawn = NULL;
}

static int begin_anew(struct aerogpu_drawn *drawn, uint32_t flags, const struct cancel *cancel)
{
    struct aerogpu_dump *dump = drawn->dump;
    int status = 0;

    forget(drawn);
    status = aero_reset(drawn->session, flags, cancel);
    if (status != 0)
        return status;
    aerogpu_player_init(&drawn->player, aerogpu_dump_index(dump), NULL, NULL, &dump->limits);
    drawn->flags = flags;
    drawn->tick = 0;
    drawn->ready = true;
    return 0;
}

/* Every other one goes when the worker has no room for more. */
static int thin_out(struct aerogpu_drawn *drawn, const struct cancel *cancel)
{
    int status = 0;

    aerogpu_checkpoints_spread(&drawn->checkpoints);
    for (int i = 0; status == 0 && i < AEROGPU_CHECKPOINTS_MOST; i++)
        if (aerogpu_checkpoints_astray(&drawn->checkpoints, i)) {
            status = aero_forget(drawn->session, (uint32_t)i, cancel);
            aerogpu_checkpoints_drop(&drawn->checkpoints, i);
        }
    return status;
}

/* At the beginning of a frame, all before being done. What cannot be kept is done without. */
static int keep(struct aerogpu_drawn *drawn, const struct cancel *cancel)
{
    int status = aerogpu_checkpoints_full(&drawn->checkpoints) ? thin_out(drawn, cancel) : 0;
    int number = drawn->flags != 0 || drawn->unsaved
                     ? -1
                     : aerogpu_checkpoints_wanted(&drawn->checkpoints, &drawn->player);

    if (number < 0 || status != 0)
        return status;
    status = aero_save(drawn->session, (uint32_t)number, cancel);
    if (status == 0)
        return aerogpu_checkpoints_add(&drawn->checkpoints, number, &drawn->player);
    drawn->unsaved = status == -EBUSY;
    return status == -ENOSPC ? thin_out(drawn, cancel) : status == -EBUSY ? 0 : status;
}

/* The worker goes to what it saved, and we with it. */
static int load(struct aerogpu_drawn *drawn, uint32_t slot, uint32_t flags,
                const struct aerogpu_player *player, const struct cancel *cancel)
{
    int status = aero_load(drawn->session, slot, flags, cancel);

    if (status != 0)
        return status;
    clear_piece(&drawn->piece);
    clear_player(&drawn->player);
    drawn->flags = flags;
    drawn->tick = player->tick;
    status = aerogpu_player_copy(&drawn->player, player);
    drawn->player.index = status == 0 ? aerogpu_dump_index(drawn->dump) : NULL;
    return status;
}

/* Guest memory, as the ranges of a submission. */
static int take_ranges(struct aerogpu_drawn *drawn)
{
    const struct aerogpu_memory *memory = &drawn->player.memory;
    struct drawn_piece *piece = &drawn->piece;

    if (memory->count > AERO_RANGES_MAX)
        return -E2BIG;
    piece->ranges = calloc(memory->count + 1, sizeof(*piece->ranges));
    if (piece->ranges == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < memory->count; i++) {
        if (i > 0 && memory->list[i].id == memory->list[i - 1].id)
            continue;
        piece->ranges[piece->range_count++] = (struct aero_range){.id = memory->list[i].id,
                                                                  .flags = memory->list[i].flags,
                                                                  .data = memory->list[i].bytes,
                                                                  .size = memory->list[i].held};
    }
    return 0;
}

static void blank(struct drawn_piece *piece, uint32_t offset)
{
    memset(piece->commands + offset, AEROGPU_NOP, 4);
}

/* The machine goes to the submission's end, and tells what is refused. */
static int take_commands(struct aerogpu_drawn *drawn)
{
    enum aerogpu_step step = AEROGPU_STEP_COMMAND;
    int status = 0;

    while (status == 0 && step == AEROGPU_STEP_COMMAND) {
        status = aerogpu_player_step(&drawn->player, &step);
        if (status == 0 && step == AEROGPU_STEP_COMMAND && drawn->player.refusal != NULL)
            blank(&drawn->piece, drawn->player.command.offset);
    }
    return status;
}

static int take_submission(struct aerogpu_drawn *drawn)
{
    const struct aerogpu_stream *stream = &drawn->player.stream;
    struct drawn_piece *piece = &drawn->piece;
    int status = 0;

    clear_piece(piece);
    piece->dialect = AERO_A3A0;
    piece->submission = drawn->player.submission;
    drawn->record = piece->record = drawn->player.record - 1;
    piece->begin = drawn->player.tick;
    piece->origin = stream->bytes;
    /* A refused header has no commands behind it; what is beyond the stream is slack. */
    piece->size = stream->error.kind == AEROGPU_OK ? stream->size : 0;
    piece->commands = malloc(piece->size + 1);
    if (piece->commands == NULL)
        return -ENOMEM;
    memcpy(piece->commands, stream->bytes, piece->size);
    status = take_ranges(drawn);
    if (status == 0)
        status = take_commands(drawn);
    piece->end = drawn->player.tick;
    return status;
}

static void put_u32(uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

/* A packet of A3A0 that stands alone: the worker gets it in a stream of its own. */
static int take_bare(struct aerogpu_drawn *drawn)
{
    const struct aerogpu_command *command = &drawn->player.command;
    struct drawn_piece *piece = &drawn->piece;
    uint32_t size = AEROGPU_STREAM_HEADER + command->size;

    if (size < command->size)
        return -E2BIG;
    piece->dialect = AERO_A3A0;
    piece->origin = command->bytes - AEROGPU_STREAM_HEADER;
    piece->commands = calloc(1, size);
    if (piece->commands == NULL)
        return -ENOMEM;
    piece->size = size;
    put_u32(piece->commands, AEROGPU_STREAM_MAGIC);
    put_u32(piece->commands + 4, (uint32_t)AEROGPU_ABI_MAJOR << 16 | command->abi_minor);
    put_u32(piece->commands + 8, size);
    memcpy(piece->commands + AEROGPU_STREAM_HEADER, command->bytes, command->size);
    return 0;
}

static void add_blob(struct aerogpu_drawn *drawn, uint64_t id)
{
    struct drawn_piece *piece = &drawn->piece;
    struct aerogpu_blob blob;
    uint32_t record = 0;

    if (id != 0 &&
        aerogpu_index_blob(aerogpu_dump_index(drawn->dump), id, piece->record, &blob, &record))
        piece->ranges[piece->range_count++] =
            (struct aero_range){.id = id, .flags = blob.kind, .data = blob.data, .size = blob.size};
}

/* A packet of Appendix A, with the blobs that it names. */
static int take_appendix(struct aerogpu_drawn *drawn)
{
    const struct aerogpu_command *command = &drawn->player.command;
    struct drawn_piece *piece = &drawn->piece;

    piece->dialect = AERO_APPENDIX_A;
    piece->origin = command->bytes;
    piece->size = command->size;
    piece->commands = malloc(piece->size);
    piece->ranges = calloc(BLOBS_OF_PACKET, sizeof(*piece->ranges));
    if (piece->commands == NULL || piece->ranges == NULL)
        return -ENOMEM;
    memcpy(piece->commands, command->bytes, piece->size);
    if (command->opcode == AEROGPU_A_UPLOAD_BUFFER)
        add_blob(drawn, aerogpu_u64(command, AEROGPU_AT_A_UPLOAD_BUFFER_BLOB));
    if (command->opcode == AEROGPU_A_CREATE_SHADER) {
        add_blob(drawn, aerogpu_u64(command, AEROGPU_AT_A_CREATE_SHADER_GLSL));
        add_blob(drawn, aerogpu_u64(command, AEROGPU_AT_A_CREATE_SHADER_WGSL));
        add_blob(drawn, aerogpu_u64(command, AEROGPU_AT_A_CREATE_SHADER_DXBC));
    }
    return 0;
}

/* A packet that stands alone in its record; one that is refused is not for the worker. */
static int take_packet(struct aerogpu_drawn *drawn)
{
    const struct aerogpu_player *player = &drawn->player;
    struct drawn_piece *piece = &drawn->piece;

    clear_piece(piece);
    piece->submission = AEROGPU_NONE;
    drawn->record = piece->record = player->record - 1;
    piece->begin = player->tick - 1;
    piece->end = player->tick;
    piece->origin = player->command.bytes;
    if (player->refusal != NULL)
        return 0;
    return player->command.type->dialect == AEROGPU_APPENDIX_A ? take_appendix(drawn)
                                                               : take_bare(drawn);
}

/* The next piece; -ENOENT at the trace's end. */
static int take_piece(struct aerogpu_drawn *drawn, const struct cancel *cancel)
{
    enum aerogpu_step step = AEROGPU_STEP_FRAME;
    int status = 0;

    drawn->fed = false;
    while (status == 0) {
        status = aerogpu_player_step(&drawn->player, &step);
        if (status != 0 || step == AEROGPU_STEP_DONE)
            break;
        if (step == AEROGPU_STEP_FRAME)
            status = keep(drawn, cancel);
        if (step == AEROGPU_STEP_COMMAND)
            return take_packet(drawn);
        if (step == AEROGPU_STEP_SUBMISSION && drawn->player.refusal == NULL)
            return take_submission(drawn);
    }
    return status == 0 ? -ENOENT : status;
}

/* Where the piece is to stop, so that `tick` commands are done. */
static uint32_t stop_at(const struct aerogpu_drawn *drawn, uint64_t tick)
{
    const struct aerogpu_dump *dump = drawn->dump;
    struct aerogpu_command command;

    if (tick >= drawn->piece.end || drawn->piece.submission == AEROGPU_NONE ||
        !aerogpu_scan_command(aerogpu_dump_index(dump), aerogpu_dump_scanned(dump),
                              drawn->piece.submission, (uint32_t)(tick - drawn->piece.begin),
                              &command))
        return UINT32_MAX;
    return command.offset;
}

static int run_piece(struct aerogpu_drawn *drawn, uint64_t tick, const struct cancel *cancel)
{
    const struct drawn_piece *piece = &drawn->piece;
    uint32_t until = stop_at(drawn, tick);
    const struct aero_submission submission = {.dialect = piece->dialect,
                                               .commands = piece->commands,
                                               .size = piece->size,
                                               .ranges = piece->ranges,
                                               .range_count = piece->range_count,
                                               .until = until};
    int status = 0;

    if (piece->size > 0)
        status = drawn->fed ? aero_continue(drawn->session, until, cancel, NULL)
                            : aero_submit(drawn->session, &submission, cancel, NULL);
    if (status != 0)
        return status;
    drawn->fed = true;
    drawn->tick = tick < piece->end ? tick : piece->end;
    return 0;
}

static int advance(struct aerogpu_drawn *drawn, uint64_t tick, const struct cancel *cancel)
{
    int status = 0;

    drawn->player.index = aerogpu_dump_index(drawn->dump); /* it may have grown */
    while (status == 0 && drawn->tick < tick) {
        if (drawn->tick >= drawn->piece.end)
            status = take_piece(drawn, cancel);
        if (status == 0)
            status = run_piece(drawn, tick, cancel);
    }
    return status == -ENOENT ? -EIO : status;
}

/* From where it is, from what was saved last before `tick`, or from the beginning. */
static int go(struct aerogpu_drawn *drawn, uint64_t tick, const struct cancel *cancel)
{
    int number = aerogpu_checkpoints_find(&drawn->checkpoints, tick), status = 0;
    bool here = drawn->ready && drawn->flags == 0 && drawn->tick <= tick;

    if (drawn->ready && number >= 0 &&
        (!here || drawn->checkpoints.list[number].player.tick > drawn->tick))
        status = load(drawn, (uint32_t)number, 0, &drawn->checkpoints.list[number].player, cancel);
    else if (!here)
        status = begin_anew(drawn, 0, cancel);
    return status == 0 ? advance(drawn, tick, cancel) : status;
}

/* The commands from `from` on are drawn as edges; where nothing can be saved, all are. */
static int go_wireframe(struct aerogpu_drawn *drawn, uint64_t from, uint64_t tick,
                        const struct cancel *cancel)
{
    int status = drawn->unsaved ? -EBUSY : go(drawn, from, cancel);

    if (status == 0)
        status = aero_save(drawn->session, BEFORE_WIREFRAME, cancel);
    drawn->unsaved = drawn->unsaved || status == -EBUSY;
    if (status == -EBUSY || status == -ENOSPC)
        status = begin_anew(drawn, AERO_WIREFRAME, cancel);
    else if (status == 0)
        status = aerogpu_player_copy(&drawn->before, &drawn->player);
    if (status == 0 && drawn->before.index != NULL)
        status = load(drawn, BEFORE_WIREFRAME, AERO_WIREFRAME, &drawn->before, cancel);
    return status == 0 ? advance(drawn, tick, cancel) : status;
}

/* Back to before the wireframe; else the next picture begins anew. */
static void leave_wireframe(struct aerogpu_drawn *drawn, const struct cancel *cancel)
{
    if (drawn->flags == 0)
        return;
    if (drawn->before.index == NULL ||
        load(drawn, BEFORE_WIREFRAME, 0, &drawn->before, cancel) != 0)
        forget(drawn);
    clear_player(&drawn->before);
}

static void tell(struct aerogpu_drawn *drawn, const char *what)
{
    const char *reason = aero_reason(drawn->session);

    problems_add(drawn->dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, drawn->record,
                 "%s cannot be drawn: %s", what,
                 reason[0] != '\0' ? reason : "the commands do not lead there");
}

/* What is asked of the worker once it is at the right place. */
struct question {
    bool wireframe;
    uint64_t from, tick;
    const struct aero_picture_request *request; /* NULL: contents */
    struct aero_picture *picture;
    uint32_t handle;
    struct blob **contents;
};

static int answer(struct aerogpu_drawn *drawn, const struct question *question,
                  const struct cancel *cancel)
{
    if (question->request != NULL)
        return aero_picture(drawn->session, question->request, cancel, question->picture);
    return aero_content(drawn->session, question->handle, cancel, question->contents);
}

static int ask(struct aerogpu_drawn *drawn, const struct question *question,
               const struct cancel *cancel)
{
    int status = worker_acquire(drawn->worker, cancel);

    if (status != 0)
        return status;
    for (int i = 0; i < ATTEMPTS; i++) {
        status = question->wireframe ? go_wireframe(drawn, question->from, question->tick, cancel)
                                     : go(drawn, question->tick, cancel);
        if (status == 0)
            status = answer(drawn, question, cancel);
        if (status == 0)
            break;
        if (status == -EAGAIN)
            problems_add(drawn->dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, drawn->record,
                         "a shader is drawn in magenta: %s", aero_reason(drawn->session));
        forget(drawn);
        if (status != -ESTALE && status != -EAGAIN)
            break;
    }
    leave_wireframe(drawn, cancel);
    worker_release(drawn->worker);
    return status;
}

/* What a reader is told: everything but these two is a fault of the dump or the worker. */
static int finish(struct aerogpu_drawn *drawn, int status, const char *what)
{
    if (status == 0 || status == -EINTR || status == -ENOMEM)
        return status;
    tell(drawn, what);
    return -EIO;
}

int aerogpu_drawn_picture(struct aerogpu_drawn *drawn, uint64_t tick,
                          const struct aero_picture_request *request, const struct cancel *cancel,
                          struct aero_picture *out)
{
    const struct question question = {.tick = tick, .request = request, .picture = out};

    return finish(drawn, ask(drawn, &question, cancel), "a picture");
}

int aerogpu_drawn_wireframe(struct aerogpu_drawn *drawn, uint64_t from, uint64_t tick,
                            const struct aero_picture_request *request, const struct cancel *cancel,
                            struct aero_picture *out)
{
    const struct question question = {
        .wireframe = true, .from = from, .tick = tick, .request = request, .picture = out};

    return finish(drawn, ask(drawn, &question, cancel), "a wireframe");
}

int aerogpu_drawn_content(struct aerogpu_drawn *drawn, uint64_t tick, uint32_t handle,
                          const struct cancel *cancel, struct blob **out)
{
    const struct question question = {.tick = tick, .handle = handle, .contents = out};

    return finish(drawn, ask(drawn, &question, cancel), "a resource");
}

int aerogpu_drawn_translate(struct aerogpu_drawn *drawn, const uint8_t *code, size_t size,
                            const char *what, const struct cancel *cancel,
                            struct aero_translation *out)
{
    int status = worker_acquire(drawn->worker, cancel);

    if (status != 0)
        return status;
    for (int i = 0; i < ATTEMPTS; i++) {
        status = aero_translate(drawn->session, code, size, cancel, out);
        if (status != -ESTALE && status != -EAGAIN)
            break;
    }
    worker_release(drawn->worker);
    return finish(drawn, status, what);
}
