/*
 * The VM from its creation to its end. An instruction that fails leaves its
 * operands where they are: slots are overwritten by pushes alone, and none fails
 * after its first push. So the depth alone is put back, and fault.txt shows the
 * stack that the instruction met.
 */
#include "formats/gapir/replay/vm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_START = 256, STACK_MAX = 1 << 24 }; /* slots: at first, and in any case */

static const struct gapir_address_plan plan64 = {
    .constants = UINT64_C(0x200000000000),
    .memory = UINT64_C(0x400000000000),
    .windows = UINT64_C(0x600000000000),
    .window_step = UINT64_C(1) << 32,
    .end = UINT64_C(0x800000000000),
};

static const struct gapir_address_plan plan32 = {
    .constants = 0x10000000,
    .memory = 0x20000000,
    .windows = 0x80000000,
    .window_step = 0x10000,
    .end = UINT64_C(0x100000000),
};

const char *gapir_fault_name(enum gapir_fault fault)
{
    static const char *const names[GAPIR_FAULTS] = {
        "ok",       "underflow", "overflow", "type",      "badtype", "badptr",
        "range",    "readonly",  "opcode",   "nofunc",    "nolabel", "notempty",
        "resindex", "resource",  "fence",    "truncated", "steps"};

    return names[fault];
}

static const struct {
    uint16_t function;
    const char *name;
} builtins[GAPIR_BUILTINS] = {
    {GAPIR_BUILTIN_POST, "post"},
    {GAPIR_BUILTIN_RESOURCE, "resource"},
    {GAPIR_BUILTIN_NOTIFICATION, "notification"},
    {GAPIR_BUILTIN_WAIT, "wait"},
    {GAPIR_BUILTIN_PRINT_STACK, "print_stack"},
};

unsigned gapir_builtin_number(unsigned function)
{
    unsigned number = 0;

    while (number < GAPIR_BUILTINS && builtins[number].function != function)
        number++;
    return number;
}

const char *gapir_builtin_name(unsigned function)
{
    unsigned number = gapir_builtin_number(function);

    return number < GAPIR_BUILTINS ? builtins[number].name : NULL;
}

const struct gapir_address_plan *gapir_address_plan(unsigned pointer_size)
{
    return pointer_size == 4 ? &plan32 : &plan64;
}

const struct gapir_jump *gapir_program_jump(const struct gapir_program *program, uint32_t label)
{
    uint32_t low = 0, high = program->jump_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (program->jumps[middle].label == label)
            return &program->jumps[middle];
        if (program->jumps[middle].label < label)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool fits_plan(const struct gapir_program *program, const struct gapir_address_plan *plan)
{
    return program->constants_size <= plan->memory - plan->constants &&
           program->volatile_size <= plan->windows - plan->memory;
}

static void set_masks(struct gapir_vm *vm)
{
    for (unsigned type = 0; type < GAPIR_TYPES; type++) {
        unsigned bits = 8 * gapir_type_size(type, vm->program->pointer_size);
        vm->mask[type] = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    }
}

int gapir_vm_create(const struct gapir_program *program, const struct gapir_limits *limits,
                    const struct gapir_host *host, void *context, struct gapir_vm **out)
{
    const struct gapir_address_plan *plan = gapir_address_plan(program->pointer_size);

    if (program->volatile_size > limits->memory || !fits_plan(program, plan))
        return -EFBIG;
    struct gapir_vm *vm = calloc(1, sizeof(*vm));
    if (vm == NULL)
        return -ENOMEM;
    vm->program = program;
    vm->limits = *limits;
    vm->host = host;
    vm->context = context;
    vm->plan = plan;
    set_masks(vm);
    if (!gapir_vm_take_memory(vm)) {
        gapir_vm_destroy(&vm);
        return -ENOMEM;
    }
    *out = vm;
    return 0;
}

void gapir_vm_destroy(struct gapir_vm **vm)
{
    if (*vm == NULL)
        return;
    gapir_vm_free_memory(*vm);
    free((*vm)->stack);
    free(*vm);
    *vm = NULL;
}

enum gapir_fault gapir_vm_grow(struct gapir_vm *vm)
{
    uint64_t max = vm->limits.memory / sizeof(*vm->stack);
    uint64_t room = vm->room != 0 ? 2 * (uint64_t)vm->room : STACK_START;

    if (max > vm->program->stack_size)
        max = vm->program->stack_size;
    if (max > STACK_MAX)
        max = STACK_MAX;
    if (room > max)
        room = max;
    if (room <= vm->room)
        return GAPIR_FAULT_OVERFLOW;
    void *grown = realloc(vm->stack, room * sizeof(*vm->stack));
    if (grown == NULL) {
        vm->status = -ENOMEM;
        return GAPIR_FAULT_OVERFLOW;
    }
    vm->stack = grown;
    vm->room = (uint32_t)room;
    return GAPIR_FAULT_NONE;
}

enum gapir_fault gapir_vm_resolve(const struct gapir_vm *vm, struct gapir_slot slot,
                                  uint64_t *address)
{
    switch (slot.type) {
    case GAPIR_ABSOLUTE_POINTER:
        *address = slot.value;
        return GAPIR_FAULT_NONE;
    case GAPIR_CONSTANT_POINTER:
        *address = vm->plan->constants + slot.value;
        return slot.value < vm->program->constants_size ? GAPIR_FAULT_NONE : GAPIR_FAULT_BADPTR;
    case GAPIR_VOLATILE_POINTER:
        *address = vm->plan->memory + slot.value;
        return slot.value < vm->program->volatile_size ? GAPIR_FAULT_NONE : GAPIR_FAULT_BADPTR;
    default:
        return GAPIR_FAULT_TYPE;
    }
}

enum gapir_fault gapir_vm_pop_pointer(struct gapir_vm *vm, uint64_t *address)
{
    struct gapir_slot slot;
    enum gapir_fault fault = gapir_vm_pop_any(vm, &slot);

    return fault == GAPIR_FAULT_NONE ? gapir_vm_resolve(vm, slot, address) : fault;
}

enum gapir_fault gapir_vm_discard(struct gapir_vm *vm, uint32_t count)
{
    if (count > vm->depth)
        return GAPIR_FAULT_UNDERFLOW;
    vm->depth -= count;
    return GAPIR_FAULT_NONE;
}

enum gapir_fault gapir_vm_need_slot(struct gapir_vm *vm)
{
    return vm->depth == vm->room ? gapir_vm_grow(vm) : GAPIR_FAULT_NONE;
}

enum gapir_fault gapir_vm_clone(struct gapir_vm *vm, uint32_t index)
{
    enum gapir_fault fault = gapir_vm_need_slot(vm);

    if (fault != GAPIR_FAULT_NONE)
        return fault;
    if (index >= vm->depth)
        return GAPIR_FAULT_UNDERFLOW;
    vm->stack[vm->depth] = vm->stack[vm->depth - 1 - index];
    vm->depth++;
    return GAPIR_FAULT_NONE;
}
