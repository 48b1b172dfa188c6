# blkparse prints the completions, mawk adds them up.
blkparse -q -D "$1" -i disk -a complete -f '%a %d %n\n' | mawk '
    $1 == "C" {
        class = ($2 ~ /R/ ? "read" : "write") ($2 ~ /S/ ? "sync" : "")
        count[class]++
        bytes[class] += $3 * 512
    }
    END {
        for (class in count) {
            printf "%s\t%d\t%.0f\n", class, count[class], bytes[class]
        }
    }'
