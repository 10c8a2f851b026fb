/* SPDX-License-Identifier: MIT */
/*
 * Makes calls. What a function needs is found once; then the call's arguments are translated to
 * what they are here, checked, and passed to the driver by libffi.
 */
#include "config.h"

#include "glworker/gl/array_elements.h"
#include "glworker/gl/budget.h"
#include "glworker/gl/immediate.h"
#include "glworker/gl/list_arrays.h"
#include "glworker/gl/list_calls.h"
#include "glworker/gl/lists.h"
#include "glworker/gl/mark.h"
#include "glworker/gl/memory.h"
#include "glworker/gl/names.h"
#include "glworker/gl/pixel_watch.h"
#include "glworker/gl/recording.h"
#include "glworker/gl/rules.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <EGL/egl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAMES_MAX = 1 << 20, /* objects that one call may make */
    OUT_MIN = 64,        /* elements of the driver's output, if the number is not known */
    OUT_MAX = 1 << 24,
};

/* Binding. */

static ffi_type *const ffi_types[RETRACE_TYPES] = {
    [RETRACE_VOID] = &ffi_type_void,  [RETRACE_U8] = &ffi_type_uint8,
    [RETRACE_I8] = &ffi_type_sint8,   [RETRACE_U16] = &ffi_type_uint16,
    [RETRACE_I16] = &ffi_type_sint16, [RETRACE_U32] = &ffi_type_uint32,
    [RETRACE_I32] = &ffi_type_sint32, [RETRACE_I64] = &ffi_type_sint64,
    [RETRACE_F32] = &ffi_type_float,  [RETRACE_F64] = &ffi_type_double,
};

/*
 * Finds which argument of glUniform…() is a location; functions of blocks and subroutines have
 * none.
 */
static void find_location(struct retrace_binding *binding, const char *name)
{
    binding->location = binding->owner = -1;
    if (strncmp(name, "glUniform", 9) == 0 &&
        (strchr("1234Hu", name[9]) != NULL || strncmp(name + 9, "Matrix", 6) == 0 ||
         strncmp(name + 9, "i64", 3) == 0))
        binding->location = 0;
    if (strncmp(name, "glProgramUniform", 16) == 0) {
        binding->owner = 0;
        binding->location = 1;
    }
}

static bool prepare(struct retrace_binding *binding, const char *name)
{
    const struct retrace_function *gl = binding->gl;

    for (unsigned n = 0; n < gl->count; n++)
        binding->types[n] = gl->parameters[n].way == RETRACE_VALUE
                                ? ffi_types[gl->parameters[n].type]
                                : &ffi_type_pointer;
    binding->made = (void (*)(void))eglGetProcAddress(name);
    return binding->made != NULL && ffi_prep_cif(&binding->cif, FFI_DEFAULT_ABI, gl->count,
                                                 ffi_types[gl->result], binding->types) == FFI_OK;
}

static void fill(struct retrace_binding *binding, const struct apitrace_function *function)
{
    const char *name = function->name.bytes;
    const struct retrace_rule_row *row = retrace_rule_find(name);

    binding->function = function;
    binding->gl = retrace_function_find(name);
    if (binding->gl != NULL && binding->gl->count != function->argument_count)
        binding->gl = NULL; /* a different function of the same name */
    if (row != NULL) {
        binding->rule = row->rule;
        binding->post_hook = row->post_hook;
        binding->detail = row->detail;
    }
    /* The rules of OpenGL's functions rely on the registry's arguments. */
    if (binding->gl == NULL && strncmp(name, "gl", 2) == 0 && name[2] != 'X') {
        binding->rule = retrace_leave_out;
        binding->post_hook = NULL;
    }
    if (binding->gl == NULL)
        return;
    find_location(binding, name);
    binding->paints = retrace_watch_paints(function);
    binding->marked = retrace_marked(name);
    binding->listed = retrace_list_calls_takes(name);
    binding->deletes = strncmp(name, "glDelete", 8) == 0;
    binding->changes_arrays = retrace_changes_arrays(name);
    if (!prepare(binding, name))
        binding->made = NULL;
}

struct retrace_binding *retrace_bind(struct retrace *retrace,
                                     const struct apitrace_function *function)
{
    struct retrace_binding **bindings;

    if (function->number >= retrace->binding_count) {
        uint32_t count = (function->number + 64) & ~UINT32_C(63);

        bindings = realloc(retrace->bindings, count * sizeof(*bindings));
        if (bindings == NULL)
            return NULL;
        memset(bindings + retrace->binding_count, 0,
               (count - retrace->binding_count) * sizeof(*bindings));
        retrace->bindings = bindings;
        retrace->binding_count = count;
    }
    bindings = &retrace->bindings[function->number];
    if (*bindings == NULL) {
        *bindings = calloc(1, sizeof(**bindings));
        if (*bindings != NULL)
            fill(*bindings, function);
    }
    return *bindings;
}

/* Arguments. */

/*
 * Returns a number of elements in the argument's type, as the driver takes it, whatever the trace
 * has.
 */
static int64_t count_of(const struct retrace_call *call, unsigned n)
{
    const int64_t count = retrace_integer(call, n);

    switch (call->binding->gl->parameters[n].type) {
    case RETRACE_I64:
        return count;
    case RETRACE_U32:
        return (uint32_t)count;
    default:
        return (int32_t)count;
    }
}

uint64_t retrace_needed(const struct retrace_call *call, const struct retrace_parameter *parameter)
{
    int64_t count = 1;

    if (parameter->length != RETRACE_LENGTH_COUNTED)
        return UINT64_MAX;
    if (parameter->counted > 0)
        count = count_of(call, parameter->counted - 1u);
    if (count > INT64_MAX / UINT8_MAX)
        return UINT64_MAX - 1; /* more than any memory */
    return count < 0 ? 0 : (uint64_t)count * parameter->factor / parameter->divisor;
}

/*
 * Returns whether the size of what a pointer points to is unknown: a rule should have checked it
 * and did not, or there is none.
 */
static bool is_unknown(const struct retrace_parameter *parameter)
{
    return parameter->length != RETRACE_LENGTH_COUNTED &&
           parameter->length != RETRACE_LENGTH_TEXT && parameter->length != RETRACE_LENGTH_FEW;
}

static void map_names(struct retrace *retrace, const struct retrace_parameter *parameter,
                      struct retrace_argument *argument)
{
    const size_t size = retrace_type_size(parameter->type);

    if (argument->kind == RETRACE_MEMORY)
        for (uint64_t n = 0; n < argument->size / size; n++) {
            uint64_t old = 0, name;

            memcpy(&old, argument->memory + n * size, size);
            name = retrace_name(retrace, (enum retrace_names)parameter->names, old);
            memcpy(argument->memory + n * size, &name, size);
        }
    else
        argument->number =
            retrace_name(retrace, (enum retrace_names)parameter->names, argument->number);
}

static enum retrace_outcome prepare_in(struct retrace *retrace, struct retrace_call *call,
                                       unsigned n)
{
    const struct retrace_parameter *parameter = &call->binding->gl->parameters[n];
    struct retrace_argument *argument = &call->arguments[n];
    uint64_t min = retrace_needed(call, parameter);

    if (argument->kind == RETRACE_ADDRESS && argument->number != 0)
        return retrace_refuse(retrace, "argument %u points to memory that is not in the trace", n);
    if (argument->kind != RETRACE_MEMORY) {
        if (min == UINT64_MAX || min == 0 || parameter->type == RETRACE_VOID ||
            parameter->may_be_null)
            return RETRACE_GO_ON;
        return retrace_refuse(retrace, "argument %u is null", n);
    }
    if (min != UINT64_MAX && min > argument->count)
        return retrace_refuse(retrace, "argument %u has %llu elements, but %llu are needed", n,
                              (unsigned long long)argument->count, (unsigned long long)min);
    /* Texts, and arguments of few elements, have no minimum: zeros follow them. */
    if (is_unknown(parameter))
        return retrace_refuse(retrace, "the number of elements read from argument %u is unknown",
                              n);
    if (parameter->names != RETRACE_NO_NAME)
        map_names(retrace, parameter, argument);
    return RETRACE_GO_ON;
}

/* Strings are terminated. What is not memory becomes the empty string. */
static enum retrace_outcome prepare_pointers(struct retrace *retrace, struct retrace_call *call,
                                             unsigned n)
{
    struct retrace_argument *argument = &call->arguments[n];
    uint64_t min = retrace_needed(call, &call->binding->gl->parameters[n]);

    if (argument->kind != RETRACE_MEMORY)
        return retrace_refuse(retrace, "argument %u is not an array", n);
    if (is_unknown(&call->binding->gl->parameters[n]))
        return retrace_refuse(retrace, "the number of elements read from argument %u is unknown",
                              n);
    if (min != UINT64_MAX && min > argument->count)
        return retrace_refuse(retrace, "argument %u has %llu elements, but %llu are needed", n,
                              (unsigned long long)argument->count, (unsigned long long)min);
    for (uint64_t i = 0; i < argument->count; i++)
        if (argument->sizes[i] == 0)
            ((const char **)argument->memory)[i] = "";
    return RETRACE_GO_ON;
}

/* Provides room for the driver's output, separate from the output in the trace. */
static enum retrace_outcome prepare_out(struct retrace *retrace, struct retrace_call *call,
                                        unsigned n, uint8_t **room)
{
    const struct retrace_parameter *parameter = &call->binding->gl->parameters[n];
    size_t size =
        parameter->way == RETRACE_OUT ? retrace_type_size(parameter->type) : sizeof(void *);
    uint64_t min = retrace_needed(call, parameter);

    if (is_unknown(parameter))
        return retrace_refuse(retrace, "the number of elements written to argument %u is unknown",
                              n);
    if (min == UINT64_MAX)
        min = parameter->type == RETRACE_VOID ? call->arguments[n].size : 0;
    if (parameter->names != RETRACE_NO_NAME && min > NAMES_MAX)
        return retrace_refuse(retrace, "it creates too many objects: %llu",
                              (unsigned long long)min);
    if (parameter->names != RETRACE_NO_NAME &&
        !retrace_budget_fits(retrace, retrace_budget_names(parameter->names, min)))
        return RETRACE_REFUSED;
    if (min > OUT_MAX)
        return retrace_refuse(retrace, "it writes too many elements: %llu",
                              (unsigned long long)min);
    *room = retrace_scratch_take(&retrace->scratch,
                                 (min < OUT_MIN ? OUT_MIN : min) * size + RETRACE_PAD);
    return *room == NULL ? retrace_refuse(retrace, "out of memory for its output") : RETRACE_GO_ON;
}

static void map_location(struct retrace *retrace, struct retrace_call *call)
{
    const struct retrace_binding *binding = call->binding;
    struct retrace_argument *argument = &call->arguments[binding->location];
    uint64_t program =
        binding->owner >= 0 ? call->arguments[binding->owner].number : retrace_program(retrace);

    argument->number = (uint64_t)retrace_location(retrace, program, (int32_t)argument->number);
}

/* An argument as libffi takes it. */
union slot {
    uint64_t integer;
    float single;
    double real;
    void *address;
};

static void fill_slot(const struct retrace_parameter *parameter,
                      const struct retrace_argument *argument, union slot *slot)
{
    if (parameter->way != RETRACE_VALUE)
        slot->address = argument->kind == RETRACE_MEMORY ? argument->memory
                                                         : (void *)(uintptr_t)argument->number;
    else if (parameter->type == RETRACE_F32)
        slot->single = (float)argument->real;
    else if (parameter->type == RETRACE_F64)
        slot->real = argument->real;
    else
        slot->integer = argument->number;
}

/* Fills `slots` with all arguments; `rooms` is set to the memory for the driver's output. */
static enum retrace_outcome prepare_all(struct retrace *retrace, struct retrace_call *call,
                                        union slot *slots, uint8_t **rooms)
{
    const struct retrace_function *gl = call->binding->gl;

    if (call->binding->location >= 0)
        map_location(retrace, call);
    for (unsigned n = 0; n < gl->count; n++) {
        const struct retrace_parameter *parameter = &gl->parameters[n];
        struct retrace_argument *argument = &call->arguments[n];
        enum retrace_outcome outcome = RETRACE_GO_ON;

        rooms[n] = NULL;
        if (argument->checked)
            ;
        else if (parameter->way == RETRACE_IN)
            outcome = prepare_in(retrace, call, n);
        else if (parameter->way == RETRACE_IN_POINTERS)
            outcome = prepare_pointers(retrace, call, n);
        else if (parameter->way != RETRACE_VALUE)
            outcome = prepare_out(retrace, call, n, &rooms[n]);
        else if (argument->kind == RETRACE_ABSENT)
            outcome = retrace_refuse(retrace, "argument %u is not in the trace", n);
        else if (parameter->names != RETRACE_NO_NAME)
            map_names(retrace, parameter, argument);
        if (outcome != RETRACE_GO_ON)
            return outcome;
        fill_slot(parameter, argument, &slots[n]);
        if (rooms[n] != NULL)
            slots[n].address = rooms[n];
    }
    return RETRACE_GO_ON;
}

/* Assigns the trace's names to objects that were created. */
static void learn_names(struct retrace *retrace, struct retrace_call *call, uint8_t *const *rooms)
{
    const struct retrace_function *gl = call->binding->gl;

    for (unsigned n = 0; n < gl->count; n++) {
        const struct retrace_parameter *parameter = &gl->parameters[n];
        const struct retrace_argument *argument = &call->arguments[n];
        uint64_t max = retrace_needed(call, parameter);

        if (rooms[n] == NULL || parameter->names == RETRACE_NO_NAME ||
            argument->kind != RETRACE_MEMORY || parameter->type != RETRACE_U32)
            continue;
        retrace_budget_take(retrace, retrace_budget_names(parameter->names, max));
        for (uint64_t i = 0; i < argument->count && i < max; i++) {
            uint32_t name;

            memcpy(&name, rooms[n] + i * sizeof(name), sizeof(name));
            retrace_name_put(retrace, (enum retrace_names)parameter->names,
                             (uint64_t)(uint32_t)retrace_element(call, n, i), name);
        }
    }
    if (gl->result_names != RETRACE_NO_NAME)
        retrace_budget_take(retrace, retrace_budget_names(gl->result_names, 1));
    if (gl->result_names != RETRACE_NO_NAME && gl->result_names != RETRACE_DISPLAY_LIST)
        retrace_name_put(retrace, (enum retrace_names)gl->result_names, retrace_result(call),
                         gl->result == RETRACE_I64 ? call->returned.wide
                                                   : (uint32_t)call->returned.integer);
}

/* Copies the old names that a call deletes, before names are translated. */
static void copy_names(struct retrace *retrace, const struct retrace_call *call, uint64_t **old,
                       uint64_t *count, unsigned *space)
{
    const struct retrace_function *gl = call->binding->gl;

    *count = 0;
    for (unsigned n = 0; n < gl->count; n++) {
        const struct retrace_argument *argument = &call->arguments[n];

        if (gl->parameters[n].names == RETRACE_NO_NAME)
            continue;
        *space = gl->parameters[n].names;
        *count = argument->kind == RETRACE_MEMORY ? argument->count : 1;
        *old = retrace_scratch_take(&retrace->scratch, *count * sizeof(**old));
        if (*old == NULL)
            *count = 0;
        for (uint64_t i = 0; i < *count; i++)
            (*old)[i] = argument->kind == RETRACE_MEMORY ? (uint32_t)retrace_element(call, n, i)
                                                         : argument->number;
    }
}

static void end_name(struct retrace *retrace, enum retrace_names space, uint64_t old)
{
    uint64_t name;

    /* Names that were never created give nothing back. */
    if (retrace_map_get(&retrace->names[space], old, &name))
        retrace_budget_give(retrace, retrace_budget_names(space, 1));
    retrace_budget_forget(retrace, space, (uint32_t)retrace_name(retrace, space, old));
    retrace_name_remove(retrace, space, old);
}

enum retrace_outcome retrace_make(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_binding *binding = call->binding;
    union slot slots[RETRACE_ARGUMENTS_MAX];
    uint8_t *rooms[RETRACE_ARGUMENTS_MAX];
    void *values[RETRACE_ARGUMENTS_MAX];
    const struct retrace_repeat repeat = {call, binding, values, NULL};
    uint64_t *ended = NULL, ended_count = 0;
    unsigned space = 0;
    enum retrace_outcome outcome;

    if (binding->made == NULL)
        return retrace_refuse(retrace, "the driver does not have this function");
    if (binding->deletes)
        copy_names(retrace, call, &ended, &ended_count, &space);
    if (binding->gl->result_names != RETRACE_NO_NAME &&
        !retrace_budget_fits(retrace, retrace_budget_names(binding->gl->result_names, 1)))
        return RETRACE_REFUSED;
    outcome = prepare_all(retrace, call, slots, rooms);
    if (outcome != RETRACE_GO_ON)
        return outcome;
    for (unsigned n = 0; n < binding->gl->count; n++)
        values[n] = &slots[n];
    retrace_immediate_note(retrace_context(retrace), call, values);
    retrace_list_calls_note(retrace, call, values);
    retrace_list_arrays_note(retrace, call);
    if (retrace_recording_take(retrace_context(retrace), call, values))
        return RETRACE_MADE;
    if (retrace->feed.watching &&
        (binding->paints == RETRACE_PAINTS_FRAGMENTS || binding->paints == RETRACE_PAINTS_LIST))
        retrace_watch_making(retrace, call, &repeat);
    ffi_call(&binding->cif, binding->made, &call->returned, values);
    retrace->array_changes += binding->changes_arrays;
    if (retrace->feed.watching && binding->paints == RETRACE_PAINTS_FRAGMENTS)
        retrace_watch_made(retrace, call, &repeat);
    learn_names(retrace, call, rooms);
    /* Shaders and programs continue to exist while something uses them. */
    for (uint64_t n = 0; space != RETRACE_PROGRAM && n < ended_count; n++)
        end_name(retrace, (enum retrace_names)space, ended[n]);
    return RETRACE_MADE;
}

/* Returns whether calls of OpenGL can be made, which needs a context. */
static bool enter(struct retrace *retrace, const struct retrace_call *call)
{
    return retrace_enter(retrace, retrace_thread(retrace, call->event->thread));
}

enum retrace_outcome retrace_run(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_binding *binding = call->binding;
    enum retrace_outcome outcome = RETRACE_GO_ON;
    bool in_list;

    if (binding->gl != NULL && !enter(retrace, call)) {
        if (retrace->complained || binding->rule == retrace_leave_out)
            return RETRACE_LEFT;
        retrace->complained = true;
        return retrace_refuse(retrace, "no context is current");
    }
    if (binding->gl != NULL && retrace->memory.block_count > 0)
        retrace_heap_resolve(retrace, call);
    in_list = binding->gl != NULL && retrace_context(retrace)->in_list;
    if (binding->rule != NULL)
        outcome = binding->rule(retrace, call);
    else if (binding->gl == NULL)
        outcome = RETRACE_LEFT;
    if (outcome == RETRACE_GO_ON)
        outcome = retrace_make(retrace, call);
    if (outcome == RETRACE_MADE && binding->post_hook != NULL)
        binding->post_hook(retrace, call);
    if (in_list && outcome == RETRACE_MADE && retrace_context(retrace)->in_list)
        retrace_list_add(retrace, call);
    return outcome;
}

/* The registry's functions. */

static int compare(const void *name, const void *function)
{
    return strcmp(name, ((const struct retrace_function *)function)->name);
}

const struct retrace_function *retrace_function_find(const char *name)
{
    return bsearch(name, retrace_functions, retrace_function_count, sizeof(retrace_functions[0]),
                   compare);
}

size_t retrace_type_size(unsigned type)
{
    static const uint8_t sizes[RETRACE_TYPES] = {
        [RETRACE_VOID] = 1, [RETRACE_U8] = 1,  [RETRACE_I8] = 1,  [RETRACE_U16] = 2,
        [RETRACE_I16] = 2,  [RETRACE_U32] = 4, [RETRACE_I32] = 4, [RETRACE_I64] = 8,
        [RETRACE_F32] = 4,  [RETRACE_F64] = 8};

    return sizes[type];
}
