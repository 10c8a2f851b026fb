dist_noinst_DATA += completion/gpudumpfs.bash

# bash-completion looks for a file named as the command.
.PHONY: install-completion uninstall-completion
install-completion:
if INSTALL_COMPLETION
	$(MKDIR_P) '$(DESTDIR)$(completiondir)'
	$(INSTALL_DATA) $(srcdir)/completion/gpudumpfs.bash '$(DESTDIR)$(completiondir)/gpudumpfs'
	cd '$(DESTDIR)$(completiondir)' && rm -f gpudump && $(LN_S) gpudumpfs gpudump
endif
uninstall-completion:
if INSTALL_COMPLETION
	rm -f '$(DESTDIR)$(completiondir)/gpudumpfs' '$(DESTDIR)$(completiondir)/gpudump'
endif
