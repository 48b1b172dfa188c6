/* Conditions on figures: what must hold.
 *
 *     calls(fsync) <= 3            a number; of bytes 10 MiB, of times 2ms, of shares 20 %
 *     p99(openat) < 1.1 * baseline
 *     calls(fsync) <= baseline + 3
 */
#ifndef TRACETOOL_CONDITION_H
#define TRACETOOL_CONDITION_H

#include "base/text.h"
#include "contract/figure.h"

/* Sets of how the number may stand to the bound. */
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
    double number;         /* bytes, nanoseconds, a fraction, or how many */
    double factor;         /* 0: no baseline is asked for */
    enum column_kind kind; /* of its unit; COLUMN_ANY: it has none */
    bool in_units;         /* of a clock that counts no nanoseconds */
};

struct condition {
    const char *text; /* as typed; in the pool, as all else */
    struct figure figure;
    enum condition_comparison comparison;
    struct condition_bound bound;
    const char *bound_text; /* operator and bound */
};

/* What came of a contract. */
enum contract_state { CONTRACT_HOLDS, CONTRACT_BROKEN, CONTRACT_UNDECIDED };

/* A figure of a trace. */
struct measured {
    bool is_of_kind; /* the figure says something of traces of this kind */
    bool is_known;
    double number;
    enum column_kind kind;
    bool in_units;   /* a time that is no nanoseconds */
    bool at_least;   /* records are lost, and the true number is this or more … */
    bool is_vague;   /* … or may be any */
    const char *why; /* not known: why not; borrowed */
};

/* What the traces of a baseline have: of one its number, of several also how far a further trace
 * may be from their mean by chance. */
struct measured_baseline {
    const struct measured *values;
    size_t count;
};

/* Fewer traces give no interval. */
#define BASELINE_FEWEST 5

/* Reads a whole text. What is wrong is said with its place. */
bool condition_read(struct figure_reader *reader, struct condition *condition);

/* Reads an operator and a bound for a figure of the kind, to the end of the text. */
bool condition_read_bound(struct figure_reader *reader, enum column_kind kind,
                          struct condition *condition);

/* Reads a whole text as `compare --fail-if` has it, with a limit: > +10%, < x0.5, > +3, > 2ms. What
 * it says must not hold; the condition becomes its opposite. */
bool condition_read_limit(struct figure_reader *reader, struct condition *condition);

/* Judges a number; where it is undecided, or broken beyond doubt only in part, `why` says more.
 * `point`: times are compared as they are. */
enum contract_state condition_judge(const struct condition *condition,
                                    const struct measured *measured,
                                    const struct measured_baseline *baseline, bool point,
                                    struct text *why);

/* Appends a number with all of its digits: 3.704 ms, 10,485,761 bytes, 12.5 %. */
void condition_append_number(struct text *out, double number, enum column_kind kind, bool in_units);

#endif
