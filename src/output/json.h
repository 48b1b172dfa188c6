/* Strings of JSON, as all that the program writes has them. */
#ifndef TRACETOOL_JSON_H
#define TRACETOOL_JSON_H

#include "base/text.h"

/* Appends a string in its quotation marks. Control characters are \u00NN; a byte that is not UTF-8
 * becomes the four characters \xNN, since JSON has no way to say it. */
void json_append_string(struct text *out, const char *bytes, size_t length);

#endif
