# Completion of tracetool for fish. The tables are made out of those of the program.

# TABLES

# The traces of the database: names that come out of logs, so they are never evaluated.
function __tracetool_traces
    set -l database
    test -n "$argv[1]"; and set database -d $argv[1]
    tracetool $database -q traces --format tsv 2>/dev/null | string match -v '#*' | string replace -r '\t.*' ''
end

# The names that a query gives from the database.
function __tracetool_names
    set -l database
    test -n "$argv[1]"; and set database -d $argv[1]
    tracetool $database -q sql --format tsv $argv[2] 2>/dev/null | tail -n +2 | string match -v ''
end

function __tracetool_offer
    for line in (__tracetool_table $argv[1])
        switch $line
            case @files
                __fish_complete_path (commandline -ct)
            case @traces
                __tracetool_traces $argv[2]
            case '@sql *'
                __tracetool_names "$argv[2]" (string sub -s 6 -- $line)
            case '*'
                test -n "$line"; and printf '%s\n' $line
        end
    end
end

function __tracetool_complete
    set -l words (commandline -opc)
    set -l takes (__tracetool_table takes)
    set -l previous
    set -l command
    set -l database ''
    set -l report
    set -l count 1
    for word in $words[2..-1]
        if test -n "$previous"
            contains -- $previous -d --db; and set database $word
            set previous
        else if string match -q -- '-*' $word
            contains -- $word $takes; and set previous $word
        else if test -z "$command"
            set command $word
        else if test (count (__tracetool_table "words $command $word")) -gt 0
            set command "$command $word"
        else
            set count (math $count + 1)
            test (count (__tracetool_table "values --by $word")) -gt 0; and set report $word
        end
    end
    if test -n "$previous" -a (count (__tracetool_table "values $previous $report")) -gt 0
        __tracetool_offer "values $previous $report" $database
    else if test -n "$previous"
        __tracetool_offer "values $previous" $database
    else if string match -q -- '-*' (commandline -ct)
        test -n "$command"; or set command help
        __tracetool_offer "options $command" $database
    else if test (count (__tracetool_table "words $command $count")) -gt 0
        __tracetool_offer "words $command $count" $database
    else if test -n "$command"
        __tracetool_offer "words $command" $database
    else
        __tracetool_offer commands $database
    end
end

complete -c tracetool -f -a '(__tracetool_complete)'
