#!/bin/bash
# Pages: read by a parser of its own, which takes no markup but what it knows; that their rows and data are
# those of `report`; names that would be markup; their size; and that they are the same each time.
#
#     tests/page.sh [browser]
#
# browser: then also in Chromium, and where node finds puppeteer-core and axe-core (NODE_PATH), what these
# find. `make check-page` installs them.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata

# check_page WHAT PAGE [FILE…]: that there is nothing to say about it, and its sections are as the files.
check_page() {
    : >none.txt
    python3 "$tests/page_judge.py" "${@:2}" >faults.txt 2>&1
    check "$1" none.txt faults.txt
}

# tsv_of DATABASE REPORT…: what `report` prints of each, in REPORT.tsv.
tsv_of() {
    local report

    rm -f ./*.tsv
    for report in "${@:2}"; do
        tracetool -d "$1" report "$report" --format tsv >"$report.tsv"
    done
}

tracetool -q -d block.db import -n io "$data/most/small.po"
tracetool -q -d spans.db import -n program "$data/dwtrace/ok/program.dwt"

# --- every report, without pictures

for kind in block spans; do
    expect "$kind: a page" tracetool -d $kind.db page --no-plots -o $kind.html
    mapfile -t reports < <(sed -n 's/.*<section id="r-\([^"]*\)".*/\1/p' $kind.html)
    expect "$kind: all reports that fit" [ ${#reports[@]} -ge 15 ]
    tsv_of $kind.db "${reports[@]}"
    check_page "$kind: the page, its data and rows" $kind.html ./*.tsv
    tracetool -d $kind.db page --no-plots -o - >again.html
    expect "$kind: the same bytes again" cmp -s $kind.html again.html
done

# --- pictures

tracetool -d block.db page -o pictures.html rw filetype timeline
tracetool -d spans.db page -o flame.html calltree functions
# within PAGE BYTES PACKED: that it has no more of either.
within() {
    expect "$1: $(wc -c <"$1.html") bytes, at most $2" [ "$(wc -c <"$1.html")" -le "$2" ]
    expect "$1: $(gzip -9c "$1.html" | wc -c) packed, at most $3" [ "$(gzip -9c "$1.html" | wc -c)" -le "$3" ]
}

for page in pictures flame; do
    check_page "$page: the page" $page.html
    expect "$page: pictures" [ "$(grep -c '<img \|<svg ' $page.html)" -ge 2 ]
done
within pictures 75000 14500
within flame 61000 14500
expect "script: at most 10 kB" [ "$(sed -n '/<script>/,/<\/script>/p' flame.html | wc -c)" -le 10000 ]
for report in rw filetype timeline; do
    tracetool -d block.db plot $report -o $report.svg
done
: >none.txt
python3 "$tests/svg_same.py" pictures.html rw.svg filetype.svg timeline.svg >faults.txt 2>&1
check "pictures draw what those of plot do" none.txt faults.txt
expect "frames have titles" grep -q '<g class="frame"><title>' flame.html
tracetool -d block.db page -o again.html rw filetype timeline
expect "the same pictures again" cmp -s pictures.html again.html

# A gnuplot that writes what it never does: it stays within an image, which runs nothing.
mkdir bin
{
    echo '#!/bin/sh'
    echo "\"$(command -v gnuplot)\" \"\$@\" | sed 's,^</svg>,<foreignObject width=\"1\"><p onclick=\"x\">\&amp; 100% no</p></foreignObject>&,'"
} >bin/gnuplot
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH tracetool -d block.db page -o strange.html rw
check_page "a strange picture" strange.html
expect "it is there" grep -q "<foreignObject width='1'><p onclick='x'>&amp;amp; 100%25 no</p>" strange.html

# --- names that would be markup, and a table longer than a page

{
    for name in '</script><img src=x onerror=alert(1)>' '"><svg onload=alert(2)>' "' onmouseover='x" \
        $'\u202egnp.exe' '<!--' '&lt;b&gt;' $'\xff\xfe' $'\x1b[31m' '</style><script>alert(3)</script>' \
        "$(printf '%65536s' '' | tr ' ' x)"; do
        number=$((${number:-0} + 1))
        printf '%d.000000000\tC\tR\t%d\t8\t1\t%s\tM\t/data/%s.db\n' $number $((number * 8)) "$name" "$name"
    done
    for ((number = 20; number < 120; number++)); do
        printf '%d.000000000\tC\tW\t%d\t8\t2\tp%d\tM\t/f%d\n' $number $((number * 8)) $number $number
    done
} >hostile.po
tracetool -q -d hostile.db import -n '<b>&"</title><script>alert(4)</script>' hostile.po
# gnuplot says that the long name is too long for it.
tracetool -d hostile.db page -o hostile.html --title '</title><script>x' process files timeline 2>/dev/null
tsv_of hostile.db process files timeline
check_page "hostile names" hostile.html ./*.tsv
expect "hostile names are shown" grep -qF '&lt;img src=x onerror=alert(1)&gt;' hostile.html
tracetool -d hostile.db report process --format html >table.html
check_page "hostile names in one table" table.html

# --- what changed

tracetool -q -d block.db import -n after "$data/most/damaged/several.po"
tracetool -q -d spans.db import -n other "$data/dwtrace/ok/program-other.dwt"
tracetool -d block.db page --compare io after rw iosize -o changes.html
tracetool -d spans.db page --compare program other calltree -o trees.html
rm -f ./*.tsv
tracetool -d block.db compare io after --format tsv >changes.tsv
for report in rw iosize; do
    tracetool -d block.db compare io after $report --format tsv >$report.tsv
done
check_page "a comparison" changes.html ./*.tsv
rm -f ./*.tsv
tracetool -d spans.db compare program other calltree --format tsv >calltree.tsv
check_page "a comparison of call trees" trees.html calltree.tsv

# What stands in a picture, also in one that is an address; a page leaves out words that say nothing.
texts() {
    sed 's/<text/\n&/g; s,</text>,&\n,g; s/&amp;/\&/g; s/%23/#/g; s/%25/%/g' | grep -o '<text[^>]*>.*' | sed 's/<[^>]*>//g; /^$/d'
}

# joint DATABASE PAGE SECTION A B [REPORT]: that the section's picture says what that of `plot compare` does.
joint() {
    tracetool -d "$1" plot compare "${@:4}" -o joint.svg
    texts <joint.svg >wanted.txt
    sed -n "/<section id=\"$3\"/,/<\/figure>/p" "$2" | texts >got.txt
    rm joint.svg
    expect "$3: its picture has texts" [ "$(wc -l <wanted.txt)" -ge 10 ]
    check "$3: the picture of both" wanted.txt got.txt
}

joint block.db changes.html changes io after
joint block.db changes.html r-iosize io after iosize
joint spans.db trees.html r-calltree program other calltree
expect "no picture of both: one beside the other" grep -q '<figcaption>Reads and writes of io and after\.' changes.html
expect "rows that are not in the table are counted" grep -q '>The first 50 of 57 rows\.<' trees.html
expect "its contents" grep -q '<a href="#r-calltree">Call tree</a>' trees.html
expect "the seed is said" grep -q '<p>What is said of chance is by up to 1999 resamples, seed 1\.</p>' changes.html
expect "no seed where none is used" [ "$(grep -c resamples pictures.html)" = 0 ]

# --- a style sheet of the user's

echo 'td { color: red }' >own.css
tracetool -d block.db page --no-plots --css own.css -o own.html rw
check_page "a style sheet of the user's" own.html
expect "it is there" grep -q 'td { color: red }' own.html

# --- in a browser

smoke() {
    local dom

    dom=$(timeout 120 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$PWD/chromium" \
        --dump-dom "file://$PWD/pictures.html" 2>/dev/null)
    expect "the script runs: buttons in headings" [ "$(grep -o '<th [^>]*><button' <<<"$dom" | wc -l)" -ge 20 ]
    dom=$(timeout 120 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$PWD/chromium" \
        --dump-dom "file://$PWD/flame.html" 2>/dev/null)
    expect "the script runs: a flame graph can be searched" grep -q '<text class="search"[^>]* display="inline"' <<<"$dom"
    timeout 120 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$PWD/chromium" \
        --window-size=1280,2000 --screenshot="$PWD/page.png" "file://$PWD/hostile.html" >/dev/null 2>&1
    expect "a screenshot" [ -s page.png ]
}

# Pages of all reports, with all pictures; real logs are beside the repository.
budget() {
    local shared=${SHARED:-$root/../shared}/data

    build_generator generate "$root"/testdata/{util,study/*}.c
    ./generate small study
    for user in 1 2; do
        tracetool -q -d study.db -c study/study.yaml import --study S study/user$user.most-binary
    done
    tracetool -q -d study.db page -o study.html
    within study 750000 155000
    [ -d "$shared" ] || { skip "no logs beside the repository"; return; }
    tracetool -q -d io.db import "$shared/blkparse/sqlite-on-ext4.txt"
    tracetool -q -d io.db page -o io.html
    within io 600000 100000
    tracetool -q -d android.db import "$shared/android-trace/streaming.trace"
    tracetool -q -d android.db page -o android.html
    within android 1000000 360000
}

if [ "${1:-}" = browser ]; then
    budget
    if command -v chromium >/dev/null; then
        smoke
    else
        skip "Chromium is not here"
    fi
    pages=(pictures flame hostile changes trees block study)
    [ ! -e android.html ] || pages+=(io android)
    if node -e "require('puppeteer-core'); require('axe-core')" 2>/dev/null; then
        run_part axe node "$tests/page_browser.js" "${pages[@]/%/.html}"
    else
        skip "node, puppeteer-core or axe-core is not here"
    fi
fi
finish "page: "
