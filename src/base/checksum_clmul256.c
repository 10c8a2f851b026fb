/* The check sums of checksum_lanes.inc for VPCLMULQDQ and AVX2. */
#define WIDTH        32
#define native       __m256i
#define MM_CLMUL     _mm256_clmulepi64_epi128
#define MM_SAD       _mm256_sad_epu8
#define MM_MADD      _mm256_madd_epi16
#define MM_MADDUBS   _mm256_maddubs_epi16
#define FOLD_STREAMS CHECKSUM_FOLD_1024
#define FOLD_ONE     CHECKSUM_FOLD_256
#include "base/checksum_lanes.inc"

const struct checksum_ops checksum_ops_clmul256 = {"clmul256", lanes_crc32, lanes_adler32};
