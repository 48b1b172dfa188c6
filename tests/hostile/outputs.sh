# shellcheck shell=bash disable=SC2034,SC2154 # variables of and for the other parts of hostile.sh
# What must hold of what was printed.

# The command that made out/NUMBER.FORMAT.
command_of() {
    local number=${1##*/}

    number=${number%%.*}
    label "${variants[number]} (${1##*.})"
}

# blame WHAT FILES FAULTY: a test for each file; FAULTY, a file, lists those with a fault.
blame() {
    local file

    while IFS= read -r file; do
        failed=$((failed + 1))
        passed=$((passed - 1))
        echo "FAILED: $1: $(command_of "$file")"
    done < <(sort -u "$3")
    passed=$((passed + $2))
}

count() {
    echo $#
}

# No control characters but newline, and TAB between fields; no C1 controls; UTF-8 throughout.
check_harmless() {
    local file files=(out/*)

    {
        LC_ALL=C grep -laP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "${files[@]}"
        LC_ALL=C grep -laP '\t' "${files[@]}" | grep -v '\.\(tsv\|gnuplot\|svg\)$'
    } >faulty.txt
    blame "control characters" ${#files[@]} faulty.txt
    : >faulty.txt
    cat "${files[@]}" | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1 ||
        for file in "${files[@]}"; do
            iconv -f UTF-8 -t UTF-8 "$file" >/dev/null 2>&1 || echo "$file"
        done >faulty.txt
    blame "not UTF-8" ${#files[@]} faulty.txt
}

# In a result, each row has as many fields as there are names of columns.
check_tsv() {
    local files=(out/*.tsv)

    awk -F '\t' '
        /^#/ { columns = NF; next }
        NF != columns && $0 != "" { print FILENAME }' "${files[@]}" >faulty.txt
    blame "fields" ${#files[@]} faulty.txt
}

# csv made tsv, with an empty line before each result; a field holds no newline.
csv_rows() {
    awk '
        $0 == "" { header = 0; next }
        !header++ { next }
        {
            line = $0 ","
            row = ""
            while (line != "") {
                if (match(line, /^"([^"]|"")*",/)) {
                    field = substr(line, 2, RLENGTH - 3)
                    gsub(/""/, "\"", field)
                } else {
                    match(line, /^[^,"]*,/)
                    if (RLENGTH < 0) { print "no csv: " line; next }
                    field = substr(line, 1, RLENGTH - 1)
                }
                row = row "\t" field
                line = substr(line, RLENGTH + 1)
            }
            print substr(row, 2)
        }' "$1"
}

tsv_rows() {
    grep -v -e '^#' -e '^$' "$1" | sed 's/\(^\|\t\)\\x23/\1#/g'
}

# csv and tsv hold the same rows, field by field.
check_csv() {
    local file

    for file in out/*.csv; do
        csv_rows "$file" >csv.txt
        tsv_rows "${file%.csv}.tsv" | cmp -s - csv.txt || echo "$file"
    done >faulty.txt
    blame "csv is not tsv" "$(count out/*.csv)" faulty.txt
}

# json and jsonl are valid, and have as many rows as tsv, each as long as there are columns.
check_json() {
    local file rows

    for file in out/*.json; do
        rows=$(tsv_rows "${file%.json}.tsv" | wc -l)
        { echo '['; sed '1!s/^/,/' "${file}l"; echo ']'; } >"$file.array"
        cat <<END
SELECT '$file' WHERE NOT json_valid(readfile('$file'));
WITH result AS (SELECT value FROM json_each(CASE json_type(readfile('$file'))
    WHEN 'array' THEN readfile('$file') ELSE json_array(json(readfile('$file'))) END))
SELECT '$file' WHERE $rows <> (SELECT sum(json_array_length(value, '\$.rows')) FROM result)
    OR EXISTS (SELECT 1 FROM result, json_each(result.value, '\$.rows') AS row
        WHERE json_array_length(row.value) <> json_array_length(result.value, '\$.columns'));
SELECT '${file}l' WHERE NOT json_valid(readfile('$file.array'));
SELECT '${file}l' WHERE $rows <> (SELECT count(*) FROM json_each(readfile('$file.array'))
    WHERE type = 'object');
END
    done >json.sql
    sqlite3 :memory: <json.sql >faulty.txt 2>json-errors.txt || fail "json" json-errors.txt
    blame "json" "$(($(count out/*.json) * 2))" faulty.txt
    rm -f out/*.array
}

# In Markdown a name adds no cell and no markup, for which a tag, a code span or a link needs one
# character, and emphasis, strikethrough and formulas two in one cell.
check_markdown() {
    local files=(out/*.md)

    awk '
        FNR == 1 { last = "" }
        /^\|/ {
            gsub(/\\\|/, "")
            cells = gsub(/\|/, "|")
            if (last != "" && cells != last) print FILENAME
            last = cells
        }
        !/^\|/ { last = "" }
        {
            gsub(/\\./, "")
            if (/<[A-Za-z\/!?]/ || /[`[]/ || /\*[^|]*\*/ || /~[^|]*~/ || /\$[^|]*\$/) print FILENAME
        }' "${files[@]}" >faulty.txt
    blame "markup" ${#files[@]} faulty.txt
}

# In HTML a name adds no cell, no tag and no attribute: what is left of a line without those that the
# program writes holds nothing that could begin or end one.
check_html() {
    local files=(out/*.html)

    awk '
        /^<thead>/ { heads = gsub(/<th /, "&") }
        /^<tr>/ && gsub(/<td[ >]/, "&") != heads { print FILENAME }
        /^<(p|div|caption|thead|tr)[ >]/ {
            gsub(/<\/?(p|div|table|caption|thead|tbody|tr|th|td|span)( [a-z-]+="[^"<>]*")*>/, "")
            if (/[<>"\047]/) print FILENAME
        }' "${files[@]}" >faulty.txt
    blame "html" ${#files[@]} faulty.txt
}

# Data blocks begin and end where the program says, and nothing in them means something to gnuplot.
check_gnuplot() {
    local files=(out/*.gnuplot)

    awk '
        function result() { if (begun) print last }
        FNR == 1 { result(); begun = 0; last = FILENAME }
        $0 == "$data << TRACETOOL_END" { begun = 1; next }
        $0 == "TRACETOOL_END" { begun = 0; next }
        begun && /^TRACETOOL_END/ { print FILENAME }
        begun && !/^#/ && /["`@$\047]/ { print FILENAME }
        END { result() }' "${files[@]}" >faulty.txt
    blame "gnuplot" ${#files[@]} faulty.txt
}

# own_times: of rows of a call tree upside down, whose self times hold those of the rows beneath, the
# depths and what is left of the times.
own_times() {
    awk -F '\t' '
        { depth[NR] = $1; own[NR] = $5; at[$1] = NR }
        $1 > 0 { own[at[$1 - 1]] -= $5 }
        END { for (i = 1; i <= NR; i++) if (own[i] > 0) print depth[i], own[i] }'
}

# Folded: a line for each row with self time, with as many ; as the row is deep.
check_folded() {
    local file number

    for file in out/*.folded; do
        number=${file#out/}
        if [[ ${variants[${number%.folded}]} == *--inverted* ]]; then
            tsv_rows "${file%folded}tsv" | own_times
        else
            tsv_rows "${file%folded}tsv" | awk -F '\t' '$5 > 0 { print $1, $5 }'
        fi | sort >rows.txt
        awk '{ self = $NF; sub(/ [0-9]+$/, ""); print gsub(/;/, ""), self }' "$file" | sort |
            cmp -s - rows.txt || echo "$file"
    done >faulty.txt
    blame "folded is not tsv" "$(count out/*.folded)" faulty.txt
}

# Each name that tsv shows is in the other formats, too. Of gnuplot's octal, what is ASCII is resolved.
# A picture of groups has the first of them.
check_marks() {
    local number groups=' '

    for number in "${!variants[@]}"; do
        [[ ${variants[number]} != compare*--by* ]] || groups+="$number "
    done
    LC_ALL=C awk -v groups="$groups" '
        function resolved(text,   at, out) {
            while ((at = match(text, /\\[01][0-7][0-7]/)) > 0) {
                out = out substr(text, 1, at - 1) sprintf("%c", substr(text, at + 1, 1) * 64 \
                    + substr(text, at + 2, 1) * 8 + substr(text, at + 3, 1))
                text = substr(text, at + 4)
            }
            return out text
        }
        FNR == 1 {
            split(FILENAME, part, /[\/.]/)
            there[part[2], part[3]] = 1
        }
        part[3] == "tsv" && /^#/ { next }
        part[3] == "gnuplot" { $0 = resolved($0) }
        {
            while (match($0, /m[0-9][0-9]/)) {
                mark = substr($0, RSTART, 3)
                seen[part[2], part[3], mark] = 1
                if (part[3] == "tsv") shown[part[2], mark] = 1
                $0 = substr($0, RSTART + 3)
            }
        }
        END {
            count = split("table csv json jsonl md html gnuplot", formats, " ")
            for (key in shown) {
                split(key, part, SUBSEP)
                for (i = 1; i <= count; i++)
                    if (formats[i] == "gnuplot" && index(groups, " " part[1] " ")) continue
                    else if ((part[1], formats[i]) in there && !((part[1], formats[i], part[2]) in seen))
                        print "out/" part[1] "." formats[i]
            }
        }' out/*.{tsv,table,csv,json,jsonl,md,html,gnuplot} >faulty.txt
    blame "names are missing" "$(count out/*.tsv)" faulty.txt
    expect "names are in dump" \
        [ "$(grep -o 'm[0-9][0-9]' out/*.dump | sort -u | wc -l)" -ge ${#names[@]} ]
}

# What json says is, byte by byte, what the database holds, where that is UTF-8 (m20 to m23 are not). SQLite
# ends text of json at a NUL, which must be there, though.
check_json_names() {
    local query='SELECT name FROM actor UNION SELECT name FROM object UNION
        SELECT text FROM name ORDER BY 1'

    tracetool sql "$query" --format json >names.json
    sqlite3 traces.db "WITH
        own AS (SELECT row_number() OVER () AS number, CAST(name AS BLOB) AS name FROM ($query)),
        shown AS (SELECT key + 1 AS number, CAST(json_extract(value, '\$[0]') AS BLOB) AS name
            FROM json_each(readfile('names.json'), '\$.rows'))
        SELECT own.number, hex(own.name), hex(shown.name) FROM own LEFT JOIN shown USING (number)
        WHERE own.name IS NOT shown.name AND NOT instr(own.name, x'6D3230')
            AND NOT instr(own.name, x'6D3231') AND NOT instr(own.name, x'6D3232')
            AND NOT instr(own.name, x'6D3233') AND NOT instr(own.name, x'00')" >faulty-names.txt
    expect "NUL in json" grep -qF 'm26\u0000x"' names.json
    if [ -s faulty-names.txt ]; then
        fail "names in json" faulty-names.txt
    else
        pass
    fi
}
