dist_man_MANS += \
	man/gpudump.1 \
	man/gpudumpfs-open.1 \
	man/gpudumpfs-tree.7 \
	man/gpudumpfs.1 \
	man/psxgpudump.3

# The man page of the helper that mount(8) runs is a link to the program's own.
.PHONY: install-man-link uninstall-man-link
install-man-link:
	$(MKDIR_P) '$(DESTDIR)$(mandir)/man8'
	cd '$(DESTDIR)$(mandir)/man8' && rm -f mount.gpudumpfs.8 && \
		$(LN_S) ../man1/gpudumpfs.1 mount.gpudumpfs.8
uninstall-man-link:
	rm -f '$(DESTDIR)$(mandir)/man8/mount.gpudumpfs.8'
