/* Arguments of a call as strace prints them: strings, brackets, annotations, numbers. Nothing is
 * allocated: words are borrowed from the line.
 */
#ifndef TRACETOOL_STRACE_ARGUMENTS_H
#define TRACETOOL_STRACE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/word.h"

/* Arguments that are told apart; no call has more, and what follows is of no interest. */
#define STRACE_ARGUMENTS 8

/* Of the name of a call, a constant or a field. */
static inline bool strace_is_name_byte(char byte) {
    return byte == '_' || word_is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/* Splits arguments as they are printed; returns how many there are, up to STRACE_ARGUMENTS. */
size_t strace_split(struct word text, struct word arguments[STRACE_ARGUMENTS]);

/* Splits those that begin there, up to the bracket that closes them, which is returned; NULL: there
 * is none, or brackets and strings do not fit. `*count` of them are told apart in either case. */
const char *strace_close(struct word text, struct word arguments[STRACE_ARGUMENTS], size_t *count);

/* An argument without the name that -N puts before it. */
struct word strace_value(struct word argument);

/* A number in decimal, hexadecimal or octal digits at the begin of a word, negative or not, of up
 * to 64 bits; `*rest` is what stands behind. False: there is none. */
bool strace_number(struct word word, int64_t *number, struct word *rest);

/* A descriptor, with what -y says that it leads to (`*file`, as printed; of length 0: nothing).
 * AT_FDCWD is STRACE_DIRECTORY. False: the argument is none. */
#define STRACE_DIRECTORY (-100)
bool strace_descriptor(struct word argument, int64_t *descriptor, struct word *file);

/* Cuts off an annotation of -y or -Y in angle brackets, of which `rest` begins with the first;
 * `*inside` is what it says, without "(deleted)". False: it is none, or does not end. */
bool strace_annotation(struct word *rest, struct word *inside);

#endif
