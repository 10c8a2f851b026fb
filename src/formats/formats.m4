# SPDX-License-Identifier: MIT
# The formats, each a row here and a folder of that name beside this file. What else must know
# which there are is made from this list by configure and make, reads it, or is compared with it by
# tests/house/formats.tap: docs/architecture.md, "How to add a format". Where two are equally sure of a
# file, the upper one reads it; options are listed in this order. A dump without any picture has no
# thumbnail: `no pictures` behind the others.
#
#                 name              title                     files              what writes an example
GPUDUMPFS_FORMAT([psx],            [PSX GPU dump],           [.psxgpu],         [mkexample])
GPUDUMPFS_FORMAT([aerogpu],        [AeroGPU trace],          [.aerogputrace],   [mktrace])
GPUDUMPFS_FORMAT([gapir],          [GAPIR replay payload],   [payload.bin],     [mkreplay])
GPUDUMPFS_FORMAT([vma],            [VMA call recording],     [.csv],            [mkrecording])
GPUDUMPFS_FORMAT([apitrace],       [apitrace trace],         [.trace],          [mkapitrace])
GPUDUMPFS_FORMAT([gfxreconstruct], [GFXReconstruct capture], [.gfxr],           [mkcapture], [no pictures])
