/*
 * Pictures of texture uploads, textures.tsv (apitrace.md 4.4), and levels of textures as they are
 * at a frame's end (4.7).
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_TEXTURES_H
#define GPUDUMPFS_APITRACE_VIEWS_TEXTURES_H

#include "tree/rule.h"

extern const struct rule_family apitrace_texture_family, apitrace_frame_upload_family,
    apitrace_level_family;
extern const struct dump_listing apitrace_textures_listing;

/* struct rule's functions. Key: the place in the object index's list of uploads. */
int apitrace_texture_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);

/* The same. Key: a frame, and the place in the list of levels. */
int apitrace_level_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_level_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

#endif
