/* System calls: meanings of their events, and strings as strace quotes them (in quotation marks,
 * with C escapes). descriptors.h tracks the files of descriptors. */
#ifndef TRACETOOL_SYSCALLS_H
#define TRACETOOL_SYSCALLS_H

#include "base/text.h"
#include "import/importer.h"
#include "input/word.h"

/* Decodes the escape at the start of `word`: a backslash, then a letter, one to three octal digits,
 * or x and one or two hexadecimal ones. Returns its length; 0 if it is not an escape. */
size_t syscalls_escape(struct word word, unsigned char *byte);

/* Consumes a quoted string of `rest`, which begins with the quotation mark. `inside` is the raw
 * text between the marks. `*has_nul`: it contains a NUL, literal or escaped, so it cannot be a
 * path. False, cutting nothing, if it has no end or an invalid escape. */
bool syscalls_cut_quoted(struct word *rest, struct word *inside, bool *has_nul);

/* Appends the unescaped inside of a quoted string. */
void syscalls_unquote(struct word inside, struct text *text);

/* Returns whether the first argument of the call is the address of a lock. */
bool syscalls_is_on_lock(struct word name);

/* Returns the id of an error by its number (EVENT_NONE: unknown), else by its name (may be empty);
 * 0 if it has neither. */
uint32_t syscalls_error(struct import *import, int64_t number, struct word name);

/* Appends a string, with escapes for a terminal; replaces each `byte` by `as`. */
void syscalls_append_but(struct text *text, struct word string, char byte, const char *as);

/* Appends a string in quotation marks, safe for a terminal. */
void syscalls_append_quoted(struct text *text, struct word string);

/* Helpers of dump(). dump_number() appends `before` and a number, unless it is EVENT_NONE.
 * dump_bytes() appends `before` and the bytes, safe for a terminal, if there are any.
 * dump_duration() appends ` <0.000021>`, unless the duration is EVENT_NONE. */
void dump_number(struct text *text, const char *before, int64_t number);
void dump_bytes(struct text *text, const char *before, const char *bytes, size_t length);
void dump_duration(struct text *text, int64_t duration);

/* Appends `[name/1] operation(`; model/thread.h formats the thread. */
void dump_call(struct text *text, const struct dump_event *dump);

/* Meanings of a system call's columns, in any log; the last entry is empty. */
extern const struct event_meaning syscalls_meanings[];

#endif
