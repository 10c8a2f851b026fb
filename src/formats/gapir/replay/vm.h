/* SPDX-License-Identifier: MIT */
/*
 * The VM that executes a payload: a typed stack, constant and volatile memory, windows that a
 * driver maps, jumps within budgets (gapir.md 2.6, 3). No address in it is a host pointer: every
 * access is resolved to a region and an offset, and checked from its first to its last byte. A run
 * is a pure function of program, limits and driver, so it can be repeated up to any step. A VM
 * belongs to one thread at a time; a program is immutable and shared.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_VM_H
#define GPUDUMPFS_GAPIR_REPLAY_VM_H

#include "base/cancel.h"
#include "formats/gapir/container/archive.h"
#include "formats/gapir/decode/decode.h"
#include "formats/gapir/replay/written.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* gapir.md 5 */
enum gapir_fault {
    GAPIR_FAULT_NONE,
    GAPIR_FAULT_UNDERFLOW,
    GAPIR_FAULT_OVERFLOW,
    GAPIR_FAULT_TYPE,
    GAPIR_FAULT_BADTYPE,
    GAPIR_FAULT_BADPTR, /* a null or unobserved pointer, or an offset beyond its memory */
    GAPIR_FAULT_RANGE,
    GAPIR_FAULT_READONLY,
    GAPIR_FAULT_OPCODE,
    GAPIR_FAULT_NOFUNC,
    GAPIR_FAULT_NOLABEL,
    GAPIR_FAULT_NOTEMPTY,
    GAPIR_FAULT_RESINDEX,
    GAPIR_FAULT_RESOURCE,
    GAPIR_FAULT_FENCE,
    GAPIR_FAULT_TRUNCATED,
    GAPIR_FAULT_STEPS, /* a budget is exhausted: instructions, bytes moved, or a count */
    GAPIR_FAULTS
};

/* Returns the name that fault.txt prints, such as "underflow". */
const char *gapir_fault_name(enum gapir_fault fault);

/* Functions of api 0, which the VM executes itself (gapir.md 3.4). */
enum {
    GAPIR_BUILTIN_POST = 0xff00,
    GAPIR_BUILTIN_RESOURCE = 0xff01,
    GAPIR_BUILTIN_NOTIFICATION = 0xff02,
    GAPIR_BUILTIN_WAIT = 0xff03,
    GAPIR_BUILTIN_PRINT_STACK = 0xff80,
};

enum { GAPIR_BUILTINS = 5 };

const char *gapir_builtin_name(unsigned function); /* NULL if there is none with that id */
/* Returns its number, 0 to GAPIR_BUILTINS - 1, or GAPIR_BUILTINS if there is none with that id. */
unsigned gapir_builtin_number(unsigned function);

/* The addresses at which the regions begin, which depend on the pointer size (gapir.md 3.2). */
struct gapir_address_plan {
    uint64_t constants, memory, windows;
    uint64_t window_step; /* minimum distance between two windows */
    uint64_t end;
};

/* Returns the plan for pointers of 4 or 8 bytes. */
const struct gapir_address_plan *gapir_address_plan(unsigned pointer_size);

/* A pointer that the capture never observed. The program may pass it on, but not follow it. */
#define GAPIR_UNOBSERVED UINT64_C(0xbadf00d)

/* What a VM executes. All pointers are borrowed. */
struct gapir_program {
    struct gapir_code code;
    const uint8_t *constants;
    uint32_t constants_size;
    uint32_t stack_size;    /* slots */
    uint32_t volatile_size; /* bytes */
    const struct gapir_resource *resources;
    uint32_t resource_count;
    const struct gapir_jump *jumps; /* sorted by label */
    uint32_t jump_count;
    uint8_t pointer_size; /* 4 or 8 */
    bool fences_fail;     /* WAIT faults, as it does in gapir's archive replay */
};

/* Returns the target of jumps to a label, or NULL if there is no such label. */
const struct gapir_jump *gapir_program_jump(const struct gapir_program *program, uint32_t label);

struct gapir_limits {
    uint64_t instructions; /* maximum of executed instructions */
    uint64_t moved;        /* maximum of bytes copied, loaded and posted */
    /* maximum of bytes each of volatile memory, stack (at most 2^24 slots) and windows */
    uint64_t memory;
};

struct gapir_slot {
    uint64_t value; /* truncated to the size of the type */
    uint8_t type;   /* enum gapir_type */
};

/* Memory that a call to the driver has mapped. */
struct gapir_window {
    uint64_t address;
    uint64_t size;
    /* NULL if the size is 0, or if the bytes were given up because of the memory limit */
    uint8_t *data;
    uint64_t tag; /* chosen by the driver: the memory object that is mapped */
    uint32_t pc;  /* of the call that mapped it */
    bool mapped;
    /* all bytes that the program wrote are between these offsets */
    uint64_t written_from, written_to;
    struct gapir_written written; /* which bytes the program wrote, until they are taken */
    uint32_t next_unmapped;
};

enum gapir_region { GAPIR_NOWHERE, GAPIR_CONSTANTS, GAPIR_VOLATILE, GAPIR_WINDOW };

/* What an address refers to. */
struct gapir_location {
    enum gapir_region region;
    uint32_t window; /* valid if region is GAPIR_WINDOW */
    uint64_t offset; /* within the region */
    uint64_t left;   /* bytes from here to the end of the region */
    uint8_t *data;   /* read-only if region is GAPIR_CONSTANTS */
};

/* An executed CALL, as the host sees it. */
struct gapir_call {
    uint32_t word;
    const struct gapir_function *function; /* set by the driver; NULL for a builtin of api 0 */
    unsigned count;
    struct gapir_slot arguments[GAPIR_ARGUMENTS_MAX]; /* in the order in which they were pushed */
    struct gapir_slot result;
    bool has_result; /* the function returns a value, whether it is pushed or not */
};

struct gapir_post {
    uint32_t size;
    uint64_t address;
    struct gapir_location location; /* region is GAPIR_NOWHERE if size is 0 */
};

struct gapir_notification {
    uint32_t id;
    struct gapir_post bytes;
};

struct gapir_vm;

/*
 * The host: callbacks for what happens outside of a VM. Any of them may be NULL. If one that
 * returns int returns a negative errno, the run stops.
 */
struct gapir_host {
    /*
     * Executes a CALL of a function of an api: pops arguments, pushes the result, fills in
     * vm->call.
     */
    enum gapir_fault (*call)(void *context, struct gapir_vm *vm);
    /*
     * whether `call` is called for the builtins of api 0 too; if it returns NOFUNC, the VM executes
     * them
     */
    bool overrides;
    /* A CALL has succeeded. */
    int (*called)(void *context, struct gapir_vm *vm);
    /* Control has reached vm->pc, a LABEL or the target of a jump, after `steps` instructions. */
    int (*entered)(void *context, struct gapir_vm *vm, uint64_t steps);
    int (*post)(void *context, struct gapir_vm *vm, const struct gapir_post *post);
    int (*notification)(void *context, struct gapir_vm *vm,
                        const struct gapir_notification *notification);
    int (*fence)(void *context, struct gapir_vm *vm, uint32_t id);
    /* the resource was loaded */
    int (*resource)(void *context, struct gapir_vm *vm, uint32_t index);
    /*
     * The program is about to read `size` bytes of a window, other than by a post. The host may
     * fill them in.
     */
    int (*reading)(void *context, struct gapir_vm *vm, const struct gapir_location *location,
                   uint64_t size);
    /* A COPY is about to be executed. */
    void (*copying)(void *context, const struct gapir_vm *vm, uint64_t target, uint64_t source,
                    uint32_t size);
};

struct gapir_vm {
    const struct gapir_program *program;
    const struct gapir_host *host;
    void *context; /* passed to the host's callbacks */
    struct gapir_limits limits;
    const struct gapir_address_plan *plan;

    struct gapir_slot *stack;
    uint32_t depth, room;
    uint8_t *memory;              /* volatile memory, program->volatile_size bytes */
    struct gapir_written written; /* which bytes of `memory` were written, until they are taken */
    struct gapir_window *windows;
    uint32_t window_count, window_room;
    uint64_t window_bytes; /* bytes of all windows whose data are held */
    /* list of the unmapped windows whose bytes are still held */
    uint32_t first_unmapped, last_unmapped;
    uint64_t mask[GAPIR_TYPES]; /* by type: the bits that a value of the type has */

    uint32_t pc, next, label, thread;
    bool labelled; /* a LABEL was executed */
    bool jumped;   /* the current instruction is a jump that is taken */
    /* the loop must check jumps, status and the cancel flag after this instruction */
    bool attention;
    uint64_t steps, moved;
    uint64_t executed[GAPIR_OPCODES];
    uint32_t posts, notifications, fences;
    uint64_t calls;

    bool ended;             /* by the end of the code or by a fault */
    enum gapir_fault fault; /* of the instruction at pc; the stack is as the instruction found it */
    int status;             /* the error that a host function returned, or -ENOMEM */
    struct gapir_call call;
};

/*
 * Creates a VM before its first instruction. All arguments except `limits` must outlive it. Returns
 * 0, -ENOMEM, or -EFBIG if volatile memory exceeds limits->memory or program->constants_size or
 * volatile_size does not fit the address plan.
 */
int gapir_vm_create(const struct gapir_program *program, const struct gapir_limits *limits,
                    const struct gapir_host *host, void *context, struct gapir_vm **out);
void gapir_vm_destroy(struct gapir_vm **vm);

/*
 * Executes instructions until vm->steps is `steps` or the run has ended. Returns 0, the errno of a
 * host function, or -ENOMEM. Returns -EINTR when cancelled; another call then continues the run.
 */
int gapir_vm_run(struct gapir_vm *vm, uint64_t steps, const struct cancel *cancel);

#define GAPIR_TO_THE_END UINT64_MAX

/*
 * For host functions: makes the current instruction the last one that the budget of instructions
 * allows.
 */
void gapir_vm_exhaust(struct gapir_vm *vm);

/*
 * Ends the run with -ENOMEM. Used where memory is short, since the program must not see an answer
 * that depends on that.
 */
void gapir_vm_run_short(struct gapir_vm *vm);

/*
 * Enlarges the stack. Returns OVERFLOW if the stack has its maximum size, or if memory is short
 * (then vm->status is -ENOMEM).
 */
enum gapir_fault gapir_vm_grow(struct gapir_vm *vm);
/* Ensures that a slot is free. RESOURCE, WAIT and CLONE check this before anything else. */
enum gapir_fault gapir_vm_need_slot(struct gapir_vm *vm);

/* The stack. Each function fails in the same way as the instruction that does the same. */
static inline enum gapir_fault gapir_vm_push(struct gapir_vm *vm, enum gapir_type type,
                                             uint64_t value)
{
    if (vm->depth == vm->room) {
        enum gapir_fault fault = gapir_vm_grow(vm);
        if (fault != GAPIR_FAULT_NONE)
            return fault;
    }
    vm->stack[vm->depth++] = (struct gapir_slot){.value = value & vm->mask[type], .type = type};
    return GAPIR_FAULT_NONE;
}

/* Pops a slot of any type. */
static inline enum gapir_fault gapir_vm_pop_any(struct gapir_vm *vm, struct gapir_slot *slot)
{
    if (vm->depth == 0)
        return GAPIR_FAULT_UNDERFLOW;
    *slot = vm->stack[--vm->depth];
    return GAPIR_FAULT_NONE;
}

/* Pops a slot that must have exactly this type. */
static inline enum gapir_fault gapir_vm_pop(struct gapir_vm *vm, enum gapir_type type,
                                            uint64_t *value)
{
    if (vm->depth == 0)
        return GAPIR_FAULT_UNDERFLOW;
    const struct gapir_slot *slot = &vm->stack[--vm->depth];
    *value = slot->value;
    return slot->type == type ? GAPIR_FAULT_NONE : GAPIR_FAULT_TYPE;
}

/* Pops any kind of pointer and returns it as an address. */
enum gapir_fault gapir_vm_pop_pointer(struct gapir_vm *vm, uint64_t *address);

/* Pops `count` slots of any type. */
enum gapir_fault gapir_vm_discard(struct gapir_vm *vm, uint32_t count);

/* Pushes a copy of the slot `index` below the top. */
enum gapir_fault gapir_vm_clone(struct gapir_vm *vm, uint32_t index);

/*
 * Returns the address that a slot holds. Fails with TYPE if it is not a pointer, with BADPTR if it
 * is out of range.
 */
enum gapir_fault gapir_vm_resolve(const struct gapir_vm *vm, struct gapir_slot slot,
                                  uint64_t *address);

/* Returns which memory an address is in; region is GAPIR_NOWHERE if it is in none. */
struct gapir_location gapir_vm_locate(const struct gapir_vm *vm, uint64_t address);

/*
 * Gets `size` bytes at an address for reading. Fails with BADPTR or RANGE, but never if `size` is
 * 0. The pointer remains valid until the next window is mapped or unmapped.
 */
enum gapir_fault gapir_vm_read(const struct gapir_vm *vm, uint64_t address, uint64_t size,
                               const uint8_t **data);

/*
 * Gets `size` bytes at an address for writing, and notes all of them as written. Fails with BADPTR,
 * RANGE or READONLY. The pointer remains valid until the next window is mapped or unmapped.
 */
enum gapir_fault gapir_vm_write(struct gapir_vm *vm, uint64_t address, uint64_t size,
                                uint8_t **data);

/* Counts bytes against the budget. Returns STEPS if the budget is exhausted. */
enum gapir_fault gapir_vm_move(struct gapir_vm *vm, uint64_t bytes);

/*
 * Maps a zeroed window. Gives up the bytes of unmapped windows if necessary, oldest first. Returns
 * false if memory, addresses or the number of windows are exhausted.
 */
bool gapir_vm_map(struct gapir_vm *vm, uint64_t size, uint64_t tag, uint32_t *window);
/*
 * Ends access to a window. Its last bytes remain readable for the mount, until they are given up.
 */
void gapir_vm_unmap(struct gapir_vm *vm, uint32_t window);

#endif
