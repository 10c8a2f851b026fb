# SPDX-License-Identifier: MIT
test_scripts += tests/page/pages.tap
dist_noinst_DATA += tests/page/clicks.py tests/page/steps.py tests/page/webdriver.py
