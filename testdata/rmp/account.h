/* What reports must say about a play, by docs/spans.md: rows of tsv without the lines that begin
 * with '#'.
 */
#ifndef RMP_ACCOUNT_H
#define RMP_ACCOUNT_H

#include "play.h"

enum clock { WALL, CPU };

#define UNKNOWN (-1) /* no duration: the call is open */

/* Times of the calls of a play on one clock. Ends with account_free(). */
struct account {
    const struct play *play;
    enum clock clock;
    int64_t *duration, *self; /* by call; UNKNOWN */
    int64_t all_self;
};

/* Overhead of a probe, by origin; nanoseconds. */
#define OVERHEAD_APP       INT64_C(488000)
#define OVERHEAD_FRAMEWORK INT64_C(631000)
int64_t overhead_of(const struct play *play, int function);

void account_open(struct account *account, const struct play *play, enum clock clock);
void account_free(struct account *account);

/* Each writes all rows of the report. Files are closed by the caller. */
void write_functions(FILE *file, const struct account *account, bool per_thread);
void write_calltree(FILE *file, const struct account *account);
/* `axis`: the clock that `start` is on, which begins at `origin`. */
void write_calls(FILE *file, const struct account *account, int function, enum clock axis,
                 int64_t origin);
/* `within`: function, -1: everything. */
void write_hotspots(FILE *file, const struct account *account, enum resolution resolution,
                    int within, int64_t min_calls);

struct module {
    const char *name;
    const char *prefix;
};

/* Self time by module: the longest prefix that fits; `other` without one. */
void write_modules(FILE *file, const struct account *account, const struct module *modules,
                   size_t count);

/* One row: `trace bytes events bytes_per_event probes time_added time_share`. */
void write_overhead(FILE *file, const struct play *play, const char *trace, size_t bytes);

/* What the column `thread` says. */
void thread_label(const struct program *program, int thread, char *label, size_t size);

#endif
