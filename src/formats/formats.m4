# SPDX-License-Identifier: MIT
# The formats: each has a row here and a folder of its name beside this file. configure and make
# generate the other lists of formats from this one, or tests/house/formats.tap compares them with
# it: docs/architecture.md, "How to add a format". If two formats are equally certain of a file, the
# one that is listed first reads it. Options are listed in this order. A format whose dumps have no
# pictures, and so no thumbnails, has `no pictures` as its last argument.
#
#                 name              title                     files              what writes an example
GPUDUMPFS_FORMAT([psx],            [PSX GPU dump],           [.psxgpu],         [mkexample])
GPUDUMPFS_FORMAT([aerogpu],        [AeroGPU trace],          [.aerogputrace],   [mktrace])
GPUDUMPFS_FORMAT([gapir],          [GAPIR replay payload],   [payload.bin],     [mkreplay])
GPUDUMPFS_FORMAT([vma],            [VMA call recording],     [.csv],            [mkrecording])
GPUDUMPFS_FORMAT([apitrace],       [apitrace trace],         [.trace],          [mkapitrace])
GPUDUMPFS_FORMAT([gfxreconstruct], [GFXReconstruct capture], [.gfxr],           [mkcapture], [no pictures])
