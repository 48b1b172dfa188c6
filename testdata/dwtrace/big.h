/* Logs of any size, for measuring speed. */
#ifndef DWTRACE_BIG_H
#define DWTRACE_BIG_H

#include "util.h"

/* A log of about that many bytes in the usual variant, on stdout. */
void write_big(uint64_t bytes, uint64_t seed);

/* Prints the expected report `functions`. */
void expect_big(uint64_t bytes, uint64_t seed);

#endif
