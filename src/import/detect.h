/* What a file is, by its beginning: its format, and what other programs have put around its lines.
 */
#ifndef TRACETOOL_DETECT_H
#define TRACETOOL_DETECT_H

#include "import/context.h"
#include "import/importer.h"
#include "input/reader.h"

/* The beginning of a file, of which the reader is there. What has a byte order mark is text, and
 * begins behind it. */
struct sniff detect_sniff(const struct import_run *run, const char *path, struct reader *reader);

/* The importer of the file, or the one that was forced; NULL: it is of no known format. Where a
 * format is only known without what is around its lines (input/peel.h), the reader peels that off
 * from then on, and `plan` says what; else that is empty. `*rival` is another declared format that
 * it fits as well, NULL: there is none. The reader must be at the beginning of the file. */
const struct importer *detect_format(const struct import_run *run, const char *path,
                                     struct reader *reader, struct peel_plan *plan,
                                     const struct importer **rival);

#endif
