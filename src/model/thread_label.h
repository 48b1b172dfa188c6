/* Notation of threads in all reports, plots, pages, dumps and exports. */
#ifndef TRACETOOL_THREAD_LABEL_H
#define TRACETOOL_THREAD_LABEL_H

#include "base/text.h"

/* Appends NAME/TID: git/100. If `pid` is not EVENT_NONE, and differs, it is prepended: 100:cc1/101;
 * callers pass it for traces with several processes. Unknown numbers and an empty name are omitted:
 * 101, 100:101, git. A process number replaces an unknown thread number. A number that is part of
 * the name, as in "thread 7" or (thread 0) "swapper/1", is not repeated. `append` is text_append()
 * or an escaping function. */
void thread_label_append(struct text *out, int64_t pid, int64_t tid, const char *name,
                         size_t length, void (*append)(struct text *, const char *, size_t));

#endif
