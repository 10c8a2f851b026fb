/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/driver_call.h"

#include "formats/gapir/replay/driver_service.h"

static enum gapir_fault pop_argument(struct gapir_vm *vm, unsigned type, struct gapir_slot *out)
{
    switch (type) {
    case GAPIR_ANY_POINTER:
        out->type = GAPIR_ABSOLUTE_POINTER;
        return gapir_vm_pop_pointer(vm, &out->value);
    case GAPIR_SIZE:
        out->type = vm->program->pointer_size == 4 ? GAPIR_UINT32 : GAPIR_UINT64;
        return gapir_vm_pop(vm, out->type, &out->value);
    default:
        out->type = (uint8_t)type;
        return gapir_vm_pop(vm, type, &out->value);
    }
}

static unsigned result_type(const struct gapir_vm *vm, unsigned type)
{
    if (type == GAPIR_SIZE)
        return vm->program->pointer_size == 4 ? GAPIR_UINT32 : GAPIR_UINT64;
    return type == GAPIR_ANY_POINTER ? GAPIR_ABSOLUTE_POINTER : type;
}

static enum gapir_fault serve(enum gapir_action action, const struct gapir_service *service)
{
    if (gapir_vulkan_actions[action] != NULL)
        return gapir_vulkan_actions[action](service);
    return gapir_gl_actions[action] != NULL ? gapir_gl_actions[action](service) : GAPIR_FAULT_NONE;
}

enum gapir_fault gapir_driver_call(struct gapir_driver *driver, struct gapir_vm *vm)
{
    struct gapir_call *call = &vm->call;
    const struct gapir_function *function = gapir_scan_function(driver->model->scan, call->word);
    enum gapir_fault fault = GAPIR_FAULT_NONE;

    if (function == NULL)
        return GAPIR_FAULT_NOFUNC;
    call->function = function;
    call->count = function->count;
    for (unsigned n = function->count; n-- > 0 && fault == GAPIR_FAULT_NONE;)
        fault = pop_argument(vm, gapir_function_argument(function, n)->type, &call->arguments[n]);
    if (fault != GAPIR_FAULT_NONE)
        return fault;
    uint64_t result = 0;
    struct gapir_service service = {driver, vm, call->arguments, call->count, &result};
    enum gapir_action action =
        gapir_model_action(driver->model, gapir_call_api(call->word), function);
    fault = serve(action, &service);
    if (fault != GAPIR_FAULT_NONE || function->result == GAPIR_VOID)
        return fault;
    call->has_result = true;
    call->result.type = (uint8_t)result_type(vm, function->result);
    call->result.value = result & vm->mask[call->result.type];
    return gapir_call_pushes(call->word) ? gapir_vm_push(vm, call->result.type, result)
                                         : GAPIR_FAULT_NONE;
}
