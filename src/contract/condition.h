/* Conditions on figures.
 *
 *     calls(fsync) <= 3            a number; for bytes 10 MiB, for times 2ms, for shares 20 %
 *     p99(openat) < 1.1 * baseline
 *     calls(fsync) <= baseline + 3 */
#ifndef TRACETOOL_CONDITION_H
#define TRACETOOL_CONDITION_H

#include "base/text.h"
#include "contract/figure.h"

/* Results of comparing number and bound for which a condition holds: bits. */
enum condition_comparison {
    CONDITION_LESS = 1,
    CONDITION_EQUAL = 2,
    CONDITION_MORE = 4,
    CONDITION_AT_MOST = CONDITION_LESS | CONDITION_EQUAL,
    CONDITION_NOT_EQUAL = CONDITION_LESS | CONDITION_MORE,
    CONDITION_AT_LEAST = CONDITION_MORE | CONDITION_EQUAL,
};

/* A bound: factor * (number of the baseline) + number. */
struct condition_bound {
    double number;         /* bytes, nanoseconds, a fraction, or a count */
    double factor;         /* factor of the baseline's number; 0: the bound has no baseline */
    enum column_kind kind; /* kind of the number's unit; COLUMN_ANY: it has no unit */
    bool in_units;         /* true: in units of a clock that does not count nanoseconds */
};

struct condition {
    const char *text; /* the condition as typed; in the pool, like all other texts */
    struct figure figure;
    enum condition_comparison comparison;
    struct condition_bound bound;
    const char *bound_text; /* text of the operator and the bound */
};

/* Result of a contract: it holds, is broken, or cannot be decided. */
enum contract_state { CONTRACT_HOLDS, CONTRACT_BROKEN, CONTRACT_UNDECIDED };

/* The value of a figure in a trace. */
struct measured {
    bool is_known;
    double number;
    enum column_kind kind;
    bool in_units;    /* true: a time in a unit other than nanoseconds */
    bool at_least;    /* true: records were lost, so the true number may be larger */
    bool is_vague;    /* true: records were lost, so the number is unknown */
    const char *why;  /* why the value is unknown; borrowed, like `note` */
    const char *note; /* remark on the value; NULL: none */
};

/* Values of a figure in the baseline's traces. For one trace, it is the number; for several, it is
 * also the prediction interval: how far one more trace may differ from their mean by chance. */
struct measured_baseline {
    const struct measured *values;
    size_t count;
};

/* Least number of traces from which an interval is computed. */
#define BASELINE_FEWEST 5

/* Parses a condition, which is the whole text. Errors tell the position. */
bool condition_read(struct figure_reader *reader, struct condition *condition);

/* Parses an operator and a bound for a figure of a kind, to the end of the text. */
bool condition_read_bound(struct figure_reader *reader, enum column_kind kind,
                          struct condition *condition);

/* Parses a condition of `compare --fail-if`, the whole text, with a limit: > +10%, < x0.5, > +3, >
 * 2ms. The text tells what must not be; the result is the opposite condition. */
bool condition_read_limit(struct figure_reader *reader, struct condition *condition);

/* Judges a number by a condition. `why` gets details: the number of the baseline, or why the result
 * is undecided. `point`: times are compared without an interval. */
enum contract_state condition_judge(const struct condition *condition,
                                    const struct measured *measured,
                                    const struct measured_baseline *baseline, bool point,
                                    struct text *why);

/* Appends a number with all of its digits: 3.704 ms, 10,485,761 bytes, 12.5 %. */
void condition_append_number(struct text *out, double number, enum column_kind kind, bool in_units);

/* Appends a measured number, with more decimals if it would look like the bound but is another. */
void condition_append_measured(struct text *out, const struct measured *measured,
                               const struct condition_bound *bound);

#endif
