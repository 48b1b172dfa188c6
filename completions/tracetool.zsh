#compdef tracetool
# Completion of tracetool for zsh. The tables are made out of those of the program.

# TABLES

# The traces of the database: names that come out of logs, so they are never evaluated.
_tracetool_traces() {
    tracetool ${1:+-d} ${1:+"$1"} -q traces --format tsv 2>/dev/null | sed '/^#/d; s/\t.*//'
}

# The names that a query gives from the database.
_tracetool_names() {
    tracetool ${1:+-d} ${1:+"$1"} -q sql --format tsv "$2" 2>/dev/null | sed '1d; /^$/d'
}

# Offers the words of a table with their help.
_tracetool_offer() {
    local -a names shown traces
    local line

    for line in "${(@f)$(_tracetool_table "$1")}"; do
        case $line in
        '') ;;
        @files) _files ;;
        @traces)
            traces=("${(@f)$(_tracetool_traces "$database")}")
            compadd -a traces
            ;;
        '@sql '*)
            traces=("${(@f)$(_tracetool_names "$database" "${line#@sql }")}")
            compadd -a traces
            ;;
        *)
            names+=("${line%%$'\t'*}")
            shown+=("${line/$'\t'/  }")
            ;;
        esac
    done
    (( ${#names} )) && compadd -l -d shown -a names
}

_tracetool() {
    local previous='' command='' database='' report='' word
    local -a takes
    integer i count=1

    takes=("${(@f)$(_tracetool_table takes)}")
    for ((i = 2; i < CURRENT; i++)); do
        word=${words[i]}
        if [[ -n $previous ]]; then
            [[ $previous == -d || $previous == --db ]] && database=${word/#\~\//$HOME/}
            previous=
        elif [[ $word == -* ]]; then
            (( ${takes[(Ie)$word]} )) && previous=$word
        elif [[ -z $command ]]; then
            command=$word
        elif [[ -n $(_tracetool_table "words $command $word") ]]; then
            command+=" $word"
        else
            ((++count))
            [[ -n $(_tracetool_table "values --by $word") ]] && report=$word
        fi
    done
    if [[ -n $previous && -n $report && -n $(_tracetool_table "values $previous $report") ]]; then
        _tracetool_offer "values $previous $report"
    elif [[ -n $previous ]]; then
        _tracetool_offer "values $previous"
    elif [[ $PREFIX == -* ]]; then
        _tracetool_offer "options ${command:-help}"
    elif [[ -n $(_tracetool_table "words $command $count") ]]; then
        _tracetool_offer "words $command $count"
    elif [[ -n $command ]]; then
        _tracetool_offer "words $command"
    else
        _tracetool_offer commands
    fi
}

# Loaded as a function of the name by zsh, or read in by `source`.
if [[ $funcstack[1] == _tracetool ]]; then
    _tracetool "$@"
elif (( $+functions[compdef] )); then
    compdef _tracetool tracetool
fi
