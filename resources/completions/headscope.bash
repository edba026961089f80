# Completion of headscope's command line, for bash. What there is to complete is asked of the program itself:
# its --help names every option and command, and it names the words an option takes when given none of them.

_headscope_options() { "$1" --language en --help | grep -oE -- '(^| )--?[a-z][a-z-]*' | tr -d ' ' | sort -u; }

_headscope_commands() { "$1" --language en --help | sed -n 's/^  headscope \([a-z][a-z]*\) .*/\1/p' | sort -u; }

# Nothing can come of this command line, whatever the option: heads are never "?".
_headscope_words() { "$1" "$2" '?' --heads '?' 2>&1 | sed -n 's/.*must be one of //p' | tr -d ','; }

_headscope() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local offered
    COMPREPLY=()
    case $previous in
        --out | --merge) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
        --scaling) mapfile -t COMPREPLY < <(compgen -W 'on off on,off' -- "$word") ;;
        --*)
            offered=$(_headscope_words "$program" "$previous")
            [[ -z $offered ]] || mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$word")
            ;;
    esac
    ((${#COMPREPLY[@]} == 0)) || return 0
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_headscope_options "$program")" -- "$word")
    elif ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$(_headscope_commands "$program")" -- "$word")
    fi
}

# Where there is nothing to offer, readline's own: file names.
complete -o default -F _headscope headscope
