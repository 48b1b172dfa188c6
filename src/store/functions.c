#include "store/functions.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/running_stats.h"
#include "base/saturate.h"
#include "base/text.h"
#include "filesystem/file_map.h"
#include "model/event.h"
#include "base/student.h"

/* A word and its number. In lists of classes, block types, origins and evidence, the last word is
 * for all unknown numbers. */
struct word {
    const char *word;
    int number;
};

static const struct word io_classes[] = {
    {"read", IO_READ},   {"readsync", IO_READSYNC},
    {"write", IO_WRITE}, {"writesync", IO_WRITESYNC},
    {"flush", IO_FLUSH}, {"other", IO_OTHER},
    {NULL, 0},
};

static const struct word io_block_types[] = {
    {"data", IO_BLOCK_DATA},         {"journal", IO_BLOCK_JOURNAL},
    {"metadata", IO_BLOCK_METADATA}, {"anonymous", IO_BLOCK_ANONYMOUS},
    {"none", IO_BLOCK_NONE},         {NULL, 0},
};

static const struct word io_origins[] = {
    {"queued", IO_ORIGIN_QUEUED},
    {"issued", IO_ORIGIN_ISSUED},
    {"completed", IO_ORIGIN_COMPLETED},
    {"unknown", IO_ORIGIN_UNKNOWN},
    {NULL, 0},
};

static const struct word io_evidences[] = {
    {"image", IO_EVIDENCE_IMAGE},
    {"journal", IO_EVIDENCE_JOURNAL},
    {"journal-over-image", IO_EVIDENCE_JOURNAL_OVER_IMAGE},
    {"both-images", IO_EVIDENCE_BOTH_IMAGES},
    {"likely-image", IO_EVIDENCE_LIKELY_IMAGE},
    {"likely-journal", IO_EVIDENCE_LIKELY_JOURNAL},
    {"none", IO_EVIDENCE_NONE},
    {"unasked", IO_EVIDENCE_UNASKED},
    {NULL, 0},
};

static const struct word io_flags[] = {
    {"flush", IO_FLAG_FLUSH},
    {"fua", IO_FLAG_FUA},
    {"discard", IO_FLAG_DISCARD},
    {"metadata", IO_FLAG_METADATA},
    {"read-ahead", IO_FLAG_READ_AHEAD},
    {"barrier", IO_FLAG_BARRIER},
    {"fsync", IO_FLAG_FSYNC},
    {"fdatasync", IO_FLAG_FDATASYNC},
    {"sqlite sync", IO_FLAG_SQLITE_SYNC},
    {"unissued", IO_FLAG_UNISSUED},
    {"shared", IO_FLAG_SHARED},
    {"flush write", IO_FLAG_FLUSH_WRITE},
    {"flush sync", IO_FLAG_FLUSH_SYNC},
    {"flush asked", IO_FLAG_FLUSH_ASKED},
    {"below", IO_FLAG_BELOW},
    {NULL, 0},
};

static const struct word span_flags[] = {
    {"data", SPAN_DATA},
    {"stray exit", SPAN_STRAY_EXIT},
    {"open", SPAN_OPEN},
    {"exit missing", SPAN_EXIT_MISSING},
    {"recursive", SPAN_RECURSIVE},
    {"exception", SPAN_EXCEPTION},
    {NULL, 0},
};

/* An SQL function that tracetool registers: scalar or aggregate. */
struct function {
    const char *name;
    int parameters;
    void (*function)(sqlite3_context *, int, sqlite3_value **);
    const struct word *words;
    unsigned shift, mask; /* the number of a word is (flags >> shift) & mask */
    void (*step)(sqlite3_context *, int, sqlite3_value **);
    void (*final)(sqlite3_context *);
};

/* Sets the SQL result to the word for a number; to the last word for NULL or an unknown number. */
static void result_word(sqlite3_context *context, sqlite3_value *value, int64_t number) {
    const struct word *words = ((const struct function *)sqlite3_user_data(context))->words;

    while (words[1].word != NULL &&
           (words->number != number || sqlite3_value_type(value) == SQLITE_NULL)) {
        words++;
    }
    sqlite3_result_text(context, words->word, -1, SQLITE_STATIC);
}

/* Finds a word in the function's list; if it is not there, sets SQL's error and returns NULL. */
static const struct word *functions_find_word(sqlite3_context *context, sqlite3_value *value) {
    const struct word *word = ((const struct function *)sqlite3_user_data(context))->words;
    const char *text = (const char *)sqlite3_value_text(value);

    for (; word->word != NULL; word++) {
        if (text != NULL && strcmp(word->word, text) == 0) {
            return word;
        }
    }
    sqlite3_result_error(context, "there is no class, block type or flag of this name", -1);
    return NULL;
}

static void number_of_word(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct word *word = functions_find_word(context, values[0]);

    if (word != NULL) {
        sqlite3_result_int(context, word->number);
    }
}

static void word_of_number(sqlite3_context *context, int count, sqlite3_value **values) {
    result_word(context, values[0], sqlite3_value_int64(values[0]));
}

static void functions_has_flag(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct word *word = functions_find_word(context, values[1]);

    if (word != NULL && sqlite3_value_type(values[0]) != SQLITE_NULL) {
        sqlite3_result_int(context, (sqlite3_value_int64(values[0]) & word->number) != 0);
    }
}

static void word_of_flags(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct function *function = sqlite3_user_data(context);

    result_word(context, values[0],
                (uint32_t)sqlite3_value_int64(values[0]) >> function->shift & function->mask);
}

static void block_class_of_flags(sqlite3_context *context, int count, sqlite3_value **values) {
    uint32_t flags = (uint32_t)sqlite3_value_int64(values[0]);

    sqlite3_result_text(context,
                        block_class_name(flags >> IO_BLOCK_CLASS_SHIFT & IO_BLOCK_CLASS_MASK), -1,
                        SQLITE_STATIC);
}

static void is_call(sqlite3_context *context, int count, sqlite3_value **values) {
    if (sqlite3_value_type(values[0]) != SQLITE_NULL) {
        sqlite3_result_int(context, span_is_call((uint32_t)sqlite3_value_int64(values[0])));
    }
}

/* --- SQL aggregate functions: quantile, median, stddev, histogram ----------------------------- */

/* SQL aggregates of every connection; tracetool-sql(1) documents them.
 *
 *     quantile(x, p)        the smallest x that is >= at least the share p of all values: a value
 *                           that occurs, as in reports; p from 0 to 1
 *     median(x)             the middle value; for an even number, the mean of the two in the middle
 *     stddev(x)             sample standard deviation (n - 1); NULL for fewer than two values
 *     histogram(x, width)   JSON text [[from,count],…] of the non-empty bins from <= x < from +
 * width, in ascending order; from is a multiple of the width
 *
 * NULLs are ignored; text and blobs that are not numbers are errors. All are exact (stddev within
 * the precision of reals), and their memory is bounded as in limits.md. For integers, quantile and
 * histogram return integers. None is a window function. */

/* --- checking arguments of aggregate functions ------------------------------------------------ */

static void functions_refuse(sqlite3_context *context, const char *message) {
    sqlite3_result_error(context, message, -1);
}

static void functions_fail(sqlite3_context *context, const struct error *error) {
    if (error->status == EXIT_DONE) {
        sqlite3_result_error_nomem(context);
    } else {
        functions_refuse(context, error->message);
    }
}

static bool functions_read_number(sqlite3_value *value, struct number *number) {
    int type = sqlite3_value_numeric_type(value);

    *number = (struct number){.is_real = type == SQLITE_FLOAT};
    if (type == SQLITE_INTEGER) {
        number->integer = sqlite3_value_int64(value);
    } else if (type == SQLITE_FLOAT) {
        number->real = sqlite3_value_double(value);
    }
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static double real_of_sql_value(const struct number *number) {
    return number->is_real ? number->real : (double)number->integer;
}

/* Reads the argument x of an aggregate. Returns false for NULL (to be ignored) or on error. */
static bool read_histogram_value(sqlite3_context *context, sqlite3_value *value,
                                 struct number *number) {
    if (sqlite3_value_type(value) == SQLITE_NULL) {
        return false;
    }
    if (!functions_read_number(value, number)) {
        functions_refuse(
            context, "quantile, median, stddev and histogram need numbers, but x is not a number");
        return false;
    }
    return true;
}

/* --- rounding decimal fractions --------------------------------------------------------------- */

/* Rounds a product or quotient of decimal fractions to the nearest integer if only binary rounding
 * errors separate them: 0.07 of 100 is 7. */
static double round_decimal(double number) {
    double nearest = round(number);

    return fabs(number - nearest) <= 4 * DBL_EPSILON * fabs(number) ? nearest : number;
}

/* --- SQL function student: Student's t distribution ------------------------------------------- */

/* SQL function student(p, n): quantile of Student's t distribution for a confidence interval of
 * level p with n degrees of freedom. NULL if p or n is NULL, or n is below 1. */
static void sql_student(sqlite3_context *context, int count, sqlite3_value **values) {
    struct number part, degrees;

    if (sqlite3_value_type(values[0]) == SQLITE_NULL ||
        sqlite3_value_type(values[1]) == SQLITE_NULL) {
        return;
    }
    if (!functions_read_number(values[0], &part) ||
        !(real_of_sql_value(&part) > 0 && real_of_sql_value(&part) < 1)) {
        functions_refuse(context, "student(p, n): p is a number between 0 and 1");
    } else if (!functions_read_number(values[1], &degrees)) {
        functions_refuse(context, "student(p, n): n is a number");
    } else if (real_of_sql_value(&degrees) >= 1) {
        sqlite3_result_double(context, student_t_critical_two_sided(real_of_sql_value(&part),
                                                                    real_of_sql_value(&degrees)));
    }
}

/* --- SQL functions quantile and median -------------------------------------------------------- */

struct sample {
    struct quantile_sorter *numbers; /* owned; NULL: no number yet */
    double part;                     /* argument p of the SQL function quantile(x, p) */
    bool has_part;
};

static void add_number(sqlite3_context *context, struct sample *sample, sqlite3_value *value) {
    struct error error = {0};
    struct number number;

    if (!read_histogram_value(context, value, &number)) {
        return;
    }
    if (sample->numbers == NULL) {
        sample->numbers = quantile_sorter_new();
    }
    if (sample->numbers == NULL) {
        sqlite3_result_error_nomem(context);
    } else if (!quantile_sorter_add(sample->numbers, number, &error)) {
        functions_fail(context, &error);
    }
}

static void median_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct sample *sample = sqlite3_aggregate_context(context, sizeof *sample);

    if (sample != NULL) {
        add_number(context, sample, values[0]);
    } else {
        sqlite3_result_error_nomem(context);
    }
}

static void quantile_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct sample *sample = sqlite3_aggregate_context(context, sizeof *sample);
    struct number part;

    if (sample == NULL) {
        sqlite3_result_error_nomem(context);
    } else if (!functions_read_number(values[1], &part) ||
               !(real_of_sql_value(&part) >= 0 && real_of_sql_value(&part) <= 1)) {
        functions_refuse(context, "quantile(x, p): p must be a number from 0 to 1");
    } else if (sample->has_part && real_of_sql_value(&part) != sample->part) {
        functions_refuse(context, "quantile(x, p): p must be the same for all rows");
    } else {
        sample->has_part = true;
        sample->part = real_of_sql_value(&part);
        add_number(context, sample, values[0]);
    }
}

/* Sets the SQL result to the mean of two numbers; `left` must not exceed `right`. */
static void result_mean(sqlite3_context *context, const struct number *left,
                        const struct number *right) {
    if (left->is_real) {
        sqlite3_result_double(
            context, left->real == right->real ? left->real : left->real / 2 + right->real / 2);
    } else if (((left->integer ^ right->integer) & 1) == 0) {
        sqlite3_result_int64(context, (left->integer & right->integer) +
                                          ((left->integer ^ right->integer) >> 1));
    } else {
        sqlite3_result_double(context, (double)left->integer / 2 + (double)right->integer / 2);
    }
}

/* Returns the number of values; if 0, the aggregate's result is NULL. */
static int64_t functions_count_of(const struct sample *sample) {
    return sample == NULL || sample->numbers == NULL ? 0 : quantile_sorter_count(sample->numbers);
}

static void free_sample(struct sample *sample) {
    if (sample != NULL) {
        quantile_sorter_free(sample->numbers);
        sample->numbers = NULL;
    }
}

static void median_final(sqlite3_context *context) {
    struct sample *sample = sqlite3_aggregate_context(context, 0);
    int64_t count = functions_count_of(sample);
    struct error error = {0};
    struct number left, right;

    if (count > 0) {
        if (quantile_sorter_find(sample->numbers, (count + 1) / 2, &left, &error) &&
            quantile_sorter_find(sample->numbers, count / 2 + 1, &right, &error)) {
            result_mean(context, &left, &right);
        } else {
            functions_fail(context, &error);
        }
    }
    free_sample(sample);
}

/* Returns the rank, from 1, of the quantile for the share `part`: of the smallest value that is >=
 * at least this share of all values. */
static int64_t functions_rank_of(double part, int64_t count) {
    int64_t rank = (int64_t)ceil(round_decimal(part * (double)count));

    return rank < 1 ? 1 : rank > count ? count : rank;
}

static void quantile_final(sqlite3_context *context) {
    struct sample *sample = sqlite3_aggregate_context(context, 0);
    int64_t count = functions_count_of(sample);
    struct error error = {0};
    struct number number;

    if (count > 0) {
        if (quantile_sorter_find(sample->numbers, functions_rank_of(sample->part, count), &number,
                                 &error)) {
            if (number.is_real) {
                sqlite3_result_double(context, number.real);
            } else {
                sqlite3_result_int64(context, number.integer);
            }
        } else {
            functions_fail(context, &error);
        }
    }
    free_sample(sample);
}

/* --- SQL function stddev: standard deviation -------------------------------------------------- */

/* Returns the state of the stddev aggregate. SQLite's memory holds only a pointer to it, since it
 * is not aligned enough for long double. */
static struct running_stats **running_stats_of(sqlite3_context *context) {
    struct running_stats **spread =
        sqlite3_aggregate_context(context, sizeof(struct running_stats *));

    if (spread != NULL && *spread == NULL) {
        *spread = xcalloc(1, sizeof **spread);
    }
    return spread;
}

static void stddev_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct running_stats **spread = running_stats_of(context);
    struct number number;

    if (spread == NULL || *spread == NULL) {
        sqlite3_result_error_nomem(context);
    } else if (read_histogram_value(context, values[0], &number)) {
        running_stats_add(*spread,
                          number.is_real ? (long double)number.real : (long double)number.integer);
    }
}

static void stddev_final(sqlite3_context *context) {
    struct running_stats **spread = sqlite3_aggregate_context(context, 0);

    if (spread != NULL && *spread != NULL) {
        if ((*spread)->count > 1) {
            sqlite3_result_double(context, (double)running_stats_deviation(*spread));
        }
        free(*spread);
        *spread = NULL;
    }
}

/* --- SQL function histogram: counts of values in bins ----------------------------------------- */

/* Limit of a bin's number, counted from 0: above 2^53, doubles cannot distinguish bins. */
#define MOST_PLACE 9007199254740992.0

struct bin {
    int64_t place; /* lower bound of the bin, divided by the width */
    int64_t count;
    UT_hash_handle hh;
};

struct histogram {
    struct bin *bins;    /* owned; a hash table */
    struct number width; /* width of each bin; 0: no value yet */
};

/* Finds the bin of a number. Returns false if the number is too far from 0 (MOST_PLACE). */
static bool functions_find_place(const struct number *x, const struct number *width,
                                 int64_t *place) {
    double quotient;

    if (!x->is_real && !width->is_real) {
        *place = DIVIDE_DOWN(x->integer, width->integer);
        return true;
    }
    quotient = floor(round_decimal(real_of_sql_value(x) / real_of_sql_value(width)));
    if (!(fabs(quotient) < MOST_PLACE)) {
        return false;
    }
    *place = (int64_t)quotient;
    return true;
}

static void functions_count_in(sqlite3_context *context, struct histogram *histogram,
                               int64_t place) {
    struct bin *bin;

    HASH_FIND(hh, histogram->bins, &place, sizeof place, bin);
    if (bin != NULL) {
        bin->count++;
        return;
    }
    if (HASH_COUNT(histogram->bins) == AGGREGATES_BINS) {
        functions_refuse(context, "histogram(x, width): more than 65536 bins; use a larger width");
        return;
    }
    bin = xmalloc(sizeof *bin);
    *bin = (struct bin){.place = place, .count = 1};
    HASH_ADD(hh, histogram->bins, place, sizeof bin->place, bin);
}

static void histogram_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct histogram *histogram = sqlite3_aggregate_context(context, sizeof *histogram);
    struct number x, width;
    int64_t place;

    if (histogram == NULL) {
        sqlite3_result_error_nomem(context);
    } else if (!functions_read_number(values[1], &width) || !(real_of_sql_value(&width) > 0) ||
               !isfinite(real_of_sql_value(&width))) {
        functions_refuse(context, "histogram(x, width): width must be a number above 0");
    } else if (real_of_sql_value(&histogram->width) > 0 &&
               real_of_sql_value(&histogram->width) != real_of_sql_value(&width)) {
        functions_refuse(context, "histogram(x, width): width must be the same for all rows");
    } else if (histogram->width = width, read_histogram_value(context, values[0], &x)) {
        if (functions_find_place(&x, &width, &place)) {
            functions_count_in(context, histogram, place);
        } else {
            functions_refuse(context, "histogram(x, width): x is too large for bins of that width");
        }
    }
}

static int compare_bins(const struct bin *left, const struct bin *right) {
    return (left->place > right->place) - (left->place < right->place);
}

static void append_bin(struct text *out, const struct number *width, const struct bin *bin) {
    int64_t from;

    text_append_string(out, out->length == 1 ? "[" : ",[");
    if (width->is_real || __builtin_mul_overflow(bin->place, width->integer, &from)) {
        text_append_format(out, "%.15g", (double)bin->place * real_of_sql_value(width));
    } else {
        text_append_integer(out, from);
    }
    text_append_char(out, ',');
    text_append_integer(out, bin->count);
    text_append_char(out, ']');
}

static void histogram_final(sqlite3_context *context) {
    struct histogram *histogram = sqlite3_aggregate_context(context, 0);
    struct text out = {0};
    struct bin *bin, *next;

    text_append_char(&out, '[');
    if (histogram != NULL) {
        HASH_SORT(histogram->bins, compare_bins);
        for (bin = histogram->bins; bin != NULL; bin = next) {
            next = bin->hh.next;
            append_bin(&out, &histogram->width, bin);
            HASH_DEL(histogram->bins, bin);
            free(bin);
        }
    }
    text_append_char(&out, ']');
    sqlite3_result_text(context, text_string(&out), (int)out.length, SQLITE_TRANSIENT);
    text_free(&out);
}

static const struct function functions[] = {
    {"io_class", 1, word_of_flags, io_classes, 0, IO_CLASS_MASK, NULL, NULL},
    {"io_class_name", 1, word_of_number, io_classes, 0, 0, NULL, NULL},
    {"io_class_number", 1, number_of_word, io_classes, 0, 0, NULL, NULL},
    {"io_block_type", 1, word_of_flags, io_block_types, IO_BLOCK_SHIFT, IO_BLOCK_MASK, NULL, NULL},
    {"io_block_type_name", 1, word_of_number, io_block_types, 0, 0, NULL, NULL},
    {"io_block_type_number", 1, number_of_word, io_block_types, 0, 0, NULL, NULL},
    {"io_origin", 1, word_of_flags, io_origins, IO_ORIGIN_SHIFT, IO_ORIGIN_MASK, NULL, NULL},
    {"io_evidence", 1, word_of_flags, io_evidences, IO_EVIDENCE_SHIFT, IO_EVIDENCE_MASK, NULL,
     NULL},
    {"io_block_class", 1, block_class_of_flags, NULL, 0, 0, NULL, NULL},
    {"io_flag", 1, number_of_word, io_flags, 0, 0, NULL, NULL},
    {"io_flag", 2, functions_has_flag, io_flags, 0, 0, NULL, NULL},
    {"span_flag", 1, number_of_word, span_flags, 0, 0, NULL, NULL},
    {"span_flag", 2, functions_has_flag, span_flags, 0, 0, NULL, NULL},
    {"span_is_call", 1, is_call, NULL, 0, 0, NULL, NULL},
    {"student", 2, sql_student, NULL, 0, 0, NULL, NULL},
    {"quantile", 2, NULL, NULL, 0, 0, quantile_step, quantile_final},
    {"median", 1, NULL, NULL, 0, 0, median_step, median_final},
    {"stddev", 1, NULL, NULL, 0, 0, stddev_step, stddev_final},
    {"histogram", 2, NULL, NULL, 0, 0, histogram_step, histogram_final},
};

bool functions_register(sqlite3 *handle) {
    bool done = true;

    for (size_t i = 0; done && i < sizeof functions / sizeof functions[0]; i++) {
        const struct function *row = &functions[i];

        /* The cast is safe: SQLite only passes `row` back to the functions. */
        done = sqlite3_create_function_v2(handle, row->name, row->parameters,
                                          SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                          (void *)(uintptr_t)row, row->function, row->step,
                                          row->final, NULL) == SQLITE_OK;
    }
    return done;
}
