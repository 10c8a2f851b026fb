/*
 * stats.txt: what VmaReplay reports of a recording, over all of it (vma.md 4.3):
 * calls, classes of buffers and images, every field of every create-info, threads,
 * device allocations, peaks. Waits for the pass, and reads all lines once more.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_REPORT_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_REPORT_H

#include "formats/vma/dump.h"

int vma_report_write(struct dump *dump, const struct cancel *cancel, struct text *text);

#endif
