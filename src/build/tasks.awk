# The topic `tasks` of `tracetool help`, made of man/tracetool-tasks.7: its sections, its questions,
# and of each the first command, without the names of the page's own traces and files.
BEGIN {
    print "Questions, each with the command that answers it\n"
    print "Put `tracetool` before it, a log or -t TRACE behind it; see tracetool-tasks(7).\n"
}

/^\.Sh / { section = substr($0, 5) }
/^\.Ss / { question = substr($0, 5) }
/^\$ tracetool / && command == "" { command = substr($0, 13) }
/^> / && command != "" { command = command " " $0 }
/^\.Ed/ && question != "" {
    if (section != "") print section
    gsub(/\\e|\n|> +/, "", command)
    gsub(/ -[tn] [a-z]+/, "", command)
    gsub(/testdata\/[^ ]*/, "FILE", command)
    sub(/ \|.*/, "", command)
    sub(/compare program other/, "compare A B", command)
    sub(/(show|remove) bad/, "& TRACE", command)
    sub(/ bad TRACE/, " TRACE", command)
    sub(/"SELECT.*"/, "\"SELECT …\"", command)
    printf "  %-32s %s\n", question, command
    section = question = ""
}
/^\.Ed/ { command = "" }
