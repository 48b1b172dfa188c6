/* Whether a file is a log of strace, of which thread, and when it begins. */
#ifndef TRACETOOL_STRACE_SNIFF_H
#define TRACETOOL_STRACE_SNIFF_H

#include "import/importer.h"

/* The functions of an importer of these names. */
enum sniff_score strace_sniff(const struct sniff *sniff);
bool strace_is_of_thread(const struct sniff *sniff);
int64_t strace_first_time(const struct sniff *sniff, const struct config *config, int64_t *range);

#endif
