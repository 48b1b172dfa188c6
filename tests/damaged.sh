#!/bin/bash
# Checks the ledger of damaged files, and refused files, of each format with a file testdata/NAME/reasons:
#
#     KEYWORD	WORDS              what the program prints for KEYWORD of NAME.expected
#     # outcomes	OUTCOME…       outcomes in NAME.expected; default: rejected
#     # options	PATTERN	OPTION…    import options for files with such names
#     # empty	PATTERN            files in fail/ that are empty logs with -f NAME
#
# A file in damaged/ is imported with the ledger of NAME.expected, and refused with --strict. A file in fail/
# is refused in one line, with and without -f. Formats without `reasons` have their own scripts.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

python3 "$tests/damaged.py" "$TRACETOOL" "$root/testdata"
