#!/bin/bash
# SPDX-License-Identifier: MIT
# bump.sh VERSION: the sources become those of that version: VERSION, NEWS, debian/changelog, recipes,
# Python's package and the dates of man pages. Commit and tag follow by hand (docs/VERIFY.md).
# bump.sh --check: names each place that is of another version than VERSION.
# bump.sh --release: and what else stands against `make release` of these sources.
# SOURCE_DATE_EPOCH is the time of the release, by default now.
set -eu -o pipefail
cd "$(dirname "$(realpath "$0")")/.."
export LC_ALL=C
number='[0-9]+\.[0-9]+\.[0-9]+'

# Files, and for sed -E the line of theirs that has the version: what stands around it is \1 and \3.
places=(
    debian/changelog "1s/^(gpudumpfs \()($number)(-[0-9]+\).*)"
    packaging/APKBUILD "s/^(pkgver=)($number)()"
    packaging/PKGBUILD "s/^(pkgver=)($number)()"
    packaging/gpudumpfs.spec "s/^(Version: +)($number)()"
    packaging/package.nix "s/^( +version = \")($number)(\";)"
    python/gpudumpfs/__init__.py "s/^(__version__ = \")($number)(\")"
)

tell() {
    echo "bump.sh: $1" >&2
    wrong=1
}

# same FILE VERSION
same() {
    [ "$2" = "$version" ] || tell "$1 is of ${2:-no version}, VERSION is $version"
}

# The first heading of NEWS: a version, or "After" one.
newest() {
    grep -m 1 -x -E "(After )?$number" NEWS || true
}

checked() {
    local i
    for ((i = 0; i < ${#places[@]}; i += 2)); do
        same "${places[i]}" "$(sed -n -E "${places[i + 1]}\$/\2/p" "${places[i]}")"
    done
    same NEWS "$(newest | sed 's/^After //')"
}

page_date() {
    date -u -d "$1" '+%B %-d, %Y'
}

# What is released is a commit with a tag, and its pages are of the day that debian/changelog tells.
releasable() {
    local page day
    day=$(page_date "$(sed -n '/^ -- /{s/.*>  //p;q}' debian/changelog)")
    [ "$(newest)" = "$version" ] || tell "NEWS has what comes after a version: bump.sh VERSION first"
    for page in man/*.[1-9]; do
        grep -q -x -F ".Dd $day" "$page" || tell "$page is not of $day"
    done
    [ -e .git ] || return 0
    [ -z "$(git status --porcelain --untracked-files=no)" ] || tell "files were changed since the last commit"
    git tag --points-at HEAD | grep -q -x -F "v$version" || tell "the last commit has no tag v$version"
}

# renew VERSION
renew() {
    local i when day log
    when=@${SOURCE_DATE_EPOCH:-$(date +%s)}
    [ "$(newest)" = "After $version" ] || tell "NEWS has nothing after $version"
    [ $wrong = 0 ] || return 0
    sed -i "s/^After $version\$/$1/" NEWS
    for ((i = 0; i < ${#places[@]}; i += 2)); do
        [ "${places[i]}" = debian/changelog ] || sed -i -E "${places[i + 1]}\$/\1$1\3/" "${places[i]}"
    done
    log=$(cat debian/changelog)
    {
        printf 'gpudumpfs (%s-1) unstable; urgency=medium\n\n  * New release: see NEWS.\n\n' "$1"
        printf ' -- %s  %s\n\n' "$(sed -n 's/^Maintainer: //p' debian/control)" "$(date -u -R -d "$when")"
        printf '%s\n' "$log"
    } >debian/changelog
    day=$(page_date "$when")
    sed -i "s/^\.Dd .*/.Dd $day/" man/*.[1-9]
    echo "$1" >VERSION
}

version=$(cat VERSION) wrong=0
checked
case ${1:-} in
--check) ;;
--release) releasable ;;
*)
    if [ $# -ne 1 ] || ! grep -q -x -E "$number" <<<"$1"; then
        echo "usage: bump.sh VERSION | --check | --release" >&2
        exit 2
    fi
    [ $wrong != 0 ] || renew "$1"
    ;;
esac
exit $wrong
