/* SPDX-License-Identifier: MIT */
/*
 * The VM that executes a payload: typed stack, constant and volatile
 * memory, windows that a driver maps, jumps within budgets (gapir.md 2.6, 3).
 * No address in it is a host pointer: every access is resolved to a region and
 * an offset and checked from start to end. A run is a pure function of program,
 * limits and driver, so that it may be repeated up to any step. A VM belongs to
 * one thread at a time; a program is immutable and shared.
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
    GAPIR_FAULT_BADPTR, /* null, unobserved, or an offset beyond its memory */
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
    GAPIR_FAULT_STEPS, /* a budget is used up: instructions, bytes moved, or a count */
    GAPIR_FAULTS
};

/* As fault.txt prints it: "underflow". */
const char *gapir_fault_name(enum gapir_fault fault);

/* Functions of api 0, which the VM itself executes (gapir.md 3.4). */
enum {
    GAPIR_BUILTIN_POST = 0xff00,
    GAPIR_BUILTIN_RESOURCE = 0xff01,
    GAPIR_BUILTIN_NOTIFICATION = 0xff02,
    GAPIR_BUILTIN_WAIT = 0xff03,
    GAPIR_BUILTIN_PRINT_STACK = 0xff80,
};

enum { GAPIR_BUILTINS = 5 };

const char *gapir_builtin_name(unsigned function); /* NULL: there is none of that id */
/* Its number, 0 to GAPIR_BUILTINS - 1; GAPIR_BUILTINS: there is none of that id. */
unsigned gapir_builtin_number(unsigned function);

/* Where pointers point to, by pointer size: gapir.md 3.2. */
struct gapir_address_plan {
    uint64_t constants, memory, windows;
    uint64_t window_step; /* the minimum distance of two windows */
    uint64_t end;
};

const struct gapir_address_plan *gapir_address_plan(unsigned pointer_size);

/* A pointer that the capture never observed; it may be passed on, not followed. */
#define GAPIR_UNOBSERVED UINT64_C(0xbadf00d)

/* What is executed. Everything in it is borrowed. */
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
    bool fences_fail;     /* WAIT faults, as upstream's archive replay does */
};

/* NULL when there is no such label. */
const struct gapir_jump *gapir_program_jump(const struct gapir_program *program, uint32_t label);

struct gapir_limits {
    uint64_t instructions; /* executed ones */
    uint64_t moved;        /* bytes copied, loaded, posted */
    uint64_t memory;       /* bytes: volatile memory; stack (2^24 slots at most); windows */
};

struct gapir_slot {
    uint64_t value; /* truncated to the size of its type */
    uint8_t type;   /* enum gapir_type */
};

/* Memory that a driver call handed out. */
struct gapir_window {
    uint64_t address;
    uint64_t size;
    uint8_t *data; /* NULL: of no size, or given up because of the memory limit */
    uint64_t tag;  /* the driver's: the memory object that is mapped */
    uint32_t pc;   /* of the call that mapped it */
    bool mapped;
    uint64_t written_from, written_to; /* what the program wrote lies between them … */
    struct gapir_written written;      /* … and is this; until it is taken */
    uint32_t next_unmapped;
};

enum gapir_region { GAPIR_NOWHERE, GAPIR_CONSTANTS, GAPIR_VOLATILE, GAPIR_WINDOW };

/* What an address means. */
struct gapir_location {
    enum gapir_region region;
    uint32_t window; /* GAPIR_WINDOW */
    uint64_t offset; /* in the region */
    uint64_t left;   /* bytes from there to the region's end */
    uint8_t *data;   /* not to be written in GAPIR_CONSTANTS */
};

/* An executed CALL, for the host. */
struct gapir_call {
    uint32_t word;
    const struct gapir_function *function; /* set by the driver; NULL: a builtin of api 0 */
    unsigned count;
    struct gapir_slot arguments[GAPIR_ARGUMENTS_MAX]; /* in the order of pushing */
    struct gapir_slot result;
    bool has_result; /* the function returns something, pushed or not */
};

struct gapir_post {
    uint32_t size;
    uint64_t address;
    struct gapir_location location; /* region NOWHERE when size is 0 */
};

struct gapir_notification {
    uint32_t id;
    struct gapir_post bytes;
};

struct gapir_vm;

/*
 * The outside of a VM; any of these may be NULL. Those that return int stop the
 * run with a negative errno.
 */
struct gapir_host {
    /* Executes a CALL of an api's function: pops, pushes, fills vm->call. */
    enum gapir_fault (*call)(void *context, struct gapir_vm *vm);
    /* `call` gets the builtins of api 0 too; NOFUNC: the VM's own does it. */
    bool overrides;
    /* After a CALL that succeeded. */
    int (*called)(void *context, struct gapir_vm *vm);
    /* Control came to vm->pc, a LABEL or the target of a jump, after `steps` instructions. */
    int (*entered)(void *context, struct gapir_vm *vm, uint64_t steps);
    int (*post)(void *context, struct gapir_vm *vm, const struct gapir_post *post);
    int (*notification)(void *context, struct gapir_vm *vm,
                        const struct gapir_notification *notification);
    int (*fence)(void *context, struct gapir_vm *vm, uint32_t id);
    int (*resource)(void *context, struct gapir_vm *vm, uint32_t index); /* it was loaded */
    /* So many bytes of a window are about to be read, but for a post, and may be filled in. */
    int (*reading)(void *context, struct gapir_vm *vm, const struct gapir_location *location,
                   uint64_t size);
    /* A COPY is about to be done. */
    void (*copying)(void *context, const struct gapir_vm *vm, uint64_t target, uint64_t source,
                    uint32_t size);
};

struct gapir_vm {
    const struct gapir_program *program;
    const struct gapir_host *host;
    void *context; /* the host's */
    struct gapir_limits limits;
    const struct gapir_address_plan *plan;

    struct gapir_slot *stack;
    uint32_t depth, room;
    uint8_t *memory;              /* volatile, program->volatile_size bytes */
    struct gapir_written written; /* of that; until it is taken */
    struct gapir_window *windows;
    uint32_t window_count, window_room;
    uint64_t window_bytes;                  /* that are held */
    uint32_t first_unmapped, last_unmapped; /* of those whose bytes are still held */
    uint64_t mask[GAPIR_TYPES];             /* of the bits that a type has */

    uint32_t pc, next, label, thread;
    bool labelled;  /* a LABEL was executed */
    bool jumped;    /* this instruction is a jump that is taken */
    bool attention; /* the loop has to check jumps, status and the cancel flag after this one */
    uint64_t steps, moved;
    uint64_t executed[GAPIR_OPCODES];
    uint32_t posts, notifications, fences;
    uint64_t calls;

    bool ended;             /* by the end of the code or by a fault */
    enum gapir_fault fault; /* of the instruction at pc; the stack is as it found it */
    int status;             /* what a host function returned, or -ENOMEM */
    struct gapir_call call;
};

/*
 * A VM before its first instruction. 0, -ENOMEM, or -EFBIG when volatile memory
 * is above limits.memory or does not fit the address plan: then nothing runs.
 */
int gapir_vm_create(const struct gapir_program *program, const struct gapir_limits *limits,
                    const struct gapir_host *host, void *context, struct gapir_vm **out);
void gapir_vm_destroy(struct gapir_vm **vm);

/*
 * Executes until vm->steps is `steps` or the run has ended. 0; -EINTR when
 * cancelled, and it may be called again; a host function's errno; -ENOMEM.
 */
int gapir_vm_run(struct gapir_vm *vm, uint64_t steps, const struct cancel *cancel);

#define GAPIR_TO_THE_END UINT64_MAX

/* For host functions: the budget of instructions is used up with this one. */
void gapir_vm_exhaust(struct gapir_vm *vm);

/* Want of memory is no answer that the program gets: the run ends with -ENOMEM. */
void gapir_vm_run_short(struct gapir_vm *vm);

/* More room for the stack: OVERFLOW when it is full. */
enum gapir_fault gapir_vm_grow(struct gapir_vm *vm);
/* RESOURCE, WAIT and CLONE need a free slot before anything else. */
enum gapir_fault gapir_vm_need_slot(struct gapir_vm *vm);

/* The stack. Each fails as the instruction that does the same. */
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

static inline enum gapir_fault gapir_vm_pop_any(struct gapir_vm *vm, struct gapir_slot *slot)
{
    if (vm->depth == 0)
        return GAPIR_FAULT_UNDERFLOW;
    *slot = vm->stack[--vm->depth];
    return GAPIR_FAULT_NONE;
}

static inline enum gapir_fault gapir_vm_pop(struct gapir_vm *vm, enum gapir_type type,
                                            uint64_t *value)
{
    if (vm->depth == 0)
        return GAPIR_FAULT_UNDERFLOW;
    const struct gapir_slot *slot = &vm->stack[--vm->depth];
    *value = slot->value;
    return slot->type == type ? GAPIR_FAULT_NONE : GAPIR_FAULT_TYPE;
}

/* Any kind of pointer, as an address. */
enum gapir_fault gapir_vm_pop_pointer(struct gapir_vm *vm, uint64_t *address);
enum gapir_fault gapir_vm_discard(struct gapir_vm *vm, uint32_t count);
enum gapir_fault gapir_vm_clone(struct gapir_vm *vm, uint32_t index);

/* The address that a slot holds; TYPE when it is no pointer, BADPTR out of range. */
enum gapir_fault gapir_vm_resolve(const struct gapir_vm *vm, struct gapir_slot slot,
                                  uint64_t *address);

/* Which memory an address is in; region NOWHERE when in none. */
struct gapir_location gapir_vm_locate(const struct gapir_vm *vm, uint64_t address);

/*
 * `size` bytes at an address, for reading or for writing: BADPTR, RANGE, READONLY.
 * The bytes stay where they are until the next window is mapped or unmapped.
 */
enum gapir_fault gapir_vm_read(const struct gapir_vm *vm, uint64_t address, uint64_t size,
                               const uint8_t **data);
enum gapir_fault gapir_vm_write(struct gapir_vm *vm, uint64_t address, uint64_t size,
                                uint8_t **data);

/* Counts bytes against the budget: STEPS when it is used up. */
enum gapir_fault gapir_vm_move(struct gapir_vm *vm, uint64_t bytes);

/*
 * A zeroed window; false when memory or addresses are used up. Bytes of windows
 * that were unmapped are given up first, oldest first.
 */
bool gapir_vm_map(struct gapir_vm *vm, uint64_t size, uint64_t tag, uint32_t *window);
/* Ends access to a window; its last bytes stay readable afterwards. */
void gapir_vm_unmap(struct gapir_vm *vm, uint32_t window);

#endif
