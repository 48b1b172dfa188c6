/* What tracetool's reports must say about a log, counted from the calls played. */
#ifndef PALMIST_EXPECT_H
#define PALMIST_EXPECT_H

#include "log.h"

/* Writes popularity.tsv and the others into directory, which must exist. */
void write_expectations(const char *directory, const Log *log);

typedef struct {
    uint64_t argument_bytes;
    size_t without_arguments;
    size_t distinct_traps;
    size_t top_ten_calls;
} Figures;

Figures figures_of(const Log *log);

#endif
