/* The check sums of checksum_lanes.inc for VPCLMULQDQ and AVX-512. */
#define WIDTH        64
#define native       __m512i
#define MM_CLMUL     _mm512_clmulepi64_epi128
#define MM_SAD       _mm512_sad_epu8
#define MM_MADD      _mm512_madd_epi16
#define MM_MADDUBS   _mm512_maddubs_epi16
#define FOLD_STREAMS CHECKSUM_FOLD_2048
#define FOLD_ONE     CHECKSUM_FOLD_512
#include "base/checksum_lanes.inc"

const struct checksum_ops checksum_ops_clmul512 = {"clmul512", lanes_crc32, lanes_adler32};
