/* Pseudonyms in what the program says of an import: its own words stay. */
#include <string.h>

#include "copy/pseudonym_parts.h"

/* What importers say behind the name of a file that begins a remark. */
static const char *const behind_name[] = {
    ": passed over: ",
    " lies beside the files of this trace",
    ": its round is not a number",
    " is of round ",
    ": the flags 0x",
    " stopped at its maximum size",
    ": its start is not a date",
};

/* Behind these a list of names follows. */
static const char *const before_names[] = {
    " files of CPUs are missing: ",
    "devices have names, numbered as major numbers: ",
    "no line is of the device ",
};

/* The last place of a string in a text; NULL: it is not there. */
static const char *find_last(struct word text, const char *string) {
    size_t length = strlen(string);

    for (size_t at = text.length; at >= length; at--) {
        if (memcmp(text.bytes + at - length, string, length) == 0) {
            return text.bytes + at - length;
        }
    }
    return NULL;
}

/* All words of what importers and the import say (tests/copies.sh looks that none is missing): any
 * other word of a remark may be a name. */
static const char remark_words[] =
    "*end --device --record-size --show-lost-events --start -T -d -f -r -y 2^32 2^40 2^62 32-bit "
    "ARM CPU CPU's CPUs I/O I/Os a above acts addresses after again all alone an and announced "
    "another any are arguments around as at back be before began begin beginning begins begun "
    "belongs "
    "below beside between bits blk blkparse block block_bio_complete both buffer but by bytes "
    "call called callers calls came chooses clock complete completed completes completion "
    "completions content count counted counter counts damaged data-file-overflow=true database "
    "date day days descriptor descriptors device devices does duration durations each earlier "
    "empty end ended entry event events exit exits far file files filtered fired first flags "
    "flight follow followed follows for forgotten format from functions give given gives goes "
    "guessed had has have header high how if in interrupt into io_uring is issue issued it its "
    "kept kernel's key known laid last lasts latency layers leads leaves left less libaio lie lies "
    "line "
    "lines list lists log long lost major many mapped matching maximum may memory methods "
    "microseconds missing moment more most moves name names nanosecond near no none not "
    "num-method-calls number numbered numbers of offsets old oldest on once one only open opens "
    "or order origin other out over overflowed overwritten own padded part parts passed perf "
    "place points positions printed probe probes processes processor put reaches read reads "
    "record recordings records regarded remarks request requests reset resolution response "
    "result right round rounding s same say says script second section sector seeks sequence "
    "session's self several share should since size sizes so sort sorted stand stands start "
    "stepped still stood stopped strace such switched system system's tell tells than that the "
    "their them then there these they this those thread threads time times to told too took "
    "trace tracer tracing tracing_thresh units up wall was were what when where which while "
    "whole whose with within without wrapped write writes written wrong x86-64 "
    "…";

static bool is_remark_word(struct word word) {
    uint64_t number;

    return word_is(word, "…") || word_consists_of(word, DIGITS "-.") ||
           (word_begins(word, "0x") && word_hex(word, UINT64_MAX, &number)) ||
           word_listed(word, remark_words);
}

/* What is none of the names below: words of the program stay. */
static void append_said(const struct pseudonyms *pseudonyms, struct word rest, struct text *out) {
    static const char between[] = " \t\n,;:()";

    while (rest.length > 0) {
        struct word word = {rest.bytes, 0};

        while (word.length < rest.length && (word.bytes[word.length] == '\0' ||
                                             strchr(between, word.bytes[word.length]) == NULL)) {
            word.length++;
        }
        if (word.length == 0) {
            word.length = 1;
            text_append_char(out, *word.bytes);
        } else if (is_remark_word(word)) {
            text_append(out, word.bytes, word.length);
        } else {
            pseudonym_append_path(pseudonyms, word, out);
        }
        word_skip(&rest, word.length);
    }
}

/* Names by comma, each with " is 3" behind it or not. */
static void append_names(const struct pseudonyms *pseudonyms, struct word rest, struct text *out) {
    while (rest.length > 0) {
        const char *comma = memmem(rest.bytes, rest.length, ", ", 2);
        struct word item = {rest.bytes, comma == NULL ? rest.length : (size_t)(comma - rest.bytes)};
        const char *is = find_last(item, " is ");
        struct word name = {item.bytes, is == NULL ? item.length : (size_t)(is - item.bytes)};

        if (word_is(name, "…")) {
            text_append(out, name.bytes, name.length);
        } else {
            pseudonym_append_path(pseudonyms, name, out);
        }
        append_said(pseudonyms, (struct word){name.bytes + name.length, item.length - name.length},
                    out);
        text_append_string(out, comma == NULL ? "" : ", ");
        word_skip(&rest, item.length + (comma == NULL ? 0 : 2));
    }
}

/* NAME: passed over: its content is that of NAME. */
static bool append_named_first(const struct pseudonyms *pseudonyms, struct word remark,
                               struct text *out) {
    static const char content[] = ": passed over: its content is that of ";

    for (size_t i = 0; i < sizeof behind_name / sizeof behind_name[0]; i++) {
        const char *behind = find_last(remark, behind_name[i]);
        struct word name = {remark.bytes, behind == NULL ? 0 : (size_t)(behind - remark.bytes)};

        if (behind == NULL) {
            continue;
        }
        pseudonym_append_path(pseudonyms, name, out);
        word_skip(&remark, name.length);
        if (word_begins(remark, content)) {
            text_append_string(out, content);
            word_skip(&remark, strlen(content));
            pseudonym_append_path(pseudonyms, remark, out);
        } else {
            append_said(pseudonyms, remark, out);
        }
        return true;
    }
    return false;
}

/* event 17 of NAME: its time, … */
static bool append_event_of(const struct pseudonyms *pseudonyms, struct word remark,
                            struct text *out) {
    const char *of = memmem(remark.bytes, remark.length, " of ", 4);
    const char *behind = find_last(remark, ": its time, ");
    struct word name;

    if (!word_begins(remark, "event ") || of == NULL || behind == NULL || behind < of + 4) {
        return false;
    }
    name = (struct word){of + 4, (size_t)(behind - of - 4)};
    append_said(pseudonyms, word_between(remark.bytes, name.bytes), out);
    pseudonym_append_path(pseudonyms, name, out);
    append_said(pseudonyms, (struct word){behind, remark.length - (size_t)(behind - remark.bytes)},
                out);
    return true;
}

static bool append_named_last(const struct pseudonyms *pseudonyms, struct word remark,
                              struct text *out) {
    for (size_t i = 0; i < sizeof before_names / sizeof before_names[0]; i++) {
        const char *at =
            memmem(remark.bytes, remark.length, before_names[i], strlen(before_names[i]));

        if (at != NULL) {
            size_t length = (size_t)(at - remark.bytes) + strlen(before_names[i]);

            append_said(pseudonyms, (struct word){remark.bytes, length}, out);
            word_skip(&remark, length);
            append_names(pseudonyms, remark, out);
            return true;
        }
    }
    return false;
}

void pseudonym_append_remark(const struct pseudonyms *pseudonyms, struct word remark,
                             struct text *out) {
    if (!append_named_first(pseudonyms, remark, out) && !append_event_of(pseudonyms, remark, out) &&
        !append_named_last(pseudonyms, remark, out)) {
        append_said(pseudonyms, remark, out);
    }
}
