#include "config.h"

#include "glworker/retrace_functions.h"

#include <stdlib.h>
#include <string.h>

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
