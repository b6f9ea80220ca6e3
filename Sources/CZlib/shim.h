// The two init functions are macros in zlib.h, which Swift does not see.
#pragma once
#include <zlib.h>

// 15 + 16: the largest window, in a gzip frame (zlib.h). That frame has no name and the time 0, so that the same bytes
// compress to the same bytes.
static inline int czlib_start_gzip(z_stream *s) {
    return deflateInit2(s, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
static inline int czlib_start_gunzip(z_stream *s) { return inflateInit2(s, 15 + 16); }
