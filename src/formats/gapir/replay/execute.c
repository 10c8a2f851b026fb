/* SPDX-License-Identifier: MIT */
/* One function for each instruction, and the loop that executes them. */
#include "formats/gapir/replay/vm.h"

#include "base/bytes.h"

#include <errno.h>
#include <string.h>

#define TRY(expression)                                                                            \
    do {                                                                                           \
        enum gapir_fault fault_ = (expression);                                                    \
        if (fault_ != GAPIR_FAULT_NONE)                                                            \
            return fault_;                                                                         \
    } while (0)

/* The cost of a patch in bytes moved: it takes as long as a small copy. */
enum { PATCH_COST = 64 };

enum { POLL_STEPS = 65536 }; /* steps between two checks of the cancel flag */

/* Stops the run if a host function has failed. That is not a fault of the program. */
static void obey(struct gapir_vm *vm, int status)
{
    if (status < 0) {
        vm->status = status;
        vm->attention = true;
    }
}

static unsigned type_size(const struct gapir_vm *vm, unsigned type)
{
    return gapir_type_size(type, vm->program->pointer_size);
}

/* Returns `size` bytes as a number. */
static uint64_t load(const uint8_t *data, unsigned size)
{
    switch (size) {
    case 1:
        return data[0];
    case 2:
        return bytes_le16(data);
    case 4:
        return bytes_le32(data);
    default:
        return bytes_le64(data);
    }
}

static enum gapir_fault need_type(uint32_t word)
{
    return gapir_operand_type(word) < GAPIR_TYPES ? GAPIR_FAULT_NONE : GAPIR_FAULT_BADTYPE;
}

static enum gapir_fault do_push(struct gapir_vm *vm, uint32_t word)
{
    unsigned type = gapir_operand_type(word);

    TRY(need_type(word));
    return gapir_vm_push(vm, type, gapir_immediate(type, gapir_operand20(word)));
}

static enum gapir_fault do_load_constant(struct gapir_vm *vm, uint32_t word)
{
    unsigned type = gapir_operand_type(word);
    uint32_t offset = gapir_operand20(word);

    TRY(need_type(word));
    unsigned size = type_size(vm, type);
    /* The range check treats every pointer as a host pointer (gapir.md 2.6). */
    unsigned checked = type >= GAPIR_ABSOLUTE_POINTER ? vm->program->pointer_size : size;
    if (!bytes_inside(offset, checked, vm->program->constants_size) ||
        !bytes_inside(offset, size, vm->program->constants_size))
        return GAPIR_FAULT_RANGE;
    return gapir_vm_push(vm, type, load(vm->program->constants + offset, size));
}

static enum gapir_fault do_load_volatile(struct gapir_vm *vm, uint32_t word)
{
    unsigned type = gapir_operand_type(word);
    uint32_t offset = gapir_operand20(word);

    TRY(need_type(word));
    unsigned size = type_size(vm, type);
    if (!bytes_inside(offset, size, vm->program->volatile_size))
        return GAPIR_FAULT_RANGE;
    return gapir_vm_push(vm, type, load(vm->memory + offset, size));
}

/* Gives the host the chance to fill in mapped memory before the program reads it. */
static void announce_read(struct gapir_vm *vm, uint64_t address, uint64_t size)
{
    struct gapir_location location;

    if (vm->host->reading == NULL || size == 0 || address < vm->plan->windows)
        return;
    location = gapir_vm_locate(vm, address);
    if (location.region == GAPIR_WINDOW)
        obey(vm, vm->host->reading(vm->context, vm, &location, size));
}

static enum gapir_fault do_load(struct gapir_vm *vm, uint32_t word)
{
    unsigned type = gapir_operand_type(word);
    const uint8_t *data;
    uint64_t address;

    TRY(need_type(word));
    unsigned size = type_size(vm, type);
    TRY(gapir_vm_pop_pointer(vm, &address));
    TRY(gapir_vm_read(vm, address, size, &data));
    announce_read(vm, address, size);
    return gapir_vm_push(vm, type, load(data, size));
}

static enum gapir_fault do_pop(struct gapir_vm *vm, uint32_t word)
{
    return gapir_vm_discard(vm, gapir_operand26(word));
}

/* Pops a value as STORE writes it: constant and volatile pointers become absolute. */
static enum gapir_fault pop_stored(struct gapir_vm *vm, uint64_t *value, unsigned *size)
{
    struct gapir_slot slot;

    TRY(gapir_vm_pop_any(vm, &slot));
    *value = slot.value;
    *size = type_size(vm, slot.type);
    if (slot.type == GAPIR_CONSTANT_POINTER || slot.type == GAPIR_VOLATILE_POINTER) {
        *size = vm->program->pointer_size;
        return gapir_vm_resolve(vm, slot, value);
    }
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault do_store_volatile(struct gapir_vm *vm, uint32_t word)
{
    uint32_t offset = gapir_operand26(word);
    uint64_t value;
    unsigned size;

    TRY(pop_stored(vm, &value, &size));
    if (!bytes_inside(offset, size, vm->program->volatile_size))
        return GAPIR_FAULT_RANGE;
    gapir_written_note(&vm->written, offset, size);
    bytes_put_le(vm->memory + offset, size, value);
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault do_store(struct gapir_vm *vm, uint32_t word)
{
    uint64_t address, value;
    uint8_t *data;
    unsigned size;

    (void)word;
    TRY(gapir_vm_pop_pointer(vm, &address));
    TRY(pop_stored(vm, &value, &size));
    TRY(gapir_vm_write(vm, address, size, &data));
    bytes_put_le(data, size, value);
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault copy_in(struct gapir_vm *vm, uint64_t address, const uint8_t *source,
                                uint64_t size)
{
    uint8_t *data;

    TRY(gapir_vm_write(vm, address, size, &data));
    TRY(gapir_vm_move(vm, size));
    memmove(data, source, size);
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault load_resource(struct gapir_vm *vm, uint64_t index)
{
    uint64_t address;

    TRY(gapir_vm_pop_pointer(vm, &address));
    if (index >= vm->program->resource_count)
        return GAPIR_FAULT_RESINDEX;
    const struct gapir_resource *resource = &vm->program->resources[index];
    if (resource->status != GAPIR_RESOURCE_OK)
        return GAPIR_FAULT_RESOURCE;
    if (resource->size != 0)
        TRY(copy_in(vm, address, resource->data, resource->size));
    if (vm->host->resource != NULL)
        obey(vm, vm->host->resource(vm->context, vm, (uint32_t)index));
    return GAPIR_FAULT_NONE;
}

/* Pops a pointer. Checks that the bytes can be read, but does not read them. */
static enum gapir_fault pop_bytes(struct gapir_vm *vm, uint64_t size, struct gapir_post *out)
{
    const uint8_t *data;

    out->size = (uint32_t)size;
    TRY(gapir_vm_pop_pointer(vm, &out->address));
    TRY(gapir_vm_read(vm, out->address, size, &data));
    TRY(gapir_vm_move(vm, size));
    out->location = (struct gapir_location){.region = GAPIR_NOWHERE};
    if (size != 0)
        out->location = gapir_vm_locate(vm, out->address);
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault post(struct gapir_vm *vm)
{
    struct gapir_post post;
    uint64_t size;

    TRY(gapir_vm_pop(vm, GAPIR_UINT32, &size));
    TRY(pop_bytes(vm, size, &post));
    if (vm->host->post != NULL)
        obey(vm, vm->host->post(vm->context, vm, &post));
    vm->posts++;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault notify(struct gapir_vm *vm)
{
    struct gapir_notification notification = {0};
    uint64_t size, id = 0;

    TRY(gapir_vm_pop(vm, GAPIR_UINT32, &size));
    if (gapir_notification_operands(vm->program->code.dialect) == 3)
        TRY(gapir_vm_pop(vm, GAPIR_UINT32, &id));
    TRY(pop_bytes(vm, size, &notification.bytes));
    announce_read(vm, notification.bytes.address, size);
    notification.id = (uint32_t)id;
    if (vm->host->notification != NULL)
        obey(vm, vm->host->notification(vm->context, vm, &notification));
    vm->notifications++;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault wait_fence(struct gapir_vm *vm, uint32_t id)
{
    if (vm->host->fence != NULL)
        obey(vm, vm->host->fence(vm->context, vm, id));
    vm->fences++;
    return vm->program->fences_fail ? GAPIR_FAULT_FENCE : GAPIR_FAULT_NONE;
}

/* Lets the host execute a builtin of api 0. Returns NOFUNC if the host does not have it. */
static enum gapir_fault call_host(struct gapir_vm *vm, uint32_t function)
{
    if (!vm->host->overrides)
        return GAPIR_FAULT_NOFUNC;
    vm->call = (struct gapir_call){.word = function};
    return vm->host->call(vm->context, vm);
}

static enum gapir_fault do_resource(struct gapir_vm *vm, uint32_t word)
{
    TRY(gapir_vm_need_slot(vm));
    if (vm->host->overrides) {
        gapir_vm_push(vm, GAPIR_UINT32, gapir_operand26(word));
        enum gapir_fault fault = call_host(vm, GAPIR_BUILTIN_RESOURCE);
        if (fault != GAPIR_FAULT_NOFUNC)
            return fault;
        vm->depth--;
    }
    return load_resource(vm, gapir_operand26(word));
}

static enum gapir_fault do_post(struct gapir_vm *vm, uint32_t word)
{
    (void)word;
    enum gapir_fault fault = call_host(vm, GAPIR_BUILTIN_POST);
    return fault != GAPIR_FAULT_NOFUNC ? fault : post(vm);
}

static enum gapir_fault do_copy(struct gapir_vm *vm, uint32_t word)
{
    uint64_t target, source;
    const uint8_t *data;

    TRY(gapir_vm_pop_pointer(vm, &target));
    TRY(gapir_vm_pop_pointer(vm, &source));
    if (target == 0 || target == GAPIR_UNOBSERVED || source == 0 || source == GAPIR_UNOBSERVED)
        return GAPIR_FAULT_BADPTR;
    TRY(gapir_vm_read(vm, source, gapir_operand26(word), &data));
    announce_read(vm, source, gapir_operand26(word));
    if (vm->host->copying != NULL)
        vm->host->copying(vm->context, vm, target, source, gapir_operand26(word));
    return copy_in(vm, target, data, gapir_operand26(word));
}

static enum gapir_fault do_clone(struct gapir_vm *vm, uint32_t word)
{
    return gapir_vm_clone(vm, gapir_operand26(word));
}

/* Finds the length of the string at an address, at most `max`. */
static enum gapir_fault string_length(struct gapir_vm *vm, uint64_t address, uint64_t max,
                                      const uint8_t **data, uint64_t *length)
{
    *length = 0;
    TRY(gapir_vm_read(vm, address, max != 0, data));
    if (max == 0)
        return GAPIR_FAULT_NONE;
    uint64_t left = gapir_vm_locate(vm, address).left;
    uint64_t seen = max < left ? max : left;
    announce_read(vm, address, seen);
    const uint8_t *end = memchr(*data, 0, seen);
    if (end == NULL && seen < max)
        return GAPIR_FAULT_RANGE;
    *length = end != NULL ? (uint64_t)(end - *data) : seen;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault do_strcpy(struct gapir_vm *vm, uint32_t word)
{
    uint32_t size = gapir_operand26(word);
    uint64_t target, source, length;
    const uint8_t *string;
    uint8_t *data;

    TRY(gapir_vm_pop_pointer(vm, &target));
    TRY(gapir_vm_pop_pointer(vm, &source));
    if (size == 0)
        return GAPIR_FAULT_RANGE; /* unbounded in gapir */
    TRY(gapir_vm_move(vm, size));
    TRY(string_length(vm, source, size - 1, &string, &length));
    TRY(gapir_vm_write(vm, target, size, &data));
    memmove(data, string, length);
    memset(data + length, 0, size - length);
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault do_extend(struct gapir_vm *vm, uint32_t word)
{
    if (vm->depth == 0)
        return GAPIR_FAULT_UNDERFLOW;
    struct gapir_slot *top = &vm->stack[vm->depth - 1];
    top->value = gapir_extend(top->type, top->value, gapir_operand26(word)) & vm->mask[top->type];
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault add_floats(struct gapir_vm *vm, uint32_t count)
{
    float sum = 0;

    for (uint32_t n = 0; n < count; n++) {
        uint64_t value;
        float term;
        TRY(gapir_vm_pop(vm, GAPIR_FLOAT, &value));
        memcpy(&term, &(uint32_t){(uint32_t)value}, sizeof(term));
        sum += term;
    }
    uint32_t bits;
    memcpy(&bits, &sum, sizeof(bits));
    return gapir_vm_push(vm, GAPIR_FLOAT, bits);
}

static enum gapir_fault add_doubles(struct gapir_vm *vm, uint32_t count)
{
    double sum = 0;

    for (uint32_t n = 0; n < count; n++) {
        uint64_t value;
        double term;
        TRY(gapir_vm_pop(vm, GAPIR_DOUBLE, &value));
        memcpy(&term, &value, sizeof(term));
        sum += term;
    }
    uint64_t bits;
    memcpy(&bits, &sum, sizeof(bits));
    return gapir_vm_push(vm, GAPIR_DOUBLE, bits);
}

static enum gapir_fault add_pointers(struct gapir_vm *vm, uint32_t count)
{
    uint64_t sum = 0, address;

    for (uint32_t n = 0; n < count; n++) {
        TRY(gapir_vm_pop_pointer(vm, &address));
        sum += address;
    }
    return gapir_vm_push(vm, GAPIR_ABSOLUTE_POINTER, sum);
}

static enum gapir_fault add_integers(struct gapir_vm *vm, enum gapir_type type, uint32_t count)
{
    uint64_t sum = 0, value;

    for (uint32_t n = 0; n < count; n++) {
        TRY(gapir_vm_pop(vm, type, &value));
        sum += value;
    }
    return gapir_vm_push(vm, type, sum);
}

static enum gapir_fault do_add(struct gapir_vm *vm, uint32_t word)
{
    uint32_t count = gapir_operand26(word);

    if (count < 2)
        return GAPIR_FAULT_NONE;
    if (vm->depth == 0)
        return GAPIR_FAULT_UNDERFLOW;
    enum gapir_type type = vm->stack[vm->depth - 1].type;
    switch (type) {
    case GAPIR_BOOL:
    case GAPIR_VOLATILE_POINTER:
        return GAPIR_FAULT_TYPE;
    case GAPIR_FLOAT:
        return add_floats(vm, count);
    case GAPIR_DOUBLE:
        return add_doubles(vm, count);
    case GAPIR_ABSOLUTE_POINTER:
    case GAPIR_CONSTANT_POINTER:
        return add_pointers(vm, count);
    default:
        return add_integers(vm, type, count);
    }
}

static enum gapir_fault do_label(struct gapir_vm *vm, uint32_t word)
{
    vm->label = gapir_operand26(word);
    vm->labelled = true;
    if (vm->host->entered != NULL)
        obey(vm, vm->host->entered(vm->context, vm, vm->steps - 1));
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault do_switch_thread(struct gapir_vm *vm, uint32_t word)
{
    vm->thread = gapir_operand26(word);
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault do_jump_label(struct gapir_vm *vm, uint32_t word)
{
    (void)vm;
    (void)word;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault jump_if(struct gapir_vm *vm, uint32_t word, bool wanted)
{
    uint64_t value;

    TRY(gapir_vm_pop(vm, GAPIR_INT32, &value));
    if (vm->depth != 0)
        return GAPIR_FAULT_NOTEMPTY;
    if ((value != 0) != wanted)
        return GAPIR_FAULT_NONE;
    const struct gapir_jump *jump = gapir_program_jump(vm->program, gapir_operand26(word));
    if (jump == NULL)
        return GAPIR_FAULT_NOLABEL;
    vm->next = jump->pc;
    vm->jumped = vm->attention = true;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault do_jump_nz(struct gapir_vm *vm, uint32_t word)
{
    return jump_if(vm, word, true);
}

static enum gapir_fault do_jump_z(struct gapir_vm *vm, uint32_t word)
{
    return jump_if(vm, word, false);
}

static enum gapir_fault do_notification(struct gapir_vm *vm, uint32_t word)
{
    (void)word;
    return notify(vm);
}

static enum gapir_fault do_wait(struct gapir_vm *vm, uint32_t word)
{
    TRY(gapir_vm_need_slot(vm));
    return wait_fence(vm, gapir_operand26(word));
}

static enum gapir_fault patch(struct gapir_vm *vm, uint32_t destination, uint64_t pointer)
{
    uint8_t *data;

    TRY(gapir_vm_move(vm, PATCH_COST));
    TRY(gapir_vm_write(vm, vm->plan->memory + destination, vm->program->pointer_size, &data));
    bytes_put_le(data, vm->program->pointer_size, pointer);
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault patch_pointers(struct gapir_vm *vm, const struct gapir_inline *parts)
{
    const struct gapir_code *code = &vm->program->code;
    unsigned size = vm->program->pointer_size;
    const uint8_t *source;

    for (uint32_t n = 0; n < parts->value_patches; n++) {
        uint32_t at = parts->values + 2 * n;
        TRY(patch(vm, gapir_word(code, at), vm->plan->memory + gapir_word(code, at + 1)));
    }
    for (uint32_t n = 0; n < parts->pointer_patches; n++) {
        uint32_t at = parts->pointers + 2 * n;
        TRY(gapir_vm_read(vm, vm->plan->memory + gapir_word(code, at + 1), size, &source));
        TRY(patch(vm, gapir_word(code, at), load(source, size)));
    }
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault do_inline_resource(struct gapir_vm *vm, uint32_t word)
{
    const struct gapir_code *code = &vm->program->code;
    struct gapir_inline parts;
    uint64_t address;

    (void)word;
    TRY(gapir_vm_pop_pointer(vm, &address));
    if (!gapir_decode_inline(code, vm->pc, &parts))
        return GAPIR_FAULT_TRUNCATED;
    if (parts.bytes != 0)
        TRY(copy_in(vm, address, code->words + (uint64_t)parts.data * 4, parts.bytes));
    TRY(patch_pointers(vm, &parts));
    vm->next = parts.next;
    return GAPIR_FAULT_NONE;
}

/* Records the top slots as the arguments of a builtin; the last argument is on top. */
static void note_arguments(struct gapir_vm *vm, unsigned count)
{
    if (count > vm->depth)
        count = vm->depth;
    vm->call.count = count;
    if (count != 0)
        memcpy(vm->call.arguments, vm->stack + vm->depth - count, count * sizeof(*vm->stack));
}

static enum gapir_fault call_builtin(struct gapir_vm *vm, unsigned function)
{
    uint64_t value;

    switch (function) {
    case GAPIR_BUILTIN_POST:
        note_arguments(vm, 2);
        return post(vm);
    case GAPIR_BUILTIN_RESOURCE:
        note_arguments(vm, 2);
        TRY(gapir_vm_pop(vm, GAPIR_UINT32, &value));
        return load_resource(vm, value);
    case GAPIR_BUILTIN_NOTIFICATION:
        note_arguments(vm, gapir_notification_operands(vm->program->code.dialect));
        return notify(vm);
    case GAPIR_BUILTIN_WAIT:
        note_arguments(vm, 1);
        TRY(gapir_vm_pop(vm, GAPIR_UINT32, &value));
        return wait_fence(vm, (uint32_t)value);
    default:
        return GAPIR_FAULT_NOFUNC;
    }
}

static enum gapir_fault call_function(struct gapir_vm *vm, uint32_t word)
{
    bool builtin = gapir_call_api(word) == 0;

    if (builtin && gapir_call_function(word) == GAPIR_BUILTIN_PRINT_STACK)
        return GAPIR_FAULT_NONE;
    if (vm->host->call != NULL && (!builtin || vm->host->overrides)) {
        enum gapir_fault fault = vm->host->call(vm->context, vm);
        if (fault != GAPIR_FAULT_NOFUNC || !builtin)
            return fault;
    }
    return builtin ? call_builtin(vm, gapir_call_function(word)) : GAPIR_FAULT_NOFUNC;
}

static enum gapir_fault do_call(struct gapir_vm *vm, uint32_t word)
{
    vm->call.word = word;
    vm->call.function = NULL;
    vm->call.count = 0;
    vm->call.has_result = false;
    TRY(call_function(vm, word));
    vm->calls++;
    if (vm->host->called != NULL)
        obey(vm, vm->host->called(vm->context, vm));
    return GAPIR_FAULT_NONE;
}

/* Executes the word at vm->pc. A switch lets the compiler inline short instructions. */
static inline enum gapir_fault execute(struct gapir_vm *vm, unsigned opcode, uint32_t word)
{
    switch (opcode) {
    case GAPIR_CALL:
        return do_call(vm, word);
    case GAPIR_PUSH_I:
        return do_push(vm, word);
    case GAPIR_LOAD_C:
        return do_load_constant(vm, word);
    case GAPIR_LOAD_V:
        return do_load_volatile(vm, word);
    case GAPIR_LOAD:
        return do_load(vm, word);
    case GAPIR_POP:
        return do_pop(vm, word);
    case GAPIR_STORE_V:
        return do_store_volatile(vm, word);
    case GAPIR_STORE:
        return do_store(vm, word);
    case GAPIR_RESOURCE:
        return do_resource(vm, word);
    case GAPIR_POST:
        return do_post(vm, word);
    case GAPIR_COPY:
        return do_copy(vm, word);
    case GAPIR_CLONE:
        return do_clone(vm, word);
    case GAPIR_STRCPY:
        return do_strcpy(vm, word);
    case GAPIR_EXTEND:
        return do_extend(vm, word);
    case GAPIR_ADD:
        return do_add(vm, word);
    case GAPIR_LABEL:
        return do_label(vm, word);
    case GAPIR_SWITCH_THREAD:
        return do_switch_thread(vm, word);
    case GAPIR_JUMP_LABEL:
        return do_jump_label(vm, word);
    case GAPIR_JUMP_NZ:
        return do_jump_nz(vm, word);
    case GAPIR_JUMP_Z:
        return do_jump_z(vm, word);
    case GAPIR_NOTIFICATION:
        return do_notification(vm, word);
    case GAPIR_WAIT:
        return do_wait(vm, word);
    case GAPIR_INLINE_RESOURCE:
        return do_inline_resource(vm, word);
    default:
        return GAPIR_FAULT_OPCODE;
    }
}

static void fail(struct gapir_vm *vm, enum gapir_fault fault, uint32_t depth)
{
    vm->fault = fault;
    vm->depth = depth;
    vm->ended = true;
}

/*
 * Handles `attention` after an instruction: a jump that is taken, or the result of a host function.
 */
static void attend(struct gapir_vm *vm)
{
    vm->attention = false;
    if (!vm->jumped)
        return;
    vm->jumped = false;
    if (vm->host->entered != NULL && vm->status == 0)
        vm->status = vm->host->entered(vm->context, vm, vm->steps);
}

/* Executes `count` instructions, or fewer if one needs attention or the run ends. */
static void run_some(struct gapir_vm *vm, uint64_t count)
{
    const struct gapir_code *code = &vm->program->code;
    const uint8_t *map = gapir_opcode_map[code->dialect];

    for (; count != 0; count--) {
        if (vm->pc >= code->count) {
            vm->ended = true;
            return;
        }
        uint32_t word = gapir_word(code, vm->pc), depth = vm->depth;
        unsigned opcode = map[word >> 26];
        vm->steps++;
        vm->next = vm->pc + 1;
        enum gapir_fault fault = execute(vm, opcode, word);
        vm->executed[opcode]++;
        if (__builtin_expect(fault != GAPIR_FAULT_NONE, 0)) {
            fail(vm, fault, depth);
            return;
        }
        vm->pc = vm->next;
        if (__builtin_expect(vm->attention, 0)) {
            attend(vm);
            return;
        }
    }
}

int gapir_vm_run(struct gapir_vm *vm, uint64_t steps, const struct cancel *cancel)
{
    uint64_t polled = 0, moved = vm->moved;

    while (!vm->ended && vm->steps < steps && vm->status == 0) {
        if (vm->steps - polled >= POLL_STEPS || polled == 0 || vm->moved != moved) {
            polled = vm->steps;
            moved = vm->moved;
            if (cancel_requested(cancel))
                return -EINTR;
        }
        uint64_t count = steps - vm->steps, budget = vm->limits.instructions - vm->steps;
        if (count > POLL_STEPS)
            count = POLL_STEPS;
        if (budget == 0 && vm->pc < vm->program->code.count) {
            vm->steps++;
            fail(vm, GAPIR_FAULT_STEPS, vm->depth);
            break;
        }
        run_some(vm, budget != 0 && budget < count ? budget : count);
    }
    return vm->status;
}

void gapir_vm_exhaust(struct gapir_vm *vm)
{
    vm->limits.instructions = vm->steps;
    vm->attention = true;
}
