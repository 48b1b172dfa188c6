/* How threads are written: one notation in all reports, pictures, pages, dumps and exports. */
#ifndef TRACETOOL_THREAD_LABEL_H
#define TRACETOOL_THREAD_LABEL_H

#include "base/text.h"

/* Appends NAME/TID: git/100. A process with another number, which callers give (else EVENT_NONE)
 * where a trace has several, stands in front: 100:cc1/101. Numbers that are not known and a name
 * of no length are left out: 101, 100:101, git. The number of the process takes the place of a
 * thread's that is not known. Names such as "thread 7" and, of the thread 0, "swapper/1" have their
 * number already. `append` is text_append(), or escapes the name. */
void thread_label_append(struct text *out, int64_t pid, int64_t tid, const char *name,
                         size_t length, void (*append)(struct text *, const char *, size_t));

#endif
