/* What is said of a file that is no log of a known format. */
#ifndef TRACETOOL_UNKNOWN_H
#define TRACETOOL_UNKNOWN_H

#include "base/text.h"
#include "import/importer.h"

/* Appends, for behind "FILE: ": what else the file is and what to do with it; or how it begins, and
 * which formats it is nearest to, with what these are made of. */
void unknown_describe(const struct sniff *sniff, const struct config *config, struct text *out);

#endif
