/*
 * Identifiers of Windows, as the dump prints them (apitrace.md 3.5). The table is
 * guids.tsv, made into C at build time. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_GUID_H
#define GPUDUMPFS_APITRACE_DECODE_GUID_H

#include <stddef.h>
#include <stdint.h>

enum { APITRACE_GUID_ROOM = 48 };

struct apitrace_guid {
    uint32_t data1;
    uint16_t data2, data3;
    uint8_t data4[8];
};

/* "IID_IUnknown" and the like; NULL: no known one. */
const char *apitrace_guid_name(const struct apitrace_guid *guid);

/* The table, sorted. */
struct apitrace_guid_row {
    struct apitrace_guid guid;
    const char *name;
};

extern const struct apitrace_guid_row apitrace_guid_rows[];
extern const size_t apitrace_guid_count;

/* uuid(xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx) */
const char *apitrace_guid_format(const struct apitrace_guid *guid, char room[APITRACE_GUID_ROOM]);

#endif
