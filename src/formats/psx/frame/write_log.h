/*
 * What writes leave behind besides pixels: who wrote each pixel of VRAM last, how
 * often each was written, how many were. All writes count, by draws (fills and
 * copies are such) and uploads; a pixel that the mask check protects, or whose
 * texel is transparent, is none. One thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_WRITE_LOG_H
#define GPUDUMPFS_PSX_FRAME_WRITE_LOG_H

#include "formats/psx/gpu/raster.h"

/*
 * Writers: draw N is N, upload N is WRITE_LOG_UPLOAD - N; a command that began in an
 * earlier frame has no number in this one.
 */
enum { WRITE_LOG_NOBODY = -1, WRITE_LOG_UPLOAD = -2, WRITE_LOG_EARLIER = INT32_MIN };

struct write_log {
    struct psx_observer observer;
    int32_t writer;    /* whose writes these are, from now on */
    int32_t *last;     /* by pixel: its last writer */
    uint16_t *times;   /* by pixel: writes, up to UINT16_MAX */
    size_t pixels;     /* of each */
    uint64_t written;  /* pixels, every time */
    uint64_t blended;  /* of them */
    uint64_t textured; /* texels looked up, transparent ones too */
};

/* Of a VRAM of so many lines, nothing written yet; to be cleared in any case. 0 or -ENOMEM. */
int psx_write_log_init(struct write_log *write_log, uint32_t lines);
void psx_write_log_clear(struct write_log *write_log);

#endif
