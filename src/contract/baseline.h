/* Baseline: measured numbers of a good run, as a file of conditions to commit and review in diffs.
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
 * Numbers are upper bounds with slack. Figures that depend on thread scheduling are listed without
 * a bound (>= 0). A line with several columns of a report has one condition per column. */
#ifndef TRACETOOL_BASELINE_H
#define TRACETOOL_BASELINE_H

#include "contract/contract.h"

/* Returns whether a file is a baseline. */
bool is_baseline(const char *path);

/* Adds the conditions in the baseline file at `path` to the contracts. Returns false with the error
 * set if the file cannot be read, is cut off, or has no conditions. */
bool baseline_read(struct contracts *contracts, const char *path, struct error *error);

/* Appends the baseline of the only system call trace that the request selects. `slack`: per cent,
 * at least 1, by which bounds exceed the measured numbers. `allow_times`: also adds median times,
 * with bounds of at least twice the measured time. The caller has called workspace_begin(), and
 * passes empty `contracts`, to which the conditions are added. */
bool baseline_make(struct workspace *workspace, struct contracts *contracts,
                   const struct report_request *request, int64_t slack, bool allow_times,
                   struct text *out, struct error *error);

#endif
