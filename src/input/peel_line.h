/* One line and what may be around it, for peel.c and peel_guess.c. Nothing is remembered. */
#ifndef TRACETOOL_PEEL_LINE_H
#define TRACETOOL_PEEL_LINE_H

#include "base/text.h"
#include "input/peel_plan.h"
#include "input/word.h"

/* How many bytes the prefix of a layer has at the begin of a line; 0: the line has none.
 * `*goes_on`: the next line is the rest of this one (PEEL_CRI). */
size_t peel_prefix(const struct peel_layer *layer, struct word line, bool *goes_on);

/* Cuts off blanks, a number and the separator behind it; false: there is none. */
bool peel_number(struct word *line, char *separator, int64_t *number);

/* Appends the line in docker's JSON; false: it is none. `*goes_on` as above. */
bool peel_json(struct word line, struct text *out, bool *goes_on);

/* Appends a line without escapes of terminals, or without tags and with characters in place of
 * entities. Return whether anything was changed. `*inside`: within <pre>; what is outside is left
 * out. */
bool peel_colours(struct word line, struct text *out);
bool peel_markup(struct word line, bool *inside, struct text *out);

/* Entities alone. */
bool peel_entities(struct word line, struct text *out);

/* Whether a page is HTML around a log: it has a <pre> at the begin of a line, in which each "<"
 * begins a tag and an entity stands for another character. */
bool peel_is_page(struct word bytes);

/* Appends UTF-16 as UTF-8; what is none becomes U+FFFD. */
void peel_utf16(struct word units, bool little, struct text *out);

/* The form that a line begins with, padded with NULs: digits, letters and blanks are one each. */
void peel_form(struct word line, char form[PEEL_FORM]);

/* How many columns a line takes, with TABs every eight; bytes count one. */
int64_t peel_columns(struct word line);

#endif
