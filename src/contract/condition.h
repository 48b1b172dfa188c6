/* Conditions on figures (named numbers of a trace).
 *
 *     calls(fsync) <= 3            a number; for bytes 10 MiB, for times 2ms, for shares 20 %
 *     p99(openat) < 1.1 * baseline
 *     calls(fsync) <= baseline + 3 */
#ifndef TRACETOOL_CONDITION_H
#define TRACETOOL_CONDITION_H

#include "base/text.h"
#include "contract/figure.h"

/* Operators, as bits: the orders of number and bound (<, ==, >) for which a condition holds. */
enum condition_comparison {
    CONDITION_LESS = 1,
    CONDITION_EQUAL = 2,
    CONDITION_MORE = 4,
    CONDITION_AT_MOST = CONDITION_LESS | CONDITION_EQUAL,
    CONDITION_NOT_EQUAL = CONDITION_LESS | CONDITION_MORE,
    CONDITION_AT_LEAST = CONDITION_MORE | CONDITION_EQUAL,
};

/* A bound: factor * (the baseline's number) + number. */
struct condition_bound {
    double number;         /* in bytes, nanoseconds, as a fraction, or a count */
    double factor;         /* factor of the baseline's number; 0: not relative to a baseline */
    enum column_kind kind; /* kind of quantity of the number's unit; COLUMN_ANY: no unit given */
    bool in_units;         /* true: a time in units of a clock that does not count nanoseconds */
};

struct condition {
    const char *text; /* the condition as typed; all texts belong to the pool */
    struct figure figure;
    enum condition_comparison comparison;
    struct condition_bound bound;
    const char *bound_text; /* operator and bound as typed */
};

/* Result of a contract: it holds, is broken, or cannot be decided. */
enum contract_state { CONTRACT_HOLDS, CONTRACT_BROKEN, CONTRACT_UNDECIDED };

/* Measured value of a figure in a trace. */
struct measured {
    bool is_known;
    double number;
    double of; /* number of things of which `number` is a part; 0: unknown */
    enum column_kind kind;
    bool in_units;   /* true: a time in a unit other than nanoseconds */
    bool at_least;   /* true: records were lost, so the true number may be larger (never smaller) */
    bool is_vague;   /* true: records were lost, so the true number may be larger or smaller */
    const char *why; /* reason if the value is unknown; borrowed, like `note` */
    const char *note; /* remark on the value; NULL: none */
};

/* Values of a figure in the baseline's traces. A single value is compared directly. From several, a
 * prediction interval is computed: how far one more trace may differ from the mean by chance. */
struct measured_baseline {
    const struct measured *values;
    size_t count;
};

/* Least number of baseline traces for a prediction interval. */
#define BASELINE_FEWEST 5

/* Parses the whole text as a condition. Errors name the position in the text. */
bool condition_read(struct figure_reader *reader, struct condition *condition);

/* Parses operator and bound up to the end of the text. `kind`: kind of the figure's number. */
bool condition_read_bound(struct figure_reader *reader, enum column_kind kind,
                          struct condition *condition);

/* Parses the whole text as a condition of `compare --fail-if` with a limit: > +10%, < x0.5, > +3, >
 * 2ms. Such a text names the failure, so the stored condition is its opposite. */
bool condition_read_limit(struct figure_reader *reader, struct condition *condition);

/* Judges a measured number. `why` receives details: the baseline's number, or why the result is
 * undecided. `point`: times are compared directly, without a prediction interval. */
enum contract_state condition_judge(const struct condition *condition,
                                    const struct measured *measured,
                                    const struct measured_baseline *baseline, bool point,
                                    struct text *why);

/* Appends a number with its unit and all its digits: 3.704 ms, 10,485,761 bytes, 12.5 %. */
void condition_append_number(struct text *out, double number, enum column_kind kind, bool in_units);

/* Appends a measured number. Adds decimals if it differs from the bound but would look the same. */
void condition_append_measured(struct text *out, const struct measured *measured,
                               const struct condition_bound *bound);

#endif
