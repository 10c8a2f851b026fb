/* Within shaders: Aero's dialect of DXBC to genuine shader model 4. Any thread. */
#ifndef GPUDUMPFS_AEROGPU_DECODE_DXBC_DIALECT_H
#define GPUDUMPFS_AEROGPU_DECODE_DXBC_DIALECT_H

#include "formats/aerogpu/decode/dxbc.h"

/* A container without checksum. 0, -ENOMEM, -EINVAL for tokens that nobody knows. */
int aerogpu_dialect_transcode(const struct aerogpu_dxbc *dxbc, struct blob **out);

#endif
