/* Escapes text for HTML, and writes the start and end of a document.
 *
 * Text of a trace never occurs in a script, a style sheet, an address or an attribute's name. It
 * always passes through html_append() or html_append_text(), which make it safe between tags and
 * inside quoted attributes. */
#ifndef TRACETOOL_HTML_H
#define TRACETOOL_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Appends untrusted bytes: writes control characters and invalid UTF-8 as \xNN, as in all output,
 * and then escapes as html_append_text() does. */
void html_append(struct text *out, const char *bytes, size_t length);

/* Appends a string as html_append() does. */
void html_append_string(struct text *out, const char *string);

/* Appends text that is not escaped yet. & < > " ' become entities. Controls of text direction and
 * code points that are no characters become \uNNNN. Control characters except TAB and newline, and
 * invalid UTF-8, become U+FFFD. */
void html_append_text(struct text *out, const char *bytes, size_t length);

struct html_head {
    const char *title; /* title of the document; any bytes */
    const char *css;   /* the user's style sheet, without "</style"; NULL: the built-in one */
    bool has_script;   /* true: the document ends with a script; html_append_foot() gets the same
                          value */
};

/* Appends the start of a document, up to its body. Its content security policy forbids loading
 * anything, and all scripts but the program's own. The digests of script and style sheet (web/) are
 * computed at build time. If the user gives a style sheet, any style is allowed, because its digest
 * is not known. */
void html_append_head(struct text *out, const struct html_head *head);

/* Appends the end of the document. If `has_script`, the script that sorts tables precedes it. */
void html_append_foot(struct text *out, bool has_script);

/* Appends text that text_append_escaped() has escaped, as the content of an XML element. Not for
 * attributes, because quotes are not escaped. Characters that XML forbids, and bidirectional
 * controls, become \uNNNN. */
void xml_append(struct text *out, const char *bytes, size_t length);

#endif
