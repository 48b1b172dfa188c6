#!/bin/bash
# What the program says of Palm OS's system calls as such (categories, parameters, what can be
# logged), and what is reckoned from them, against awk over the lines of full-size logs and over the
# tables beside the checkout, from which importers/palmos.table was made by another way. The reports
# that need no such table are compared by reference.sh.
#
#     BUILD=build tests/palmist.sh        SHARED names the folder beside the checkout, if elsewhere
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

tables=$shared/data/palmos

# traps.tsv: number, name to show, release and category of each. The table calls categories by their
# managers: those that we call otherwise stand here.
known_traps() {
    cat >categories.tsv <<'END'
Data Manager	Database
Hardware (HAL)	Hardware
System Manager (libraries)	System
Serial Manager (old)	Serial
Serial Manager (new)	Serial
Serial Link Manager	Serial link
Float Manager (obsolete)	Float
Date & Time Utilities	Date
Date & Time Pickers	Date
Day Selector	Date
Graffiti Shift Indicator	Graffiti
Character Attributes (obsolete)	Character
Private Records (security)	Security
IMC (vCard/vCal) Utilities	vCard
OEM (Palm private)	OEM
Wireless (obsolete)	Wireless
Resource Loading	Resource
Fixed-point Math	Fixed point
High-Density Display	High density
CRC Utilities	CRC
About Box	About
Phone Lookup	Phone
Accessors (glue)	Glue
PACE Native Call	PACE
Insertion Point Manager	Insertion point
File Streaming Manager	File stream
Data Link Manager	Data link
UI Color Manager	UI color
Scroll Bar Manager	Scroll bar
Text Services Manager	Text services
Pen Input Manager	Pen input
Screen Driver	Screen
User Interface	User interface
Host Control	Host
END
    awk -F'\t' -v OFS='\t' 'FNR == NR { ours[$1] = $2; next }
        FNR > 1 {
            category = $4 in ours ? ours[$4] : $4
            sub(/ Manager$/, "", category)
            print toupper(substr($1, 3)), $5 != "" ? $5 : $2, $3, category
        }' categories.tsv "$tables/palmos-traps.tsv" >traps.tsv
}

# The calls of a log that is text: trap, ticks, size.
calls_of() {
    awk -v OFS='\t' '!/^#/ { print substr($1, 3), $2, $4 }' "$1"
}

# --- what the calls belong to ---------------------------------------------------------------------

# check_modules WHAT LOG DATABASE
check_modules() {
    calls_of "$2" | awk -F'\t' 'FNR == NR { category[$1] = $4; next }
        {
            where = $1 in category ? category[$1] : "other"
            count[where]++
            bytes[where] += $3
            total++
            if (!seen[$1]++) different[where]++
        }
        END {
            for (where in count) printf "%s\t%d\t%.6f\t%d\t%d\n", where, count[where],
                count[where] / total, different[where], bytes[where]
        }' traps.tsv - | sort -t"$(printf '\t')" -k2,2nr -k1,1 >wanted.tsv
    check_rows "$1" wanted.tsv "$3" modules
}

# --- what can be logged ---------------------------------------------------------------------------

# check_parameters WHAT LOGGABLE LOG DATABASE [OPTION…]: LOGGABLE lists the numbers of traps.
check_parameters() {
    calls_of "$3" | cut -f1 | sort -u >seen.txt
    awk -F'\t' 'FILENAME == "seen.txt" { seen[$1]; next }
        FILENAME == ARGV[2] { if (FNR > 1) { has = toupper(substr($5, 3)); parameters[has] = $3
            nothing[has] = $2 == "void" }; next }
        {
            row = $1 in parameters ? parameters[$1] : "not known"
            count[row]++
            void[row] += nothing[$1]
            called[row] += $1 in seen
            total++
        }
        END {
            for (row in count) printf "%s\t%d\t%.6f\t%s\t%d\n", row, count[row],
                count[row] / total, row == "not known" ? "" : void[row], called[row]
        }' seen.txt "$tables/palmos-args.tsv" "$2" | sort -n >wanted.tsv
    # "not known" is no number, and sorts as 0.
    { grep -v '^not' wanted.tsv; grep '^not' wanted.tsv; } >ordered.tsv
    check_rows "$1" ordered.tsv "${@:4}" loggable
}

# The 735 of the configuration, and those of the program's own rule.
loggable_sets() {
    awk -F'\t' '$3 <= "3.5" { print $1, $2 }' traps.tsv | grep -vE ' (MemHandleNew|MemHandleLock|MemHandleUnlock|MemHandleFree|MemCardInfo|TimGetTicks|SysCurAppDatabase|DmOpenDatabase|DmNumRecords|DmNewRecord|DmWrite|DmReleaseRecord|DmGetRecord|DmCloseDatabase)$' |
        cut -d' ' -f1 >default.txt
    sed -n 's/^ *- 0x\(A[0-9A-F]*\)\(-0x\(A[0-9A-F]*\)\)\{0,1\}$/\1 \3/p' \
        "$root/testdata/palmist/demo.yaml" |
        while read -r first last; do
            seq $((16#$first)) $((16#${last:-$first}))
        done | awk '{ printf "%04X\n", $1 }' >demo.txt
    [ "$(wc -l <demo.txt)" -eq 735 ] || fail "the configuration lists 735 traps" demo.txt
    [ "$(wc -l <default.txt)" -eq 990 ] || fail "990 traps can be logged by default" default.txt
}

# The reasons are those of the configuration, in which a trap may be given by name and in a range.
check_reasons() {
    cat >reasons.yaml <<'END'
palmist:
  not_logged:
    "would call itself": [MemHandleNew, 0xA01F-0xA022]
    "no use": [FrmInitForm]
END
    # Of the 14 only those are out that the configuration names: 0xA01F to 0xA022 has 4 traps, of
    # which MemHandleLock and MemHandleUnlock are two.
    awk -F'\t' '$3 > "3.5" { late++ } END { print late }' traps.tsv >late.txt
    awk -v late="$(cat late.txt)" 'BEGIN {
        total = late + 6
        printf "later than Palm OS 3.5\t%d\t%.6f\t0\n", late, late / total
        printf "would call itself\t5\t%.6f\t0\n", 5 / total
        printf "no use\t1\t%.6f\t1\n", 1 / total
    }' >wanted.tsv
    rm -f reasons.db
    common_options=(-c reasons.yaml)
    import_as reasons.db representative.txt
    check_rows "reasons of the configuration" wanted.tsv reasons.db loggable --of reason
    common_options=()
}

# --- the log without its most popular calls ---------------------------------------------------------

# check_without N LOG DATABASE
check_without() {
    calls_of "$2" | awk -F'\t' -v OFS='\t' 'FNR == NR { name[$1] = $2; next }
        {
            count[$1]++
            bytes[$1] += 12 + $3
            if (NR > FNR && !begun++) first = $2
            last = $2
        }
        END { for (id in count) print count[id], name[id], id, bytes[id], last - first }
        ' traps.tsv - | sort -t"$(printf '\t')" -k1,1nr -k2,2 -k3,3 |
        awk -F'\t' -v n="$1" '
            {
                part = NR <= n
                calls[part]++; events[part] += $1; bytes[part] += $4; ticks = $5
            }
            function row(what, calls, events, bytes) {
                printf "%s\t%d\t%d\t%.6f\t%d\t%.6f\t%.0f\t%.6f\n", what, calls, events,
                    events / all, bytes, bytes / whole, events * 1e7, events / ticks
            }
            END {
                all = events[0] + events[1]
                whole = bytes[0] + bytes[1]
                row("all", calls[0] + calls[1], all, whole)
                row("top " n, calls[1], events[1], bytes[1])
                row("without them", calls[0], events[0], bytes[0])
            }' >wanted.tsv
    check_rows "without the top $1" wanted.tsv "$3" popularity --without-top "$1"
}

# --- idle times -----------------------------------------------------------------------------------

# check_idle WHAT LOG DATABASE: ticks of 10 ms between calls, of one session; timeouts of 1, 2, 5, …
check_idle() {
    calls_of "$2" | awk -F'\t' '
        NR > 1 && $2 > last { length_[++n] = $2 - last; run += $2 - last }
        { last = $2 }
        END {
            for (t = 1; ; t *= t ~ /^2/ ? 2.5 : 2) {
                count = sum = longer = beyond = inside = within = 0
                for (i = 1; i <= n; i++) {
                    if (length_[i] <= t) { count++; sum += length_[i] }
                    if (length_[i] <= t && length_[i] > before) { inside++; within += length_[i] }
                    if (length_[i] > t) { longer++; beyond += length_[i] - t }
                }
                printf "%.0f\t%d\t%.6f\t%.0f\t%.6f\t%d\t%.0f\t%.6f\n", t * 1e7, inside, count / n,
                    within * 1e7, sum / run, longer, beyond * 1e7, beyond / run
                before = t
                if (!longer) exit
            }
        }' >wanted.tsv
    check_rows "$1" wanted.tsv "$3" gaps --cdf
}

# check_concentration FILE DATABASE: references and items by awk; Zipf's exponent, its error and the distance
# of the fit as numpy and scipy found them in the same log.
check_concentration() {
    report "$2" popularity | awk -F '\t' -v OFS='\t' '{ items++; all += $3 } END { print items, all }' >wanted.tsv
    printf '%s\n' "$3" | paste wanted.tsv - >both.tsv
    report "$2" concentration | awk -F '\t' -v OFS='\t' '{
        print $1, $2, sprintf("%s %.4f %s", $9, $10, $11) }' >got.tsv
    check "concentration of $1" both.tsv got.tsv
}

# --- the whole --------------------------------------------------------------------------------------

for kind in representative pinemark-text; do
    "$GENERATE" $kind text >$kind.txt || fail "the generator"
    import_as $kind.db $kind.txt
done
calls_of representative.txt |
    awk -F'\t' '{ bytes += 12 + $3 } END { printf "bytes a record\t%.6f\n", bytes / NR }' >wanted.tsv
report representative.db summary | grep '^bytes a record' >got.tsv
check "bytes a record" wanted.tsv got.tsv
for kind in representative pinemark-text; do
    check_idle $kind $kind.txt $kind.db
done
check_concentration representative.txt representative.db '1.090750 0.0022 0.146051'
check_concentration pinemark-text.txt pinemark-text.db '1.187057 0.0015 0.116829'

if [ -e "$tables/palmos-traps.tsv" ]; then
    known_traps
    loggable_sets
    for kind in representative pinemark-text; do
        check_modules $kind $kind.txt $kind.db
        check_parameters "$kind, by default" default.txt $kind.txt $kind.db
        for n in 1 10 50 1000; do
            check_without $n $kind.txt $kind.db
        done
    done
    common_options=(-c "$root/testdata/palmist/demo.yaml")
    check_parameters "the configuration's 735" demo.txt representative.txt representative.db
    common_options=()
    check_reasons
else
    skip "tables of system calls: there is no $tables"
fi
finish "palmist: "
