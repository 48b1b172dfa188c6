/* Findings: notable facts about a trace, one query file each, combined into one query.
 *
 * A finding is a file queries/findings/NAME.sql, or findings/NAME.sql in the user's directory, with
 * the header of a query file (query.h). Its query returns at most one row, with the columns
 * `fires`, `value`, `threshold` and the one named by `weight`. `fires` is 1, 0, or NULL if the log
 * cannot tell. Columns used in the sentence of `say` are there, too. `column:` lines declare their
 * types.
 *
 * The report's own file has two placeholder lines for each kind of trace: `-- findings: header` for
 * the analyses and parameters, and `-- findings: rows` for a UNION ALL of the queries. Findings of
 * a trace thus share its passes, and have all the options of a report. */
#ifndef TRACETOOL_FINDINGS_H
#define TRACETOOL_FINDINGS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"

/* First columns of the report; the last two only with --all. */
enum finding_column {
    FINDING_NAME,
    FINDING_WEIGHT,
    FINDING_SENTENCE,
    FINDING_COMMAND,
    FINDING_THRESHOLD,
    FINDING_VALUE,
    FINDING_UNIT,
    FINDING_FIRED, /* null: the log cannot tell */
};

/* Whether the text of a query file has placeholder lines. */
bool findings_wanted(const char *text);

/* Appends the text of a query file with the findings inserted: the built-in ones, and those in
 * `directory`, the user's queries (NULL: none), which replace them by name. False with `error` set,
 * which gives the place, if a finding is invalid. */
bool findings_compose(struct text *out, const char *text, const char *directory,
                      struct error *error);

/* Adds the names of all findings, in the pool, to a list; `kinds`: bit set of enum trace_kind that
 * the finding `name` is for, 0: there is none. */
bool findings_list(const char *directory, struct pool *pool, struct word_list *names,
                   const char *name, unsigned *kinds, struct error *error);

#endif
