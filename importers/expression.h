/* Regular expressions (PCRE2) for the lines of a log. Expressions and lines are untrusted input.
 * Both are bytes, not UTF-8. An expression has at most EXPRESSION_LENGTH bytes. A match stops
 * without a result after EXPRESSION_STEPS steps or EXPRESSION_HEAP KiB. */
#ifndef TRACETOOL_EXPRESSION_H
#define TRACETOOL_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "input/word.h"

enum {
    EXPRESSION_LENGTH = 4096,
    EXPRESSION_STEPS = 100000,
    EXPRESSION_HEAP = 1024,
    EXPRESSION_GROUPS = 64,
};

struct expression;
struct expression_match; /* buffers for a match; one per thread */

/* Compiles `pattern`, which must match a whole line. On failure returns NULL and appends the cause
 * to `why`. */
struct expression *expression_compile(const char *pattern, struct text *why);
void expression_free(struct expression *expression);

/* Returns the number of groups in the expression, at most EXPRESSION_GROUPS. */
size_t expression_groups(const struct expression *expression);

/* Compiles the expression to machine code, to match many lines faster. This is a separate step
 * because all formats are compiled when the program starts, and few are used. Not safe while
 * another thread matches. */
void expression_make_machine_code(struct expression *expression);

/* Returns the index of the group `(?<name>…)`, from 0; -1 if there is none. */
int expression_group(const struct expression *expression, const char *name);

/* Allocates the buffers for matches; the caller frees them. */
struct expression_match *expression_match_new(const struct expression *expression);
void expression_match_free(struct expression_match *match);

enum expression_result { EXPRESSION_FITS, EXPRESSION_FITS_NOT, EXPRESSION_GAVE_UP };

/* Matches a line. `fields` receives the groups; a group without part in the match has length 0. */
enum expression_result expression_run(const struct expression *expression,
                                      struct expression_match *match, struct word line,
                                      struct word fields[EXPRESSION_GROUPS]);

#endif
