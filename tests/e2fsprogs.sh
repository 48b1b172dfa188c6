#!/bin/bash
# Runs `tracetool map --list` on all test images of e2fsprogs, which have every damage that e2fsck repairs.
# Each must be mapped, or refused in one line, within 2 s.
#
#     BUILD=build tests/e2fsprogs.sh FOLDER
#
# FOLDER is an unpacked source (apt-get source e2fsprogs). The results are compared with
# testdata/e2fsprogs/outcomes.tsv if libext2fs has the same version. Not part of `make check`, which does not
# have the source.
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
