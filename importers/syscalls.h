/* System calls: what their events mean, and strings as strace quotes them in its lines, between
 * quotation marks, with the escapes of C. Which files the descriptors of calls lead to is followed
 * by descriptors.h. */
#ifndef TRACETOOL_SYSCALLS_H
#define TRACETOOL_SYSCALLS_H

#include "base/text.h"
#include "import/importer.h"
#include "input/word.h"

/* Decodes the escape at the begin of `word`, a backslash: a letter or one to three octal digits, or
 * x with one or two hexadecimal ones. Returns its length, 0 when it is none. */
size_t syscalls_escape(struct word word, unsigned char *byte);

/* Cuts a quoted string off, of which `rest` begins with the quotation mark; `inside` is what is
 * between the marks, as it is written. `*has_nul`: a NUL, written or escaped, is in it, as it
 * cannot be in a path. False when it does not end or an escape is none; nothing is cut off then. */
bool syscalls_cut_quoted(struct word *rest, struct word *inside, bool *has_nul);

/* Appends the bytes that the inside of a quoted string stands for. */
void syscalls_unquote(struct word inside, struct text *text);

/* Appends a string between quotation marks, harmless on a terminal. */
void syscalls_append_quoted(struct text *text, struct word string);

/* For dump(): appends a number, behind `before`, unless it is EVENT_NONE; bytes, harmless on a
 * terminal, if there are any; a duration, unless it is EVENT_NONE, as ` <0.000021>`. */
void dump_number(struct text *text, const char *before, int64_t number);
void dump_bytes(struct text *text, const char *before, const char *bytes, size_t length);
void dump_duration(struct text *text, int64_t duration);

/* `[name/1] operation(`, the thread as model/thread_label.h has it. */
void dump_call(struct text *text, const struct dump_event *dump);

/* What the columns of a system call's event mean, of whatever log it is; the last is empty. */
extern const struct event_meaning syscalls_meanings[];

#endif
