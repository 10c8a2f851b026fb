# The FUSE adapter is linked by gpudumpfs alone.
