# Dumps in file managers: their types, their thumbnails, and what opens them.
dist_bin_SCRIPTS = desktop/gpudumpfs-open
applicationsdir = $(datadir)/applications
dist_applications_DATA = desktop/gpudumpfs.desktop
thumbnailersdir = $(datadir)/thumbnailers
dist_thumbnailers_DATA = desktop/gpudumpfs.thumbnailer
mimepackagesdir = $(datadir)/mime/packages
dist_mimepackages_DATA = desktop/gpudumpfs.xml
