# shellcheck shell=bash disable=SC2016,SC1003,SC2034,SC2154 # nothing in a name is to be expanded; variables of and for the other parts of hostile.sh
# A log of hostile names for each format, by tests/registry: log_FORMAT writes logs/FORMAT, or more files in a folder
# of that name, and on its stdout what names must be in the database, as tsv shows them.

LINE_LIMIT=262144 # READER_WINDOW, docs/limits.md

# names_for KIND: those that a field of a line takes.
names_for() {
    case $1 in
    lines) for_lines && printf '%s\n' "$long" ;;
    words) for_lines '* *' '*\\x0d*' ;;
    esac
}

# log_of_lines FORMAT KIND TEMPLATE: the template for each name, and a line too long, which is one rejected record.
log_of_lines() {
    local name i=0 line

    while IFS= read -r name; do
        line=${3//\{n\}/$i}
        line=${line//\{sector\}/$((i * 64))}
        bytes "${line//\{name\}/"$name"}\n"
        printf '%s\n' "$name" >&3
        i=$((i + 1))
    done 3>&1 >"logs/$1" < <(names_for "$2")
    printf '%*s\n' "$LINE_LIMIT" x >>"logs/$1"
}

# Applications are named by the configuration; arguments are text.
log_palmist() {
    local name i=0 text

    while IFS= read -r name; do
        text=$(bytes "$name\x00second\x00" | od -An -v -tx1 | tr -d ' \n')
        printf '0xA0C8 %d 0x%08x %d %s\n' $((i * 10)) $((65536 + i)) $((${#text} / 2)) "$text"
        i=$((i + 1))
    done < <(without '*\\x00*') >logs/palmist
    for ((i = 0; i < ${#names[@]}; i++)); do
        printf '0xA0C8 %d 0x%08x 0\n' $((1000 + i)) $((65536 + i))
    done >>logs/palmist
    for_yaml
}

# Two stages, so that there are latencies. A line too long is one rejected record.
log_most() {
    local name i=0 stage

    while IFS= read -r name; do
        for stage in 0D 5C; do
            bytes "$i.000${stage%?}00000\t${stage#?}\tW\t$((i * 64))\t8\t$i\t$name\t"
            bytes "D\t/data/$name.x$((i % 10))\n"
        done >>logs/most
        printf '%s\n/data/%s.x%d\n' "$name" "$(inner "$name")" $((i % 10))
        i=$((i + 1))
    done < <(for_lines && printf '%s\n' "$long")
    printf '%d.000000000\tC\tW\t0\t8\t1\t%*s\tM\n' $i "$LINE_LIMIT" x >>logs/most
}

# Names have 16 bytes, and end at a NUL.
log_most-binary() {
    local name i=0

    while IFS= read -r name; do
        [ "$(length "$name")" -le 16 ] || continue
        bytes "$(little 8 $((1400000000 + i)) 5)$(little 1 1 1)$(little 4 $((i * 64)) 8 $i)"
        bytes "$name$(little $((16 - $(length "$name"))) 0)"
        printf '%s\n' "$name" >&3
        i=$((i + 1))
    done 3>&1 >logs/most-binary < <(without '*\\x00*')
}

# androtrace_head TYPE SECOND: type, size 0, 2014-04-26 19:00 and so many seconds.
androtrace_head() {
    little 1 "$1" 0
    little 4 $((14 | 4 << 4 | 26 << 8 | 19 << 13 | $2 / 60 << 18 | $2 % 60 << 24)) 0
}

androtrace_text() {
    little 1 "$(length "$1")"
    printf %s "$1"
}

# I/Os, life-spans, SQLite operations; the longest name has 255 bytes. A NUL ends a name.
log_androtrace() {
    local name i=0 text

    while IFS= read -r name; do
        text=$(androtrace_text "$name")$(androtrace_text "$name")
        bytes "$(androtrace_head 1 $i)$(little 1 1 2 179 21 2)$(little 4 $((i * 64)) 8)$text"
        bytes "$(androtrace_head 2 $i)$(little 8 0)$(little 1 1 179 21)$(little 8 4096)$text"
        bytes "$(androtrace_head 3 $i)$(little 1 1)$(little 4 9)$text"
        printf '%s\n' "${name%%\\x00*}" >&3
        i=$((i + 1))
    done 3>&1 >logs/androtrace < <(without && printf '%s\n' "${long:0:250}")
}

# A notice of each process, and what it asked for; names have up to 15 bytes, and end at a NUL.
log_blktrace() {
    local name i=0

    while IFS= read -r name; do
        [ "$(length "$name")" -le 15 ] || continue
        bytes "$(little 4 0x65617407 0)$(little 8 $((i * 1000)) 0)$(little 4 0 0x04000000 $i 0 0)"
        bytes "$(little 2 0 16)$name$(little $((16 - $(length "$name"))) 0)"
        bytes "$(little 4 0x65617407 $((i + 1)))$(little 8 $((i * 1000)) $((i * 64)))"
        bytes "$(little 4 4096 0x00120007 $i 0x00800000 0)$(little 2 0 0)"
        printf '%s\n' "$name" >&3
        i=$((i + 1))
    done 3>&1 >logs/blktrace < <(without '*\\x00*')
    echo $i >blktrace-notices
}

# strace writes all bytes with escapes, but a path has no NUL; arguments of other calls stay as they are.
log_mobigen() {
    local name i=0 quoted

    while IFS= read -r name; do
        quoted=${name//\"/\\\"}
        printf '0 %d open "/data/%s.x%d" O_RDWR 10\n' $((i * 1000)) "$quoted" $((i % 10))
        printf '0 %d write 10 %d\n0 %d close 10 0\n' $((i * 1000 + 1)) $((i + 1)) $((i * 1000 + 2))
        printf '/data/%s.x%d\n' "$(inner "$name")" $((i % 10)) >&3
        i=$((i + 1))
    done 3>&1 >logs/mobigen < <(without '*\\x00*' && printf '%s\n' "$long")
    while IFS= read -r name; do
        bytes "0 $((i++ * 1000)) ioctl m60$name 0\n"
    done >>logs/mobigen < <(for_lines)
    printf '0 %d open "%*s" O_RDWR 10\n' $((i * 1000)) "$LINE_LIMIT" x >>logs/mobigen
}

# The same; lines with NULs are rejected, and escapes of colours taken out.
log_strace() {
    local name i=0 quoted

    while IFS= read -r name; do
        quoted=${name//\"/\\\"}
        printf '%d %d.0 openat(AT_FDCWD, "/data/%s.x%d", O_RDWR) = 10\n' $((i + 1)) \
            $((1795303426 + i)) "$quoted" $((i % 10))
        printf '%d %d.1 write(10, "x"..., 9) = %d <0.000001>\n' $((i + 1)) $((1795303426 + i)) $((i + 1))
        printf '/data/%s.x%d\n' "$(inner "$name")" $((i % 10)) >&3
        i=$((i + 1))
    done 3>&1 >logs/strace < <(without '*\\x00*')
    while IFS= read -r name; do
        bytes "1 $((1795303426 + i++)).0 ioctl(0, m60$name) = 0\n"
    done >>logs/strace < <(for_lines | grep -vF '\x00')
    printf '1 %d.0 open("%*s", O_RDWR) = 10\n' $((1795303426 + i)) "$LINE_LIMIT" x >>logs/strace
}

# dwtrace_record TYPE NUMBER TIME REST
dwtrace_record() {
    local size

    size=$(length "$4")
    printf %s "$(little 1 "$1")$(little 2 $((15 + size)))$(little 4 $((0x20000 + $2)) 1 "$3")$4"
}

# Functions are named by the configuration; data are bytes.
log_dwtrace() {
    local name i=0

    bytes "DWTR$(little 2 1 5)$(little 4 7 0)" >logs/dwtrace
    for name in "${names[@]}"; do
        bytes "$(dwtrace_record 1 $i $((i * 100)) '')"
        bytes "$(dwtrace_record 3 $i $((i * 100 + 10)) "$(little 2 "$(length "$name")")$name")"
        bytes "$(dwtrace_record 2 $i $((i * 100 + 50)) "$(little 4 $((i % 3)))")"
        i=$((i + 1))
    done >>logs/dwtrace
    for_yaml
}

# A probe within a probe: names as callers, too. Each process, thread, method and loop in its turn.
log_rmp() {
    local name i=0 levels=(process thread method loop)

    mkdir -p logs/rmp
    while IFS= read -r name; do
        bytes "$((i * 100000))\t1\t$((i % 3))\tE\ta.$name.b\t-\n"
        bytes "$((i * 100000 + 1000))\t1\t$((i % 3))\tE\tm61.x\ta.$name.b\n"
        bytes "$((i * 100000 + 9000))\t1\t$((i % 3))\tX\tm61.x\ta.$name.b\n"
        bytes "$((i * 100000 + 90000))\t1\t$((i % 3))\tX\ta.$name.b\t-\n"
        bytes "a.$name.b\t${levels[i % 4]}\tapp\ton\n" >&4
        printf 'a.%s.b\n' "$(inner "$name")" >&3
        i=$((i + 1))
    done 3>&1 4>logs/rmp/log.probes >logs/rmp/log.rmp < <(for_lines && printf '%s\n' "$long")
    printf '%d\t1\t1\tE\t%*s\t-\n' $((i * 100000)) "$LINE_LIMIT" x >>logs/rmp/log.rmp
}

# All names are the program's own. They are there for the reports on results.
log_mobibench() {
    printf '#In 0 IO mode and 0 sync mode\n%*s\n1\tusec\n2.5\tusec\n' "$LINE_LIMIT" x >logs/mobibench
    printf '%s\n' latency usec 'write, sync mode 0'
}

# Classes have their slashes turned into dots, so what is looked for is the method. The signature
# shows where there are two. A line of more than 65535 bytes names nothing.
log_android-trace() {
    local name i=0 records=''

    bytes '*version\n3\nclock=dual\nnum-method-calls=1\n*threads\n' >logs/android-trace
    while IFS= read -r name; do
        bytes "$((++i))\t$name\n"
        printf '%s\n' "$name" >&3
    done 3>&1 >>logs/android-trace < <(for_lines '*\\x00*')
    bytes '*methods\n' >>logs/android-trace
    i=0
    while IFS= read -r name; do
        bytes "0x$(printf %x $((i * 8 + 8)))\tc/$name\tm\t(m62$name)V\n"
        bytes "0x$(printf %x $((i * 8 + 12)))\tc/d\t$name\t()V\n"
        printf 'c.d.%s\n' "$(inner "$name")" >&3
        records+=$(little 2 $((i + 1)))$(little 4 $((i * 8 + 12)) 0 $((i * 100)))
        records+=$(little 2 $((i + 1)))$(little 4 $((i * 8 + 8)) 5 $((i * 100 + 10)))
        records+=$(little 2 $((i + 1)))$(little 4 $((i * 8 + 9)) 20 $((i * 100 + 30)))
        records+=$(little 2 $((i + 1)))$(little 4 $((i * 8 + 13)) 40 $((i * 100 + 90)))
        i=$((i + 1))
    done 3>&1 >>logs/android-trace < <(for_lines '*\\x00*' && printf '%s\n' "${long:0:65000}")
    bytes "0x8000\tc/d\t$long\t()V\n*end\nSLOW$(little 2 3 32)$(little 8 0)$(little 2 14 0 0 0)$(little 8 0)$records" \
        >>logs/android-trace
}

# The format that write_config declares. Names of devices are in a remark.
log_declared() {
    local name i=0

    while IFS= read -r name; do
        bytes "$((i * 100))\t$name\t$name\t/data/$name.x$((i % 10))\t$((i * 64))\t4096\t$i\n"
        printf '%s\n/data/%s.x%d\n' "$name" "$(inner "$name")" $((i % 10)) >&3
        i=$((i + 1))
    done 3>&1 >logs/declared < <(for_lines)
    printf '0\td\t%*s\tf\t0\t1\t1\n' "$LINE_LIMIT" x >>logs/declared
}

# Names without blanks.
log_fio-iolog() {
    local name i=0

    echo 'fio version 3 iolog' >logs/fio-iolog
    while IFS= read -r name; do
        bytes "$((i * 100)) $name write $((i * 4096)) 4096\n"
        printf '%s\n' "$name" >&3
        i=$((i + 1))
    done 3>&1 >>logs/fio-iolog < <(for_lines '* *' '*\\x0d*')
    printf '0 %*s read 0 1\n' "$LINE_LIMIT" x >>logs/fio-iolog
}
