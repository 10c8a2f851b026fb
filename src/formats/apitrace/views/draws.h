/*
 * What is there right after each draw of a frame: by-frame/NNNNNN/draws/ and draws.tsv
 * (apitrace.md 4.8). A draw is a call of class R of OpenGL's; the key of a picture is its frame
 * with the call's number from the frame's min_number on.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_DRAWS_H
#define GPUDUMPFS_APITRACE_VIEWS_DRAWS_H

#include "tree/rule.h"

#include <stdint.h>

extern const struct rule_family apitrace_draw_family;
extern const struct dump_listing apitrace_draws_listing;

int apitrace_draw_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_draw_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);
int apitrace_draw_finish(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         const struct blob *half, struct blob **out);

#endif
