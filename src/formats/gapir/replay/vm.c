/* SPDX-License-Identifier: MIT */
/*
 * A VM from its creation to its end, its stack and its memory. An instruction that fails leaves its
 * operands in place: only pushes overwrite slots, and no instruction fails after its first push. So
 * it is enough to restore the depth, and fault.txt shows the stack that the instruction found.
 */
#include "formats/gapir/replay/vm.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { STACK_START = 256, STACK_MAX = 1 << 24 }; /* slots: initially, and at most */

enum { WINDOWS_MAX = 1 << 16 };

enum { POLL_MOVED = 16 << 20 }; /* bytes that are moved between two checks of the cancel flag */

#define NO_WINDOW UINT32_MAX

static const struct gapir_address_plan plan64 = {
    .constants = UINT64_C(0x200000000000),
    .memory = UINT64_C(0x400000000000),
    .windows = UINT64_C(0x600000000000),
    /* room for WINDOWS_MAX windows, so that only their number is limited */
    .window_step = UINT64_C(1) << 29,
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

static void give_up(struct gapir_vm *vm, struct gapir_window *window)
{
    if (window->data == NULL)
        return;
    munmap(window->data, window->size);
    gapir_written_clear(&window->written);
    window->data = NULL;
    vm->window_bytes -= window->size;
}

static void free_memory(struct gapir_vm *vm)
{
    for (uint32_t n = 0; n < vm->window_count; n++)
        give_up(vm, &vm->windows[n]);
    free(vm->windows);
    if (vm->memory != NULL)
        munmap(vm->memory, vm->program->volatile_size);
    gapir_written_clear(&vm->written);
}

static bool take_memory(struct gapir_vm *vm)
{
    vm->first_unmapped = NO_WINDOW;
    if (vm->program->volatile_size == 0)
        return true;
    void *memory = mmap(NULL, vm->program->volatile_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    vm->memory = memory;
    return gapir_written_create(&vm->written, vm->program->volatile_size, GAPIR_GRAIN_OF_MEMORY);
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
    if (!take_memory(vm)) {
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
    free_memory(*vm);
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

/*
 * Memory: volatile and constant memory and windows, at addresses that are numbers of the address
 * plan. Only these functions resolve addresses.
 */

static uint64_t align_up(uint64_t value, uint64_t step)
{
    return (value + step - 1) / step * step;
}

/*
 * Returns the last window that begins at or below an address, or NULL. Windows are in the order of
 * their addresses.
 */
static const struct gapir_window *find_window(const struct gapir_vm *vm, uint64_t address)
{
    uint32_t low = 0, high = vm->window_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (vm->windows[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 ? &vm->windows[low - 1] : NULL;
}

static struct gapir_location locate_window(const struct gapir_vm *vm, uint64_t address)
{
    const struct gapir_window *window = find_window(vm, address);

    if (window == NULL || !window->mapped || address - window->address >= window->size)
        return (struct gapir_location){.region = GAPIR_NOWHERE};
    uint64_t offset = address - window->address;
    return (struct gapir_location){.region = GAPIR_WINDOW,
                                   .window = (uint32_t)(window - vm->windows),
                                   .offset = offset,
                                   .left = window->size - offset,
                                   .data = window->data + offset};
}

struct gapir_location gapir_vm_locate(const struct gapir_vm *vm, uint64_t address)
{
    const struct gapir_program *program = vm->program;
    uint64_t offset = address - vm->plan->memory;

    if (offset < program->volatile_size)
        return (struct gapir_location){.region = GAPIR_VOLATILE,
                                       .offset = offset,
                                       .left = program->volatile_size - offset,
                                       .data = vm->memory + offset};
    offset = address - vm->plan->constants;
    if (offset < program->constants_size)
        return (struct gapir_location){.region = GAPIR_CONSTANTS,
                                       .offset = offset,
                                       .left = program->constants_size - offset,
                                       .data = (uint8_t *)program->constants + offset};
    return locate_window(vm, address);
}

enum gapir_fault gapir_vm_read(const struct gapir_vm *vm, uint64_t address, uint64_t size,
                               const uint8_t **data)
{
    if (size == 0) {
        *data = (const uint8_t *)"";
        return GAPIR_FAULT_NONE;
    }
    if (address == 0 || address == GAPIR_UNOBSERVED)
        return GAPIR_FAULT_BADPTR;
    struct gapir_location location = gapir_vm_locate(vm, address);
    if (location.region == GAPIR_NOWHERE || size > location.left)
        return GAPIR_FAULT_RANGE;
    *data = location.data;
    return GAPIR_FAULT_NONE;
}

void gapir_vm_run_short(struct gapir_vm *vm)
{
    vm->status = -ENOMEM;
    vm->attention = true;
}

static void note_written(struct gapir_vm *vm, struct gapir_window *window, uint64_t offset,
                         uint64_t size)
{
    if (size == 0)
        return;
    if (window->written.bits == NULL &&
        !gapir_written_create(&window->written, window->size, GAPIR_GRAIN_OF_MAPPED)) {
        gapir_vm_run_short(vm);
        return;
    }
    gapir_written_note(&window->written, offset, size);
    if (window->written_to == 0 || offset < window->written_from)
        window->written_from = offset;
    if (offset + size > window->written_to)
        window->written_to = offset + size;
}

enum gapir_fault gapir_vm_write(struct gapir_vm *vm, uint64_t address, uint64_t size,
                                uint8_t **data)
{
    if (address == 0 || address == GAPIR_UNOBSERVED)
        return GAPIR_FAULT_BADPTR;
    struct gapir_location location = gapir_vm_locate(vm, address);
    if (location.region == GAPIR_CONSTANTS)
        return GAPIR_FAULT_READONLY;
    if (location.region == GAPIR_NOWHERE || size > location.left)
        return GAPIR_FAULT_RANGE;
    if (location.region == GAPIR_VOLATILE)
        gapir_written_note(&vm->written, location.offset, size);
    else
        note_written(vm, &vm->windows[location.window], location.offset, size);
    *data = location.data;
    return GAPIR_FAULT_NONE;
}

enum gapir_fault gapir_vm_move(struct gapir_vm *vm, uint64_t bytes)
{
    if (bytes > vm->limits.moved - vm->moved)
        return GAPIR_FAULT_STEPS;
    if (vm->moved / POLL_MOVED != (vm->moved + bytes) / POLL_MOVED)
        vm->attention = true;
    vm->moved += bytes;
    return GAPIR_FAULT_NONE;
}

/* Makes room for `size` bytes by giving up windows that are no longer mapped. */
static bool make_room(struct gapir_vm *vm, uint64_t size)
{
    while (size > vm->limits.memory - vm->window_bytes && vm->first_unmapped != NO_WINDOW) {
        struct gapir_window *window = &vm->windows[vm->first_unmapped];
        vm->first_unmapped = window->next_unmapped;
        give_up(vm, window);
    }
    return size <= vm->limits.memory - vm->window_bytes;
}

static uint64_t next_address(const struct gapir_vm *vm)
{
    if (vm->window_count == 0)
        return vm->plan->windows;
    const struct gapir_window *last = &vm->windows[vm->window_count - 1];
    uint64_t used = last->size != 0 ? last->size : 1;
    return last->address + align_up(used, vm->plan->window_step);
}

bool gapir_vm_map(struct gapir_vm *vm, uint64_t size, uint64_t tag, uint32_t *window)
{
    if (size > vm->limits.memory || vm->window_count == WINDOWS_MAX)
        return false;
    if (ARRAY_GROW(vm->windows, vm->window_count, vm->window_room) != 0) {
        gapir_vm_run_short(vm);
        return false;
    }
    uint64_t address = next_address(vm);
    if (address >= vm->plan->end || size > vm->plan->end - address || !make_room(vm, size))
        return false;
    uint8_t *data = NULL;
    if (size != 0) {
        data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0);
        if (data == MAP_FAILED) {
            gapir_vm_run_short(vm);
            return false;
        }
    }
    *window = vm->window_count++;
    vm->window_bytes += size;
    vm->windows[*window] = (struct gapir_window){
        .address = address, .size = size, .data = data, .tag = tag, .pc = vm->pc, .mapped = true};
    return true;
}

void gapir_vm_unmap(struct gapir_vm *vm, uint32_t window)
{
    struct gapir_window *freed = &vm->windows[window];

    if (!freed->mapped)
        return;
    freed->mapped = false;
    freed->next_unmapped = NO_WINDOW;
    if (vm->first_unmapped == NO_WINDOW)
        vm->first_unmapped = window;
    else
        vm->windows[vm->last_unmapped].next_unmapped = window;
    vm->last_unmapped = window;
}
