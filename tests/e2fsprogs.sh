#!/bin/bash
# Has `tracetool map --list` read all images of e2fsprogs' own tests, which are damaged in every way that
# e2fsck mends: each is mapped, or refused in one line, within 2 s.
#
#     BUILD=build tests/e2fsprogs.sh FOLDER
#
# FOLDER is an unpacked source (apt-get source e2fsprogs). What became of each image is compared with
# testdata/e2fsprogs/outcomes.tsv, where libext2fs is of that version. Not a part of `make check`: the
# source is not at hand there.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

[ $# -eq 1 ] || { echo "usage: tests/e2fsprogs.sh FOLDER" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
outcomes=$work/outcomes
: >"$outcomes"
slowest=0
while IFS= read -r packed; do
    name=${packed#"$1"/tests/}
    case $packed in
    *.gz) gzip -dc "$packed" >"$work/image" 2>"$work/none" ;;
    *.bz2) bzip2 -dc "$packed" >"$work/image" 2>"$work/none" ;;
    *) cp "$packed" "$work/image" ;;
    esac
    [ -s "$work/image" ] || continue
    begin=${EPOCHREALTIME/./}
    timeout 60 "$TRACETOOL" map --list "$work/image" >"$work/list" 2>"$work/said"
    status=$?
    took=$(((${EPOCHREALTIME/./} - begin) / 1000))
    slowest=$((took > slowest ? took : slowest))
    expect "$name: $took ms" [ $took -lt 2000 ]
    case $status in
    0) printf '%s\tmapped\n' "$name" >>"$outcomes" ;;
    1)
        expect "$name: one line" [ "$(wc -l <"$work/said")" -eq 1 ]
        printf '%s\t%s\n' "$name" "$(sed "s|^tracetool: $work/image: ||" "$work/said")" >>"$outcomes"
        ;;
    *) fail "$name: status $status" "$work/said" ;;
    esac
done < <(find "$1/tests" -name '*image*' ! -name '*.sh' ! -name '*.cc' -type f -size +0 | sort)
case $(pkg-config --modversion ext2fs) in
1.47.0)
    sed '/^#/d' "$root/testdata/e2fsprogs/outcomes.tsv" >"$work/wanted"
    check "what became of the images" "$work/wanted" "$outcomes"
    ;;
*) skip "another libext2fs than that of the outcomes" ;;
esac
echo "$(grep -c 'mapped$' "$outcomes") mapped, $(grep -vc 'mapped$' "$outcomes") refused, slowest $slowest ms"
finish "e2fsprogs: "
