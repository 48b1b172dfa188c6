/* Conditions on figures.
 *
 *     calls(fsync) <= 3            a number; for bytes 10 MiB, for times 2ms, for shares 20 %
 *     p99(openat) < 1.1 * baseline
 *     calls(fsync) <= baseline + 3 */
#ifndef TRACETOOL_CONDITION_H
#define TRACETOOL_CONDITION_H

#include "base/text.h"
#include "contract/figure.h"

/* Sets of comparison results between number and bound. */
enum condition_comparison {
    CONDITION_LESS = 1,
    CONDITION_EQUAL = 2,
    CONDITION_MORE = 4,
    CONDITION_AT_MOST = CONDITION_LESS | CONDITION_EQUAL,
    CONDITION_NOT_EQUAL = CONDITION_LESS | CONDITION_MORE,
    CONDITION_AT_LEAST = CONDITION_MORE | CONDITION_EQUAL,
};

/* factor * baseline + number. */
struct condition_bound {
    double number;         /* number of bytes or nanoseconds, a fraction, or a count */
    double factor;         /* factor of the baseline's number; 0: no baseline is needed */
    enum column_kind kind; /* kind of its unit; COLUMN_ANY: no unit */
    bool in_units;         /* the clock does not count nanoseconds */
};

struct condition {
    const char *text; /* as typed; in the pool, as are all other texts */
    struct figure figure;
    enum condition_comparison comparison;
    struct condition_bound bound;
    const char *bound_text; /* text of operator and bound */
};

/* Result of a contract. */
enum contract_state { CONTRACT_HOLDS, CONTRACT_BROKEN, CONTRACT_UNDECIDED };

/* A figure's value in a trace. */
struct measured {
    bool is_known;
    double number;
    enum column_kind kind;
    bool in_units;    /* a time in a unit other than nanoseconds */
    bool at_least;    /* records were lost: the true number may be larger */
    bool is_vague;    /* records were lost: the number is unknown */
    const char *why;  /* reason for an unknown value; borrowed, as is the next */
    const char *note; /* remark on a known value; NULL: none */
};

/* Values of the baseline's traces. For one trace, its number; for several, also the prediction
 * interval: how far a further trace may differ from their mean by chance. */
struct measured_baseline {
    const struct measured *values;
    size_t count;
};

/* Least number of traces for an interval. */
#define BASELINE_FEWEST 5

/* Parses a whole text. Errors include the position. */
bool condition_read(struct figure_reader *reader, struct condition *condition);

/* Parses an operator and a bound for a figure of the kind, to the end of the text. */
bool condition_read_bound(struct figure_reader *reader, enum column_kind kind,
                          struct condition *condition);

/* Parses a whole text of `compare --fail-if`, with a limit: > +10%, < x0.5, > +3, > 2ms. The text
 * states what must not hold; the result is the opposite condition. */
bool condition_read_limit(struct figure_reader *reader, struct condition *condition);

/* Judges a number. If it is undecided, or only part of it is certainly broken, `why` gives
 * details. `point`: times are compared without an interval. */
enum contract_state condition_judge(const struct condition *condition,
                                    const struct measured *measured,
                                    const struct measured_baseline *baseline, bool point,
                                    struct text *why);

/* Appends a number with all of its digits: 3.704 ms, 10,485,761 bytes, 12.5 %. */
void condition_append_number(struct text *out, double number, enum column_kind kind, bool in_units);

#endif
