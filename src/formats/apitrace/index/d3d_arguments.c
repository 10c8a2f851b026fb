/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/d3d_resources.h"

#include <strings.h>

void apitrace_d3d_read_members(struct apitrace_call *call, const struct apitrace_struct *structure,
                               struct apitrace_d3d_members *members)
{
    for (uint32_t n = 0; n < structure->member_count && call->reader.status == 0; n++) {
        struct apitrace_value value;
        int64_t integer;

        apitrace_read_value(&call->reader, call->definitions, &value);
        if (value.type == APITRACE_BLOB) {
            members->position = apitrace_reader_position(&call->reader);
            members->bytes = value.number;
        }
        for (unsigned i = 0; i < APITRACE_D3D_MEMBERS && members->names[i] != NULL; i++)
            if (strcasecmp(structure->members[n].bytes, members->names[i]) == 0 &&
                apitrace_value_integer(&value, &integer))
                members->values[i] = integer;
        apitrace_skip_rest(&call->reader, call->definitions, &value);
    }
}

bool apitrace_d3d_read_struct(struct apitrace_call *call, uint32_t argument,
                              struct apitrace_d3d_members *members)
{
    struct apitrace_value value;

    if (!apitrace_call_argument(call, argument, &value) || value.type != APITRACE_STRUCT)
        return false;
    apitrace_d3d_read_members(call, value.structure, members);
    return call->reader.status == 0;
}

bool apitrace_d3d_take_box(struct apitrace_call *call, uint32_t argument, uint32_t at[3],
                           uint32_t size[3])
{
    static const char *const names[] = {"left", "top", "front", "right", "bottom", "back"};
    struct apitrace_d3d_members edges = {.names = names, .values = {0, 0, 0, 0, 0, 1}};

    at[0] = at[1] = at[2] = 0;
    if (!apitrace_d3d_read_struct(call, argument, &edges))
        return true; /* without a box, all of it */
    for (unsigned n = 0; n < 3; n++) {
        const int64_t from = edges.values[n], to = edges.values[3 + n];

        if (from < 0 || to <= from || to > size[n])
            return false;
        at[n] = (uint32_t)from;
        size[n] = (uint32_t)(to - from);
    }
    return true;
}
