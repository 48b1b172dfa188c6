#!/bin/sh
# The SHA-256 of a file in base64, as the source list of a content policy takes it:
#
#     sh digest.sh FILE
set -eu
sum=$(sha256sum <"$1" | cut -c 1-64)
octal=$(printf '%s\n' "$sum" | awk '{
    for (i = 1; i < length($0); i += 2)
        printf "\\%03o", 16 * (index("0123456789abcdef", substr($0, i, 1)) - 1) + \
            index("0123456789abcdef", substr($0, i + 1, 1)) - 1
}')
# shellcheck disable=SC2059 # the format is the digest, and holds nothing but escapes
printf "$octal" | base64
