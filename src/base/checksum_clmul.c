/* The check sums of checksum_lanes.inc for PCLMULQDQ and SSSE3. */
#define WIDTH        16
#define native       __m128i
#define MM_CLMUL     _mm_clmulepi64_si128
#define MM_SAD       _mm_sad_epu8
#define MM_MADD      _mm_madd_epi16
#define MM_MADDUBS   _mm_maddubs_epi16
#define FOLD_STREAMS CHECKSUM_FOLD_512
#define FOLD_ONE     CHECKSUM_FOLD_128
#include "base/checksum_lanes.inc"

const struct checksum_ops checksum_ops_clmul = {"clmul", lanes_crc32, lanes_adler32};
