/* Findings: notable facts about a trace, one query file each, combined into one query.
 *
 * A finding is a file queries/findings/NAME.sql, or findings/NAME.sql in the user's directory, with
 * the header of a query file (query.h). Its query returns at most one row, with the columns
 * `fires`, `value`, `threshold` and the column that its line `weight` names. `fires` is 1, 0, or
 * NULL if the log cannot tell. The row also has the columns that the sentence in its line `say`
 * uses. Lines `column:` declare their types.
 *
 * The query file of report findings has two placeholder lines for each kind of trace: `-- findings:
 * header` for the analyses and parameters, and `-- findings: rows` for a UNION ALL of the queries.
 * So the findings of a trace share its passes over events, and have all the options of a report. */
#ifndef TRACETOOL_FINDINGS_H
#define TRACETOOL_FINDINGS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"

/* First columns of report findings. FINDING_UNIT and FINDING_FIRED exist only with --all. */
enum finding_column {
    FINDING_NAME,
    FINDING_WEIGHT,
    FINDING_SENTENCE,
    FINDING_COMMAND,
    FINDING_THRESHOLD,
    FINDING_VALUE,
    FINDING_UNIT,
    FINDING_FIRED, /* value of `fires`; NULL: the log cannot tell */
};

/* What follows a finding's command, so that it shows the finding's trace. All are borrowed. */
struct finding_words {
    const char *options; /* options and logs that select traces and events, each after a space */
    const char *of_any;  /* those of them that do not select traces */
    const char *of_show; /* those of them that `show` takes, which has a trace as its argument */
    bool has_logs;       /* true: logs are among them, so that `show` needs no trace */
    const char *const *traces; /* arguments of -t, which are among `options` */
    size_t trace_count;
    size_t found; /* number of traces that have findings */
};

/* Appends a finding's command with these words. `trace` identifies its trace. */
void findings_append_command(struct text *out, const char *command, size_t length,
                             const struct finding_words *words, const char *trace);

/* Returns whether the text of a query file has placeholder lines for findings. */
bool findings_has_placeholder(const char *text);

/* Appends the text of a query file, with the findings instead of its placeholder lines. Findings in
 * `directory`, the user's queries (NULL: none), replace built-in ones with the same name. If a
 * finding is invalid, returns false with `error` set, which names its file and line. */
bool findings_replace_placeholders(struct text *out, const char *text, const char *directory,
                                   struct error *error);

/* Adds the names of all findings to a list; `pool` owns them. Sets `*kinds` to the kinds of trace
 * that the finding `name` supports, as a bit set of enum trace_kind; 0: no such finding. */
bool findings_list_names(const char *directory, struct pool *pool, struct word_list *names,
                         const char *name, unsigned *kinds, struct error *error);

#endif
