/* Text as HTML takes it, and what stands around a document.
 *
 * No text of a trace ever stands in a script, a style sheet, an address or the name of an
 * attribute: it goes through one of the two functions below, and then is as harmless between two
 * tags as between the quotes of an attribute. */
#ifndef TRACETOOL_HTML_H
#define TRACETOOL_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Appends bytes from outside: control characters and what is no UTF-8 as \xNN, as in all formats,
 * then as html_append_text(). */
void html_append(struct text *out, const char *bytes, size_t length);

/* The same for a string. */
void html_append_string(struct text *out, const char *string);

/* Appends text that means what it says: & < > " ' as entities; what turns the direction of writing,
 * and what is no character, as \uNNNN; control characters but TAB and newline, and bytes that are
 * no UTF-8, as U+FFFD. */
void html_append_text(struct text *out, const char *bytes, size_t length);

struct html_head {
    const char *title; /* any bytes */
    const char *css;   /* the user's style sheet, without "</style"; NULL: ours */
    bool has_script;   /* html_append_foot() follows with it */
};

/* Appends a document up to its body. Its content policy lets nothing be loaded, and nothing run but
 * our script: the digests of script and style sheet (web/) are worked out at build time. With a
 * style sheet of the user's any is allowed, for its digest is not known. */
void html_append_head(struct text *out, const struct html_head *head);

/* Appends the end of the body, with the script that makes tables sortable if there is to be one. */
void html_append_foot(struct text *out, bool has_script);

/* Appends text that is harmless already (text_append_escaped()) as the content of an element: not
 * of an attribute, for quotes stay as they are. What XML does not allow, and what turns the
 * direction of writing, becomes \uNNNN. */
void xml_append(struct text *out, const char *bytes, size_t length);

#endif
