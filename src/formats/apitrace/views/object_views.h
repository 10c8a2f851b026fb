/*
 * What calls hand over, as files: blobs, shaders, and the pictures of texture uploads.
 * Families, and `size` and `make` of rules.c.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_OBJECT_VIEWS_H
#define GPUDUMPFS_APITRACE_VIEWS_OBJECT_VIEWS_H

#include "tree/rule.h"

extern const struct rule_family apitrace_blob_group_family, apitrace_blob_family,
    apitrace_frame_blob_family, apitrace_shader_family, apitrace_frame_shader_family,
    apitrace_texture_family, apitrace_frame_upload_family, apitrace_level_family;

#define APITRACE_OBJECT_VIEW(name)                                                                 \
    int apitrace_##name##_size(struct dump *dump, uint64_t key, uint64_t *size);                   \
    int apitrace_##name##_make(struct dump *dump, uint64_t key, const struct cancel *cancel,       \
                               struct blob **out)

APITRACE_OBJECT_VIEW(blob);    /* key: its place in the index's list */
APITRACE_OBJECT_VIEW(shader);  /* key: its place in the list of shaders */
APITRACE_OBJECT_VIEW(texture); /* the same */
APITRACE_OBJECT_VIEW(level);   /* a frame, and the place in the list of levels */

#undef APITRACE_OBJECT_VIEW

#endif
