#!/bin/bash
# SPDX-License-Identifier: MIT
# bump.sh VERSION: sets the version of the sources: in VERSION, NEWS, debian/changelog, packaging
# recipes and the Python package; also sets the dates of man pages. Commit and tag by hand
# (docs/VERIFY.md). bump.sh --check: reports each place whose version differs from VERSION.
# bump.sh --release: also reports everything else that forbids `make release` of these sources.
# SOURCE_DATE_EPOCH is the time of the release, by default now.
set -eu -o pipefail
cd "$(dirname "$(realpath "$0")")/.."
export LC_ALL=C
number='[0-9]+\.[0-9]+\.[0-9]+'

# For each file, the sed -E command that finds its version: \1 and \3 are the text before and after.
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

# same FILE VERSION: reports the file if that version is not the one in VERSION.
same() {
    [ "$2" = "$version" ] || tell "$1 is of ${2:-no version}, VERSION is $version"
}

# Prints the first heading of NEWS: "VERSION" or "After VERSION".
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

# Checks for a release: HEAD must have the version's tag, and pages must have the date of
# debian/changelog.
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

# renew VERSION: writes the new version to all places.
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
