/* SPDX-License-Identifier: MIT */
/*
 * An ordered list of key, value pairs that is written as `key: value` lines and
 * as JSON at once, so that metadata.txt and metadata.json cannot differ. Which keys
 * there are, and of which types, docs/metadata.schema.json tells. Not shared among threads.
 */
#ifndef GPUDUMPFS_BASE_METADATA_H
#define GPUDUMPFS_BASE_METADATA_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct metadata;

int metadata_create(struct metadata **out);
void metadata_destroy(struct metadata **metadata);

/*
 * Keys are plain ASCII of our own. The value is escaped in the text, like
 * untrusted bytes. A failure of memory sticks, and is reported by the writers below.
 */
void metadata_add(struct metadata *metadata, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Untrusted bytes, escaped in the text; valid UTF-8 is kept in JSON, other bytes escaped. */
void metadata_add_bytes(struct metadata *metadata, const char *key, const void *bytes, size_t size);
/* A text, likewise; if it has failed, so have the metadata. */
void metadata_add_text(struct metadata *metadata, const char *key, const struct text *value);
/* A number in JSON, also beyond 63 bits. */
void metadata_add_u64(struct metadata *metadata, const char *key, uint64_t value);
/* A finite number with so many decimals. */
void metadata_add_real(struct metadata *metadata, const char *key, double value, unsigned decimals);
/* `yes` or `no` in the text. */
void metadata_add_bool(struct metadata *metadata, const char *key, bool value);
/* A value in JSON's own notation, on one line; escaped in the text. */
void metadata_add_json(struct metadata *metadata, const char *key, const char *value);

/* A value that is not known: `-` in the text, null in JSON. */
void metadata_add_none(struct metadata *metadata, const char *key);

/*
 * The key may repeat: all its values, added before or later, are an array in JSON, also
 * when there is one. Without any it is `-` in the text and an empty array. A key that
 * repeats without this is an array, too. May be called again for a key.
 */
void metadata_add_list(struct metadata *metadata, const char *key);

/* Makes them fail with a negative errno of the caller's, unless they have failed before. */
void metadata_fail(struct metadata *metadata, int status);

/* Append to `text`. 0 or a negative errno. */
int metadata_write_text(const struct metadata *metadata, struct text *text);
int metadata_write_json(const struct metadata *metadata, struct text *text);

#endif
