# shellcheck shell=bash
# bash completion for gpudumpfs(1) and gpudump(1)                -*- shell-script -*-

# The extensions of the formats, plain and compressed; of a GAPIR replay that of payload.bin.
_gpudumpfs_dumps='@(psxgpu|aerogputrace|bin|csv|trace)?(.@(zst|xz|gz))'

# The option table stands in the program: `-o NAME[=ARGUMENT]  what it does`.
_gpudumpfs_table() {
    "$1" --help 2>/dev/null | sed -n 's/^  -o \([a-z][^ ,]*\)\(  .*\)\{0,1\}$/\1/p'
}

# _gpudumpfs_option PROGRAM: the last one of a list of options, or its value.
_gpudumpfs_option() {
    local before='' last=$cur row name argument
    if [[ $cur == *,* ]]; then
        before=${cur%,*},
        last=${cur##*,}
    fi
    if [[ $last == *=* ]]; then
        name=${last%%=*}
        before+=$name=
        last=${last#*=}
        while read -r row; do
            [[ $row == "$name="* ]] || continue
            argument=${row#*=}
            [[ $argument != *"|"* ]] || mapfile -t COMPREPLY < <(compgen -W "${argument//|/ }" -- "$last")
            [[ $argument != PATH ]] || mapfile -t COMPREPLY < <(compgen -f -- "$last")
            [[ $argument != DIR ]] || mapfile -t COMPREPLY < <(compgen -d -- "$last")
        done < <(_gpudumpfs_table "$1")
    else
        mapfile -t COMPREPLY < <(compgen -W "$(_gpudumpfs_table "$1" | sed 's/=.*/=/')" -- "$last")
        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
    fi
    COMPREPLY=("${COMPREPLY[@]/#/$before}")
    # bash cuts words at each `=`, and will replace what stands behind the last one alone.
    if [[ $cur == *=* && $COMP_WORDBREAKS == *=* ]]; then
        before=${cur%"${cur##*=}"}
        COMPREPLY=("${COMPREPLY[@]#"$before"}")
    fi
}

# The words before the current one that are neither flags nor their arguments.
_gpudumpfs_positionals() {
    local i
    for ((i = 1; i < cword; i++)); do
        case ${words[i]} in
        -*o) ((i++)) ;; # also --readback-to
        -*) ;;
        *) echo "${words[i]}" ;;
        esac
    done
}

# The places of the mounts that there are; those with escapes are left to be typed.
_gpudumpfs_mounts() {
    local place
    while IFS= read -r place; do
        [[ $place != "$cur"* ]] || COMPREPLY+=("$(printf %q "$place")")
    done < <("${words[0]}" --list 2>/dev/null | sed '1d; s/\t.*//; /\\/d')
}

_gpudumpfs() {
    local cur prev words cword
    _get_comp_words_by_ref -n =: cur prev words cword || return
    COMPREPLY=()
    if [[ $prev == --readback-to ]]; then
        _filedir
    elif [[ $prev == -*o ]]; then
        _gpudumpfs_option "${words[0]}"
    elif [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '-d -f -h -o -q -s -v -V --dir --follow --help --list --readback-to --unmount --version' -- "$cur")
    elif [[ ${words[*]} == *' --unmount '* ]]; then
        _gpudumpfs_mounts
    elif [[ -z $(_gpudumpfs_positionals) && ${words[*]} != *' --dir '* ]]; then
        _filedir "$_gpudumpfs_dumps"
    else
        _filedir -d
    fi
} && complete -F _gpudumpfs gpudumpfs

# _gpudump_path DUMP: a path within the dump, asked of the dump itself. Names of files
# have an extension, names of directories have none.
_gpudump_path() {
    local folder=''
    [[ $cur != */* ]] || folder=${cur%/*}/
    mapfile -t COMPREPLY < <(compgen -W "$("${words[0]}" -q ls "$1" "/$folder" 2>/dev/null |
        sed "s|^|$folder|; /\.[a-z]*\$/!s|\$|/|")" -- "$cur")
    [[ ${COMPREPLY[0]-} != */ ]] || compopt -o nospace
}

_gpudump() {
    local cur prev words cword positionals
    _get_comp_words_by_ref -n =: cur prev words cword || return
    COMPREPLY=()
    mapfile -t positionals < <(_gpudumpfs_positionals)
    if [[ $prev == -*o ]]; then
        _gpudumpfs_option "${words[0]}"
    elif [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '-h -j -l -o -q -R -s -v -V -x --help --jobs --parents --picture --range --version' -- "$cur")
    elif [[ ${#positionals[@]} -eq 0 ]]; then
        mapfile -t COMPREPLY < <(compgen -W 'cat cp diff export info ls thumbnail' -- "$cur")
    elif [[ ${#positionals[@]} -eq 1 ]]; then
        _filedir "$_gpudumpfs_dumps"
    elif [[ ${positionals[0]} != info ]]; then
        _gpudump_path "${positionals[1]}"
        [[ ${positionals[0]} != @(cp|export|thumbnail) || ${#positionals[@]} -lt 3 ]] || _filedir
    fi
} && complete -F _gpudump gpudump
