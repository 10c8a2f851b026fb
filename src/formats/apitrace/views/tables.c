#include "formats/apitrace/views/tables.h"

#include "formats/apitrace/views/print.h"

enum {
    PIECE_ROWS = 1024, /* of tables */
    PIECE_CALLS = 512, /* of texts, whose calls may be long */
};

static int count_pieces(uint64_t count, uint64_t in_piece, uint64_t *pieces)
{
    *pieces = (count + in_piece - 1) / in_piece;
    return 0;
}

/* The end of a piece, of `count` in all. */
static uint64_t piece_end(uint64_t piece, uint64_t in_piece, uint64_t count)
{
    uint64_t left = count - piece * in_piece;

    return piece * in_piece + (left < in_piece ? left : in_piece);
}

static void add_number(struct text *text, uint64_t number)
{
    text_add_char(text, '\t');
    text_add_u64(text, number);
}

/* A number, or `-` for what is not there. */
static void add_optional(struct text *text, uint64_t number)
{
    if (number == UINT64_MAX)
        text_add(text, "\t-");
    else
        add_number(text, number);
}

static void add_name(struct text *text, const struct apitrace_function *function)
{
    if (function == NULL)
        text_add(text, "\t-");
    else
        text_cell_escaped(text, function->name.bytes, function->name.shown);
}

void apitrace_status_text(unsigned marks, struct text *text)
{
    static const char *const names[] = {"hidden", "fake", "incomplete", "cut"};
    bool first = true;

    for (unsigned n = 0; n < 4; n++) {
        if ((marks & 1U << n) == 0)
            continue;
        if (!first)
            text_add_char(text, ',');
        text_add(text, names[n]);
        first = false;
    }
    if (first)
        text_add(text, "ok");
}

/* Packets. */

int apitrace_packets_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "packet\toffset\tbytes\ttype\tname\tframe\tthread\tleave\torder\tstatus\n");
    return 0;
}

static void add_packet(const struct apitrace_index *index, const struct apitrace_record *record,
                       struct text *text)
{
    const struct apitrace_function *function = apitrace_index_function(index, record);
    char letters[9];

    text_add_u64(text, record->number);
    add_number(text, record->enter);
    add_number(text, record->enter_bytes + record->leave_bytes);
    text_add_char(text, '\t');
    text_add(text, apitrace_class_letters(function != NULL ? function->classes : 0, letters));
    add_name(text, function);
    add_optional(text, apitrace_index_frame(index, record->order));
    add_number(text, record->thread);
    add_optional(text, record->leave);
    add_optional(text, record->order);
    text_add_char(text, '\t');
    apitrace_status_text(record->marks, text);
    text_add_char(text, '\n');
}

int apitrace_packets_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            uint64_t *pieces)
{
    (void)key, (void)cancel;
    return count_pieces(apitrace_index_totals(apitrace_index_of(dump)).rows, PIECE_ROWS, pieces);
}

int apitrace_packets_piece(struct dump *dump, uint64_t key, uint64_t piece,
                           const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t end = piece_end(piece, PIECE_ROWS, apitrace_index_totals(index).rows);
    struct apitrace_walk walk;

    (void)key, (void)cancel;
    apitrace_walk_init(&walk, &index->calls);
    for (uint64_t number = piece * PIECE_ROWS; number < end; number++)
        add_packet(index, apitrace_walk_to(&walk, number), text);
    return 0;
}

/* Frames. */

int apitrace_frame_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces)
{
    const struct apitrace_frame_record *frame = &apitrace_index_of(dump)->frames[key];

    (void)cancel;
    return count_pieces(frame->end - frame->first, PIECE_CALLS, pieces);
}

int apitrace_frame_packets_piece(struct dump *dump, uint64_t key, uint64_t piece,
                                 const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_frame_record *frame = &index->frames[key];
    uint64_t end = piece_end(piece, PIECE_CALLS, frame->end - frame->first);
    struct apitrace_walk walk;

    (void)cancel;
    apitrace_walk_init(&walk, &index->calls);
    for (uint64_t n = piece * PIECE_CALLS; n < end; n++)
        add_packet(index, apitrace_walk_to(&walk, apitrace_index_listed(index, frame->first + n)),
                   text);
    return 0;
}

int apitrace_frames_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "frame\tfirst\tlast\ttime\twidth\theight\tcalls\thidden\tdraws\t"
                   "bytes\tend\tstatus\n");
    return 0;
}

int apitrace_frames_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *pieces)
{
    (void)key, (void)cancel;
    return count_pieces(apitrace_index_of(dump)->shown.frames, PIECE_ROWS, pieces);
}

static void add_frame(const struct apitrace_index *index,
                      const struct apitrace_presented_frame *presented, uint64_t number,
                      struct text *text)
{
    const struct apitrace_frame_record *frame = &index->frames[number];
    bool finished = frame->function != APITRACE_NO_FUNCTION;

    text_add_u64(text, number);
    add_number(text, apitrace_index_listed(index, frame->first));
    add_number(text, apitrace_index_listed(index, frame->end - 1));
    text_add(text, "\t-");
    text_cell_or_none(text, presented->width > 0, presented->width);
    text_cell_or_none(text, presented->width > 0, presented->height);
    add_number(text, frame->end - frame->first);
    add_number(text, frame->hidden);
    add_number(text, frame->draws);
    add_number(text, frame->bytes);
    add_name(text, finished ? apitrace_function_at(&index->definitions, frame->function) : NULL);
    text_add(text, finished ? "\tfinished\n" : "\tunfinished\n");
}

int apitrace_frames_piece(struct dump *dump, uint64_t key, uint64_t piece,
                          const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t end = piece_end(piece, PIECE_ROWS, index->shown.frames);
    const struct apitrace_presentation *presentation;
    int status = apitrace_dump_presentation(dump, cancel, &presentation);

    (void)key;
    for (uint64_t n = piece * PIECE_ROWS; n < end && status == 0; n++)
        add_frame(index, &presentation->frames[n], n, text);
    return status;
}

/* Calls. */

int apitrace_packet_text_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                uint64_t *pieces)
{
    (void)dump, (void)key, (void)cancel;
    *pieces = 1;
    return 0;
}

int apitrace_packet_text_piece(struct dump *dump, uint64_t key, uint64_t piece,
                               const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    struct apitrace_printer printer;
    int status;

    (void)piece;
    apitrace_printer_init(&printer, index, cancel);
    status = apitrace_print_call(&printer, key, APITRACE_PRINT_LINES, text);
    apitrace_printer_clear(&printer);
    return status;
}

static int add_calls(struct dump *dump, uint64_t key, uint64_t piece, unsigned how,
                     const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_frame_record *frame = &index->frames[key];
    uint64_t end = piece_end(piece, PIECE_CALLS, frame->end - frame->first);
    struct apitrace_printer printer;
    int status = 0;

    apitrace_printer_init(&printer, index, cancel);
    for (uint64_t n = piece * PIECE_CALLS; n < end && status == 0; n++) {
        uint64_t number = apitrace_index_listed(index, frame->first + n);
        unsigned marks = apitrace_walk_to(&printer.call.walk, number)->marks;

        if ((marks & APITRACE_HIDDEN) == 0 || how & APITRACE_PRINT_THREADS)
            status = apitrace_print_call(&printer, number, how, text);
    }
    apitrace_printer_clear(&printer);
    return status;
}

/* The properties stand before the first frame's calls. */
static int add_properties(struct dump *dump, uint64_t key, unsigned how, struct text *text)
{
    if (key == 0)
        apitrace_print_properties(apitrace_index_of(dump), how, text);
    return 0;
}

static int calls_head(struct dump *dump, uint64_t key, struct text *text)
{
    return add_properties(dump, key, APITRACE_PRINT_LINES, text);
}

static int calls_piece(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                       struct text *text)
{
    return add_calls(dump, key, piece, APITRACE_PRINT_LINES, cancel, text);
}

static int oneline_head(struct dump *dump, uint64_t key, struct text *text)
{
    return add_properties(dump, key, APITRACE_PRINT_ONE_LINE, text);
}

static int oneline_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    return add_calls(dump, key, piece, APITRACE_PRINT_ONE_LINE, cancel, text);
}

static int verbose_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    return add_calls(dump, key, piece, APITRACE_PRINT_THREADS, cancel, text);
}

const struct dump_listing apitrace_calls_listing = {
    .head = calls_head, .pieces = apitrace_frame_pieces, .piece = calls_piece};
const struct dump_listing apitrace_calls_oneline_listing = {
    .head = oneline_head, .pieces = apitrace_frame_pieces, .piece = oneline_piece};
const struct dump_listing apitrace_calls_verbose_listing = {
    .head = calls_head, .pieces = apitrace_frame_pieces, .piece = verbose_piece};

/* Blobs. */

static int blobs_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "blob\tpacket\tframe\tfunction\targument\tbytes\n");
    return 0;
}

static int blobs_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        uint64_t *pieces)
{
    (void)key, (void)cancel;
    return count_pieces(apitrace_index_of(dump)->blob_count, PIECE_ROWS, pieces);
}

static void add_argument(const struct apitrace_function *function, uint32_t argument,
                         struct text *text)
{
    if (argument == APITRACE_RESULT)
        text_add(text, "\tresult");
    else if (argument < function->argument_count)
        text_cell_escaped(text, function->arguments[argument].bytes,
                          function->arguments[argument].shown);
    else
        text_printf(text, "\t%u", argument);
}

static int blobs_piece(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                       struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t end = piece_end(piece, PIECE_ROWS, index->blob_count);
    struct apitrace_walk walk;

    (void)key, (void)cancel;
    apitrace_walk_init(&walk, &index->calls);
    for (uint64_t n = piece * PIECE_ROWS; n < end; n++) {
        const struct apitrace_blob *blob = &index->blobs[n];
        const struct apitrace_record *record = apitrace_walk_to(&walk, blob->number);
        const struct apitrace_function *function = apitrace_index_function(index, record);

        text_add_u64(text, blob->ordinal);
        add_number(text, blob->number);
        add_optional(text, apitrace_index_frame(index, record->order));
        add_name(text, function);
        add_argument(function, blob->argument, text);
        add_number(text, blob->size);
        text_add_char(text, '\n');
    }
    return 0;
}

const struct dump_listing apitrace_blobs_listing = {
    .head = blobs_head, .pieces = blobs_pieces, .piece = blobs_piece};

/* Threads. */

static int threads_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "thread\tcalls\tfirst\tlast\n");
    return 0;
}

static int threads_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces)
{
    (void)key, (void)cancel;
    return count_pieces(apitrace_index_of(dump)->thread_count, PIECE_ROWS, pieces);
}

static int threads_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t end = piece_end(piece, PIECE_ROWS, index->thread_count);

    (void)key, (void)cancel;
    for (uint64_t n = piece * PIECE_ROWS; n < end; n++) {
        const struct apitrace_thread *thread = &index->threads[n];

        text_add_u64(text, thread->id);
        add_number(text, thread->calls);
        add_number(text, thread->first);
        add_number(text, thread->last);
        text_add_char(text, '\n');
    }
    return 0;
}

const struct dump_listing apitrace_threads_listing = {
    .head = threads_head, .pieces = threads_pieces, .piece = threads_piece};

/* Errors and markers: calls that were noted. */

/* How many there are in the frames that are shown. */
static uint64_t note_count(const struct apitrace_index *index, enum apitrace_note note)
{
    return apitrace_index_totals(index).notes[note];
}

/* What a row of a noted call begins with. */
static void add_place(const struct apitrace_index *index, const struct apitrace_record *record,
                      struct text *text)
{
    text_add_u64(text, record->number);
    add_optional(text, apitrace_index_frame(index, record->order));
    add_number(text, record->thread);
}

static int errors_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "packet\tframe\tthread\terror\n");
    return 0;
}

static int errors_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *pieces)
{
    (void)key, (void)cancel;
    return count_pieces(note_count(apitrace_index_of(dump), APITRACE_NOTE_ERRORS), PIECE_CALLS,
                        pieces);
}

static int add_error(struct apitrace_printer *printer, uint64_t number, struct text *text)
{
    int status = apitrace_call_read(&printer->call, number);
    size_t begin;

    if (status < 0)
        return status;
    add_place(printer->call.index, printer->call.record, text);
    text_add_char(text, '\t');
    begin = text->length;
    status = apitrace_print_value(printer, printer->call.result, APITRACE_PRINT_ONE_LINE, text);
    text_end_cell(text, begin);
    text_add_char(text, '\n');
    return status;
}

static int errors_piece(struct dump *dump, uint64_t key, uint64_t piece,
                        const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_notes *notes = &index->notes[APITRACE_NOTE_ERRORS];
    uint64_t end = piece_end(piece, PIECE_CALLS, note_count(index, APITRACE_NOTE_ERRORS));
    struct apitrace_printer printer;
    int status = 0;

    (void)key;
    apitrace_printer_init(&printer, index, cancel);
    for (uint64_t n = piece * PIECE_CALLS; n < end && status == 0; n++)
        status = add_error(&printer, notes->numbers[n], text);
    apitrace_printer_clear(&printer);
    return status;
}

const struct dump_listing apitrace_errors_listing = {
    .head = errors_head, .pieces = errors_pieces, .piece = errors_piece};

static int markers_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "packet\tframe\tthread\tdepth\tkind\ttext\n");
    return 0;
}

/* A marker's note is its number and its depth. */
static int markers_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces)
{
    (void)key, (void)cancel;
    return count_pieces(note_count(apitrace_index_of(dump), APITRACE_NOTE_MARKERS), 2 * PIECE_CALLS,
                        pieces);
}

static void add_string(struct apitrace_reader *reader, uint64_t length, struct text *text)
{
    while (length > 0) {
        const uint8_t *bytes;
        size_t some = apitrace_read_some(reader, length, &bytes);

        if (some == 0)
            return;
        text_add_escaped(text, bytes, some);
        length -= some;
    }
}

static void add_wide_string(struct apitrace_reader *reader, uint64_t length, struct text *text)
{
    for (uint64_t n = 0; n < length && reader->status == 0; n++) {
        uint64_t unit = apitrace_read_number(reader);
        char c = unit >= ' ' && unit <= '~' ? (char)unit : '?';

        text_add_escaped(text, &c, 1);
    }
}

/* The first string among the arguments. */
static void add_marker_text(struct apitrace_call *call, struct text *text)
{
    struct apitrace_value value;
    size_t begin = text->length;

    for (uint32_t n = 0; n < call->argument_count; n++) {
        if (!apitrace_call_argument(call, n, &value))
            continue;
        if (value.type == APITRACE_STRING) {
            add_string(&call->reader, value.number, text);
            break;
        }
        if (value.type == APITRACE_WSTRING) {
            add_wide_string(&call->reader, value.number, text);
            break;
        }
    }
    text_end_cell(text, begin);
}

static int add_marker(struct apitrace_call *call, const uint32_t *note, struct text *text)
{
    int status = apitrace_call_read(call, note[0]);
    unsigned classes;

    if (status < 0 || call->function == NULL)
        return status;
    classes = call->function->classes;
    add_place(call->index, call->record, text);
    add_number(text, note[1]);
    text_add(text, classes & APITRACE_PUSH  ? "\tpush\t"
                   : classes & APITRACE_POP ? "\tpop\t"
                                            : "\tmarker\t");
    add_marker_text(call, text);
    text_add_char(text, '\n');
    return apitrace_call_status(call);
}

static int markers_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_notes *notes = &index->notes[APITRACE_NOTE_MARKERS];
    uint64_t end = piece_end(piece, 2 * PIECE_CALLS, note_count(index, APITRACE_NOTE_MARKERS));
    struct apitrace_call call;
    int status = 0;

    (void)key;
    apitrace_call_init(&call, index, cancel);
    for (uint64_t n = piece * 2 * PIECE_CALLS; n < end && status == 0; n += 2)
        status = add_marker(&call, &notes->numbers[n], text);
    apitrace_call_clear(&call);
    return status;
}

const struct dump_listing apitrace_markers_listing = {
    .head = markers_head, .pieces = markers_pieces, .piece = markers_piece};

/* Shaders and textures. */

static int shaders_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "shader\tpacket\tframe\tstage\tobject\tbytes\n");
    return 0;
}

static int shaders_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    (void)key;
    return status < 0 ? status : count_pieces(objects->shader_count, PIECE_ROWS, pieces);
}

static int shaders_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);
    uint64_t end = status < 0 ? 0 : piece_end(piece, PIECE_ROWS, objects->shader_count);

    (void)key;
    for (uint64_t n = piece * PIECE_ROWS; n < end; n++) {
        const struct apitrace_shader *shader = &objects->shaders[n];

        text_add_u64(text, n);
        add_number(text, shader->number);
        add_optional(text,
                     apitrace_index_frame(index, apitrace_record_of(index, shader->number).order));
        text_printf(text, "\t%s", shader->stage);
        add_number(text, shader->object);
        add_number(text, shader->bytes);
        text_add_char(text, '\n');
    }
    return status;
}

const struct dump_listing apitrace_shaders_listing = {
    .head = shaders_head, .pieces = shaders_pieces, .piece = shaders_piece};

static int textures_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "texture\tpacket\tframe\ttarget\tobject\tlevel\tx\ty\tz\twidth\theight\tdepth\t"
                   "internal_format\tformat\ttype\tbytes\tstatus\n");
    return 0;
}

static int textures_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *pieces)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    (void)key;
    return status < 0 ? status : count_pieces(objects->texture_count, PIECE_ROWS, pieces);
}

static void add_texture(const struct apitrace_index *index, uint64_t n,
                        const struct apitrace_texture *texture, struct text *text)
{
    const char *target = apitrace_target_name(texture->target);
    uint64_t order = apitrace_record_of(index, texture->number).order;

    text_add_u64(text, n);
    add_number(text, texture->number);
    add_optional(text, apitrace_index_frame(index, order));
    if (target != NULL)
        text_printf(text, "\t%s", target);
    else
        text_printf(text, "\t0x%X", texture->target);
    add_number(text, texture->object);
    add_number(text, texture->level);
    add_number(text, texture->x);
    add_number(text, texture->y);
    add_number(text, texture->z);
    add_number(text, texture->image.width);
    add_number(text, texture->image.height);
    add_number(text, texture->image.depth);
    text_printf(text, "\t0x%X\t0x%X\t0x%X", texture->internal, texture->image.format,
                texture->image.type);
    add_number(text, texture->bytes);
    text_printf(text, "\t%s\n", texture->status);
}

static int textures_piece(struct dump *dump, uint64_t key, uint64_t piece,
                          const struct cancel *cancel, struct text *text)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);
    uint64_t end = status < 0 ? 0 : piece_end(piece, PIECE_ROWS, objects->texture_count);

    (void)key;
    for (uint64_t n = piece * PIECE_ROWS; n < end; n++)
        add_texture(apitrace_index_of(dump), n, &objects->textures[n], text);
    return status;
}

const struct dump_listing apitrace_textures_listing = {
    .head = textures_head, .pieces = textures_pieces, .piece = textures_piece};
