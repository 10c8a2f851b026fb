/* Pictures of frames (apitrace.md 4.6): their size is that of the presentation. */
#ifndef GPUDUMPFS_APITRACE_VIEWS_PICTURES_H
#define GPUDUMPFS_APITRACE_VIEWS_PICTURES_H

#include "tree/dump.h"

/* struct dump_ops' functions: pixels, and the file that is made of them. -EIO: problems.txt tells.
 */
int apitrace_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out);
int apitrace_picture_finish(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            const struct blob *half, struct blob **out);

#endif
