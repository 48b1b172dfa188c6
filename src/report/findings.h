/* Findings: what stands out in a trace, a query file each, of which one query is made.
 *
 * A finding is a file queries/findings/NAME.sql, or findings/NAME.sql in the user's folder, with
 * the header of a query file (query.h). Its query gives one row or none, with the columns `fires`
 * (1, 0, or NULL where the log cannot tell), `value`, `threshold` and the one that `weight` names;
 * what `say` puts into its sentence are columns, too. `column:` lines say of what kind they are.
 *
 * The report's own file has two lines in whose place those of all findings come, for each kind of
 * trace: `-- findings: header`, the analyses and parameters, and `-- findings: rows`, a UNION ALL
 * of the queries. So findings of one trace share its passes, and whatever a report can be asked,
 * they can.
 */
#ifndef TRACETOOL_FINDINGS_H
#define TRACETOOL_FINDINGS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* The first columns of the report; the last two are there with --all. */
enum finding_column {
    FINDING_NAME,
    FINDING_WEIGHT,
    FINDING_SENTENCE,
    FINDING_COMMAND,
    FINDING_THRESHOLD,
    FINDING_VALUE,
    FINDING_UNIT,
    FINDING_FIRED,
};

/* Whether the text of a query file has such lines. */
bool findings_wanted(const char *text);

/* Appends the text of a query file with the findings put in: the program's own, and those of
 * `directory`, the user's folder of queries (NULL: there is none), which replace them by name.
 * False with `error` set, which says where, if one of them is wrong. */
bool findings_compose(struct text *out, const char *text, const char *directory,
                      struct error *error);

#endif
