/* SPDX-License-Identifier: MIT */
/*
 * An ordered list of key, value pairs, written both as `key: value` lines and as JSON, so that
 * metadata.txt and metadata.json cannot differ. docs/metadata.schema.json lists the keys and their
 * types. Not shared among threads.
 */
#ifndef GPUDUMPFS_BASE_METADATA_H
#define GPUDUMPFS_BASE_METADATA_H

#include "base/json_reader.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct metadata;

/* Creates an empty list. Returns 0 or -ENOMEM. */
int metadata_create(struct metadata **out);
/* Frees the list and sets the pointer to NULL. *metadata may be NULL. */
void metadata_destroy(struct metadata **metadata);

/*
 * Adds a value. Keys are plain ASCII of our own. The value is escaped in the text, like untrusted
 * bytes. If any of these functions runs out of memory, the error sticks, and the writers below
 * return it.
 */
void metadata_add(struct metadata *metadata, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/*
 * Adds untrusted bytes, escaped in the text. In JSON, valid UTF-8 is kept and other bytes are
 * escaped.
 */
void metadata_add_bytes(struct metadata *metadata, const char *key, const void *bytes, size_t size);
/* Adds a string that was read from JSON, with its escapes resolved, in the same way. */
void metadata_add_json_string(struct metadata *metadata, const char *key,
                              const struct json_text *string);
/* Adds a text, in the same way. If the text has failed, so has the metadata. */
void metadata_add_text(struct metadata *metadata, const char *key, const struct text *value);
/* Adds a number. It is a JSON number even if it needs all 64 bits. */
void metadata_add_u64(struct metadata *metadata, const char *key, uint64_t value);
/* Adds a finite number with `decimals` decimals, at most 20. */
void metadata_add_real(struct metadata *metadata, const char *key, double value, unsigned decimals);
/* Adds a boolean: `yes` or `no` in the text. */
void metadata_add_bool(struct metadata *metadata, const char *key, bool value);
/* Adds a value in JSON notation, on one line. It is escaped in the text. */
void metadata_add_json(struct metadata *metadata, const char *key, const char *value);

/* Adds a value that is not known: `-` in the text, null in JSON. */
void metadata_add_none(struct metadata *metadata, const char *key);

/*
 * Declares that the key may repeat: all its values, whether added before or later, form an array in
 * JSON, even if there is only one. If there is none, the key has `-` in the text and an empty array
 * in JSON. A key that repeats without this declaration is an array, too. May be called several
 * times for a key.
 */
void metadata_add_list(struct metadata *metadata, const char *key);

/* Makes the writers return `status`, a negative errno, unless there was an error before. */
void metadata_fail(struct metadata *metadata, int status);

/* Appends the list to `text`, as `key: value` lines. Returns 0 or a negative errno. */
int metadata_write_text(const struct metadata *metadata, struct text *text);

/* Appends the list to `text`, as JSON. Returns 0 or a negative errno. */
int metadata_write_json(const struct metadata *metadata, struct text *text);

#endif
