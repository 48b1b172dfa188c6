/* The baseline of a good run: a file of conditions, one per line, to commit and review in diffs.
 *
 *     # tracetool baseline 1
 *     # the last line is: # end
 *     calls(fsync) <= 3
 *     calls(read, path=…) <= 10
 *     calls(brk, futex) >= 0
 *     calls.new == 0
 *     errors(openat, stat, ENOENT) <= 2
 *     files("/data/x.db") opens <= 2, bytes_read <= 112, bytes_written <= 9,012, fsyncs <= 3
 *     # end
 *
 * Numbers are upper bounds with slack. Figures that depend on thread scheduling are listed (>= 0)
 * but not bounded. A line on several columns of a report is a condition for each. */
#ifndef TRACETOOL_BASELINE_H
#define TRACETOOL_BASELINE_H

#include "contract/contract.h"

/* Returns whether a file is a baseline. */
bool is_baseline(const char *path);

/* Adds the conditions in the baseline file at `path` to the contracts. */
bool baseline_read(struct contracts *contracts, const char *path, struct error *error);

/* Appends the baseline of a trace of system calls, the only trace that the request selects.
 * `slack`: by how many per cent, at least 1, bounds are above the measured numbers. `allow_times`:
 * also adds medians of times, with bounds of at least twice what was measured. The workspace was
 * begun. `contracts` must be empty, and gets the conditions that are measured. */
bool baseline_make(struct workspace *workspace, struct contracts *contracts,
                   const struct report_request *request, int64_t slack, bool allow_times,
                   struct text *out, struct error *error);

#endif
