#include "formats/apitrace/guid.h"

#include <stdio.h>
#include <string.h>

static const struct known {
    struct apitrace_guid guid;
    const char *name;
} known[] = {
    {{0x00000000, 0x0000, 0x0000, {0xC0, 0, 0, 0, 0, 0, 0, 0x46}}, "IID_IUnknown"},
};

const char *apitrace_guid_name(const struct apitrace_guid *guid)
{
    for (size_t n = 0; n < sizeof(known) / sizeof(known[0]); n++)
        if (known[n].guid.data1 == guid->data1 && known[n].guid.data2 == guid->data2 &&
            known[n].guid.data3 == guid->data3 &&
            memcmp(known[n].guid.data4, guid->data4, sizeof(guid->data4)) == 0)
            return known[n].name;
    return NULL;
}

const char *apitrace_guid_format(const struct apitrace_guid *guid, char room[APITRACE_GUID_ROOM])
{
    const uint8_t *d = guid->data4;

    snprintf(room, APITRACE_GUID_ROOM, "uuid(%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x)",
             guid->data1, guid->data2, guid->data3, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
    return room;
}
