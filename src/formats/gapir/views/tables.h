/*
 * The .tsv files that GAPIR adds to the common ones, as listings for rules.c
 * (gapir.md 4.2). Key 0 each.
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_TABLES_H
#define GPUDUMPFS_GAPIR_VIEWS_TABLES_H

#include "formats/gapir/dump.h"

extern const struct dump_listing gapir_functions_listing;
extern const struct dump_listing gapir_opcodes_listing;
extern const struct dump_listing gapir_resources_listing;
extern const struct dump_listing gapir_posts_listing;
extern const struct dump_listing gapir_notifications_listing;
extern const struct dump_listing gapir_fences_listing;
extern const struct dump_listing gapir_windows_listing;

#endif
