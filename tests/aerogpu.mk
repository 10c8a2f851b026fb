# Tests of the AeroGPU format.
unit_tests += \
	tests/test_aerogpu_dxbc \
	tests/test_aerogpu_layout \
	tests/test_aerogpu_packets \
	tests/test_aerogpu_texels
