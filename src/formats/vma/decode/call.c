/* SPDX-License-Identifier: MIT */
/*
 * Columns are parsed in one walk over the line. Their number is known only at its end; it is
 * checked before their values are.
 */
#include "formats/vma/decode/decode.h"

#include <inttypes.h>

/* Returns whether a column that is a valid number has a minus sign. */
static bool has_minus(const uint8_t *p, const uint8_t *end)
{
    while (p < end && (*p == ' ' || (*p >= '\t' && *p <= '\r')))
        p++;
    return p < end && *p == '-';
}

static bool read_head_u32(struct vma_columns *columns, uint32_t *out, bool *negative)
{
    struct vma_slice column;
    uint64_t value;

    if (vma_columns_digits(columns, &value)) {
        *out = (uint32_t)value;
        return value <= UINT32_MAX;
    }
    vma_columns_next(columns, &column);
    if (!vma_read_u32(column, out))
        return false;
    *negative = *out != 0 && has_minus(column.begin, column.end);
    return true;
}

static bool read_head_time(struct vma_columns *columns, uint64_t *out)
{
    struct vma_slice column;

    vma_columns_next(columns, &column);
    return vma_read_milliseconds(column, out);
}

/*
 * Takes one to seven digits, and the character after them, which must be `behind`. Returns false,
 * taking nothing, if there is something else. Eight bytes must be readable.
 */
static inline bool take_digits(const uint8_t **next, uint8_t behind, uint64_t *out)
{
    const uint8_t *p = *next;
    uint64_t text = bytes_le64(p);
    unsigned count = vma_digits8(text);

    if (count - 1 >= 7 || p[count] != behind)
        return false;
    *next = p + count + 1;
    *out = vma_decimal8(text, count);
    return true;
}

enum { USUAL_HEAD = 28 }; /* maximum of bytes that the functions below may read */

/*
 * Reads thread, time and frame index as the recorder writes them: with few digits, and three after
 * the point. Returns false if the columns have another form; then nothing in *out is valid.
 */
static bool read_usual_head(struct vma_columns *columns, struct vma_call_head *out)
{
    const uint8_t *next = columns->next;
    uint64_t thread, seconds, frame, fraction;

    if (columns->end - next < USUAL_HEAD || !take_digits(&next, ',', &thread) ||
        !take_digits(&next, '.', &seconds))
        return false;
    fraction = bytes_le64(next);
    if (vma_digits8(fraction) != 3 || next[3] != ',')
        return false;
    next += 4;
    if (!take_digits(&next, ',', &frame))
        return false;
    out->thread = (uint32_t)thread;
    out->milliseconds = seconds * 1000 + vma_decimal8(fraction, 3);
    out->frame_index = (uint32_t)frame;
    out->thread_good = out->time_good = out->frame_good = true;
    columns->next = next;
    return true;
}

/* Finds the end of a short column faster than memchr() would. */
static const uint8_t *find_comma(const uint8_t *p, const uint8_t *end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;

    for (; end - p >= 8; p += 8) {
        uint64_t odd = bytes_le64(p) ^ ones * ',';
        uint64_t commas = (odd - ones) & ~odd & tops; /* correct up to the first comma */

        if (commas != 0)
            return p + (unsigned)__builtin_ctzll(commas) / 8;
    }
    while (p < end && *p != ',')
        p++;
    return p;
}

void vma_call_read_head(struct vma_slice line, struct vma_call_head *out)
{
    struct vma_columns columns;
    struct vma_slice name;

    *out = (struct vma_call_head){.function = VMA_FUNCTIONS, .verdict = VMA_CALL_BLANK};
    if (line.begin == line.end)
        return;
    vma_columns_init(&columns, line);
    if (!read_usual_head(&columns, out)) {
        out->thread_good = read_head_u32(&columns, &out->thread, &out->thread_negative);
        out->time_good = read_head_time(&columns, &out->milliseconds);
        out->frame_good = read_head_u32(&columns, &out->frame_index, &out->frame_negative);
    }
    if (columns.next == NULL) {
        out->verdict = VMA_CALL_SHORT;
        return;
    }
    name = (struct vma_slice){columns.next, find_comma(columns.next, columns.end)};
    columns.next = name.end < columns.end ? name.end + 1 : NULL;
    out->function = vma_function_find(name);
    out->rest = columns;
    out->verdict = out->function == VMA_FUNCTIONS ? VMA_CALL_UNKNOWN : VMA_CALL_GOOD;
}

/* Reads a number that is not plain digits. */
static bool read_other(enum vma_column_kind kind, struct vma_slice column, uint64_t *value)
{
    uint32_t narrow = 0;
    bool good;

    switch (kind) {
    case VMA_U64:
        return vma_read_u64(column, value);
    case VMA_POINTER:
        return vma_read_pointer(column, value);
    case VMA_BOOL:
        return false;
    default:
        good = vma_read_u32(column, &narrow);
        *value = narrow;
        return good;
    }
}

/*
 * Takes the next column, which must exist. Returns false if it is not a valid number of its kind.
 */
static bool read_number(enum vma_column_kind kind, struct vma_columns *columns, uint64_t *value)
{
    const uint8_t *begin = columns->next;
    struct vma_slice column;

    if (kind == VMA_POINTER ? vma_columns_hex16(columns, value)
                            : vma_columns_digits(columns, value))
        switch (kind) {
        case VMA_U32:
            return *value <= UINT32_MAX;
        case VMA_BOOL:
            return *value <= 1 && (columns->next == NULL || columns->next - begin == 2);
        default:
            return true;
        }
    vma_columns_next(columns, &column);
    return read_other(kind, column, value);
}

/* Returns whether all pointers of a list are valid. */
static bool check_list(struct vma_slice list)
{
    struct vma_slice item;
    uint64_t pointer;

    while (vma_list_next(&list, &item))
        if (!vma_read_pointer(item, &pointer))
            return false;
    return true;
}

bool vma_read_text(struct vma_columns *columns, struct vma_slice *text)
{
    vma_columns_rest(columns, text);
    if (vma_slice_length(*text) <= VMA_TEXT_MAX)
        return true;
    text->end = text->begin + VMA_TEXT_MAX;
    return false;
}

/* Takes a list or the rest of the line. Returns false if it is not valid. */
static bool read_slice(struct vma_call *call, const struct vma_parameter *parameter,
                       struct vma_columns *columns)
{
    struct vma_slice column;

    if (parameter->kind == VMA_REST) {
        call->has_text = columns->next != NULL;
        call->text_cut = !vma_read_text(columns, &call->text);
        return true;
    }
    vma_columns_next(columns, &column);
    *(parameter->slot == VMA_POOL_LIST ? &call->pools : &call->allocations) = column;
    return check_list(column);
}

/* Returns whether the line is a vmaCreatePool from a build without frameInUseCount. */
static bool is_late_pool(const struct vma_call *call, const struct vma_columns *columns,
                         unsigned count)
{
    return call->head.function == VMA_CREATE_POOL && vma_columns_count(columns) == count - 1;
}

/* Takes any column, by its kind. The caller has a faster path for a single digit. */
static bool read_column(struct vma_call *call, const struct vma_parameter *parameter,
                        struct vma_columns *columns)
{
    return parameter->kind < VMA_LIST
               ? read_number(parameter->kind, columns, &call->value[parameter->slot])
               : read_slice(call, parameter, columns);
}

/* Takes columns up to the last parameter, or as many as there are. Returns their number. */
static unsigned read_columns(struct vma_call *call, const struct vma_function *function,
                             struct vma_columns *columns)
{
    const uint8_t *next = columns->next, *end = columns->end;
    unsigned i = 0;

    for (; i < function->parameter_count && next != NULL; i++) {
        const struct vma_parameter *parameter = &function->parameters[i];
        bool good = true;

        if (parameter->slot == VMA_FRAMES_IN_USE && call->late_pool)
            continue;
        /* Most columns have one digit. */
        if (end - next > 1 && next[1] == ',' && (uint8_t)(*next - '0') <= 9 &&
            parameter->kind < VMA_BOOL) {
            call->value[parameter->slot] = (uint8_t)(*next - '0');
            next += 2;
        } else {
            columns->next = next;
            good = read_column(call, parameter, columns);
            if (good && parameter->kind < VMA_BOOL && has_minus(next, end) &&
                call->value[parameter->slot] != 0 && call->negative == NULL)
                call->negative = parameter;
            next = columns->next;
        }
        if (!good && call->bad == NULL)
            call->bad = parameter;
    }
    columns->next = next;
    return i;
}

static void read_parameters(struct vma_call *call)
{
    const struct vma_function *function = &vma_functions[call->head.function];
    struct vma_columns columns = call->head.rest;
    unsigned count = function->parameter_count, taken;

    if (is_late_pool(call, &columns, count)) {
        call->late_pool = true;
        call->value[VMA_FRAMES_IN_USE] = 0;
    }
    taken = read_columns(call, function, &columns);
    /* The text at the end may be absent. */
    if (columns.next != NULL || count - taken > 1 ||
        (taken < count && function->parameters[taken].kind != VMA_REST))
        call->verdict = VMA_CALL_MISCOUNT;
    else if (call->bad != NULL)
        call->verdict = VMA_CALL_INVALID;
}

void vma_call_read(struct vma_slice line, bool ended, struct vma_call *out)
{
    vma_call_read_head(line, &out->head);
    out->verdict = out->head.verdict;
    out->bad = out->negative = NULL;
    out->late_pool = out->has_text = out->text_cut = false;
    out->text = out->allocations = out->pools = (struct vma_slice){line.end, line.end};
    if (out->verdict == VMA_CALL_GOOD)
        read_parameters(out);
    if (!ended && out->verdict != VMA_CALL_GOOD)
        out->verdict = VMA_CALL_CUT;
}

bool vma_call_text_pointer(struct vma_slice text, uint64_t *pointer, bool *surplus)
{
    struct vma_columns columns;
    struct vma_slice column;

    vma_columns_init(&columns, text);
    vma_columns_next(&columns, &column);
    *surplus = columns.next != NULL;
    return vma_read_pointer(column, pointer);
}

const char *vma_verdict_message(enum vma_verdict verdict)
{
    static const char *const messages[] = {
        [VMA_CALL_GOOD] = NULL,
        [VMA_CALL_BLANK] = "Too few columns.",
        [VMA_CALL_SHORT] = "Too few columns.",
        [VMA_CALL_UNKNOWN] = "Unknown function.",
        [VMA_CALL_MISCOUNT] = "Incorrect number of function parameters.",
        [VMA_CALL_INVALID] = "Invalid parameters.",
        [VMA_CALL_CUT] = "Truncated.",
    };

    return messages[verdict];
}

static void judge_head(const struct vma_call_head *head, const struct vma_line *line,
                       uint64_t packet, struct vma_diagnostics *diagnostics)
{
    const struct {
        bool good;
        const char *message;
    } columns[] = {{head->thread_good, "Incorrect thread ID."},
                   {head->time_good, "Incorrect time."},
                   {head->frame_good, "Incorrect frame index."}};

    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        if (!columns[i].good)
            vma_diagnostics_add(diagnostics, PROBLEM_WARNING, line->offset, packet, "%s",
                                columns[i].message);
    if (head->thread_negative)
        vma_diagnostics_add(diagnostics, PROBLEM_WARNING, line->offset, packet,
                            "Negative thread ID, treated as %" PRIu32 ".", head->thread);
    if (head->frame_negative)
        vma_diagnostics_add(diagnostics, PROBLEM_WARNING, line->offset, packet,
                            "Negative frame index, treated as %" PRIu32 ".", head->frame_index);
}

/* Reports negative numbers, which VMA never writes, but its replayer accepts. */
static void judge_negative(const struct vma_call *call, const struct vma_line *line,
                           uint64_t packet, struct vma_diagnostics *diagnostics)
{
    if (call->verdict == VMA_CALL_GOOD && call->negative != NULL)
        vma_diagnostics_add(diagnostics, PROBLEM_WARNING, line->offset, packet,
                            "Negative parameter for %s (%s), treated as %" PRIu64 ".",
                            vma_functions[call->head.function].name, call->negative->name,
                            call->value[call->negative->slot]);
}

void vma_call_judge(const struct vma_call *call, const struct vma_line *line, uint64_t packet,
                    struct vma_diagnostics *diagnostics)
{
    enum problem_severity severity =
        call->verdict == VMA_CALL_BLANK ? PROBLEM_WARNING : PROBLEM_ERROR;

    if (diagnostics == NULL || vma_call_is_flawless(call))
        return;
    if (call->head.verdict == VMA_CALL_GOOD || call->head.verdict == VMA_CALL_UNKNOWN)
        judge_head(&call->head, line, packet, diagnostics);
    judge_negative(call, line, packet, diagnostics);
    if (call->verdict == VMA_CALL_GOOD && call->text_cut)
        vma_diagnostics_add(diagnostics, PROBLEM_WARNING, line->offset, packet,
                            "A text of more than %d bytes is truncated.", VMA_TEXT_MAX);
    if (call->verdict == VMA_CALL_INVALID)
        vma_diagnostics_add(diagnostics, severity, line->offset, packet,
                            "Invalid parameters for %s (%s).",
                            vma_functions[call->head.function].name, call->bad->name);
    else if (call->verdict != VMA_CALL_GOOD)
        vma_diagnostics_add(diagnostics, severity, line->offset, packet, "%s",
                            vma_verdict_message(call->verdict));
}
