/* SPDX-License-Identifier: MIT */
/*
 * The pages that a mount has for web browsers, built from the files of this folder: page.js, which
 * embed.awk joins from script/, and page.css are shared; root.html and frame.html load them.
 * Constants; any thread.
 */
#ifndef GPUDUMPFS_PAGE_PAGE_H
#define GPUDUMPFS_PAGE_PAGE_H

#include <stddef.h>

struct page_file {
    const char *bytes;
    size_t size;
};

/*
 * index.html of the mount's root, index.html of a frame, and the script and style sheet that both
 * load.
 */
extern const struct page_file page_root, page_frame, page_script, page_style;

#endif
