/* SPDX-License-Identifier: MIT */
/*
 * Numbers and identifiers as the dump prints them (apitrace.md 3.5): integers; floats with exactly
 * the digits of printf's `%.7g` and `%.16g`, but ten times as fast for common values; and Windows
 * GUIDs. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_LITERALS_H
#define GPUDUMPFS_APITRACE_DECODE_LITERALS_H

#include <stddef.h>
#include <stdint.h>

enum { APITRACE_DECIMAL_MAX = 48 }; /* bytes that any of these functions may touch */

/* Each writes to `to`, without a NUL, and returns the number of bytes. */
size_t apitrace_decimal_u64(char *to, uint64_t value);
size_t apitrace_decimal_hex(char *to, uint64_t value); /* lower case, no prefix */
size_t apitrace_decimal_float(char *to, float value);
size_t apitrace_decimal_double(char *to, double value);

/* The plain versions of the last two, which use snprintf(). */
size_t apitrace_decimal_plain_float(char *to, float value);
size_t apitrace_decimal_plain_double(char *to, double value);

/* Identifiers. The table of names is guids.tsv, turned into C at build time. */

enum { APITRACE_GUID_ROOM = 48 };

struct apitrace_guid {
    uint32_t data1;
    uint16_t data2, data3;
    uint8_t data4[8];
};

/* Returns "IID_IUnknown" and the like; NULL if the GUID is not known. */
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
