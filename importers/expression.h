/* Regular expressions (PCRE2's) over the lines of a log. Whoever wrote the expression and whoever
 * wrote the line may be hostile: both are bytes, not UTF-8; an expression has at most
 * EXPRESSION_LENGTH bytes, and a match that takes more than EXPRESSION_STEPS steps or
 * EXPRESSION_HEAP KiB is given up. */
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
struct expression_match; /* room for a match; one a thread */

/* Compiles `pattern`, which must match a whole line. NULL with a cause appended to `why`. */
struct expression *expression_compile(const char *pattern, struct text *why);
void expression_free(struct expression *expression);

/* How many groups it has, at most EXPRESSION_GROUPS. */
size_t expression_groups(const struct expression *expression);

/* Compiles it to machine code, for many lines: each format is compiled when the program starts, and
 * few are read. Not while another thread matches. */
void expression_hasten(struct expression *expression);

/* The number of the group `(?<name>…)`, from 0; -1: there is none. */
int expression_group(const struct expression *expression, const char *name);

/* The caller frees it. */
struct expression_match *expression_match_new(const struct expression *expression);
void expression_match_free(struct expression_match *match);

enum expression_result { EXPRESSION_FITS, EXPRESSION_FITS_NOT, EXPRESSION_GAVE_UP };

/* Whether the line fits; what its groups matched goes to `fields`, length 0 for those that did not
 * take part. */
enum expression_result expression_run(const struct expression *expression,
                                      struct expression_match *match, struct word line,
                                      struct word fields[EXPRESSION_GROUPS]);

#endif
