# shellcheck shell=sh disable=SC2034
# mangle HOW FILE: prints a log as other programs would. HOW is one of $mangles.
minute='sprintf("%02d:%02d", NR / 60 % 60, NR % 60)'
mangles='crlf bom quoted twice hash slashes blanks tab cat-n grep-n grep-H grep-Hn ts ts-iso journald syslog docker cri
    cri-parts kubectl pods stern compose logcat brief colours pre utf16 utf16be wrapped narrow words words-narrow
    wrapped-quoted wrapped-journald words-ts cri-crlf before around fence
    squeezed comments prompt script tripled bom-wrapped bom-words before-quoted before-docker journald-before
    folded-twice wrapped-journald-wrapped plus minus kernel monotonic utf16-bare gh gitlab uid log-thread csv-column
    journal-json gz xz zst bz2 zip tar tar-bz2 numbered page docker-blanks path'
mangle() {
    case $1 in
    crlf) sed 's/$/\r/' "$2" ;;
    bom) printf '\357\273\277'; cat "$2" ;;
    quoted) sed 's/^/> /' "$2" ;;
    twice) sed 's/^/> > /' "$2" ;;
    hash) sed 's/^/# /' "$2" ;;
    slashes) sed 's|^|// |' "$2" ;;
    blanks) sed 's/^/    /' "$2" ;;
    tab) sed 's/^/\t/' "$2" ;;
    cat-n) cat -n "$2" ;;
    grep-n) grep -n '' "$2" ;;
    grep-H) grep -H '' "$2" ;;
    grep-Hn) grep -Hn '' "$2" ;;
    ts) awk '{ print "Nov 27 08:" '"$minute"' " " $0 }' "$2" ;;
    ts-iso) awk '{ print "2026-11-27T08:" '"$minute"' " " $0 }' "$2" ;;
    journald) awk '{ print "Nov 27 08:" '"$minute"' " box tracer[4711]: " $0 }' "$2" ;;
    syslog) awk '{ print "<13>1 2026-11-27T08:" '"$minute"' ".5+01:00 box tracer 4711 - - " $0 }' "$2" ;;
    docker) sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/</\\u003c/g; s/.*/{"log":"&\\n","stream":"stdout","time":"2026-11-27T08:25:49.1Z"}/' "$2" ;;
    cri) awk '{ print "2026-11-27T08:" '"$minute"' ".123456789Z stdout F " $0 }' "$2" ;;
    cri-parts) awk '{ h = int(length / 2); t = "2026-11-27T08:" '"$minute"' ".1Z stdout "
        print t "P " substr($0, 1, h); print t "F " substr($0, h + 1) }' "$2" ;;
    kubectl) awk '{ print "[pod/web-1/tracer] 2026-11-27T08:" '"$minute"' ".123456789Z " $0 }' "$2" ;;
    pods) awk '{ print "[pod/web-" NR % 2 "/tracer] " $0 }' "$2" ;;
    stern) awk '{ print "web-7d4b9c-x" NR % 3 " tracer " $0 }' "$2" ;;
    compose) sed 's/^/tracer-1  | /' "$2" ;;
    logcat) awk '{ print "11-27 08:" '"$minute"' ".123  4711  4712 I tracer  : " $0 }' "$2" ;;
    brief) sed 's/^/I\/tracer( 4711): /' "$2" ;;
    colours) sed 's/^\([^ ]*\)/\x1b[32m\1\x1b[0m/; s/[0-9]*$/\x1b[1;36m&\x1b[m/' "$2" ;;
    pre) printf '<!DOCTYPE html>\n<html><head><title>a &amp; b</title></head><body>\n<pre>\n'
        sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g' "$2"
        printf '</pre></body></html>\n' ;;
    pre-raw) printf '<!DOCTYPE html>\n<h1>A log</h1>\n<pre class="log"><code>'; head -c -1 "$2"; printf '</code></pre>\n' ;;
    page) printf '<html><body><p>A log:</p><pre><code>'; sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "$2"; printf '</code></pre>\n' ;;
    page-raw) printf '<html><body><p>A log:</p><pre><code>'; head -c -1 "$2"; printf '</code></pre>\n' ;;
    numbered) awk '{ printf "%6d  %s\n", NR, $0 }' "$2" ;;
    docker-blanks) mangle docker "$2" | sed 's/","stream":"stdout","time":/", "stream": "stdout", "time": /; s/^{"log":/{"log": /' ;;
    ts-seconds) awk '{ printf "%d.%06d %s\n", 1795303425 + NR / 10, NR * 17, $0 }' "$2" ;;
    path) sed 's|^|./logs of a day/log.txt:|' "$2" ;;
    utf16) printf '\377\376'; iconv -f UTF-8 -t UTF-16LE "$2" ;;
    utf16be) iconv -f UTF-8 -t UTF-16BE "$2" ;;
    wrapped) fold -w 80 "$2" ;;
    narrow) fold -w 60 "$2" ;;
    words) fold -s -w 80 "$2" ;;
    words-narrow) fold -s -w 60 "$2" ;;
    wrapped-quoted) fold -w 60 "$2" | sed 's/^/> /' ;;
    wrapped-journald) mangle journald "$2" | fold -w 80 ;;
    cri-crlf) mangle cri-parts "$2" | sed 's/$/\r/' ;;
    words-ts) mangle ts "$2" | fold -s -w 60 ;;
    plus) sed 's/^/+/' "$2" ;;
    minus) sed 's/^/- /' "$2" ;;
    kernel) awk '{ printf "[%5d.%06d] %s\n", NR / 60, NR, $0 }' "$2" ;;
    monotonic) awk '{ printf "[%5d.%06d] box tracer[4711]: %s\n", NR / 60, NR, $0 }' "$2" ;;
    gh) awk '{ print "build\tRun all tests\t2026-11-27T08:" '"$minute"' ".1234567Z " $0 }' "$2" | sed '1s/\t2/\t\xef\xbb\xbf2/' ;;
    gitlab) awk '{ print "2026-11-27T08:" '"$minute"' ".123456Z 01O " $0 }' "$2" ;;
    uid) awk '{ print "11-27 08:" '"$minute"' ".123  root  4711  4712 I tracer  : " $0 }' "$2" ;;
    log-thread) sed 's/^/I( 4711: 4712) /' "$2" ;;
    csv-column) sed '/[",]/{s/"/""/g; s/.*/"&"/}' "$2" ;;
    journal-json) sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/.*/{"__REALTIME_TIMESTAMP":"1","MESSAGE":"&","_PID":"7"}/' "$2" ;;
    utf16-bare) iconv -f UTF-8 -t UTF-16LE "$2" ;;
    gz) gzip -c "$2" ;;
    xz) xz -c "$2" ;;
    zst) zstd -qc "$2" ;;
    bz2) bzip2 -c "$2" ;;
    zip) python3 -c "import sys, zipfile
with zipfile.ZipFile('log.zip', 'w') as archive: archive.write(sys.argv[1])" "$2" && cat log.zip ;;
    tar) tar cf - "$2" ;;
    tar-bz2) tar cjf - "$2" ;;
    before) seq -f 'something else, line %.0f' 500; cat "$2" ;;
    around) seq -f 'something else, line %.0f' 5; cat "$2"; seq -f 'and then %.0f' 5 ;;
    fence) printf 'Here it is:\n\n```\n'; cat "$2"; printf '```\n' ;;
    squeezed) tr -s ' ' <"$2" ;;
    comments) printf '# recorded by hand\n# on a machine\n'; cat "$2" ;;
    prompt) printf '%s\n' '$ cat log'; cat "$2"; printf '$ \n' ;;
    script) printf 'Script started on 2026-11-27 08:25:49+00:00 [TERM="xterm"]\r\n$ cat log\r\n'; mangle crlf "$2"
        printf '$ exit\r\n\nScript done on 2026-11-27 08:26:49+00:00 [COMMAND_EXIT_CODE="0"]\n' ;;
    bom-wrapped) mangle bom "$2" | LC_ALL=C fold -w 60 ;;
    bom-words) mangle bom "$2" | LC_ALL=C fold -s -w 60 ;;
    before-quoted) seq -f 'something else, line %.0f' 500; mangle quoted "$2" ;;
    before-docker) seq -f 'something else, line %.0f' 500; mangle docker "$2" ;;
    journald-before) mangle before "$2" >before.part; mangle journald before.part ;;
    folded-twice) fold -w 80 "$2" | fold -w 60 ;;
    wrapped-journald-wrapped) fold -w 80 "$2" >wrapped.part; mangle journald wrapped.part | fold -w 70 ;;
    tripled) mangle journald "$2" | cat -n | sed 's/^/> /' ;;
    esac
}
