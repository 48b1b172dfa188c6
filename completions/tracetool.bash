# Completion of tracetool for bash. The tables are made out of those of the program.

# TABLES

# The traces of the database: names that come out of logs, so they are never evaluated.
_tracetool_traces() {
    tracetool ${1:+-d "$1"} -q traces --format tsv 2>/dev/null | sed '/^#/d; s/\t.*//'
}

# The names that a query gives from the database.
_tracetool_names() {
    tracetool ${1:+-d "$1"} -q sql --format tsv "$2" 2>/dev/null | sed '1d; /^$/d'
}

# Offers the words of a table that begin with what is there.
_tracetool_offer() {
    local word
    while IFS= read -r word; do
        word=${word%%$'\t'*}
        case $word in
        @files)
            compopt -o filenames
            while IFS= read -r word; do
                COMPREPLY+=("$word")
            done < <(compgen -f -- "$current")
            ;;
        @traces)
            while IFS= read -r word; do
                [[ $word == "$current"* ]] && COMPREPLY+=("$(printf %q "$word")")
            done < <(_tracetool_traces "$database")
            ;;
        '@sql '*)
            while IFS= read -r word; do
                [[ $word == "$current"* ]] && COMPREPLY+=("$(printf %q "$word")")
            done < <(_tracetool_names "$database" "${word#@sql }")
            ;;
        "$current"*) COMPREPLY+=("$word") ;;
        esac
    done < <(_tracetool_table "$1")
}

_tracetool() {
    local current=${COMP_WORDS[COMP_CWORD]} previous='' command='' database='' report='' word i
    local count=1
    local takes=" $(_tracetool_table takes | tr '\n' ' ') "

    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $previous ]]; then
            [[ $previous == -d || $previous == --db ]] && database=${word/#~\//$HOME/}
            previous=
        elif [[ $word == -* ]]; then
            [[ $takes == *" $word "* ]] && previous=$word
        elif [[ ! $command ]]; then
            command=$word
        elif [[ $(_tracetool_table "words $command $word") ]]; then
            command+=" $word"
        else
            ((count++))
            [[ $(_tracetool_table "values --by $word") ]] && report=$word
        fi
    done
    if [[ $previous && $report && $(_tracetool_table "values $previous $report") ]]; then
        _tracetool_offer "values $previous $report"
    elif [[ $previous ]]; then
        _tracetool_offer "values $previous"
    elif [[ $current == -* ]]; then
        _tracetool_offer "options ${command:-help}"
    elif [[ $(_tracetool_table "words $command $count") ]]; then
        _tracetool_offer "words $command $count"
    elif [[ $command ]]; then
        _tracetool_offer "words $command"
    else
        _tracetool_offer commands
    fi
}

complete -F _tracetool tracetool
