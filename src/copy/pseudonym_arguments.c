/* Pseudonyms in the arguments of system calls: numbers, flags and names of fields stay. */
#include <ctype.h>
#include <string.h>

#include "base/words.h"
#include "copy/pseudonym_parts.h"

enum { MOST_FLAG = 47 };

/* Cuts off a string behind its first quotation mark, up to the last one, or to the end. */
static void append_string(const struct pseudonyms *pseudonyms, struct word *rest,
                          struct text *out) {
    struct word string = {rest->bytes + 1, 0};

    word_skip(rest, 1);
    while (string.length < rest->length && string.bytes[string.length] != '"') {
        string.length += string.bytes[string.length] == '\\' ? 2 : 1;
    }
    if (string.length > rest->length) {
        string.length = rest->length;
    }
    text_append_char(out, '"');
    pseudonym_append_path(pseudonyms, string, out);
    word_skip(rest, string.length);
    if (rest->length > 0) {
        text_append_char(out, '"');
        word_skip(rest, 1);
    }
}

/* What may follow the > of a descriptor. */
static bool is_behind_target(struct word rest) {
    return rest.length == 0 || strchr(",)]}=", *rest.bytes) != NULL || word_begins(rest, " =") ||
           word_begins(rest, " /*") || word_begins(rest, "(deleted)");
}

/* Cuts off what a descriptor stands for, in <>; a name may hold a > itself. */
static void append_target(const struct pseudonyms *pseudonyms, struct word *rest,
                          struct text *out) {
    struct word name = {rest->bytes + 1, 0};

    word_skip(rest, 1);
    text_append_char(out, '<');
    if (rest->length > 0 && *rest->bytes == '<') { /* 1<<12 */
        word_skip(rest, 1);
        text_append_char(out, '<');
        return;
    }
    while (name.length < rest->length &&
           !(name.bytes[name.length] == '>' &&
             is_behind_target(
                 (struct word){name.bytes + name.length + 1, rest->length - name.length - 1}))) {
        name.length++;
    }
    pseudonym_append_path(pseudonyms, name, out);
    word_skip(rest, name.length);
    if (rest->length > 0) {
        text_append_char(out, '>');
        word_skip(rest, 1);
    }
}

/* Whether it is a hexadecimal number and no word, as "face" may be. */
static bool is_hex(struct word token) {
    uint64_t number;

    return word_hex(token, UINT64_MAX, &number) &&
           (token.length <= 2 || !word_consists_of(token, CAPITALS SMALL));
}

/* What flags and constants of the kernel begin with, and those that stand alone. */
static const char *const flag_prefixes[] = {
    "ADDR_",    "ADJ_",    "AF_",     "ARCH_",   "ARPHRD_",  "AT_",     "BPF_", "BTPROTO_",
    "CAP_",     "CLD_",    "CLOCK_",  "CLONE_",  "CMSG_",    "DT_",     "EFD_", "EPOLL_",
    "EPOLL",    "ETH_P_",  "F_",      "FALLOC_", "FAN_",     "FD_",     "FIO",  "FS_",
    "FUTEX_",   "GRND_",   "IN_",     "IOCB_",   "IORING_",  "IOPRIO_", "IP_",  "IPC_",
    "IPPROTO_", "IPV6_",   "ITIMER_", "KEYCTL_", "LOCK_",    "MADV_",   "MAP_", "MCL_",
    "MFD_",     "MREMAP_", "MS_",     "MSG_",    "NETLINK_", "NLM_",    "O_",   "P_",
    "PF_",      "POSIX_",  "PR_",     "PRIO_",   "PROT_",    "PTRACE_", "R_",   "RENAME_",
    "RLIM_",    "RLIMIT_", "RTM_",    "RUSAGE_", "RWF_",     "S_",      "SA_",  "SCHED_",
    "SECCOMP_", "SEEK_",   "SFD_",    "SHUT_",   "SI_",      "SIOC",    "SO_",  "SOCK_",
    "SOL_",     "SPLICE_", "SS_",     "ST_",     "STATX_",   "SYNC_",   "TCP_", "TFD_",
    "TIMER_",   "UDP_",    "UTIME_",  "W_",      "XATTR_",
};
static const char flags[] = "NULL TCGETS TCSETS TCSETSW TCSETSF TIOCGPGRP TIOCSPGRP TIOCGWINSZ "
                            "TIOCSWINSZ POLLIN POLLPRI POLLOUT POLLERR POLLHUP POLLNVAL POLLRDNORM "
                            "POLLRDBAND POLLWRNORM POLLRDHUP WNOHANG WUNTRACED WCONTINUED SIGRTMIN "
                            "SIGRTMAX SIG_BLOCK SIG_UNBLOCK SIG_SETMASK SIG_DFL SIG_IGN";

/* ENOENT, SIGCHLD, and what restarts a call. */
static bool is_error_or_signal(const char *name) {
    for (int number = 1; number < 134; number++) {
        const char *error = strerrorname_np(number), *sig = sigabbrev_np(number);

        if ((error != NULL && strcmp(error, name) == 0) ||
            (sig != NULL && strncmp(name, "SIG", 3) == 0 && strcmp(sig, name + 3) == 0)) {
            return true;
        }
    }
    return strncmp(name, "ERESTART", 8) == 0;
}

/* Any other word of capitals may be a name. */
static bool is_flag(struct word token) {
    char name[MOST_FLAG + 1];

    if (token.length > MOST_FLAG || !word_consists_of(token, DIGITS CAPITALS)) {
        return false;
    }
    for (size_t i = 0; i < sizeof flag_prefixes / sizeof flag_prefixes[0]; i++) {
        if (word_begins(token, flag_prefixes[i]) && token.length > strlen(flag_prefixes[i])) {
            return true;
        }
    }
    memcpy(name, token.bytes, token.length);
    name[token.length] = '\0';
    return word_in(flags, name) || is_error_or_signal(name);
}

/* Whether a token is a number, a flag, or the name of a field or of a function, by what follows. */
static bool is_plain_token(struct word token, char next) {
    return is_hex(token) || word_consists_of(token, DIGITS "-.") || is_flag(token) ||
           word_consists_of(token, ".-*/%#") ||
           (word_consists_of(token, DIGITS SMALL) && (next == '=' || next == ':' || next == '('));
}

/* How many bytes of a hardware address begin the text: six or more pairs of hexadecimal digits. */
static size_t hardware_length(struct word text) {
    size_t pairs = 0, at = 0;

    while (at + 2 <= text.length && isxdigit((unsigned char)text.bytes[at]) &&
           isxdigit((unsigned char)text.bytes[at + 1])) {
        pairs++;
        at += 2;
        if (at + 2 >= text.length || (text.bytes[at] != ':' && text.bytes[at] != '-')) {
            break;
        }
        at++;
    }
    return pairs >= 6 ? at : 0;
}

/* Whether a field holds the address of a machine. */
static bool is_address_field(struct word token, char next) {
    return next == '=' && !word_is(token, "si_addr") &&
           (word_ends(token, "_addr") || word_ends(token, "bdaddr") || word_ends(token, "hwaddr") ||
            word_is(token, "sa_data"));
}

/* Cuts off = and the address, in brackets or up to the next field; strings are left. */
static void append_address(const struct pseudonyms *pseudonyms, struct word *rest,
                           struct text *out) {
    struct word value = {rest->bytes + 1, 0};
    bool listed;

    text_append_char(out, '=');
    word_skip(rest, 1);
    listed = rest->length > 0 && *rest->bytes == '[';
    while (value.length < rest->length &&
           strchr(listed ? "]}\"" : ",)]} \"", value.bytes[value.length]) == NULL) {
        value.length++;
    }
    if ((value.length < rest->length && value.bytes[value.length] == '"') ||
        word_begins(value, "{")) {
        return;
    }
    if (listed) {
        text_append_char(out, '[');
        value.bytes++;
        value.length--;
        word_skip(rest, 1);
    }
    pseudonym_append_name(pseudonyms, PSEUDONYM_PATH_TAG, value, out);
    word_skip(rest, value.length);
}

static bool is_token_byte(char byte) {
    return is_name_byte(byte) || (byte != '\0' && strchr("/.-*%#$\\", byte) != NULL);
}

void pseudonym_append_arguments(const struct pseudonyms *pseudonyms, struct word rest,
                                struct text *out) {
    while (rest.length > 0) {
        struct word token = {rest.bytes, 0};

        if (*rest.bytes == '"') {
            append_string(pseudonyms, &rest, out);
            continue;
        }
        if (*rest.bytes == '<') {
            append_target(pseudonyms, &rest, out);
            continue;
        }
        while (token.length < rest.length && is_token_byte(token.bytes[token.length])) {
            token.length++;
        }
        if (token.length == 0) {
            text_append_char(out, *rest.bytes);
            word_skip(&rest, 1);
            continue;
        }
        if (hardware_length(rest) > 0) {
            token.length = hardware_length(rest);
            pseudonym_append_name(pseudonyms, PSEUDONYM_PATH_TAG, token, out);
            word_skip(&rest, token.length);
            continue;
        }
        word_skip(&rest, token.length);
        if (is_address_field(token, rest.length > 0 ? *rest.bytes : '\0')) {
            text_append(out, token.bytes, token.length);
            append_address(pseudonyms, &rest, out);
        } else if (is_plain_token(token, rest.length > 0 ? *rest.bytes : '\0')) {
            text_append(out, token.bytes, token.length);
        } else {
            pseudonym_append_path(pseudonyms, token, out);
        }
    }
}
