#include "contract/figure.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "model/linux.h"
#include "report/findings.h"

const struct figure_word figure_words[] = {
#define CALLS   (1U << TRACE_CALLS)
#define IO      (1U << TRACE_IO)
#define SPANS   (1U << TRACE_SPANS)
#define STATES  (1U << TRACE_STATES)
#define SAMPLES (1U << TRACE_SAMPLES)
#define CELL(REPORT, BY, ROW, KEYS, COLUMN, HOW, ROWS)                                             \
    { REPORT, BY, ROW, KEYS, COLUMN, FOLD_##HOW, ROWS_##ROWS }
#define FIGURE(NAME, ARGUMENT, KIND, KINDS, HELP, ...)                                             \
    {NAME, ARGUMENT, COLUMN_##KIND, KINDS, HELP, {__VA_ARGS__}},
#include "contract/figures.def"
    {.name = NULL},
};

void figure_append_kinds(struct text *text, unsigned kinds) {
    for (int kind = 0; kind < TRACE_KINDS; kind++) {
        if ((kinds >> kind & 1) != 0) {
            text_append_item(text, trace_kind_name((enum trace_kind)kind));
        }
    }
}

#undef figure_set_error
bool figure_set_error(const struct figure_reader *reader, const char *at, const char *format, ...) {
    char message[512];
    struct text place = {0};
    size_t column = 1;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (const char *before = reader->text; before < at; before++) {
        /* Counts UTF-8 characters, by their first bytes. */
        column += ((unsigned char)*before & 0xc0) != 0x80;
    }
    if (*at == '\0') {
        text_append_string(&place, "at the end");
    } else {
        text_append_format(&place, "column %zu, at '%.40s'", column, at);
    }
    error_usage(reader->error, "'%.200s', %s: %s", reader->text, text_string(&place), message);
    text_free(&place);
    return false;
}

void figure_skip_blanks(struct figure_reader *reader) {
    reader->at += strspn(reader->at, " \t\r\n");
}

/* --- words and names -------------------------------------------------------------------------- */

bool figure_skip_word(struct figure_reader *reader, const char *word) {
    const size_t length = strlen(word);

    figure_skip_blanks(reader);
    if (strncmp(reader->at, word, length) != 0) {
        return false;
    }
    reader->at += length;
    return true;
}

/* Reads a name in quotes, in which "" is a quotation mark. Returns NULL with the error set if it
 * has no end. */
static const char *read_quoted(struct figure_reader *reader) {
    const char *begin = reader->at++;
    struct text word = {0};
    const char *copy;

    for (; *reader->at != '\0' && (*reader->at != '"' || reader->at[1] == '"'); reader->at++) {
        reader->at += *reader->at == '"';
        text_append_char(&word, *reader->at);
    }
    copy = pool_copy(reader->pool, text_string(&word));
    text_free(&word);
    if (*reader->at != '"') {
        figure_set_error(reader, begin, "the quotation mark is not closed");
        return NULL;
    }
    reader->at++;
    return copy;
}

/* Reads a word up to one of the bytes in `until`, without blanks at its end. In p99.9, the dot is
 * part of the word. Returns NULL with the error set if there is no word. */
static const char *figure_read_word(struct figure_reader *reader, const char *until,
                                    const char *what) {
    const char *begin, *end;
    char *copy;

    figure_skip_blanks(reader);
    begin = reader->at;
    if (*begin == '"') {
        return read_quoted(reader);
    }
    end = begin + strcspn(begin, until);
    if (strchr(until, '.') != NULL && end - begin == 3 && strncmp(begin, "p99.9", 5) == 0) {
        end += 2;
    }
    reader->at = end;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    if (end == begin) {
        figure_set_error(reader, begin, "%s is missing", what);
        return NULL;
    }
    copy = pool_allocate(reader->pool, (size_t)(end - begin) + 1);
    memcpy(copy, begin, (size_t)(end - begin));
    copy[end - begin] = '\0';
    return copy;
}

/* Names that users may try for figures, and the program's names for these. */
static const struct {
    const char *typed, *name;
} other_names[] = {{"count", "calls"},   {"number", "calls"},        {"average", "mean"},
                   {"avg", "mean"},      {"median", "p50"},          {"total", "time"},
                   {"duration", "time"}, {"bytes", "bytes_written"}, {"size", "bytes_written"}};

/* Returns the program's name for a typed word: by `other_names`, else the most similar word. */
static const char *find_near_word(const struct word_list *words, const char *typed) {
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++) {
        for (size_t j = 0; strcmp(other_names[i].typed, typed) == 0 && j < words->count; j++) {
            if (strcmp(other_names[i].name, words->words[j]) == 0) {
                return words->words[j];
            }
        }
    }
    return word_list_nearest(words, typed);
}

/* Appends the most similar word, and equally similar ones of the same length: p90, p95 or p99. */
static void append_near_words(struct text *out, const struct word_list *words, const char *typed) {
    const char *near = find_near_word(words, typed), *last = near;
    const bool is_alone = near == NULL || near != word_list_nearest(words, typed);

    for (size_t i = 0; !is_alone && i < words->count; i++) {
        if (words->words[i] != near && strlen(words->words[i]) == strlen(near) &&
            word_edit_distance(words->words[i], typed) == word_edit_distance(near, typed)) {
            text_append_item(out, last);
            last = words->words[i];
        }
    }
    if (near != NULL) {
        text_append_format(out, "%s%s?", out->length > 0 ? " or " : "", last);
    }
}

/* Sets an error for an unknown word, with similar words, or else `otherwise` or all words. Frees
 * the list. Always returns false. */
static bool refuse_unknown_word(struct figure_reader *reader, const char *at, const char *what,
                                const char *typed, struct word_list *words, const char *otherwise) {
    struct text near = {0}, all = {0};

    append_near_words(&near, words, typed);
    for (size_t i = 0; i < words->count && otherwise == NULL; i++) {
        text_append_item(&all, words->words[i]);
    }
    figure_set_error(reader, at, "there is no %s '%.60s'%s%s%s", what, typed,
                     near.length > 0 ? ": did you mean " : "; ",
                     near.length > 0     ? text_string(&near)
                     : otherwise != NULL ? otherwise
                                         : "there are ",
                     near.length > 0 ? "" : text_string(&all));
    text_free(&near);
    text_free(&all);
    word_list_free(words);
    return false;
}

/* --- columns of reports ----------------------------------------------------------------------- */

const char *figure_find_report(struct figure_reader *reader, const char *at, const char *name) {
    const struct query *query = query_set_next(reader->queries, NULL, name);
    struct word_list words = {0};

    if (query != NULL) {
        return query->report;
    }
    for (const struct figure_word *word = figure_words; word->name != NULL; word++) {
        word_list_add(&words, word->name);
    }
    for (size_t i = 0; i < reader->queries->count; i++) {
        word_list_add_once(&words, reader->queries->queries[i].report);
    }
    refuse_unknown_word(reader, at, "figure or report", name, &words,
                        "`tracetool assert --list` lists figures, `tracetool reports` reports");
    return NULL;
}

/* Words that tell how cells of several rows are combined. They are parts of column names, or first
 * words of column descriptions. */
static const struct {
    const char *words;
    enum figure_fold fold;
} fold_words[] = {{"mean median p50 p90 p95 p99", FOLD_ONE},
                  {"max maximum most largest longest peak", FOLD_MOST},
                  {"min minimum least smallest shortest", FOLD_LEAST}};

/* Sets `fold` and returns true if one of the words at `at`, separated by _, is in fold_words. */
static bool find_fold(const char *at, enum figure_fold *fold) {
    char word[64];

    do {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "_ :;,"), at);
        for (size_t i = 0; i < sizeof fold_words / sizeof fold_words[0]; i++) {
            if (word_in(fold_words[i].words, word)) {
                *fold = fold_words[i].fold;
                return true;
            }
        }
        at += strlen(word);
    } while (*at++ == '_');
    return false;
}

static enum figure_fold aggregate_of_column(const struct query *query,
                                            const struct query_column *of) {
    const struct column *column = &of->column;
    const char *means = of->meaning == NULL ? "" : of->meaning;
    const bool adds = column->kind == COLUMN_INTEGER || column->kind == COLUMN_BYTES;
    enum figure_fold fold = adds ? FOLD_SUM : FOLD_ONE;

    if (word_in(query->meanless, column->name)) {
        return FOLD_ONE;
    }
    if (!find_fold(column->name, &fold)) {
        find_fold(means + (strncmp(means, "the ", 4) == 0 ? 4 : 0), &fold);
    }
    return fold;
}

/* Finds a column in the queries of a report, preferably in the query without options. Sets an error
 * if there is none. */
static bool find_figure_column(struct figure_reader *reader, const char *at,
                               struct figure *figure) {
    struct figure_source *source = &figure->sources[0];
    struct word_list words = {0};
    bool is_common = false;

    for (size_t i = 0; i < reader->queries->count; i++) {
        const struct query *query = &reader->queries->queries[i];
        const bool is_of = strcmp(query->report, source->report) == 0;

        for (size_t j = 0; is_of && j < query->column_count; j++) {
            const struct column *column = &query->columns[j].column;

            if (column_kind_is_text(column->kind) || query_column_is_hidden(&query->columns[j])) {
                continue;
            }
            word_list_add_once(&words, column->name);
            if (strcmp(column->name, source->column) == 0 && !is_common) {
                is_common = query->when_option == NULL || query->by_default;
                figure->kind = column->kind;
                source->fold = aggregate_of_column(query, &query->columns[j]);
            }
            figure->kinds |= strcmp(column->name, source->column) == 0 ? query->kinds : 0;
        }
    }
    if (figure->kinds == 0) {
        return refuse_unknown_word(reader, at, "column of numbers in that report called",
                                   source->column, &words, NULL);
    }
    word_list_free(&words);
    return true;
}

/* --- arguments of figures --------------------------------------------------------------------- */

/* Returns whether a text is a list of page counts, such as 8 or 8,1024. Report `reuse` checks it
 * only when it runs, which is too late for an error with the position in the contract's text. */
static bool are_pages(const char *text) {
    size_t digits;

    while (*text != '0' && (digits = strspn(text, "0123456789")) > 0 && digits < 16) {
        text += digits;
        if (*text++ != ',') {
            return text[-1] == '\0';
        }
    }
    return false;
}

bool figure_add_option(struct figure_reader *reader, const char *at, struct figure *figure,
                       const char *name, const char *value) {
    if (figure->given_count == FIGURE_MOST) {
        return figure_set_error(reader, at, "more than %d filters", FIGURE_MOST);
    }
    if (strcmp(name, "sizes") == 0 && !are_pages(value)) {
        return figure_set_error(reader, at, "expected a number of pages, from 1 on");
    }
    figure->given[figure->given_count++] =
        (struct figure_option){pool_copy(reader->pool, name), pool_copy(reader->pool, value), at};
    return true;
}

/* Sets the key column for an argument of `errors`: 1 (error) for names like ENOENT, 0 for calls. */
static bool place_error(struct figure_reader *reader, const char *at, const char *name,
                        size_t *column) {
    const size_t letters = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    struct word_list words = {0};

    *column = *name == 'E' && name[letters] == '\0' && letters > 1;
    if (*column == 0 || *at == '"' || linux_error_number(word_of(name)) != EVENT_NONE) {
        return true;
    }
    for (int64_t i = 1; i < LINUX_ERRORS; i++) {
        if (linux_error_name(i) != NULL) {
            word_list_add(&words, linux_error_name(i));
        }
    }
    return refuse_unknown_word(reader, at, "error", name, &words, "errno(3) lists them");
}

bool figure_is_finding(const struct figure_word *word) {
    return word != NULL && strcmp(word->name, "finding") == 0;
}

/* Sets the kinds of traces that can have the finding named by the figure. */
static bool place_finding(struct figure_reader *reader, const char *at, const char *name,
                          struct figure *figure) {
    struct word_list words = {0};

    if (!findings_list_names(reader->queries->directory, reader->pool, &words, name, &figure->kinds,
                             reader->error)) {
        word_list_free(&words);
        return false;
    }
    if (figure->kinds == 0) {
        return refuse_unknown_word(reader, at, "finding", name, &words, NULL);
    }
    word_list_free(&words);
    return true;
}

static bool figure_add_name(struct figure_reader *reader, const char *at, struct figure *figure,
                            const char *name) {
    const char *takes = figure->word == NULL ? "" : figure->word->argument;
    size_t column = 0;

    if (takes == NULL) {
        return figure_set_error(reader, at, "%s takes only filters, such as op=read",
                                figure->word->name);
    }
    if (strcmp(takes, "PAGES") == 0) {
        return figure_add_option(reader, at, figure, "sizes", name);
    }
    if (*takes == '\0' || strchr(takes, ',') != NULL) {
        column = figure->name_count;
    }
    if (strcmp(takes, "CALL, ERROR") == 0 && !place_error(reader, at, name, &column)) {
        return false;
    }
    if (figure_is_finding(figure->word) &&
        (figure->name_count > 0 ? !figure_set_error(reader, at, "finding takes one name")
                                : !place_finding(reader, at, name, figure))) {
        return false;
    }
    if (figure->name_count == FIGURE_MOST) {
        return figure_set_error(reader, at, "more than %d names", FIGURE_MOST);
    }
    if (strcmp(takes, "CALL, CAUSE") == 0 && column == 1 && strcmp(name, "processor") == 0) {
        name = "waits for a processor";
    }
    figure->names[figure->name_count++] = (struct figure_name){name, column};
    return true;
}

static bool read_arguments(struct figure_reader *reader, struct figure *figure) {
    do {
        const char *at, *name, *value = "";
        bool is_option;

        figure_skip_blanks(reader);
        at = reader->at;
        name = figure_read_word(reader, "=,()<>\"", "a name or a filter");
        is_option = name != NULL && *at != '"' && figure_skip_word(reader, "=");
        if (is_option) {
            value = figure_read_word(reader, ",)\"", "the value of the filter");
        }
        if (name == NULL || value == NULL ||
            !(is_option ? figure_add_option(reader, at, figure, name, value)
                        : figure_add_name(reader, at, figure, name))) {
            return false;
        }
    } while (figure_skip_word(reader, ","));
    return figure_skip_word(reader, ")") ||
           figure_set_error(reader, reader->at, "expected a comma or )");
}

/* --- parsing figures -------------------------------------------------------------------------- */

static const struct figure_word *figure_find_word(const char *name) {
    const struct figure_word *word = figure_words;

    while (word->name != NULL && strcmp(word->name, name) != 0) {
        word++;
    }
    return word->name == NULL ? NULL : word;
}

/* Parses what follows a report's name in a figure of a contract: .COLUMN or .ROW.COLUMN; for report
 * `summary`, .ROW or .ROW.value. `brackets`: the row was named in brackets. */
static bool read_cell(struct figure_reader *reader, struct figure *figure, bool brackets) {
    const bool is_summary = strcmp(figure->sources[0].report, "summary") == 0;
    const char *at = reader->at, *last = NULL, *word;

    while ((last == NULL || !brackets) && figure_skip_word(reader, ".")) {
        at = reader->at;
        word = figure_read_word(reader, ".(),<>=! \"", "a row or column");
        if (word == NULL || (last != NULL && !figure_add_name(reader, at, figure, last))) {
            return false;
        }
        last = word;
    }
    figure->dotted = !brackets;
    if (is_summary && last != NULL && strcmp(last, "value") != 0) {
        figure->dotted = true;
        if (!figure_add_name(reader, at, figure, last)) {
            return false;
        }
        last = "value";
    }
    figure->sources[0].column = last;
    return last != NULL ? find_figure_column(reader, at, figure)
                        : figure_set_error(reader, at, "report %s needs a column: expected .COLUMN",
                                           figure->sources[0].report);
}

/* Returns whether a dot follows the closing bracket, so that it is a cell of a report. */
static bool is_cell(const char *at) {
    for (bool quoted = false; *at != '\0' && (quoted || *at != ')'); at++) {
        quoted ^= *at == '"';
    }
    at += *at == ')';
    return at[strspn(at, " \t")] == '.';
}

/* Returns whether the text is .new: newfstatat is a row. */
static bool is_new(const char *at) {
    return strncmp(at, ".new", 4) == 0 && strchr("<>=! \t", at[4]) != NULL;
}

static bool read_figure(struct figure_reader *reader, struct figure *figure) {
    const char *at = reader->at, *name = figure_read_word(reader, ".(),<>=! \t\"", "a figure");
    const struct figure_word *word = name == NULL ? NULL : figure_find_word(name);
    bool brackets;

    if (name == NULL) {
        return false;
    }
    if (word_in("calls syscalls errors files", name) && is_new(reader->at)) {
        word = figure_find_word(strcmp(name, "syscalls") == 0 ? "calls" : name);
        reader->at += strlen(".new");
        *figure = (struct figure){.new = true, .kind = COLUMN_INTEGER, .kinds = word->kinds};
        figure->sources[0] = word->sources[0];
        figure->sources[0].fold = FOLD_NAMES;
        figure->sources[0].column = strcmp(name, "files") == 0    ? "file"
                                    : strcmp(name, "errors") == 0 ? "name\" || ' ' || \"error"
                                                                  : "name";
        return true;
    }
    brackets = figure_skip_word(reader, "(");
    if (word != NULL && (*reader->at == '.' || (brackets && is_cell(reader->at))) &&
        query_set_next(reader->queries, NULL, name) == NULL) {
        return figure_set_error(reader, reader->at, "%s is not a report, so it has no columns%s",
                                name, strncmp(name, "p99", 3) == 0 ? "; there is p99.9" : "");
    }
    if (word != NULL && *reader->at != '.' && !(brackets && is_cell(reader->at))) {
        *figure = (struct figure){.word = word, .kind = word->kind, .kinds = word->kinds};
        memcpy(figure->sources, word->sources, sizeof figure->sources);
        if (!brackets && word_in("finding why", name)) {
            return figure_set_error(reader, reader->at, "expected (%s)",
                                    figure_is_finding(word) ? "NAME of a finding" : word->argument);
        }
        return !brackets || read_arguments(reader, figure);
    }
    figure->sources[0].report = figure_find_report(reader, at, name);
    return figure->sources[0].report != NULL && (!brackets || read_arguments(reader, figure)) &&
           read_cell(reader, figure, brackets);
}

bool figure_is_word(const char *text) {
    const size_t length = strcspn(text, "(<>=! \t");

    for (const struct figure_word *word = figure_words; word->name != NULL; word++) {
        if (strlen(word->name) == length && strncmp(word->name, text, length) == 0) {
            return text[length] != '(' || !is_cell(text + length);
        }
    }
    return false;
}

bool figure_read(struct figure_reader *reader, struct figure *figure) {
    *figure = (struct figure){.word = NULL};
    figure_skip_blanks(reader);
    return read_figure(reader, figure);
}

bool figure_finish(struct figure_reader *reader, struct figure *figure) {
    const char *report = figure->sources[0].report;
    struct error why = {0};
    struct text key = {0};

    for (size_t i = 0; i < figure->given_count; i++) {
        const struct figure_option *given = &figure->given[i];

        text_append_format(&key, "%s=%s\n", given->name, given->value);
        if (!reader->take_options(reader->context, report, given, 1, figure, &why)) {
            text_free(&key);
            return figure_set_error(reader, given->at, "%s", why.message);
        }
    }
    figure->key = pool_copy(reader->pool, text_string(&key));
    text_free(&key);
    if (figure->given_count == 0) {
        return true;
    }
    return reader->take_options(reader->context, report, figure->given, figure->given_count, figure,
                                reader->error) &&
           (figure->filter.from.kind != TIME_SINCE_START ||
            figure->filter.to.kind != TIME_SINCE_START ||
            figure->filter.from.time < figure->filter.to.time ||
            figure_set_error(reader, figure->given[0].at,
                             "from must be before to: no time is between them"));
}
