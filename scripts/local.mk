dist_noinst_SCRIPTS += \
	scripts/bootstrap.sh \
	scripts/setup-debian.sh
