#!/bin/sh
# SPDX-License-Identifier: MIT
# manual.sh FOLDER: writes the manual as HTML to FOLDER: man pages with links between them, pages
# for users from docs/, and an index. It can be read from disk, without a server. Run
# scripts/tour.sh first for the tour's pictures; a tour without pictures is left out.
set -eu
folder=$1
here=$(dirname "$(realpath "$0")")
pages=$here/../man
docs=$here/../docs
if ! command -v mandoc >/dev/null || ! command -v cmark-gfm >/dev/null; then
    echo "manual.sh: as root:  apt-get install mandoc cmark-gfm" >&2
    exit 1
fi
mkdir -p "$folder"

cat >"$folder/manual.css" <<'END'
:root { color-scheme: light dark; --quiet: color-mix(in srgb, currentColor 60%, transparent); }
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
code, pre, .Nm, .Fl, .Cm, .Pa { font-family: ui-monospace, monospace; font-size: 0.94em; }
h1.Sh { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h2.Ss { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
a { color: inherit; text-decoration-color: var(--quiet); }
a.permalink { text-decoration: none; }
pre { overflow-x: auto; padding: 0.6rem 0.9rem; border-left: 3px solid var(--quiet); }
table { border-spacing: 0; }
td, th { padding: 0 0.8rem 0.2rem 0; vertical-align: top; text-align: left; }
table.Nm + br { display: none; }
table.head, table.foot { width: 100%; color: var(--quiet); font-size: 0.85rem; }
.head-vol, .foot-date { text-align: center; }
.head-rtitle, .foot-os { text-align: right; }
dt { margin-top: 0.5rem; }
dd { margin-left: 2rem; }
img { max-width: 100%; vertical-align: middle; }
END

# mandoc(1) makes links of all references to pages. Those to other projects' pages become plain text
# again.
cd "$folder"
for page in "$pages"/*.[1-8]; do
    name=$(basename "$page")
    cp "$page" "$name.source"
    : >"$name.html"
done
for page in *.source; do
    name=${page%.source}
    mandoc -T html -O 'style=manual.css,man=%N.%S.html' "$page" >"$name.html.tmp"
done
for page in *.source; do
    name=${page%.source}
    sed -n 's/.*href="\([^"#]*\.html\)".*/\1/p' "$name.html.tmp" | sort -u >"$name.links"
    while read -r link; do
        [ -e "$link" ] || printf 's|<a \\([^>]*\\)href="%s"|<a \\1|g\n' "$link"
    done <"$name.links" >"$name.sed"
    sed -f "$name.sed" "$name.html.tmp" >"$name.html"
    rm "$name.html.tmp" "$name.links" "$name.sed"
done

# Pages that are not man pages. Their title is the text after the first `#`.
readers='tour testing comparison programs compatibility upgrading portability'
[ ! -e real-frame.png ] || readers="tour tour-real ${readers#tour }"
for name in $readers; do
    title=$(sed -n '1s/^# //p' "$docs/$name.md")
    {
        echo "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>gpudumpfs: $title</title>"
        echo '<link rel="stylesheet" href="manual.css"><p><a href="index.html">manual</a></p>'
        cmark-gfm -e table "$docs/$name.md"
        echo '</html>'
    } >"$name.html"
done

{
    echo '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>gpudumpfs: manual</title>'
    echo '<link rel="stylesheet" href="manual.css"><h1 class="Sh">gpudumpfs: manual</h1><dl>'
    for name in $readers; do
        echo "<dt><a href=\"$name.html\">$(sed -n '1s/^# //p' "$docs/$name.md")</a>"
    done
    for page in *.source; do
        name=${page%.source}
        title=${name%.*} section=${name##*.}
        about=$(sed -n 's/^\.Nd //p' "$page" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/\\[&-]//g')
        echo "<dt><a href=\"$name.html\">$title($section)</a><dd>$about"
        rm "$page"
    done
    echo '</dl></html>'
} >index.html
