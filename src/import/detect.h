/* Detects the format of a file, and layers around its lines, from its beginning. */
#ifndef TRACETOOL_DETECT_H
#define TRACETOOL_DETECT_H

#include "import/context.h"
#include "import/importer.h"
#include "input/reader.h"

/* Returns the beginning of a file, which its reader has loaded. A byte order mark marks a text and
 * is skipped. */
struct sniff detect_sniff(const struct import_run *run, const char *path, struct reader *reader);

/* Returns the beginning of a file without the layers of a plan; `room` holds the bytes. */
struct sniff detect_peeled(const struct sniff *sniff, const struct peel_plan *plan,
                           struct text *room);

/* Returns the file's importer, or the forced one; NULL if the format is unknown. If the format is
 * recognised only without layers around the lines (input/peel.h), the reader strips them from then
 * on. `plan` receives them, or is empty. `*rival` is another declared format that matches as well,
 * or NULL. The reader must be at the beginning of the file. */
const struct importer *detect_format(const struct import_run *run, const char *path,
                                     struct reader *reader, struct peel_plan *plan,
                                     const struct importer **rival);

#endif
