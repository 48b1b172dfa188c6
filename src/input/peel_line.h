/* Strips one line, for peel.c and peel_guess.c. Stateless. */
#ifndef TRACETOOL_PEEL_LINE_H
#define TRACETOOL_PEEL_LINE_H

#include "base/text.h"
#include "input/peel_plan.h"
#include "input/word.h"

/* Returns the length of a layer's prefix at the start of a line; 0 without one. `*goes_on`: the
 * line continues on the next one (PEEL_CRI). */
size_t peel_prefix(const struct peel_layer *layer, struct word line, bool *goes_on);

/* Consumes blanks, a number and the separator after it; false if absent. */
bool peel_number(struct word *line, char *separator, int64_t *number);

/* Appends the line inside docker's or the journal's JSON; false if the line is not JSON.
 * `*goes_on`: the line continues on the next one. */
bool peel_json(struct word line, struct text *out, bool *goes_on);

/* Appends the line inside quotation marks as in CSV, where inner marks are doubled; false if the
 * line has no marks. */
bool peel_quoted(struct word line, struct text *out);

/* Appends a line of `grep -H` with only the number that is part of the file name, in place of the
 * name and of the line number, if there is one. False if there is no such name. */
bool peel_files(const struct peel_layer *layer, struct word line, struct text *out);

/* Consumes the number of a file's name, which begins with the layer's text; false if absent. */
bool peel_file_number(const struct peel_layer *layer, struct word *name, struct word *number);

/* Returns the name in a header of tail, "==> NAME <=="; empty if the line is none. */
struct word peel_header(struct word line);

/* Append a line without terminal escapes (peel_colours()), with ASCII in place of typographic
 * characters (peel_typography()), or without tags and with entities decoded (peel_markup()). Return
 * whether anything changed. `*inside`: within <pre>; text outside is dropped. */
bool peel_colours(struct word line, struct text *out);
bool peel_typography(struct word line, struct text *out);
bool peel_markup(struct word line, bool *inside, struct text *out);

/* Appends a line with its HTML entities decoded. */
bool peel_entities(struct word line, struct text *out);

/* Whether a page is HTML around a log: <pre> is in a line that starts with a tag, each "<" in it
 * begins a tag, and an entity occurs. */
bool peel_is_page(struct word bytes);

/* Strips HTML of a log that was put between <pre> and </pre> without entities: a "<" in it begins
 * no tag, but for </pre> at the end of a line. */
bool peel_raw_markup(struct word line, bool *inside, struct text *out);
bool peel_is_raw_page(struct word bytes);

/* Converts UTF-16 to UTF-8 and appends it; invalid units become U+FFFD. */
void peel_utf16(struct word units, bool little, struct text *out);

/* Writes the first `length` character classes of a line to `form`, NUL-padded: runs of digits,
 * letters and blanks count as one each. */
void peel_form(struct word line, size_t length, char form[PEEL_FORM]);

/* Whether a line begins as the lines that PEEL_WRAPPED lists. */
bool peel_begins(const struct peel_layer *layer, struct word line);

/* Width of a line in columns, after `columns` others, with tab stops every eight; each byte counts
 * as one. */
int64_t peel_columns(struct word line, int64_t columns);

static inline bool peel_ends_blank(struct word line) {
    return line.length > 0 && word_is_blank(line.bytes[line.length - 1]);
}

/* Whether a line that wraps at `width` may go on with the next one: it has the full width, or it
 * ends with a blank and the first word of `next` has no room in it (fold -s). `columns` is the
 * width of the line. */
bool peel_wraps(int64_t columns, struct word line, struct word next, int64_t width);

#endif
