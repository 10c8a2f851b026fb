/* SPDX-License-Identifier: MIT */
/*
 * The pages that a mount has for web browsers, as they stand in this folder: page.js, which
 * embed.awk joins from script/, and page.css are all that they are made of; root.html and
 * frame.html load them. Constants, any thread.
 */
#ifndef GPUDUMPFS_PAGE_PAGE_H
#define GPUDUMPFS_PAGE_PAGE_H

#include <stddef.h>

struct page_file {
    const char *bytes;
    size_t size;
};

/* Of index.html at the mount's root and of a frame, and of what both load. */
extern const struct page_file page_root, page_frame, page_script, page_style;

#endif
