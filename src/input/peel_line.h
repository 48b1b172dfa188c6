/* Strips layers (input/peel.h) from a single line, without state. For peel.c and peel_guess.c. */
#ifndef TRACETOOL_PEEL_LINE_H
#define TRACETOOL_PEEL_LINE_H

#include "base/text.h"
#include "input/peel_plan.h"
#include "input/word.h"

/* Returns the length of a layer's prefix at the start of a line; 0 if the line has none. Sets
 * `*goes_on` if the next line continues this line (PEEL_CRI). */
size_t peel_prefix(const struct peel_layer *layer, struct word line, bool *goes_on);

/* Consumes blanks, a number and the separator after it; false if the line has none. */
bool peel_cut_number(struct word *line, char *separator, int64_t *number);

/* Appends the log's text from a line that is a JSON object of docker or the journal. Returns false
 * if the line is not JSON. Sets `*goes_on` if the next line continues this line. */
bool peel_append_json(struct word line, struct text *out, bool *goes_on);

/* Appends the text of a line within quotation marks as in CSV, where marks in the text are doubled.
 * Returns false if the line has no marks. */
bool peel_append_quoted(struct word line, struct text *out);

/* Appends a line printed by `grep -H`, with its file name replaced by the number in the name, and
 * without a line number. Returns false if the line has no such file name. */
bool peel_shorten_file_name(const struct peel_layer *layer, struct word line, struct text *out);

/* Consumes a file name that consists of the layer's text and a number, to which it sets `*number`.
 * Returns false for any other name. */
bool peel_file_number(const struct peel_layer *layer, struct word *name, struct word *number);

/* Returns the file name in a header printed by tail, "==> NAME <=="; empty for another line. */
struct word peel_header_name(struct word line);

/* Append a line without terminal escapes (peel_append_without_colours()), with ASCII in place of
 * typographic characters (peel_append_in_ascii()), or without tags and with entities decoded
 * (peel_append_without_tags()). Return whether the line changed. `*inside`: the line is within
 * <pre>; text outside <pre> is dropped. */
bool peel_append_without_colours(struct word line, struct text *out);
bool peel_append_in_ascii(struct word line, struct text *out);
bool peel_append_without_tags(struct word line, bool *inside, struct text *out);

/* Appends a line with its HTML entities decoded. Returns whether the line changed. */
bool peel_append_decoded(struct word line, struct text *out);

/* Whether a text is an HTML page around a log: a line that starts with a tag has <pre>, each "<"
 * begins a tag, and there is an entity. */
bool peel_is_page(struct word bytes);

/* peel_raw_markup() strips an HTML page whose log is between <pre> and </pre> without entities;
 * peel_is_raw_page() detects it. "<" in the log begins no tag, except </pre> at the end of a line.
 */
bool peel_raw_markup(struct word line, bool *inside, struct text *out);
bool peel_is_raw_page(struct word bytes);

/* Appends UTF-16 text as UTF-8; invalid units become U+FFFD. */
void peel_utf16(struct word units, bool little, struct text *out);

/* Writes the form of a line's start, for comparing lines: one byte for each run of digits, letters
 * or blanks, and for any other byte. Pads it with NULs to `length` bytes. */
void peel_write_form(struct word line, size_t length, char form[PEEL_FORM]);

/* Whether a line begins with one of the forms listed in a PEEL_WRAPPED layer. */
bool peel_begins_line(const struct peel_layer *layer, struct word line);

/* Returns the column at which a line ends that starts at column `columns`. Tab stops are every
 * eight columns; each other byte counts as one column. */
int64_t peel_columns(struct word line, int64_t columns);

static inline bool peel_ends_blank(struct word line) {
    return line.length > 0 && word_is_blank(line.bytes[line.length - 1]);
}

/* Whether `next` may continue a line that was wrapped at `width`. The line has the full width, or
 * it ends with a blank and has no room for the first word of `next` (fold -s). `columns` is the
 * width of the line. */
bool peel_wraps(int64_t columns, struct word line, struct word next, int64_t width);

#endif
