#!/bin/bash
# The ledger of damaged files, and files that are refused, of each format with a file testdata/NAME/reasons:
#
#     KEYWORD	WORDS              as NAME.expected calls what the program says of a record
#     # outcomes	OUTCOME…       that NAME.expected has; default: rejected
#     # options	PATTERN	OPTION…    of `import`, for files of such names
#     # empty	PATTERN            files in fail/ that are an empty log for who says -f NAME
#
# A file in damaged/ is imported, with the ledger that NAME.expected has, and refused with --strict. One in fail/ is
# refused in one line, with and without -f. Formats without `reasons` have more to show, in scripts of their own.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

python3 "$tests/damaged.py" "$TRACETOOL" "$root/testdata"
