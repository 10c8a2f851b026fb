/* SPDX-License-Identifier: MIT */
/*
 * by-frame/N/draws/NNNNNNNN/: what a draw saw, and what it left (apitrace.md 4.11), asked of the
 * graphics worker where it stands behind the draw. The key of a folder is that of the draw's
 * picture: its frame with the call's number from the frame's min_number on. The functions are those
 * of rules (tree/rule.h), whose contract about threads is theirs.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_DRAWS_H
#define GPUDUMPFS_APITRACE_VIEWS_DRAWS_H

#include "formats/apitrace/replay/replay.h"
#include "tree/rule.h"

/* pictures.c: draws that the session can be led to, whether or not they leave a picture. */
extern const struct rule_family apitrace_draw_folder_family;

/* Has the session asked behind the draw of a key. As apitrace_player_visit(), or -ENOENT. */
int apitrace_draw_visit(struct dump *dump, uint64_t key, apitrace_visitor *visit, void *context,
                        const struct cancel *cancel, struct blob **out);

/* draw_texts.c: texts that the worker tells. */
int apitrace_draw_state_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out);

#endif
