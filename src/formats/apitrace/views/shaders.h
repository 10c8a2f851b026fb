/* Shaders and programs that calls hand over, as files, and shaders.tsv (apitrace.md 4.4). */
#ifndef GPUDUMPFS_APITRACE_VIEWS_SHADERS_H
#define GPUDUMPFS_APITRACE_VIEWS_SHADERS_H

#include "tree/rule.h"

extern const struct rule_family apitrace_shader_family, apitrace_frame_shader_family;
extern const struct dump_listing apitrace_shaders_listing;

/* struct rule's functions. Key: the place in the object index's list. */
int apitrace_shader_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_shader_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);

#endif
