#!/bin/bash
# Measures the texts of pictures: draws reports of a database and checks them with picture_judge.py.
#
#     pictures.sh DATABASE SIZE… -- REPORT [OPTION]…    one line per fault; separate reports by ,
#
# A SIZE is that of --size, or a word for --for. Traces without the picture are skipped.
set -u
database=$1
shift
sizes=()
while [ "$1" != -- ]; do
    sizes+=("$1")
    shift
done
reports=$2
shift 2
font=$(fc-match -f '%{file}' sans)
folder=$(mktemp -d)
number=0
for size in "${sizes[@]}"; do
    case $size in
    *[0-9]*) option=--size ;;
    *) option=--for ;;
    esac
    for report in ${reports//,/ }; do
        picture=$folder/$report.$size.svg
        if ! ${TRACETOOL:-tracetool} -q -d "$database" plot "$report" "$@" "$option" "$size" -o "$picture" 2>"$folder/said"; then
            grep -q 'gnuplot' "$folder/said" && sed "s/^/$report, $size: /" "$folder/said"
            continue
        fi
        # Messages of gnuplot about a drawn picture.
        sed "s/^/$report, $size: /" "$folder/said"
        number=$((number + 1))
    done
done
# 8 pixels are 6 points.
[ $number -eq 0 ] || python3 "$(dirname "$0")/picture_judge.py" "$font" 8 "$folder"/*.svg
[ -z "${PICTURES:-}" ] || cp "$folder"/*.svg "$PICTURES"
rm -r "$folder"
echo "pictures: $number"
