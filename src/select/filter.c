#include "select/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/time_unit.h"
#include "base/words.h"
#include "model/meaning.h"

bool time_bound_parse(const char *option, const char *text, struct time_bound *bound,
                      struct error *error) {
    bool has_zone;
    int64_t offset;

    *bound = (struct time_bound){.kind = TIME_NOT_GIVEN, .plain = -1};
    if (text == NULL) {
        return true;
    }
    if (text[0] != '\0' && strspn(text, "0123456789") == strlen(text) && strlen(text) <= 18) {
        bound->plain = strtoll(text, NULL, 10);
    }
    if (clock_parse_duration(text + (text[0] == '-'), &bound->time)) {
        bound->kind = TIME_SINCE_START;
        bound->time = text[0] == '-' ? -bound->time : bound->time;
        return true;
    }
    if (bound->plain >= 0) {
        /* The number is too large for seconds, but valid in units of the clock (`plain`). */
        bound->kind = TIME_SINCE_START;
        bound->time = INT64_MAX;
        return true;
    }
    if (!clock_parse(text, &bound->time, &has_zone, &offset)) {
        return error_usage(error,
                           "--%s needs a time such as 90, 50ms, 10m, 06:00 or "
                           "2001-03-05T10:00:00, not '%s'",
                           option, text);
    }
    bound->kind = has_zone ? TIME_WALL_CLOCK : TIME_WALL_CLOCK_LOCAL;
    bound->time -= has_zone ? offset * INT64_C(60000000000) : 0;
    return true;
}

bool filter_take_window(struct filter *filter, const char *from_option, const char *from,
                        const char *to_option, const char *to, struct error *error) {
    int64_t begin = 0, end = DAY;
    bool hour_from = from != NULL && clock_parse_time_of_day(from, &begin),
         hour_to = to != NULL && clock_parse_time_of_day(to, &end);

    filter->hours = (struct day_hours){0};
    if (!hour_from && !hour_to) {
        return time_bound_parse(from_option, from, &filter->from, error) &&
               time_bound_parse(to_option, to, &filter->to, error);
    }
    if ((!hour_from && from != NULL) || (!hour_to && to != NULL)) {
        return error_usage(error, "--%s %s and --%s %s: give both as hours of the day, or neither",
                           from_option, from, to_option, to);
    }
    if (begin == end) {
        return error_usage(error, "--%s and --%s are the same hour of the day, so no time is left",
                           from_option, to_option);
    }
    filter->from = filter->to = (struct time_bound){.kind = TIME_NOT_GIVEN, .plain = -1};
    filter->hours.from = begin % DAY;
    filter->hours.length = end > begin ? end - begin : end - begin + DAY;
    return true;
}

static bool is_one_of(const char *const *names, size_t count, const char *name) {
    size_t i = 0;

    while (i < count && strcmp(names[i], name) != 0) {
        i++;
    }
    return i < count;
}

bool name_set_passes(const struct name_set *set, const char *name) {
    return (set->count == 0 || is_one_of(set->names, set->count, name)) &&
           !is_one_of(set->excluded, set->excluded_count, name);
}

const struct filter_name_row filter_names[FILTER_NAMES] = {
#define X(NAME, TABLE, missing, matches, text)                                                     \
    {FILTER_BY_##TABLE, missing, FILTER_PASSES(matches, text), text},
    FILTER_NAMES_OF(X)
#undef X
};

const struct filter_quantity_row filter_quantities[FILTER_QUANTITIES] = {
#define X(NAME, COLUMN, unit) {EVENT_PLACE_##COLUMN, unit},
    FILTER_QUANTITIES_OF(X)
#undef X
};

static bool filter_uses_table(const struct filter *filter, enum filter_table table) {
    bool some = false;

    for (enum filter_by by = 0; by < FILTER_NAMES; by++) {
        some |= filter_names[by].table == table && filter_has(filter, by);
    }
    return some;
}

bool filter_by_operation(const struct filter *filter) {
    return filter_uses_table(filter, FILTER_BY_OPERATION) || filter_by_layer(filter);
}

bool filter_by_layer(const struct filter *filter) {
    return filter_uses_table(filter, FILTER_BY_LAYER) || filter->top_layer;
}

bool filter_by_actor(const struct filter *filter) {
    return filter_uses_table(filter, FILTER_BY_ACTOR);
}

bool filter_by_object(const struct filter *filter) {
    return filter_uses_table(filter, FILTER_BY_OBJECT) || filter->has_device ||
           filter->devices == DEVICES_ISSUING;
}

const char *filter_lower_devices(const struct filter *filter) {
    return filter->devices == DEVICES_TOP       ? "below"
           : filter->devices == DEVICES_ISSUING ? "below issued"
                                                : "";
}

bool filter_by_value(const struct filter *filter) {
    bool some = filter->failed;

    for (size_t i = 0; i < FILTER_QUANTITIES; i++) {
        some |= filter->ranges[i].least.given || filter->ranges[i].most.given;
    }
    return some;
}

bool filter_applies_per_file(const struct filter *filter) {
    return filter_uses_table(filter, FILTER_BY_OBJECT) || filter->evidence_out != 0 ||
           filter->words_out[FILTER_BLOCK_TYPES] != 0;
}

bool filter_has_conditions_besides_time(const struct filter *filter) {
    return filter_by_operation(filter) || filter_by_actor(filter) || filter_by_object(filter) ||
           filter_uses_table(filter, FILTER_BY_PLACE) || filter_by_value(filter) ||
           filter->words_out[FILTER_CLASSES] != 0 || filter->words_out[FILTER_BLOCK_TYPES] != 0 ||
           filter->evidence_out != 0 || filter->under != NULL || filter->devices == DEVICES_TOP;
}

bool filter_can_exclude(const struct filter *filter) {
    return filter->from.kind != TIME_NOT_GIVEN || filter->to.kind != TIME_NOT_GIVEN ||
           filter->hours.length > 0 || filter_has_conditions_besides_time(filter);
}

/* --- options of the filter -------------------------------------------------------------------- */

#define ONLY(kind) (1u << (kind))
#define ANY        (ONLY(TRACE_KINDS) - 1)
#define IO         ONLY(TRACE_IO)
#define CALLS      ONLY(TRACE_CALLS)
#define SPANS      ONLY(TRACE_SPANS)
#define FILES      (ANY & ~SPANS)

static const struct {
    const char *name;
    unsigned kinds; /* kinds of trace that have the option: bit set of enum trace_kind */
    const char *needs, *lacks;
    enum filter_how how;
    unsigned of;
} options[FILTER_OPTIONS] = {
#define X(ID, name, TYPE, ARGUMENT, COMMANDS, KINDS, needs, lacks, HOW, of, help)                  \
    {name, KINDS, needs, lacks, FILTER_##HOW, of},
    FILTERS(X)
#undef X
};

const char *filter_option_name(enum filter_by by, bool excludes) {
    const enum filter_how how = excludes ? FILTER_EXCLUDES : FILTER_CHOOSES;
    size_t i = 0;

    while (i < FILTER_OPTIONS && (options[i].how != how || options[i].of != by)) {
        i++;
    }
    return i < FILTER_OPTIONS ? options[i].name : "";
}

/* Words that options take for numeric codes, indexed by enum filter_words. */
static const struct {
    const char *const *words;
    unsigned count;
    const char *are; /* the words for messages, in the order of the help */
} word_lists[FILTER_WORDS] = {
    [FILTER_CLASSES] = {io_class_words, IO_CLASSES,
                        "read, readsync, write, writesync, flush or other"},
    [FILTER_BLOCK_TYPES] = {io_block_type_words, IO_BLOCK_TYPES,
                            "data, metadata, journal, anonymous or none"},
};

/* Sets `*numbers` to a bit set: the codes of the words, which are separated by commas. */
static bool filter_read_words(const char *option, enum filter_words list, const char *const *names,
                              size_t count, unsigned *numbers, struct error *error) {
    const char *const *words = word_lists[list].words;

    *numbers = 0;
    for (size_t i = 0; i < count; i++) {
        const char *name = names[i];

        for (size_t length; *name != '\0' || name == names[i];
             name += length + (name[length] == ',')) {
            unsigned number = 0;

            length = strcspn(name, ",");
            while (number < word_lists[list].count &&
                   (strncmp(words[number], name, length) != 0 || words[number][length] != '\0')) {
                number++;
            }
            if (number == word_lists[list].count) {
                return error_usage(error, "--%s must be %s, not '%s'", option, word_lists[list].are,
                                   names[i]);
            }
            *numbers |= 1u << number;
        }
    }
    return true;
}

/* Sets `*evidence_out` to the bit set of evidence that --evidence excludes. Each word accepts a
 * range of enum io_evidence, in which proven values come first, then likely ones. */
static bool read_evidence(const char *word, unsigned *evidence_out, struct error *error) {
    static const struct evidence_word {
        const char *word;
        enum io_evidence first, last;
    } words[] = {
        {"proven", IO_EVIDENCE_IMAGE, IO_EVIDENCE_BOTH_IMAGES},
        {"likely", IO_EVIDENCE_LIKELY_IMAGE, IO_EVIDENCE_LIKELY_JOURNAL},
        {"none", IO_EVIDENCE_NONE, IO_EVIDENCE_NONE},
    };
    const struct evidence_word *named =
        find_named(words, sizeof words / sizeof words[0], sizeof words[0], word);

    if (named == NULL) {
        return error_usage(error, "--evidence must be proven, likely or none, not '%s'", word);
    }
    *evidence_out = (1u << IO_EVIDENCES) - 1 - ((2u << named->last) - (1u << named->first));
    return true;
}

/* Parses a bound: a whole number; for durations, also one with a unit such as 10ms. */
static bool filter_read_bound(const char *option, enum filter_quantity quantity, const char *text,
                              struct filter_bound *bound, struct error *error) {
    bool time = filter_quantities[quantity].unit == NULL,
         whole =
             text[0] != '\0' && strspn(text, "0123456789") == strlen(text) && strlen(text) <= 18;

    bound->given = true;
    bound->plain = whole ? strtoll(text, NULL, 10) : -1;
    bound->value = bound->plain;
    if (time ? clock_parse_duration(text, &bound->value) : whole) {
        return true;
    }
    /* The number is too large for seconds, but valid in units of the clock (`plain`). */
    bound->value = INT64_MAX;
    return (time && whole) ||
           error_usage(error, "--%s needs a %s, not '%s'", option,
                       time ? "time such as 10ms, 0.5 or 2m" : "whole number of bytes", text);
}

bool filter_add_option(struct filter *filter, enum filter_option option,
                       const char *const *arguments, size_t count, struct error *error) {
    const char *name = options[option].name;
    unsigned of = options[option].of, numbers;

    filter->given |= UINT32_C(1) << option;
    switch (options[option].how) {
    case FILTER_CHOOSES:
        filter->names[of].names = arguments;
        filter->names[of].count = count;
        return true;
    case FILTER_EXCLUDES:
        filter->names[of].excluded = arguments;
        filter->names[of].excluded_count = count;
        return true;
    case FILTER_LEAST:
        return filter_read_bound(name, of, arguments[0], &filter->ranges[of].least, error);
    case FILTER_MOST:
        return filter_read_bound(name, of, arguments[0], &filter->ranges[of].most, error);
    case FILTER_FAILED:
        filter->failed = true;
        return true;
    case FILTER_WORD_IN:
    case FILTER_WORD_OUT:
        if (!filter_read_words(name, of, arguments, count, &numbers, error)) {
            return false;
        }
        filter->words_out[of] |= options[option].how == FILTER_WORD_OUT
                                     ? numbers
                                     : (1u << word_lists[of].count) - 1 - numbers;
        return true;
    case FILTER_EVIDENCE:
        return read_evidence(arguments[0], &filter->evidence_out, error);
    case FILTER_UNDER:
        filter->under = arguments[0];
        return true;
    }
    return true;
}

/* Returns whether the trace has one of the columns in `needs`, listed as COLUMN or, if the column
 * must have a certain meaning, COLUMN=MEANING. */
static bool filter_has_column(const struct catalog_trace *trace, const char *needs) {
    char column[64];

    for (size_t length; *needs != '\0'; needs += length + (needs[length] == ' ')) {
        char *meaning;

        length = strcspn(needs, " ");
        snprintf(column, sizeof column, "%.*s", (int)length, needs);
        meaning = strchr(column, '=');
        if (meaning != NULL) {
            *meaning++ = '\0';
        }
        if (catalog_meaning(trace, column, meaning) != NULL) {
            return true;
        }
    }
    return false;
}

/* Returns whether an option's bound suits the trace's clock: a unit of time needs a clock in ns. */
static bool check_clock(const struct filter *filter, enum filter_option option,
                        const struct catalog_trace *trace, struct error *error) {
    enum filter_how how = options[option].how;
    unsigned of = options[option].of;
    const struct filter_bound *bound = how == FILTER_LEAST  ? &filter->ranges[of].least
                                       : how == FILTER_MOST ? &filter->ranges[of].most
                                                            : NULL;

    return bound == NULL || filter_quantities[of].unit != NULL || catalog_has_real_clock(trace) ||
           bound->plain >= 0 ||
           error_usage(error,
                       "trace %s counts time in %s: give --%s as a whole number of these units",
                       trace->name, trace->clock_unit, options[option].name);
}

bool filter_check(const struct filter *filter, const struct catalog_trace *trace,
                  struct error *error) {
    for (enum filter_option i = 0; i < FILTER_OPTIONS; i++) {
        if ((filter->given >> i & 1) == 0) {
            continue;
        }
        if ((options[i].kinds & ONLY(trace->kind)) == 0) {
            return error_usage(error, "--%s is for %s; trace %s holds %s", options[i].name,
                               options[i].kinds == IO      ? "block I/O"
                               : options[i].kinds == CALLS ? "system calls"
                               : options[i].kinds == SPANS ? "calls with a duration"
                                                           : "block I/O and calls on files",
                               trace->name, trace_kind_name(trace->kind));
        }
        if (options[i].of == FILTER_BLOCK_TYPES &&
            (options[i].how == FILTER_WORD_IN || options[i].how == FILTER_WORD_OUT) &&
            (trace->unknown >> FACT_BLOCK_TYPES & 1) != 0) {
            return error_set(error,
                             "--%s: the log of trace %s has no %s; `tracetool map` finds them",
                             options[i].name, trace->name, fact_words(FACT_BLOCK_TYPES));
        }
        if (options[i].needs != NULL && !filter_has_column(trace, options[i].needs)) {
            return error_set(error, "--%s: trace %s %s", options[i].name, trace->name,
                             options[i].lacks);
        }
        if (!check_clock(filter, i, trace, error)) {
            return false;
        }
    }
    return true;
}

bool filter_bounds(const struct filter *filter, enum filter_quantity quantity,
                   const struct catalog_trace *trace, int64_t *least, int64_t *most) {
    const struct filter_bound *low = &filter->ranges[quantity].least,
                              *high = &filter->ranges[quantity].most;
    bool plain = filter_quantities[quantity].unit == NULL && !catalog_has_real_clock(trace);

    *least = !low->given ? INT64_MIN + 1 : plain ? low->plain : low->value;
    *most = !high->given ? INT64_MAX : plain ? high->plain : high->value;
    return low->given || high->given;
}

bool filter_negative_means_error(const struct catalog_trace *trace) {
    return catalog_meaning(trace, "error", "error") == NULL &&
           (catalog_meaning(trace, "value", "result") != NULL ||
            catalog_meaning(trace, "value", "error") != NULL);
}

void filter_append_values(const struct filter *filter, const struct catalog_trace *trace,
                          const char *duration, struct text *sql) {
    for (enum filter_quantity i = 0; i < FILTER_QUANTITIES; i++) {
        enum event_place place = filter_quantities[i].column;
        int64_t least, most;

        if (filter_bounds(filter, i, trace, &least, &most)) {
            text_append_format(sql, " AND %s BETWEEN %lld AND %lld",
                               place == EVENT_PLACE_DURATION ? duration : event_column_name(place),
                               (long long)least, (long long)most);
        }
    }
    if (filter->failed) {
        text_append_string(sql, filter_negative_means_error(trace)
                                    ? " AND (error IS NOT NULL OR value < 0)"
                                    : " AND error IS NOT NULL");
    }
}
