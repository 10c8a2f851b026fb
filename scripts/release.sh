#!/bin/sh
# SPDX-License-Identifier: MIT
# release.sh TARBALL [FOLDER]: writes to FOLDER (default: build-release) what is published of a
# release: the tarball of `make dist`, its software bill of materials, checksums, their signature by
# the key RELEASE_KEY (a name that gpg knows; default: gpg's first key), the public half of the key,
# and instructions for users: docs/VERIFY.md without its part for those who make releases.
set -eu
tarball=$(realpath "$1")
folder=${2:-build-release}
here=$(dirname "$(realpath "$0")")

command -v gpg >/dev/null || {
    echo "release.sh: as root:  apt-get install gnupg" >&2
    exit 1
}
name=$(basename "$tarball" .tar.xz)
rm -rf "$folder"
mkdir -p "$folder"
cp "$tarball" "$folder"
"$here/sbom.py" "$tarball" >"$folder/$name.spdx.json"
sed "/^## Making one/,\$d; s/VERSION/${name#gpudumpfs-}/g" "$here/../docs/VERIFY.md" >"$folder/VERIFY.md"
cd "$folder"
sha256sum "$name.tar.xz" "$name.spdx.json" >SHA256SUMS
gpg --batch --yes ${RELEASE_KEY:+--local-user "$RELEASE_KEY"} --armor --detach-sign SHA256SUMS
key=$(gpg --batch --status-fd 1 --verify SHA256SUMS.asc SHA256SUMS | sed -n 's/.* VALIDSIG .* //p')
gpg --batch --armor --export "$key" >KEY.asc
echo "release.sh: signed by the key $key; $folder has:" && ls -l
