# SPDX-License-Identifier: MIT
# The extensions of dump files are those in the list of formats.
noinst_DATA += completion/gpudumpfs.bash
completion/gpudumpfs.bash: completion/gpudumpfs.bash.in Makefile
	$(AM_V_GEN)$(MKDIR_P) completion && \
	sed 's/@EXTENSIONS@/$(FORMAT_EXTENSIONS)/' $(srcdir)/$@.in >$@.tmp && mv $@.tmp $@
CLEANFILES += completion/gpudumpfs.bash
EXTRA_DIST += completion/gpudumpfs.bash.in

# bash-completion looks for a file with the name of the command.
.PHONY: install-completion uninstall-completion
install-completion:
if INSTALL_COMPLETION
	$(MKDIR_P) '$(DESTDIR)$(completiondir)'
	$(INSTALL_DATA) completion/gpudumpfs.bash '$(DESTDIR)$(completiondir)/gpudumpfs'
	cd '$(DESTDIR)$(completiondir)' && rm -f gpudump && $(LN_S) gpudumpfs gpudump
endif
uninstall-completion:
if INSTALL_COMPLETION
	rm -f '$(DESTDIR)$(completiondir)/gpudumpfs' '$(DESTDIR)$(completiondir)/gpudump'
endif
