/* Text as XML takes it. */
#ifndef TRACETOOL_XML_H
#define TRACETOOL_XML_H

#include <stddef.h>

#include "base/text.h"

/* Appends text that is harmless already (text_append_escaped()) as the content of an element: not
 * of an attribute, for quotes stay as they are. What XML does not allow, and what turns the
 * direction of writing, becomes \uNNNN. */
void xml_append(struct text *out, const char *bytes, size_t length);

#endif
