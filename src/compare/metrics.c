#include "compare/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/search.h"
#include "base/words.h"
#include "compare/blocks.h"

/* Limit of names in the headlines "only in a" and "only in b". */
#define NAMES_MOST 3

/* Limit of an item's bytes in a headline. The begin of a longer one, a path of calls, is cut off.
 */
#define ITEM_MOST 256

/* What a headline is on: an item of a report. If only one side has the item, the report does not
 * matter: the item is missing in all reports of the other side. */
struct headline_key {
    XXH128_hash_t report, item;
    size_t path; /* compare_metric.path; `item` is then of no bytes, because paths may be long */
    size_t only; /* enum side */
};

struct headline {
    struct headline_key key;
    UT_hash_handle hh;
    const char *report; /* borrowed */
    bool is_one;
    struct text item; /* owned */
    struct compare_metric metric;
    size_t number; /* number of headlines that were added before this one */
};

static const char *const directions[][2] = {
    [WORDS_SIZE] = {"%s is smaller: ", "%s is larger: "},
    [WORDS_SPEED] = {"%s is faster: ", "%s is slower: "},
    [WORDS_LENGTH] = {"%s is shorter: ", "%s is longer: "},
    [WORDS_TIME] = {"%s takes less time: ", "%s takes more time: "},
    [WORDS_NUMBER] = {"fewer %s: ", "more %s: "},
    [WORDS_FREQUENCY] = {"%s is less frequent: ", "%s is more frequent: "},
};

/* --- collecting headlines: sentences on the largest changes ----------------------------------- */

static bool is_known_and_not_zero(double value) {
    return !isnan(value) && value != 0;
}

/* Returns the only side with a value other than 0; SIDES if both or neither have one. */
static enum side only_side_with_value(const struct compare_metric *metric) {
    bool a = is_known_and_not_zero(metric->a), b = is_known_and_not_zero(metric->b);

    return metric->is_distance || a == b ? (enum side)SIDES : a ? SIDE_A : SIDE_B;
}

/* Returns whether the verdict says that the figure changed. False for texts: they are no numbers.
 */
static bool is_changed(const struct compare_metric *metric) {
    return (is_known_and_not_zero(metric->a) || is_known_and_not_zero(metric->b)) &&
           (metric->verdict == VERDICT_MORE || metric->verdict == VERDICT_LESS ||
            metric->verdict == VERDICT_NEW || metric->verdict == VERDICT_GONE);
}

static size_t subject_length(const struct compare_metric *metric) {
    return metric->subject > 0 ? metric->subject : metric->item_length;
}

static struct headline_key headlines_key_of(const char *report,
                                            const struct compare_metric *metric) {
    struct headline_key key = {.path = metric->path, .only = only_side_with_value(metric)};

    key.report = XXH3_128bits_withSeed(report, key.only == SIDES ? strlen(report) : 0, hash_seed);
    key.item =
        XXH3_128bits_withSeed(metric->item, key.path > 0 ? 0 : subject_length(metric), hash_seed);
    return key;
}

/* Sets the headline's figure, and copies its item. */
static void headlines_fill(struct headline *headline, const char *report, bool is_one,
                           const struct compare_metric *metric) {
    size_t length = subject_length(metric), cut = length > ITEM_MOST ? length - ITEM_MOST : 0;

    while (cut > 0 && cut < length && ((unsigned char)metric->item[cut] & 0xC0) == 0x80) {
        cut++; /* to the begin of a character */
    }
    text_clear(&headline->item);
    text_append_string(&headline->item, cut > 0 ? "\342\200\246" : "");
    text_append(&headline->item, metric->item + cut, metric->item_length - cut);
    headline->report = report;
    headline->is_one = is_one;
    headline->metric = *metric;
    headline->metric.item = text_string(&headline->item);
    headline->metric.item_length = headline->item.length;
    if (metric->subject > 0) {
        headline->metric.subject = headline->item.length - (metric->item_length - metric->subject);
    }
}

void headlines_add(struct headlines *headlines, const char *report, bool is_one,
                   const struct compare_metric *metric) {
    struct headline_key key;
    struct headline *headline;

    /* No headline on a number that is a name, such as the busiest hour: it cannot be larger. */
    if (metric->preference == 0 || metric->kind == COLUMN_NUMBER ||
        is_changed(metric) == headlines->is_unknown) {
        return;
    }
    key = headlines_key_of(report, metric);
    HASH_FIND(hh, headlines->found, &key, sizeof key, headline);
    if (headline == NULL) {
        size_t number = HASH_COUNT(headlines->found);

        HASH_NEW(headlines->found, key, key, headline);
        headline->number = number;
    } else if (metric->preference != headline->metric.preference
                   ? metric->preference < headline->metric.preference
                   : !(metric->effect > headline->metric.effect)) {
        return;
    }
    headlines_fill(headline, report, is_one, metric);
}

/* --- writing numbers and units ---------------------------------------------------------------- */

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

/* Returns the position of the space before the unit; NULL if there is not exactly one space. */
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

/* Returns the text before a figure's numbers, such as "median" for p50; "" if none is needed. */
static const char *headlines_label_of(const char *name) {
    return word_in("value count share rate self total", name) ? ""
           : strcmp(name, "p50") == 0                         ? "median"
                                                              : name;
}

/* --- writing headlines ------------------------------------------------------------------------ */

/* Appends the key column's name before an item that is a number: "size 4096" instead of "4096". */
static void headlines_append_key(struct text *out, const struct compare_metric *metric) {
    text_append_format(out, "%s%s", metric->key == NULL ? "" : metric->key,
                       metric->key == NULL ? "" : " ");
}

/* Appends what changed and how: "D2C is longer: median ", instead of "D2C p50 is longer: "; "fewer
 * fsync calls: ", instead of "fewer calls fsync: ". */
static void append_direction(struct text *line, const struct compare_metric *metric,
                             const char *subject) {
    static const char calls[] = "calls ";
    bool is_split = metric->subject > 0 && metric->words == WORDS_LENGTH;
    const char *label =
        headlines_label_of(is_split ? metric->item + metric->subject + 1 : metric->name);
    struct text key = {0};
    char *name = xstrndup(subject, is_split ? metric->subject : strlen(subject));

    headlines_append_key(&key, metric);
    if (metric->words == WORDS_NUMBER && strncmp(name, calls, strlen(calls)) == 0) {
        text_append_format(&key, "%s calls", name + strlen(calls));
    } else {
        text_append_string(&key, name);
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    text_append_format(line, directions[metric->words][metric->ratio > 1], text_string(&key));
#pragma GCC diagnostic pop
    text_free(&key);
    text_append_format(line, "%s%s", label, label[0] == '\0' ? "" : " ");
    free(name);
}

/* Appends a factor with three significant digits, or rounded to an integer from 1000 on. */
static void append_factor(struct text *line, const char *before, double factor) {
    text_append_format(line, factor < 999.5 ? "%s%.3g" : "%s%.0f", before, factor);
}

static void headlines_append_change(struct text *line, const struct headline *headline) {
    const struct compare_metric *metric = &headline->metric;
    const char *subject = metric->item[0] == '\0' ? headline->report : metric->item;

    if (metric->is_distance) {
        text_append_format(line, "%s differs: %s %.3g (p %.2g)", subject,
                           strcmp(metric->name, "tvd") == 0 ? "total variation distance"
                           : strcmp(metric->name, "wasserstein") == 0
                               ? "Wasserstein distance in doublings"
                               : metric->name,
                           metric->b, metric->p);
        return;
    }
    append_direction(line, metric, subject);
    headlines_append_pair(line, metric);
    text_append_string(line, metric->per == NULL ? "" : metric->per);
    append_factor(line, ", \303\227", metric->ratio);
    if (!isnan(metric->low)) {
        append_factor(line, " (", metric->low);
        append_factor(line, " to ", metric->high);
        text_append_char(line, ')');
    }
    if (!headline->is_one && metric->item[0] != '\0') {
        text_append_format(line, " [%s]", headline->report);
    }
}

/* Adds a headline on the items that only this side has. Returns whether there are any. */
static bool note_only(const struct headlines *headlines, enum side side, struct notes *notes) {
    struct text line = {0};
    size_t named = 0, all = 0;

    for (const struct headline *headline = headlines->found; headline != NULL;
         headline = headline->hh.next) {
        const struct compare_metric *metric = &headline->metric;

        if (only_side_with_value(metric) != side || ++all > NAMES_MOST) {
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

/* Numbers of changes and figures for the last headline, on all that no other headline is on. */
struct rest {
    size_t said;  /* number of headlines so far */
    size_t more;  /* number of significant changes without a headline */
    size_t alone; /* as in struct headlines */
    size_t unclear, all;
    const char *things; /* "rows" or "figures" */
};

static void append_alone_and_unclear(struct text *line, const struct rest *rest) {
    if (rest->alone > 0) {
        text_append_format(line, "%zu of %zu %s differ%s only if tested alone%s", rest->alone,
                           rest->all, rest->things, rest->alone == 1 ? "s" : "",
                           rest->unclear > 0 ? "; " : "");
    }
    if (rest->unclear > 0) {
        text_append_format(line, "%zu of %zu %s %s unclear: the data do not decide whether %s",
                           rest->unclear, rest->all, rest->things,
                           rest->unclear == 1 ? "is" : "are",
                           rest->unclear == 1 ? "it differs" : "they differ");
    }
}

static void note_rest(const struct rest *rest, struct notes *notes) {
    static const char none[] = "no difference beyond chance: ";
    struct text line = {0};

    if (rest->more > 0) {
        text_append_format(&line, "%zu more differ%s beyond chance%s", rest->more,
                           rest->more == 1 ? "s" : "", rest->alone + rest->unclear > 0 ? "; " : "");
        append_alone_and_unclear(&line, rest);
    } else if (rest->said == 0 && rest->unclear > 0 && rest->unclear == rest->all) {
        text_append_string(&line, none);
        if (rest->all == 1) {
            text_append_format(&line, "the only %.*s is", (int)strlen(rest->things) - 1,
                               rest->things);
        } else {
            text_append_format(&line, "all %zu %s are", rest->all, rest->things);
        }
        text_append_string(&line, " unclear (the data do not decide)");
    } else if (rest->alone + rest->unclear > 0) {
        text_append_string(&line, rest->said == 0 && rest->alone > 0 ? none : "");
        append_alone_and_unclear(&line, rest);
    } else {
        text_append_string(&line, rest->said > 0 ? "nothing else differs beyond chance"
                                                 : "nothing differs beyond chance");
    }
    notes_append(notes, "%s", text_string(&line));
    text_free(&line);
}

/* Returns the sorting weight of a headline; headlines without a weight come last. */
static double headlines_weight_of(const struct headline *headline) {
    return isnan(headline->metric.weight) ? -1 : headline->metric.weight;
}

static int compare_weights(const struct headline *a, const struct headline *b) {
    if (headlines_weight_of(a) != headlines_weight_of(b)) {
        return headlines_weight_of(a) < headlines_weight_of(b) ? 1 : -1;
    }
    return ORDER(a->number, b->number);
}

void headlines_add_to_notes(struct headlines *headlines, size_t unclear, size_t all,
                            const char *things, struct notes *notes) {
    size_t sides = 0, said = headlines->said, more = 0;
    bool has[SIDES] = {false};

    HASH_SORT(headlines->found, compare_weights);
    for (const struct headline *headline = headlines->found; headline != NULL;
         headline = headline->hh.next) {
        enum side only = only_side_with_value(&headline->metric);

        if (only < SIDES && !has[only]) {
            has[only] = true;
            sides++;
        }
    }
    for (const struct headline *headline = headlines->found; headline != NULL;
         headline = headline->hh.next) {
        struct text line = {0};

        if (only_side_with_value(&headline->metric) < SIDES) {
            continue;
        }
        if (said + sides == HEADLINES_MOST) {
            more++;
            continue;
        }
        headlines_append_change(&line, headline);
        notes_append(notes, "%s", text_string(&line));
        text_free(&line);
        said++;
    }
    note_only(headlines, SIDE_A, notes);
    note_only(headlines, SIDE_B, notes);
    if (!headlines->is_timeless || more + unclear + headlines->alone > 0) {
        note_rest(&(struct rest){.said = said + sides,
                                 .more = more,
                                 .alone = headlines->alone,
                                 .unclear = unclear,
                                 .all = all,
                                 .things = things},
                  notes);
    }
}

void headlines_note_untested(struct headlines *headlines, const struct headlines *known,
                             struct notes *notes) {
    struct text line = {0};
    size_t said = 0;

    HASH_SORT(headlines->found, compare_weights);
    for (const struct headline *headline = headlines->found; headline != NULL && said < NAMES_MOST;
         headline = headline->hh.next) {
        const struct headline *same;

        HASH_FIND(hh, known->found, &headline->key, sizeof headline->key, same);
        if (same == NULL) {
            text_append_string(&line, said++ == 0 ? "" : "; ");
            headlines_append_change(&line, headline);
        }
    }
    if (said > 0) {
        notes_append(notes, "largest difference%s without a significance test: %s",
                     said == 1 ? "" : "s", text_string(&line));
    }
    text_free(&line);
}

/* Rows whose times add up to the time of the calls of one name, such as read: one row for each
 * component, such as a cause of waiting. */
struct call_parts {
    struct compare_row **rows; /* borrowed; one row per component of the time */
    size_t count;
    double calls[SIDES], means[SIDES];
    double change;    /* |change of the mean time| * b's number of calls; 0: within --noise */
    bool is_known;    /* true: `change` is statistically significant */
    double low, high; /* if `is_known`: confidence bounds of the ratio of the mean times */
};

/* Orders rows, each a component of a call's time, by the name of the call. */
static int compare_call_names(const void *left, const void *right) {
    const struct compare_row *a = *(struct compare_row *const *)left,
                             *b = *(struct compare_row *const *)right;
    int order = memcmp(a->keys[0].bytes, b->keys[0].bytes,
                       a->leading < b->leading ? a->leading : b->leading);

    return order != 0                 ? order
           : a->leading != b->leading ? ORDER(a->leading, b->leading)
                                      : ORDER(a->number, b->number);
}

static double mean_of_part(const struct call_parts *parts, const struct compare_row *row,
                           enum side side) {
    return (double)row->numbers[side][NUMBER_VALUE] / parts->calls[side];
}

static double change_of_part(const struct call_parts *parts, const struct compare_row *row) {
    return mean_of_part(parts, row, SIDE_B) - mean_of_part(parts, row, SIDE_A);
}

/* Collects, from the next `most` rows, those of the same call as the first row. Sets the number of
 * a's calls to 0 (unknown) if name replacement merged several calls. */
static struct call_parts find_calls(struct compare_row **rows, size_t most) {
    struct call_parts parts = {.rows = rows};
    bool is_one = true;

    while (parts.count < most && rows[parts.count]->leading == rows[0]->leading &&
           memcmp(rows[parts.count]->keys[0].bytes, rows[0]->keys[0].bytes, rows[0]->leading) ==
               0) {
        for (enum side side = SIDE_A; side < SIDES; side++) {
            parts.calls[side] =
                fmax(parts.calls[side], (double)rows[parts.count]->numbers[side][NUMBER_CALLS]);
        }
        is_one &= rows[parts.count]->copies[SIDE_A] + rows[parts.count]->copies[SIDE_B] == 0;
        parts.count++;
    }
    for (size_t i = 0; i < parts.count; i++) {
        for (enum side side = SIDE_A; side < SIDES; side++) {
            parts.means[side] += mean_of_part(&parts, rows[i], side);
        }
    }
    if (!is_one) {
        parts.calls[SIDE_A] = 0;
    }
    return parts;
}

/* Returns the absolute change of the mean time per call, times the number of b's calls. Returns 0
 * if the change is within --noise, or a side has no calls. */
static double change_of_calls(const struct call_parts *parts, double noise) {
    double change = parts->means[SIDE_B] - parts->means[SIDE_A];

    return parts->calls[SIDE_A] > 0 && parts->calls[SIDE_B] > 0 &&
                   fabs(change) > noise * parts->means[SIDE_A]
               ? fabs(change) * parts->calls[SIDE_B]
               : 0;
}

/* Appends the component's name, such as a cause: the row's key without the name of the calls. If
 * nothing else is in the key, appends the whole key. */
static void append_part_name(struct text *line, const struct compare_row *row) {
    const size_t end = row->subject > 0 ? row->subject : row->keys[0].length;
    const size_t begin = row->leading + (row->leading > 0);

    text_append(line, row->keys[0].bytes + (begin < end ? begin : 0),
                end - (begin < end ? begin : 0));
}

/* Appends the largest changes of components: at most NAMES_MOST, each at least a tenth of the
 * change of the call's mean time. */
static void append_parts(struct text *line, const struct call_parts *parts,
                         const struct compare_metric *metric) {
    double last = INFINITY, least = fabs(metric->b - metric->a) / 10;
    size_t last_place = 0;

    for (int said = 0; said < NAMES_MOST; said++) {
        const struct compare_row *most = NULL;
        size_t place = 0;

        for (size_t i = 0; i < parts->count; i++) {
            double change = fabs(change_of_part(parts, parts->rows[i]));

            if ((change < last || (change == last && i > last_place)) && change >= least &&
                (most == NULL || change > fabs(change_of_part(parts, most)))) {
                most = parts->rows[i];
                place = i;
            }
        }
        if (most == NULL) {
            text_append_string(line, said > 0 || parts->is_known ? ")" : "");
            return;
        }
        last = fabs(change_of_part(parts, most));
        last_place = place;
        text_append_string(line, said > 0 ? ", " : parts->is_known ? "; " : " (");
        append_part_name(line, most);
        text_append_string(line, change_of_part(parts, most) < 0 ? " -" : " +");
        headlines_append_value(line, metric, last);
    }
    text_append_string(line, ")");
}

/* Appends the change of a call's mean time. Says "faster" or "slower" only if it is significant. */
static void append_calls(struct text *line, const struct comparison *comparison,
                         const struct call_parts *calls) {
    struct compare_metric metric = {.a = calls->means[SIDE_A],
                                    .b = calls->means[SIDE_B],
                                    .kind = COLUMN_DURATION,
                                    .clock_unit = comparison->sides[SIDE_A].clock_unit};

    text_append(line, calls->rows[0]->keys[0].bytes, calls->rows[0]->leading);
    text_append_string(line, calls->rows[0]->leading > 0 ? "" : "a call");
    text_append_string(line, !calls->is_known      ? " "
                             : metric.b > metric.a ? " is slower: "
                                                   : " is faster: ");
    headlines_append_pair(line, &metric);
    if (metric.a > 0) {
        append_factor(line, ", \303\227", metric.b / metric.a);
    }
    if (calls->is_known) {
        append_factor(line, " (interval ", calls->low);
        append_factor(line, " to ", calls->high);
    }
    append_parts(line, calls, &metric);
}

/* Orders by `change`, largest first. */
static int compare_changes(const void *left, const void *right) {
    const struct call_parts *a = left, *b = right;

    return a->change != b->change ? ORDER(b->change, a->change) : ORDER(a->rows, b->rows);
}

/* Finds the calls whose mean time changed by more than --noise, in `count` rows sorted by the
 * calls' name. Returns the number of such calls. */
static size_t find_changed_calls(const struct comparison *comparison, struct compare_row **rows,
                                 size_t count, struct call_parts *found) {
    double *p = xcalloc(count + 1, sizeof *p), low, high;
    size_t changed = 0, parts;

    for (size_t i = 0; i < count; i += parts) {
        struct call_parts *calls = &found[changed];

        *calls = find_calls(rows + i, count - i);
        parts = calls->count;
        calls->change = change_of_calls(calls, comparison->request->noise);
        if (calls->change > 0) {
            p[changed++] = 1;
        }
        if (calls->change > 0 &&
            blocks_find_mean(comparison, calls->rows, parts, calls->means, &low, &high)) {
            compare_set_bounds(low, high, &calls->low, &calls->high);
            p[changed - 1] = fmin(1, compare_p_value_from_bounds(
                                         comparison, calls->means[SIDE_B] / calls->means[SIDE_A],
                                         calls->low, calls->high));
        }
    }
    statistics_adjust(p, changed, ADJUST_BENJAMINI_HOCHBERG);
    for (size_t i = 0; i < changed; i++) {
        found[i].is_known = p[i] <= METRIC_CHANCE && !compare_has_mispaired_ios(comparison);
    }
    qsort(found, changed, sizeof *found, compare_changes);
    free(p);
    return changed;
}

void headlines_note_time_components(const struct comparison *comparison,
                                    struct headlines *headlines, struct notes *notes) {
    const struct compare_table *table = &comparison->table;
    struct compare_row **rows = xcalloc(table->count + 1, sizeof *rows);
    struct call_parts *found = xcalloc(table->count + 1, sizeof *found);
    size_t count = 0, changed;

    for (size_t i = 0; i < table->count; i++) {
        struct compare_row *row = table->rows[i];

        if (row->numbers[SIDE_A][NUMBER_CALLS] + row->numbers[SIDE_B][NUMBER_CALLS] > 0) {
            rows[count++] = row;
        }
    }
    qsort(rows, count, sizeof(void *), compare_call_names);
    changed = find_changed_calls(comparison, rows, count, found);
    for (int known = 1; known >= 0; known--) {
        struct text line = {0};
        int said = 0;

        for (size_t i = 0; i < changed && said < NAMES_MOST; i++) {
            if (known == found[i].is_known) {
                text_append_string(&line, said++ > 0 ? "; "
                                          : known    ? "mean times: "
                                                     : "mean times, not known to differ beyond "
                                                       "chance: ");
                append_calls(&line, comparison, &found[i]);
            }
        }
        if (said > 0) {
            notes_append(notes, "%s", text_string(&line));
            headlines->said += (size_t)known;
        }
        text_free(&line);
    }
    free(found);
    free(rows);
}

void headlines_note_missing_durations(struct headlines *headlines, const unsigned timeless[SIDES],
                                      struct notes *notes) {
    if (timeless[SIDE_A] != 0 || timeless[SIDE_B] != 0) {
        notes_append(
            notes,
            "%s no durations%s: times cannot be compared, numbers of calls can (popularity, "
            "syscalls)",
            timeless[SIDE_B] == 0   ? "a has"
            : timeless[SIDE_A] == 0 ? "b has"
                                    : "a and b have",
            ((timeless[SIDE_A] | timeless[SIDE_B]) & 2) != 0
                ? " (strace without -T: only calls that another thread interrupts have one)"
                : "");
        headlines->said++;
        headlines->is_timeless = true;
    }
}

bool headlines_note_ignored_chance(const struct compare_request *request, bool is_itself,
                                   struct notes *notes) {
    if (is_itself) {
        notes_append(notes, "nothing differs: a and b have the same events");
    } else if (request->blocks == 0) {
        notes_append(notes, "which differences are beyond chance is not known (--blocks 0)");
    }
    return is_itself || request->blocks == 0;
}

void headlines_free(struct headlines *headlines) {
    for (struct headline *headline = headlines->found; headline != NULL;
         headline = headline->hh.next) {
        text_free(&headline->item);
    }
    HASH_FREE(headlines->found);
    *headlines = (struct headlines){.found = NULL};
}

/* State while compare_visit_metrics() runs, with the name of the current row. */
struct visiting {
    const struct comparison *comparison;
    compare_metric_visit *visit;
    void *context;
    struct text item; /* owned */
    size_t path;
};

static void metrics_visit(struct visiting *visiting, struct compare_metric metric) {
    const struct compare_side *side = &visiting->comparison->sides[SIDE_A];

    metric.key = visiting->comparison->method->is_tree || visiting->item.length == 0
                     ? NULL
                     : side->number_key;
    metric.item = text_string(&visiting->item);
    metric.item_length = visiting->item.length;
    metric.path = visiting->path;
    metric.joined = compare_has_mispaired_ios(visiting->comparison);
    metric.clock_unit = visiting->comparison->sides[SIDE_A].clock_unit;
    /* A report that leaves out calls without a duration does not know their number either. */
    if (compare_lacks_durations(visiting->comparison) &&
        visiting->comparison->method != &compare_rows &&
        (metric.kind == COLUMN_DURATION || (visiting->comparison->method == &compare_times &&
                                            !visiting->comparison->lists_untimed))) {
        metric.effect = NAN;
        metric.verdict = VERDICT_NOT_COMPARABLE;
    }
    visiting->visit(visiting->context, &metric);
}

/* Returns |log2(ratio)|, the size of a change in doublings; NAN if a side is 0. */
static double change_in_doublings(double ratio) {
    return ratio > 0 ? fabs(log2(ratio)) : NAN;
}

/* Completes `metric`, in which a, b and the bounds of the ratio (NAN: unknown) are set, and passes
 * it to the visitor. */
static void visit_bounded(struct visiting *visiting, struct compare_metric metric) {
    const struct compare_row row = {
        .has = {true, true},
        .values = {metric.a, metric.b},
        .ratio = compare_ratio(metric.a, metric.b),
        .low = metric.low,
        .high = metric.high,
    };

    metric.ratio = row.ratio;
    metric.effect = change_in_doublings(row.ratio);
    metric.p =
        compare_p_value_from_bounds(visiting->comparison, row.ratio, metric.low, metric.high);
    metric.verdict = compare_decide_verdict(visiting->comparison, &row);
    metrics_visit(visiting, metric);
}

/* Returns the words for the unit of --per, such as " a second"; "" without --per. */
static const char *words_of_divisor(const struct comparison *comparison) {
    static const char *const words[COMPARE_PERS] = {[PER_SECOND] = " a second",
                                                    [PER_CALL] = " a call",
                                                    [PER_IO] = " an I/O",
                                                    [PER_RUN] = " a run"};
    const char *per = words[comparison_per(comparison)];

    return comparison->scaled && per != NULL ? per : "";
}

/* Decides the verdict of a distance between the sides. A distance is above 0 even by chance, so it
 * is a change only if significant. */
static enum verdict decide_distance(const struct comparison *comparison,
                                    const struct compare_distance *distance) {
    double noise = comparison->request->noise;

    if (isnan(distance->value)) {
        return VERDICT_NOT_COMPARABLE;
    }
    if (compare_has_mispaired_ios(comparison)) {
        return VERDICT_UNCLEAR;
    }
    if (distance->value == 0 || (comparison->request->blocks == 0 && distance->value <= noise)) {
        return VERDICT_SAME;
    }
    return comparison->request->blocks == 0 ||
                   (distance->p <= METRIC_CHANCE && distance->value > noise)
               ? VERDICT_MORE
               : VERDICT_UNCLEAR;
}

static void visit_distance(struct visiting *visiting, const struct compare_distance *distance) {
    metrics_visit(visiting, (struct compare_metric){
                                .name = distance->name,
                                .is_distance = true,
                                .is_headline = distance->is_headline,
                                .preference = distance->is_headline ? 1 : 0,
                                .weight = INFINITY,
                                .a = 0,
                                .b = distance->value,
                                .ratio = NAN,
                                .low = NAN,
                                .high = NAN,
                                .effect = distance->value,
                                .p = distance->p,
                                .verdict = decide_distance(visiting->comparison, distance),
                            });
}

void compare_append_keys(struct text *text, const struct value *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        text_append_string(text, i == 0 ? "" : " ");
        if (keys[i].type == VALUE_TEXT || keys[i].type == VALUE_BLOB) {
            text_append(text, keys[i].bytes, keys[i].length);
        } else if (keys[i].type == VALUE_INTEGER) {
            text_append_integer(text, keys[i].integer);
        }
    }
}

/* --- visiting the figures of each row --------------------------------------------------------- */

/* Passes a figure to the visitor. The bounds of its ratio are ratio / exp(off) and ratio *
 * exp(off). */
static void visit_number(struct visiting *visiting, struct compare_metric metric, double off) {
    double ratio = compare_ratio(metric.a, metric.b);

    metric.low = ratio / exp(off);
    metric.high = ratio * exp(off);
    visit_bounded(visiting, metric);
}

/* Passes count, share and rate of a row to the visitor. Headlines are on the share; with --per, on
 * the count. */
static void visit_counts(struct visiting *visiting, const struct compare_row *row) {
    const struct comparison *comparison = visiting->comparison;
    enum compare_per per = comparison_per(comparison);
    bool of_shares = comparison->request->per == PER_USUAL;
    double counts[SIDES], shares[SIDES], rates[SIDES];
    struct compare_metric metric = {.kind = COLUMN_INTEGER,
                                    .words = WORDS_FREQUENCY,
                                    .per = words_of_divisor(comparison),
                                    .weight = row->part};

    for (enum side side = SIDE_A; side < SIDES; side++) {
        double count = (double)row->numbers[side][NUMBER_VALUE];

        counts[side] = count * comparison->scale[side];
        shares[side] = compare_share(count, comparison->sides[side].totals[NUMBER_VALUE]);
        rates[side] = count / row->seconds[side];
    }
    metric.name = "count";
    metric.preference = of_shares ? 0 : 1;
    metric.a = counts[SIDE_A];
    metric.b = counts[SIDE_B];
    visit_number(visiting, metric,
                 per == PER_CALL || per == PER_IO ? row->share_error : row->count_error);
    metric.name = "share";
    metric.kind = COLUMN_SHARE;
    metric.per = " of all";
    metric.preference = of_shares && comparison->method != &compare_clock ? 1 : 0;
    metric.a = shares[SIDE_A];
    metric.b = shares[SIDE_B];
    visit_number(visiting, metric, row->share_error);
    if (comparison->method == &compare_clock && !isnan(row->ratio)) {
        visit_bounded(visiting, (struct compare_metric){.name = "rate",
                                                        .kind = COLUMN_REAL,
                                                        .words = WORDS_FREQUENCY,
                                                        .per = " a second",
                                                        .preference = 1,
                                                        .weight = change_in_doublings(row->ratio),
                                                        .a = rates[SIDE_A],
                                                        .b = rates[SIDE_B],
                                                        .low = row->low,
                                                        .high = row->high});
    }
}

/* Passes total time, number of calls and mean time of a row to the visitor. The caller sets the
 * members of `metric` that the three figures have in common. */
static void visit_times(struct visiting *visiting, struct compare_metric metric,
                        const double self[SIDES], double low, double high,
                        const double calls[SIDES]) {
    bool is_headline = metric.is_headline;
    /* If the logs lack durations, headlines on calls of only one side give the number of calls. */
    bool of_calls = !is_headline && visiting->comparison->lists_untimed &&
                    compare_lacks_durations(visiting->comparison);

    metric.name = "self";
    metric.kind = COLUMN_DURATION;
    metric.words = WORDS_TIME;
    metric.per = words_of_divisor(visiting->comparison);
    metric.preference = 1;
    metric.a = self[SIDE_A];
    metric.b = self[SIDE_B];
    metric.low = low;
    metric.high = high;
    visit_bounded(visiting, metric);
    if (visiting->comparison->sides[SIDE_A].query->compare.calls == NULL) {
        return;
    }
    metric = (struct compare_metric){.name = "calls",
                                     .kind = COLUMN_INTEGER,
                                     .is_headline = is_headline,
                                     .preference = of_calls,
                                     .weight = fmax(calls[SIDE_A], calls[SIDE_B]),
                                     .a = calls[SIDE_A],
                                     .b = calls[SIDE_B],
                                     .low = NAN,
                                     .high = NAN};
    visit_bounded(visiting, metric);
    metric.name = "mean";
    metric.kind = COLUMN_DURATION;
    metric.is_headline = false;
    metric.preference = 0;
    metric.a = compare_share(self[SIDE_A], calls[SIDE_A]);
    metric.b = compare_share(self[SIDE_B], calls[SIDE_B]);
    visit_bounded(visiting, metric);
}

/* Passes a time or a number of calls of a call path to the visitor, without confidence bounds. */
static void visit_pair(struct visiting *visiting, const char *name, enum column_kind kind,
                       const double values[SIDES], int preference) {
    visit_bounded(visiting, (struct compare_metric){.name = name,
                                                    .kind = kind,
                                                    .words = WORDS_TIME,
                                                    .per = words_of_divisor(visiting->comparison),
                                                    .preference = preference,
                                                    .weight = fmax(values[SIDE_A], values[SIDE_B]),
                                                    .a = values[SIDE_A],
                                                    .b = values[SIDE_B],
                                                    .low = NAN,
                                                    .high = NAN});
}

static void metrics_visit_path(struct visiting *visiting, const struct compare_row *row) {
    const struct comparison *comparison = visiting->comparison;
    double numbers[NUMBERS][SIDES];

    for (int i = 0; i < NUMBERS; i++) {
        for (enum side side = SIDE_A; side < SIDES; side++) {
            numbers[i][side] = (double)row->numbers[side][i] * comparison->scale[side];
        }
    }
    visit_pair(visiting, "total", COLUMN_DURATION, row->values, 1);
    visit_pair(visiting, "self", COLUMN_DURATION, numbers[NUMBER_VALUE], 0);
    visit_pair(visiting, "calls", COLUMN_INTEGER, numbers[NUMBER_CALLS], 0);
}

/* Returns a figure's preference for headlines: high percentiles, then mean, then median. */
static int preference_of(const char *figure) {
    static const char *const figures[] = {"p99", "p90", "mean", "p50"};
    const size_t place = string_index(figures, 4, figure);

    return place < 4 ? 2 + (int)place : 1;
}

/* Passes a figure of a row to the visitor, with the row's verdict, ratio and bounds. */
static void metrics_visit_row(struct visiting *visiting, const struct compare_row *row,
                              struct compare_metric metric) {
    metric.a = row->values[SIDE_A];
    metric.b = row->values[SIDE_B];
    metric.ratio = row->ratio;
    metric.low = row->low;
    metric.high = row->high;
    metric.effect = metric.weight = change_in_doublings(row->ratio);
    metric.p = row->p;
    metric.verdict = row->verdict;
    metrics_visit(visiting, metric);
}

static void visit_one(struct visiting *visiting, const struct compare_row *row) {
    const struct comparison *comparison = visiting->comparison;
    const struct compare_method_row *method = comparison->method;

    if (method == &compare_times) {
        double calls[SIDES];

        for (enum side side = SIDE_A; side < SIDES; side++) {
            calls[side] = (double)row->numbers[side][NUMBER_CALLS] * comparison->scale[side];
        }
        visit_times(visiting, (struct compare_metric){.weight = row->part}, row->values, row->low,
                    row->high, calls);
    } else if (method == &compare_values) {
        const char *name = compare_levels[row->level];
        bool is_lengths = comparison->sides[SIDE_A].query->compare.is_lengths;
        bool is_count = comparison_counts_values(comparison, row);
        bool is_no_headline = is_count || comparison_hides_level(comparison, row);

        metrics_visit_row(
            visiting, row,
            (struct compare_metric){.name = name,
                                    .is_headline = word_in("p50 p99 mean", name),
                                    .kind = is_count ? COLUMN_INTEGER : COLUMN_DURATION,
                                    .words = is_lengths ? WORDS_LENGTH : WORDS_SPEED,
                                    .per = "",
                                    .preference = is_no_headline ? 0 : preference_of(name)});
    } else if (method == &compare_rows) {
        const struct value *given = &row->given[row->has[SIDE_A] ? SIDE_A : SIDE_B];
        const size_t subject = row->subject < visiting->item.length ? row->subject : 0;
        const char *figure = subject > 0 ? text_string(&visiting->item) + subject + 1 : "";

        /* With several columns of values, a column's name follows the row's name in `item`. */
        metrics_visit_row(
            visiting, row,
            (struct compare_metric){.name = "value",
                                    .is_headline = true,
                                    .kind = given->kind,
                                    .unit = given->unit,
                                    .words = given->kind == COLUMN_DURATION ? WORDS_LENGTH
                                             : given->kind == COLUMN_INTEGER && *figure == '\0'
                                                 ? WORDS_NUMBER
                                                 : WORDS_SIZE,
                                    .per = "",
                                    .subject = subject,
                                    .preference = preference_of(figure)});
    } else if (method == &compare_paths) {
        metrics_visit_path(visiting, row);
    } else {
        visit_counts(visiting, row);
    }
}

/* Sets `item` to the name of a row; in a call tree, to the path of functions. */
static void name_row(struct visiting *visiting, const struct compare_row *row) {
    const struct comparison *comparison = visiting->comparison;
    /* The second key column of a group is a figure such as p99, not part of the name. */
    size_t keys = comparison->method == &compare_values ? 1 : comparison->table.key_count;

    if (comparison->method == &compare_paths) {
        visiting->path = row->number + 1;
        compare_tree_write_path(&comparison->tree, row->number, &visiting->item);
        return;
    }
    text_clear(&visiting->item);
    compare_append_keys(&visiting->item, row->keys, keys);
}

static void visit_rows(struct visiting *visiting) {
    const struct compare_table *table = &visiting->comparison->table;

    for (size_t i = 0; i < table->count; i++) {
        name_row(visiting, table->rows[i]);
        visit_one(visiting, table->rows[i]);
    }
}

static void visit_whole(struct visiting *visiting) {
    const struct comparison *comparison = visiting->comparison;

    for (size_t i = 0; i < comparison->distance_count; i++) {
        visit_distance(visiting, &comparison->distances[i]);
    }
    if (comparison->method == &compare_times) {
        double numbers[NUMBERS][SIDES];

        for (enum side side = SIDE_A; side < SIDES; side++) {
            for (int i = 0; i < NUMBERS; i++) {
                numbers[i][side] = comparison->sides[side].totals[i] * comparison->scale[side];
            }
        }
        visit_times(visiting, (struct compare_metric){.is_headline = true, .weight = INFINITY},
                    numbers[NUMBER_VALUE], NAN, NAN, numbers[NUMBER_CALLS]);
    }
    if (comparison->method == &compare_sizes) {
        visit_bounded(visiting, (struct compare_metric){.name = "mean",
                                                        .is_headline = true,
                                                        .kind = COLUMN_REAL,
                                                        .unit = "bytes",
                                                        .words = WORDS_SIZE,
                                                        .per = "",
                                                        .preference = preference_of("mean"),
                                                        .weight = INFINITY,
                                                        .a = comparison->means[SIDE_A],
                                                        .b = comparison->means[SIDE_B],
                                                        .low = comparison->mean_low,
                                                        .high = comparison->mean_high});
    }
}

void compare_visit_metrics(const struct comparison *comparison, compare_metric_visit *visit,
                           void *context) {
    struct visiting visiting = {.comparison = comparison, .visit = visit, .context = context};

    visit_whole(&visiting);
    visit_rows(&visiting);
    text_free(&visiting.item);
}
