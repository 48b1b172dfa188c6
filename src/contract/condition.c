#include "contract/condition.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/running_stats.h"
#include "base/student.h"

static const struct {
    const char *name;
    double size;
    enum column_kind kind;
} units[] = {
#define UNIT(NAME, SIZE, KIND) {NAME, SIZE, COLUMN_##KIND},
#include "contract/units.def"
};

/* Returns the same kind for all column kinds that have the same units. */
static enum column_kind unit_kind(enum column_kind kind) {
    return kind == COLUMN_TIME                            ? COLUMN_DURATION
           : kind == COLUMN_NUMBER || kind == COLUMN_REAL ? COLUMN_INTEGER
                                                          : kind;
}

static const char *condition_kind_words(enum column_kind kind) {
    return unit_kind(kind) == COLUMN_DURATION ? "a time, as 2ms, 1.5 s or 3 min"
           : kind == COLUMN_BYTES             ? "bytes, as 4096, 64 KiB or 10 MB"
           : kind == COLUMN_SHARE             ? "a share, as 20 % or 0.2"
           : kind == COLUMN_ANY               ? "a number, with the unit of that row"
                                              : "a number without a unit";
}

/* --- parsing conditions ----------------------------------------------------------------------- */

static bool read_comparison(struct figure_reader *reader, enum condition_comparison *comparison) {
    static const struct {
        const char *text;
        enum condition_comparison comparison;
    } forms[] = {{"<=", CONDITION_AT_MOST},   {">=", CONDITION_AT_LEAST}, {"==", CONDITION_EQUAL},
                 {"!=", CONDITION_NOT_EQUAL}, {"<", CONDITION_LESS},      {">", CONDITION_MORE},
                 {"=", CONDITION_EQUAL}};

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (figure_skip_word(reader, forms[i].text)) {
            *comparison = forms[i].comparison;
            return true;
        }
    }
    return figure_set_error(reader, reader->at, "expected one of <, <=, ==, !=, >= and >");
}

/* Returns the length of an exponent at `at`, such as e3 or e-3; 0 if there is none. */
static size_t exponent_length(const char *at) {
    const size_t sign = (*at | 32) == 'e' ? 1 + (at[1] == '+' || at[1] == '-') : 0;
    const size_t digits = sign > 0 ? strspn(at + sign, "0123456789") : 0;

    return digits > 0 ? sign + digits : 0;
}

/* Parses a number: 1.5, or 1e3; commas may separate groups of three digits. */
static bool read_digits(struct figure_reader *reader, double *number) {
    const size_t length = strspn(reader->at, "0123456789,.");
    const size_t exponent = exponent_length(reader->at + length);
    char digits[40], *end = digits;
    bool right = length > 0 && length + exponent < sizeof digits && *reader->at != '.' &&
                 reader->at[length - 1] != '.';

    for (size_t i = 0; right && i < length + exponent; i++) {
        if (reader->at[i] == ',') {
            right = i > 0 && strspn(reader->at + i + 1, "0123456789") == 3;
        } else {
            *end++ = reader->at[i];
        }
    }
    *end = '\0';
    *number = right ? strtod(digits, &end) : 0;
    if (!right || *end != '\0' || isinf(*number)) {
        return figure_set_error(reader, reader->at,
                                length == 0 ? "expected a number" : "this is no number");
    }
    reader->at += length + exponent;
    return true;
}

/* Returns the double nearest to percent / 100, for up to 12 decimals. The division itself is not
 * exact: 1.4 / 100 is less than 0.014. */
static double share_of_percent(double percent) {
    const double scaled = round(percent * 1e12);

    return scaled < 9e15 ? scaled / 1e14 : percent / 100;
}

/* Parses the unit after a number and multiplies the number by that unit. A product near an integer
 * is rounded: 33.243 ms is exactly 33,243,000 ns. */
static bool condition_read_unit(struct figure_reader *reader, enum column_kind kind,
                                struct condition_bound *bound) {
    const size_t length = strcspn(reader->at, " +-*,");
    const char *at = reader->at;
    struct text names = {0};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const double scaled = bound->number * units[i].size;

        if (kind != COLUMN_ANY && units[i].kind != unit_kind(kind)) {
            continue;
        }
        if (strlen(units[i].name) == length && strncmp(units[i].name, at, length) == 0) {
            bound->number = units[i].kind == COLUMN_SHARE         ? share_of_percent(bound->number)
                            : fabs(scaled - round(scaled)) < 1e-4 ? round(scaled)
                                                                  : scaled;
            bound->kind = units[i].kind;
            bound->in_units = strcmp(units[i].name, "units") == 0;
            reader->at += length;
        }
        text_append_item(&names, units[i].name);
    }
    if (reader->at == at) {
        figure_set_error(reader, at, "expected %s%s%s", condition_kind_words(kind),
                         names.length > 0 ? "; units are " : "", text_string(&names));
    }
    text_free(&names);
    return reader->at > at;
}

static bool condition_read_number(struct figure_reader *reader, enum column_kind kind,
                                  struct condition_bound *bound) {
    const char *at;

    figure_skip_blanks(reader);
    at = reader->at;
    if (!read_digits(reader, &bound->number)) {
        return false;
    }
    figure_skip_blanks(reader);
    return (strchr("*+-", *reader->at) != NULL || condition_read_unit(reader, kind, bound)) &&
           (*reader->at == '*' || bound->kind != COLUMN_ANY || bound->number == 0 ||
            (unit_kind(kind) != COLUMN_DURATION && (kind != COLUMN_SHARE || bound->number <= 1)) ||
            figure_set_error(reader, at, "expected %s", condition_kind_words(kind)));
}

/* Parses a bound: [NUMBER *] baseline [+ NUMBER], or NUMBER. For counts, `none` means 0. */
static bool read_bound(struct figure_reader *reader, enum column_kind kind,
                       struct condition_bound *bound) {
    bool minus = false;
    const char *at;

    *bound = (struct condition_bound){.kind = COLUMN_ANY};
    figure_skip_blanks(reader);
    at = reader->at;
    if (kind == COLUMN_INTEGER && figure_skip_word(reader, "none")) {
        return true;
    }
    if (figure_skip_word(reader, "baseline")) {
        bound->factor = 1;
    } else if (kind == COLUMN_INTEGER && (*reader->at | 32) >= 'a' && (*reader->at | 32) <= 'z') {
        return figure_set_error(reader, reader->at, "expected a number, none or baseline");
    } else if (!condition_read_number(reader, kind, bound)) {
        return false;
    } else if (figure_skip_word(reader, "*")) {
        bound->factor = bound->number;
        bound->number = 0;
        if (bound->factor == 0) {
            return figure_set_error(reader, at, "the factor must be above 0");
        }
        if (bound->kind != COLUMN_ANY || !figure_skip_word(reader, "baseline")) {
            return figure_set_error(reader, reader->at, "expected baseline, as in 1.1 * baseline");
        }
    }
    if (bound->factor != 0 &&
        (figure_skip_word(reader, "+") || (minus = figure_skip_word(reader, "-")))) {
        if (!condition_read_number(reader, kind, bound)) {
            return false;
        }
        bound->number = minus ? -bound->number : bound->number;
    }
    return true;
}

/* Parses a limit. +10 %, x1.5 and +3 are relative to the baseline. 10 % is relative, too, except
 * for shares. */
static bool read_limit(struct figure_reader *reader, enum column_kind kind,
                       struct condition_bound *bound) {
    const bool is_ratio = figure_skip_word(reader, "x");
    const bool is_less = figure_skip_word(reader, "-"),
               is_change = is_less || figure_skip_word(reader, "+");
    const char *at = reader->at;

    *bound = (struct condition_bound){.kind = COLUMN_ANY};
    if (is_ratio) {
        return read_digits(reader, &bound->factor);
    }
    if ((is_change || kind != COLUMN_SHARE) && strspn(at, "0123456789.") > 0 &&
        at[strspn(at, "0123456789. ")] == '%') {
        if (!read_digits(reader, &bound->number)) {
            return false;
        }
        bound->factor = 1 + (is_less ? -bound->number : bound->number) / 100;
        bound->number = 0;
        return figure_skip_word(reader, "%");
    }
    if (!is_change) {
        return read_bound(reader, kind, bound);
    }
    bound->factor = 1;
    if (!condition_read_number(reader, kind, bound)) {
        return false;
    }
    bound->number = is_less ? -bound->number : bound->number;
    return true;
}

/* Parses an operator, and then a bound with the function `read`, up to the end of the text. */
static bool condition_read_rest(struct figure_reader *reader, enum column_kind kind,
                                struct condition *condition,
                                bool (*read)(struct figure_reader *, enum column_kind,
                                             struct condition_bound *)) {
    figure_skip_blanks(reader);
    condition->bound_text = pool_copy(reader->pool, reader->at);
    if (!read_comparison(reader, &condition->comparison) ||
        !read(reader, kind, &condition->bound)) {
        return false;
    }
    figure_skip_blanks(reader);
    return *reader->at == '\0' || figure_set_error(reader, reader->at, "nothing may follow the %s",
                                                   read == read_bound ? "bound" : "limit");
}

bool condition_read_bound(struct figure_reader *reader, enum column_kind kind,
                          struct condition *condition) {
    return condition_read_rest(reader, kind, condition, read_bound);
}

bool condition_read_limit(struct figure_reader *reader, struct condition *condition) {
    condition->text = reader->text;
    if (!figure_read(reader, &condition->figure) ||
        !condition_read_rest(reader, condition->figure.kind, condition, read_limit)) {
        return false;
    }
    condition->comparison ^= CONDITION_LESS | CONDITION_EQUAL | CONDITION_MORE;
    return true;
}

bool condition_read(struct figure_reader *reader, struct condition *condition) {
    condition->text = reader->text;
    return figure_read(reader, &condition->figure) &&
           condition_read_bound(reader, condition->figure.kind, condition);
}

/* --- writing numbers -------------------------------------------------------------------------- */

static void condition_append_short(struct text *out, double number, int decimals,
                                   const char *unit) {
    char digits[400];
    int length = snprintf(digits, sizeof digits, "%.*f", decimals, number);

    while (digits[length - 1] == '0') {
        length--;
    }
    length -= digits[length - 1] == '.';
    text_append_format(out, "%.*s%s", length, digits, unit);
}

void condition_append_number(struct text *out, double number, enum column_kind kind,
                             bool in_units) {
    const double size = fabs(number);
    const bool is_time = unit_kind(kind) == COLUMN_DURATION;

    if (is_time && !in_units) {
        const int decimals = size >= 1e9 ? 9 : size >= 1e6 ? 6 : 3;
        static const char *const names[] = {" ns", " us", " ms", " s"};
        const int unit = size >= 1000 ? decimals / 3 : 0;

        condition_append_short(out, number / pow(1000, unit), decimals, names[unit]);
    } else if (kind == COLUMN_SHARE) {
        condition_append_short(out, 100 * number, 4, " %");
    } else if (number == floor(number) && size < 1e18) {
        const struct value value = value_integer((int64_t)number);

        printer_append_human(out, &value, &(struct column){"", "", COLUMN_INTEGER}, "ns");
        text_append_string(out, kind == COLUMN_BYTES ? " bytes" : is_time ? " units" : "");
    } else {
        condition_append_short(out, number, 6, "");
    }
}

/* Returns whether two numbers are printed alike with that many decimals. */
static bool prints_same(double one, double other, int decimals) {
    char digits[2][400];

    snprintf(digits[0], sizeof digits[0], "%.*f", decimals, one);
    snprintf(digits[1], sizeof digits[1], "%.*f", decimals, other);
    return strcmp(digits[0], digits[1]) == 0;
}

void condition_append_measured(struct text *out, const struct measured *measured,
                               const struct condition_bound *bound) {
    const bool is_share = measured->kind == COLUMN_SHARE;
    const double factor = is_share ? 100 : 1, number = factor * measured->number;
    int decimals = is_share ? 4 : 6;
    const int fewest = decimals;

    if (bound->factor == 0 && unit_kind(measured->kind) != COLUMN_DURATION &&
        measured->number != bound->number) {
        while (decimals < 17 && prints_same(number, factor * bound->number, decimals)) {
            decimals++;
        }
    }
    if (decimals == fewest) {
        condition_append_number(out, measured->number, measured->kind, measured->in_units);
    } else {
        condition_append_short(out, number, decimals, is_share ? " %" : "");
    }
}

/* --- judging a number ------------------------------------------------------------------------- */

static bool condition_holds(enum condition_comparison comparison, double number, double bound) {
    return (number < bound && (comparison & CONDITION_LESS) != 0) ||
           (number == bound && (comparison & CONDITION_EQUAL) != 0) ||
           (number > bound && (comparison & CONDITION_MORE) != 0);
}

/* Computes the mean of the baseline's traces. `deviation`: how far above the mean one more trace
 * may be by chance (one-sided 95 % prediction interval); NAN if traces are few. Returns false with
 * `why` set if there is no mean. */
static bool mean_of_baseline(const struct measured_baseline *baseline, double *mean,
                             double *deviation, const char **why) {
    struct running_stats stats = {0};
    const double count = (double)baseline->count;

    *why = baseline->count == 0 ? "there is no baseline: give one with --baseline LOG" : NULL;
    for (size_t i = 0; i < baseline->count && *why == NULL; i++) {
        *why = baseline->values[i].is_known ? NULL : "the baseline does not have the figure";
        running_stats_add(&stats, baseline->values[i].number);
    }
    *mean = (double)stats.mean;
    *deviation = baseline->count < BASELINE_FEWEST
                     ? NAN
                     : student_t_critical_two_sided(0.9, count - 1) *
                           (double)running_stats_deviation(&stats) * sqrt(1 + 1 / count);
    return *why == NULL;
}

static enum contract_state set_undecided(struct text *why, const char *words) {
    text_append_string(why, words);
    return CONTRACT_UNDECIDED;
}

/* Returns whether the bound has the figure's unit. If not, appends the reason to `why`. */
static bool fits_unit(const struct condition_bound *bound, const struct measured *measured,
                      struct text *why) {
    const enum column_kind kind = unit_kind(measured->kind);
    const bool in_units = measured->in_units && kind != COLUMN_BYTES && kind != COLUMN_SHARE;

    if (bound->kind == COLUMN_ANY
            ? kind != COLUMN_DURATION || bound->factor != 0 || bound->number == 0 || in_units
            : (bound->kind == kind || bound->in_units) && bound->in_units == in_units) {
        return true;
    }
    text_append_format(why, "the limit must be %s",
                       in_units ? "in units of the log's clock, as 5 units"
                                : condition_kind_words(measured->kind));
    return false;
}

/* Judges a time by several baseline traces. It is broken only if the excess over the bound is
 * unlikely to be chance (prediction interval). */
static enum contract_state judge_time(const struct condition *condition,
                                      const struct measured *measured, double bound,
                                      double deviation, struct text *why) {
    const double off = condition->bound.factor * deviation;

    if (isnan(deviation)) {
        return set_undecided(why, "; to judge a time, give 5 baselines, or --certainty point");
    }
    text_append_string(why, " ± ");
    condition_append_number(why, deviation, measured->kind, measured->in_units);
    if (condition_holds(condition->comparison, measured->number, bound)) {
        return CONTRACT_HOLDS;
    }
    return condition_holds(condition->comparison, measured->number, bound + off) ||
                   condition_holds(condition->comparison, measured->number, bound - off)
               ? set_undecided(why, "; the difference may be chance")
               : CONTRACT_BROKEN;
}

enum contract_state condition_judge(const struct condition *condition,
                                    const struct measured *measured,
                                    const struct measured_baseline *baseline, bool point,
                                    struct text *why) {
    const struct condition_bound *of = &condition->bound;
    double mean = 0, deviation = 0, bound = of->number;
    const char *missing = NULL;

    if (!measured->is_known) {
        return set_undecided(why, measured->why != NULL ? measured->why
                                                        : "the log does not contain this");
    }
    if (!fits_unit(of, measured, why)) {
        return CONTRACT_UNDECIDED;
    }
    if (of->factor != 0) {
        if (!mean_of_baseline(baseline, &mean, &deviation, &missing)) {
            return set_undecided(why, missing);
        }
        bound = of->factor * mean + of->number;
        /* Factor and product are rounded (1.15 * 100 is just below 115), so near-equal is equal. */
        if (fabs(measured->number - bound) <= 8 * DBL_EPSILON * fabs(bound)) {
            bound = measured->number;
        }
        text_append_string(why, "baseline ");
        condition_append_number(why, mean, measured->kind, measured->in_units);
    }
    if (measured->at_least || measured->is_vague) {
        /* Records were lost: the true number may be higher than the measured one, but not lower. */
        const bool now = condition_holds(condition->comparison, measured->number, bound);

        if (measured->at_least && measured->number >= bound &&
            now == ((condition->comparison & CONDITION_MORE) != 0)) {
            return now ? CONTRACT_HOLDS : CONTRACT_BROKEN;
        }
        return set_undecided(why, why->length > 0 ? "; records of the log are rejected or lost"
                                                  : "records of the log are rejected or lost");
    }
    if (of->factor != 0 && unit_kind(measured->kind) == COLUMN_DURATION && !point) {
        return judge_time(condition, measured, bound, deviation, why);
    }
    return condition_holds(condition->comparison, measured->number, bound) ? CONTRACT_HOLDS
                                                                           : CONTRACT_BROKEN;
}
