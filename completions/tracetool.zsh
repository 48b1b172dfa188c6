#compdef tracetool
# Completion of tracetool for zsh. The tables are made out of those of the program.

# TABLES

# The traces of the database: names that come out of logs, so they are never evaluated.
_tracetool_traces() {
    tracetool ${1:+-d} ${1:+"$1"} -q traces --format tsv 2>/dev/null | sed '/^#/d; s/\t.*//'
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
        *)
            names+=("${line%%$'\t'*}")
            shown+=("${line/$'\t'/  }")
            ;;
        esac
    done
    (( ${#names} )) && compadd -l -d shown -a names
}

_tracetool() {
    local previous='' command='' database='' word
    local -a takes
    integer i

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
        fi
    done
    if [[ -n $previous ]]; then
        _tracetool_offer "values $previous"
    elif [[ $PREFIX == -* ]]; then
        _tracetool_offer "options ${command:-help}"
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
