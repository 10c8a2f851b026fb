#include "formats/apitrace/decode/guid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare(const void *wanted, const void *member)
{
    const struct apitrace_guid *a = wanted;
    const struct apitrace_guid *b = &((const struct apitrace_guid_row *)member)->guid;

    if (a->data1 != b->data1)
        return compare_numbers(a->data1, b->data1);
    if (a->data2 != b->data2)
        return compare_numbers(a->data2, b->data2);
    if (a->data3 != b->data3)
        return compare_numbers(a->data3, b->data3);
    return memcmp(a->data4, b->data4, sizeof(a->data4));
}

const char *apitrace_guid_name(const struct apitrace_guid *guid)
{
    const struct apitrace_guid_row *row =
        bsearch(guid, apitrace_guid_rows, apitrace_guid_count, sizeof(*row), compare);

    return row != NULL ? row->name : NULL;
}

const char *apitrace_guid_format(const struct apitrace_guid *guid, char room[APITRACE_GUID_ROOM])
{
    const uint8_t *d = guid->data4;

    snprintf(room, APITRACE_GUID_ROOM, "uuid(%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x)",
             guid->data1, guid->data2, guid->data3, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
    return room;
}
