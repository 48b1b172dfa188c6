/* Programs of the user's own that say more of a parameter than its value: `formatters:`.
 *
 * The program of a type is run for each value of that type that a dump shows, without a shell, with
 * the name of the type and the value as the dump shows it as its arguments. What it writes on its
 * standard output is shown behind the value. It has FORMATTER_TIME and FORMATTER_OUTPUT; answers
 * are remembered, so that an equal value mostly is not asked for again.
 */
#ifndef TRACETOOL_DWTRACE_FORMATTER_H
#define TRACETOOL_DWTRACE_FORMATTER_H

#include <stddef.h>

#include "base/text.h"
#include "config/config.h"
#include "config/section.h"

#define FORMATTER_TIME   1000 /* milliseconds that a program may take for an answer */
#define FORMATTER_OUTPUT 4096 /* bytes of an answer */
#define FORMATTER_TRIES  3    /* a program that has failed so often is not called any more */

/* The section, whose value only this file knows. */
extern const struct config_section dwtrace_formatters_section;

/* The programs of a configuration, with what they have answered. */
struct dwtrace_formatters;

/* Those of `config`, which must stay; NULL when it names none. */
struct dwtrace_formatters *dwtrace_formatters_open(const struct config *config);

/* NULL is allowed. */
void dwtrace_formatters_close(struct dwtrace_formatters *formatters);

/* Appends ` {answer}`, escaped, to the text, which ends with a value of the type that begins at
 * `begin` in it; what went wrong instead, when it did; nothing for a type without a program.
 * `formatters` may be NULL. */
void dwtrace_formatters_append(struct dwtrace_formatters *formatters, unsigned type, size_t begin,
                               struct text *out);

#endif
