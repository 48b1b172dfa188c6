/* Pseudonyms in the arguments of system calls: numbers, flags and names of known fields stay. */
#include <ctype.h>
#include <signal.h>
#include <string.h>

#include "base/hash.h"
#include "copy/pseudonym_parts.h"
#include "model/event.h"
#include "model/linux.h"

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
static bool is_error_or_signal(struct word token) {
    struct word signal = token;

    if (!word_accept(&signal, "SIG")) {
        return linux_error_number(token) != EVENT_NONE;
    }
    for (int number = 1; number < NSIG; number++) {
        const char *name = sigabbrev_np(number);

        if (name != NULL && word_is(signal, name)) {
            return true;
        }
    }
    return false;
}

/* Any other word of capitals may be a name. */
static bool is_flag(struct word token) {
    if (!word_consists_of(token, DIGITS CAPITALS)) {
        return false;
    }
    for (size_t i = 0; i < sizeof flag_prefixes / sizeof flag_prefixes[0]; i++) {
        if (word_begins(token, flag_prefixes[i]) && token.length > strlen(flag_prefixes[i])) {
            return true;
        }
    }
    return word_listed(token, flags) || is_error_or_signal(token);
}

/* Fields of what calls are given, parameters of the kernel's functions, and functions that strace
 * writes: any other word in front of a = may be a name. */
static const char fields[] =
    "act actime addr addrlen advice aio_buf aio_data aio_fildes aio_flags aio_key "
    "aio_lio_opcode aio_nbytes aio_offset aio_reqprio aio_resfd aio_rw_flags allow_signals "
    "allowed_access arg arg1 arg2 arg3 arg4 arg5 arg6 args argv array atime attach_type "
    "base_addr behavior binary bits brk buf buf_len buffer bufferram buflen bufsiz bytes "
    "bytes_deduped c_cc c_cflag c_iflag c_ispeed c_lflag c_line c_oflag c_ospeed calcnt cgid "
    "cgroup child_stack child_tid child_tidptr clock clockid clone_flags cmd cmsg_data "
    "cmsg_len cmsg_level cmsg_type config constant contents count cpu cpu_ptr cpuid "
    "cq_entries cq_off cqes ctx_id cuid d_ino d_name d_off d_reclen d_type data dataptr depth "
    "dest_count dest_fd dest_offset dev dfd dma domainname dropped duration effective entry "
    "entry_number envp epfd errcnt esterror event events exit exit_signal exp f_bavail "
    "f_bfree f_blocks f_bsize f_ffree f_files f_flags f_frsize f_fsid f_handle f_namelen "
    "f_type fadvise fd fd_in fd_out fdin fdout fe_flags fe_length fe_logical fe_physical "
    "feature features fildes file filename flag flags fm_extent_count fm_extents fm_flags "
    "fm_length fm_mapped_extents fm_start freehigh freeram freeswap freq from fsx_cowextsize "
    "fsx_extsize fsx_nextents fsx_projid fsx_xflags gid group handle_bytes handle_type "
    "handled_access_fs hdrp head how htobe64 htobs htonl htons id idtype if_nametoindex "
    "ifc_buf ifc_len ifr_addr ifr_broadaddr ifr_dstaddr ifr_flags ifr_hwaddr ifr_ifindex "
    "ifr_map ifr_metric ifr_mtu ifr_name ifr_netmask ifr_newname ifr_qlen ifr_slave in in_fd "
    "inet6_addr inet_addr inet_ntop inet_pton infop inheritable inp insn_cnt insns "
    "instruction_pointer interval iocbpp iov iov_base iov_len irq it_interval it_value jitcnt "
    "jitter kern_version key key_size l2_bdaddr l2_cid l2_psm l_len l_linger l_onoff l_pid "
    "l_start l_type l_whence len len_in length level license limit limit_in_pages link "
    "linkpath list lm loads log_buf log_level log_size machine magic major makedev map_flags "
    "map_type mask max_entries max_fd maxerror maxevents maxfd mem_end mem_start mem_unit "
    "minor mmsg mode modes modtime mq_curmsgs mq_flags mq_maxmsg mq_msgsize msg msg_control "
    "msg_controllen msg_ctime msg_flags msg_hdr msg_iov msg_iovlen msg_len msg_lrpid "
    "msg_lspid msg_name msg_namelen msg_perm msg_qbytes msg_qnum msg_rtime msg_stime msgflg "
    "mtext mtype name nanosleep nbyte nbytes new new_addr new_fd new_len new_rlim newdfd "
    "newfd newname newpath newsp nfds nl_family nl_groups nl_pad nl_pid nla_len nla_type "
    "nlmsg_flags nlmsg_len nlmsg_pid nlmsg_seq nlmsg_type nmemb node nodename nodes nr_bytes "
    "nr_events nsbuf nsops numa_node obj off_in off_out offset offset_high offset_low old "
    "old_addr old_len old_rlim old_value olddfd oldfd oldname oldpath on op op1 op2 option "
    "options optlen optname optval osbuf oset out_fd outp overflow parent_fd parent_tid "
    "parent_tidptr path pathname permitted pgoff pid pidfd pol policy port pos pos_h pos_l "
    "ppos ppsfreq precise_ip precision prio procs prog_flags prog_type prot protection ptr "
    "rc_bdaddr read_exec_only read_format release rem rename request res res2 resolve "
    "resource result resv retval revents ring_entries ring_mask rlim rlim_cur rlim_max rmtp "
    "rqtp rseq rseq_len ru ru_idrss ru_inblock ru_isrss ru_ixrss ru_majflt ru_maxrss "
    "ru_minflt ru_msgrcv ru_msgsnd ru_nivcsw ru_nsignals ru_nswap ru_nvcsw ru_oublock "
    "ru_stime ru_utime rval s_addr sa_data sa_family sa_flags sa_handler sa_mask sa_restorer "
    "sample_freq sample_period sample_type sched_deadline sched_flags sched_nice sched_period "
    "sched_policy sched_priority sched_runtime sched_util_max sched_util_min sco_bdaddr secs "
    "seg_32bit seg_not_present sem_ctime sem_flg sem_nsems sem_num sem_op sem_otime sem_perm "
    "semid seq set set_tid set_tid_size setting sharedram shift shm_atime shm_cpid shm_ctime "
    "shm_dtime shm_lpid shm_nattch shm_perm shm_segsz si_addr si_addr_lsb si_arch si_band "
    "si_call_addr si_code si_errno si_fd si_int si_lower si_overrun si_pid si_pkey si_ptr "
    "si_signo si_status si_stime si_syscall si_timerid si_uid si_upper si_utime sig "
    "sigev_notify sigev_notify_attributes sigev_notify_function sigev_notify_thread_id "
    "sigev_signo sigev_value siginfo sigmask signal signr sigset sigsetsize sin6_addr "
    "sin6_family sin6_flowinfo sin6_port sin6_scope_id sin_addr sin_family sin_port sival_int "
    "sival_ptr size sll_addr sll_family sll_halen sll_hatype sll_ifindex sll_pkttype "
    "sll_protocol special_file specialfile sq_entries sq_off sq_thread_cpu sq_thread_idle "
    "src_fd src_length src_offset ss_flags ss_size ss_sp st_atime st_atime_nsec st_blksize "
    "st_blocks st_ctime st_ctime_nsec st_dev st_gid st_ino st_mode st_mtime st_mtime_nsec "
    "st_nlink st_rdev st_size st_uid stabil stack stack_pointer stack_size start "
    "start_address stat_addr statbuf status stbcnt stx_atime stx_attributes "
    "stx_attributes_mask stx_blksize stx_blocks stx_btime stx_ctime stx_dev_major "
    "stx_dev_minor stx_dio_mem_align stx_dio_offset_align stx_gid stx_ino stx_mask stx_mnt_id "
    "stx_mode stx_mtime stx_nlink stx_rdev_major stx_rdev_minor stx_size stx_uid sun_path "
    "sysname tai tail target target_fd tfd tgid third tick tid tidptr time times tloc tls "
    "tls_val tms_cstime tms_cutime tms_stime tms_utime to tolerance totalhigh totalram "
    "totalswap tp tsk tsp tv_nsec tv_sec tv_usec type tz_dsttime tz_minuteswest u32 u64 uaddr "
    "uaddr2 uargs ubuf ufds uid uinfo umsg unused uoss upeer_addrlen upeer_sockaddr upid "
    "uptime useable user_mask_ptr uservaddr usockaddr usockaddr_len usr uss ustat utime "
    "utimes uts vaddr val val2 val3 value value_size vec version vlen whence which who wq_fd "
    "ws_col ws_row ws_xpixel ws_ypixel";

/* Whether a token is a number, a flag, or the name of a field or of a function; `named`: it stands
 * in front of a sign that such a name has behind it. */
static bool is_plain(struct word token, bool named) {
    return is_hex(token) || word_consists_of(token, DIGITS "-.") || is_flag(token) ||
           word_consists_of(token, ".-*/%#") ||
           (named && (word_listed(token, fields) || linux_call_is_known(token)));
}

/* Calls have the same few words again and again, which are looked for in long lists: answers are
 * kept, which depend on nothing else. */
#define ANSWERS 1024 /* a power of 2 */

struct answer {
    char bytes[29]; /* of the token, longer ones are looked for each time */
    uint8_t length; /* 0: none */
    bool named, plain;
};

static bool is_plain_token(struct word token, char next) {
    static _Thread_local struct answer answers[ANSWERS];
    bool named = next == '=' || next == ':' || next == '(';
    struct answer *answer;

    if (token.length == 0 || token.length > sizeof answer->bytes) {
        return is_plain(token, named);
    }
    answer = &answers[XXH3_64bits_withSeed(token.bytes, token.length, named) % ANSWERS];
    if (answer->length != token.length || answer->named != named ||
        memcmp(answer->bytes, token.bytes, token.length) != 0) {
        *answer = (struct answer){
            .length = (uint8_t)token.length, .named = named, .plain = is_plain(token, named)};
        memcpy(answer->bytes, token.bytes, token.length);
    }
    return answer->plain;
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
        char next;

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
        next = rest.length > 0 ? *rest.bytes : '\0';
        if (is_plain_token(token, next)) {
            text_append(out, token.bytes, token.length);
        } else {
            pseudonym_append_path(pseudonyms, token, out);
        }
        if (is_address_field(token, next)) {
            append_address(pseudonyms, &rest, out);
        }
    }
}
