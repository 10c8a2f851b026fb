/*
 * The VM's memory: volatile and constant memory and windows, behind addresses
 * that are numbers of ours. Nothing outside resolves an address.
 */
#include "formats/gapir/grow.h"
#include "formats/gapir/replay/vm.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { WINDOWS_MAX = 1 << 16 };

#define NO_WINDOW UINT32_MAX

static uint64_t align_up(uint64_t value, uint64_t step)
{
    return (value + step - 1) / step * step;
}

/* Windows have rising addresses: the last that begins at or below this one. */
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

static void note_written(struct gapir_window *window, uint64_t offset, uint64_t size)
{
    if (size == 0)
        return;
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
    if (location.region == GAPIR_WINDOW)
        note_written(&vm->windows[location.window], location.offset, size);
    *data = location.data;
    return GAPIR_FAULT_NONE;
}

enum gapir_fault gapir_vm_move(struct gapir_vm *vm, uint64_t bytes)
{
    if (bytes > vm->limits.moved - vm->moved)
        return GAPIR_FAULT_STEPS;
    vm->moved += bytes;
    return GAPIR_FAULT_NONE;
}

static void give_up(struct gapir_vm *vm, struct gapir_window *window)
{
    if (window->data == NULL)
        return;
    munmap(window->data, window->size);
    window->data = NULL;
    vm->window_bytes -= window->size;
}

/* Makes room for `size` bytes at the cost of windows that are not mapped any more. */
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
    /* Want of memory is no answer of the driver's: the run ends. */
    if (GAPIR_GROW(vm->windows, vm->window_count, vm->window_room) != 0) {
        vm->status = -ENOMEM;
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
            vm->status = -ENOMEM;
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

void gapir_vm_free_memory(struct gapir_vm *vm)
{
    for (uint32_t n = 0; n < vm->window_count; n++)
        give_up(vm, &vm->windows[n]);
    free(vm->windows);
    if (vm->memory != NULL)
        munmap(vm->memory, vm->program->volatile_size);
}

bool gapir_vm_take_memory(struct gapir_vm *vm)
{
    vm->first_unmapped = NO_WINDOW;
    if (vm->program->volatile_size == 0)
        return true;
    void *memory = mmap(NULL, vm->program->volatile_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    vm->memory = memory;
    return true;
}
