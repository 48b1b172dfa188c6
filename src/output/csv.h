/* Fields of CSV, as all that the program writes has them: RFC 4180, but a field is never more than
 * one line. */
#ifndef TRACETOOL_CSV_H
#define TRACETOOL_CSV_H

#include "base/text.h"

/* Appends a text as one field. Control characters, backslashes and invalid UTF-8 are escaped as
 * text_append_escaped() does; quotation marks stand around it where the separator or a quotation
 * mark is in it, where it begins or ends with a blank, and where it is empty, so that it can be
 * told from NULL. `escaped` is memory that is used again from call to call. */
void csv_append_text(struct text *out, struct text *escaped, const char *bytes, size_t length);

#endif
