#include "compare/headlines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"

/* Limit of names in the sentence on what only one side has. */
#define NAMES_MOST 3

struct headline {
    const char *report; /* borrowed */
    bool is_one;
    char *item; /* owned */
    struct compare_metric metric;
    size_t number; /* in order of appearance */
};

static const char *const directions[][2] = {
    [WORDS_SIZE] = {"%s is smaller: ", "%s is larger: "},
    [WORDS_SPEED] = {"%s is faster: ", "%s is slower: "},
    [WORDS_LENGTH] = {"%s is shorter: ", "%s is longer: "},
    [WORDS_TIME] = {"%s takes less time: ", "%s takes more time: "},
    [WORDS_NUMBER] = {"fewer %s: ", "more %s: "},
    [WORDS_FREQUENCY] = {"%s is less frequent: ", "%s is more frequent: "},
};

/* --- collecting ------------------------------------------------------------------------------- */

static bool is_something(double value) {
    return !isnan(value) && value != 0;
}

/* Returns the only side with a value other than 0, or SIDES. */
static enum side only_side(const struct compare_metric *metric) {
    bool a = is_something(metric->a), b = is_something(metric->b);

    return metric->is_distance || a == b ? (enum side)SIDES : a ? SIDE_A : SIDE_B;
}

/* Returns whether the figure changed. A text on only one side has no numbers. */
static bool is_changed(const struct compare_metric *metric) {
    if (!is_something(metric->a) && !is_something(metric->b)) {
        return false;
    }
    return metric->verdict == VERDICT_MORE || metric->verdict == VERDICT_LESS ||
           metric->verdict == VERDICT_NEW || metric->verdict == VERDICT_GONE;
}

static size_t subject_length(const struct compare_metric *metric) {
    return metric->subject > 0 ? metric->subject : strlen(metric->item);
}

/* Returns whether the headline has the same subject. What one side lacks, it lacks in every report,
 * so that then reports may differ. */
static bool headlines_is_about(const struct headline *headline, const char *report,
                               const struct compare_metric *metric) {
    size_t length = subject_length(metric);
    enum side only = only_side(metric);

    return only_side(&headline->metric) == only &&
           (only != SIDES || strcmp(headline->report, report) == 0) &&
           subject_length(&headline->metric) == length &&
           memcmp(headline->item, metric->item, length) == 0;
}

static bool is_preferred(const struct compare_metric *metric, const struct compare_metric *other) {
    return metric->preference != other->preference ? metric->preference > other->preference
                                                   : metric->effect > other->effect;
}

static void headlines_fill(struct headline *headline, const char *report, bool is_one,
                           const struct compare_metric *metric) {
    free(headline->item);
    headline->report = report;
    headline->is_one = is_one;
    headline->item = xstrdup(metric->item);
    headline->metric = *metric;
    headline->metric.item = headline->item;
}

void headlines_take(struct headlines *headlines, const char *report, bool is_one,
                    const struct compare_metric *metric) {
    struct headline *headline;

    if (metric->preference == 0 || !is_changed(metric)) {
        return;
    }
    for (size_t i = 0; i < headlines->count; i++) {
        headline = &headlines->found[i];
        if (headlines_is_about(headline, report, metric)) {
            if (is_preferred(metric, &headline->metric)) {
                headlines_fill(headline, report, is_one, metric);
            }
            return;
        }
    }
    headlines->found = array_grow(headlines->found, headlines->count, &headlines->capacity,
                                  sizeof *headlines->found);
    headline = &headlines->found[headlines->count];
    *headline = (struct headline){.number = headlines->count++};
    headlines_fill(headline, report, is_one, metric);
}

/* --- values ----------------------------------------------------------------------------------- */

static void headlines_append_value(struct text *out, const struct compare_metric *metric,
                                   double number) {
    const struct column column = {"", metric->unit == NULL ? "" : metric->unit, metric->kind};
    struct value value = value_real(number);

    if (metric->kind == COLUMN_INTEGER && number == floor(number) && fabs(number) < 9e15) {
        value = value_integer((int64_t)number);
    }
    if (value.type == VALUE_REAL && metric->unit == NULL &&
        (metric->kind == COLUMN_INTEGER || metric->kind == COLUMN_REAL ||
         metric->kind == COLUMN_NUMBER)) {
        text_append_format(out, "%.4g", number);
        return;
    }
    printer_append_human(out, &value, &column, metric->clock_unit);
    if (metric->kind == COLUMN_DURATION && strcmp(metric->clock_unit, "ns") != 0) {
        text_append_format(out, " %s", metric->clock_unit);
    }
}

/* Returns the position of a unit of one word; NULL if there is none. */
static char *headlines_unit_of(struct text *text) {
    char *blank = strchr(text->bytes, ' ');

    return blank != NULL && strchr(blank + 1, ' ') == NULL ? blank : NULL;
}

/* Appends both numbers, with a shared unit only once: "31.0 to 42.0 µs". */
static void headlines_append_pair(struct text *out, const struct compare_metric *metric) {
    struct text a = {0}, b = {0};
    char *unit;

    headlines_append_value(&a, metric, metric->a);
    headlines_append_value(&b, metric, metric->b);
    unit = headlines_unit_of(&a);
    if (unit != NULL && headlines_unit_of(&b) != NULL && strcmp(unit, headlines_unit_of(&b)) == 0) {
        *unit = '\0';
    }
    text_append_format(out, "%s to %s", text_string(&a), text_string(&b));
    text_free(&a);
    text_free(&b);
}

/* Returns the label of a figure before its numbers; "": none. */
static const char *headlines_label_of(const char *name) {
    static const char *const plain[] = {"value", "count", "share", "rate", "self", "total"};

    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (strcmp(name, plain[i]) == 0) {
            return "";
        }
    }
    return strcmp(name, "p50") == 0 ? "median" : name;
}

static const char *distance_words(const char *name) {
    return strcmp(name, "tvd") == 0           ? "total variation distance"
           : strcmp(name, "wasserstein") == 0 ? "Wasserstein distance in doublings"
                                              : name;
}

/* --- sentences -------------------------------------------------------------------------------- */

/* Appends the name of the key: "size 4096", since "4096" alone would be unclear. */
static void headlines_append_key(struct text *out, const struct compare_metric *metric) {
    text_append_format(out, "%s%s", metric->key == NULL ? "" : metric->key,
                       metric->key == NULL ? "" : " ");
}

/* Appends the subject and direction. "D2C p50 is longer" becomes "D2C is longer: median". */
static void append_direction(struct text *line, const struct compare_metric *metric,
                             const char *subject) {
    bool is_split = metric->subject > 0 && metric->words == WORDS_LENGTH;
    const char *label =
        headlines_label_of(is_split ? metric->item + metric->subject + 1 : metric->name);
    struct text key = {0};
    char *name = xstrndup(subject, is_split ? metric->subject : strlen(subject));

    headlines_append_key(&key, metric);
    text_append_string(&key, name);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    text_append_format(line, directions[metric->words][metric->ratio > 1], text_string(&key));
#pragma GCC diagnostic pop
    text_free(&key);
    text_append_format(line, "%s%s", label, label[0] == '\0' ? "" : " ");
    free(name);
}

static void headlines_append_change(struct text *line, const struct headline *headline) {
    const struct compare_metric *metric = &headline->metric;
    const char *subject = metric->item[0] == '\0' ? headline->report : metric->item;

    if (metric->is_distance) {
        text_append_format(line, "%s differs: %s %.3g (p %.2g)", subject,
                           distance_words(metric->name), metric->b, metric->p);
        return;
    }
    append_direction(line, metric, subject);
    headlines_append_pair(line, metric);
    text_append_string(line, metric->per == NULL ? "" : metric->per);
    text_append_format(line, ", \303\227%.3g", metric->ratio);
    if (!isnan(metric->low)) {
        text_append_format(line, " (%.3g to %.3g)", metric->low, metric->high);
    }
    if (!headline->is_one && metric->item[0] != '\0') {
        text_append_format(line, " [%s]", headline->report);
    }
}

/* Adds a sentence on what only that side has. False if there is nothing. */
static bool say_only(const struct headlines *headlines, enum side side, struct notes *notes) {
    struct text line = {0};
    size_t named = 0, all = 0;

    for (size_t i = 0; i < headlines->count; i++) {
        const struct headline *headline = &headlines->found[i];
        const struct compare_metric *metric = &headline->metric;

        if (only_side(metric) != side || ++all > NAMES_MOST) {
            continue;
        }
        text_append_string(&line, named++ > 0      ? ", "
                                  : side == SIDE_A ? "only in a: "
                                                   : "only in b: ");
        headlines_append_key(&line, metric);
        text_append_string(&line, metric->item[0] == '\0' ? headline->report : metric->item);
        text_append_string(&line, " (");
        headlines_append_value(&line, metric, side == SIDE_A ? metric->a : metric->b);
        text_append_format(&line, "%s)", metric->per == NULL ? "" : metric->per);
    }
    if (all > named) {
        text_append_format(&line, " and %zu more", all - named);
    }
    if (all > 0) {
        notes_append(notes, "%s", text_string(&line));
    }
    text_free(&line);
    return all > 0;
}

static void append_unclear(struct text *line, size_t unclear, size_t all, const char *things) {
    if (unclear > 0) {
        text_append_format(line, "; %zu of %zu %s %s unclear", unclear, all, things,
                           unclear == 1 ? "is" : "are");
    }
}

/* Adds the last sentence. `said`: number of sentences before it; `more`: number of further changes.
 */
static void say_rest(size_t said, size_t more, size_t unclear, size_t all, const char *things,
                     struct notes *notes) {
    struct text line = {0};

    if (more > 0) {
        text_append_format(&line, "%zu more differ%s beyond chance", more, more == 1 ? "s" : "");
        append_unclear(&line, unclear, all, things);
    } else if (said == 0 && unclear > 0 && unclear == all) {
        text_append_format(&line, "no difference beyond chance: %s %zu %s %s unclear",
                           all == 1 ? "the" : "all", all, things, all == 1 ? "is" : "are");
    } else {
        text_append_string(&line, said > 0 ? "nothing else differs beyond chance"
                                           : "nothing differs beyond chance");
        append_unclear(&line, unclear, all, things);
    }
    notes_append(notes, "%s", text_string(&line));
    text_free(&line);
}

/* Returns the weight; headlines without one come last. */
static double headlines_weight_of(const struct headline *headline) {
    return isnan(headline->metric.weight) ? -1 : headline->metric.weight;
}

static int compare_weights(const void *left, const void *right) {
    const struct headline *a = left, *b = right;

    if (headlines_weight_of(a) != headlines_weight_of(b)) {
        return headlines_weight_of(a) < headlines_weight_of(b) ? 1 : -1;
    }
    return ORDER(a->number, b->number);
}

void headlines_say(struct headlines *headlines, size_t unclear, size_t all, const char *things,
                   struct notes *notes) {
    size_t sides = 0, said = 0, more = 0;
    bool has[SIDES] = {false};

    if (headlines->count > 0) {
        qsort(headlines->found, headlines->count, sizeof *headlines->found, compare_weights);
    }
    for (size_t i = 0; i < headlines->count; i++) {
        enum side only = only_side(&headlines->found[i].metric);

        if (only < SIDES && !has[only]) {
            has[only] = true;
            sides++;
        }
    }
    for (size_t i = 0; i < headlines->count; i++) {
        struct text line = {0};

        if (only_side(&headlines->found[i].metric) < SIDES) {
            continue;
        }
        if (said + sides == HEADLINES_MOST) {
            more++;
            continue;
        }
        headlines_append_change(&line, &headlines->found[i]);
        notes_append(notes, "%s", text_string(&line));
        text_free(&line);
        said++;
    }
    say_only(headlines, SIDE_A, notes);
    say_only(headlines, SIDE_B, notes);
    say_rest(said + sides, more, unclear, all, things, notes);
}

bool headlines_without_chance(const struct compare_request *request, bool is_itself,
                              struct notes *notes) {
    if (is_itself) {
        notes_append(notes, "nothing differs: a and b are the same events");
    } else if (request->blocks == 0) {
        notes_append(notes, "what differs beyond chance is not known (--blocks 0)");
    }
    return is_itself || request->blocks == 0;
}

void headlines_free(struct headlines *headlines) {
    for (size_t i = 0; i < headlines->count; i++) {
        free(headlines->found[i].item);
    }
    free(headlines->found);
    *headlines = (struct headlines){.found = NULL};
}
