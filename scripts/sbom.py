#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
sbom.py TARBALL: prints the software bill of materials of a release, as SPDX 2.3 in JSON
(spdx.github.io/spdx-spec/v2.3). The libraries are those that configure.ac and the formats'
configure.m4 look for; their versions are those on this machine, from pkg-config. The same
tarball on the same machine gives the same bytes.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import time

TEST_ONLY = {"cmocka"}


def modules(tarball):
    """Returns the sorted names of the pkg-config modules that the tarball's configure looks for."""
    found = set()
    for member in tarball.getmembers():
        if re.fullmatch(r"[^/]+/(configure\.ac|src/formats/\w+/configure\.m4)", member.name):
            text = tarball.extractfile(member).read().decode()
            for names in re.findall(r"(?:PKG_CHECK_MODULES|GPUDUMPFS_LIBRARY)\(\[\w+\],\s*\[(.*?)\]", text):
                found |= set(re.sub(r"[<>=]+ *[\d.]+", "", names).split())
    return sorted(found - TEST_ONLY)


def version_of(module):
    known = subprocess.run(["pkg-config", "--modversion", module], capture_output=True, text=True)
    return known.stdout.strip() if known.returncode == 0 else None


def package(identifier, name, version, **more):
    row = {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", identifier), "name": name,
           "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
           "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
           "copyrightText": "NOASSERTION", **more}
    if version:
        row["versionInfo"] = version
    return row


def document(path):
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    with tarfile.open(path) as tarball:
        root = tarball.getmembers()[0].name.split("/")[0]
        made = tarball.getmembers()[0].mtime
        libraries = [package("library-" + name, name, version_of(name)) for name in modules(tarball)]
    name, version = root.rsplit("-", 1)
    ours = package(name, name, version, licenseConcluded="MIT", licenseDeclared="MIT",
                   packageFileName=os.path.basename(path),
                   checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
    links = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
              "relatedSpdxElement": ours["SPDXID"]}]
    links += [{"spdxElementId": ours["SPDXID"], "relationshipType": "DEPENDS_ON",
               "relatedSpdxElement": library["SPDXID"]} for library in libraries]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": root, "documentNamespace": f"https://spdx.org/spdxdocs/{root}-{digest}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(made)),
                         "creators": ["Tool: gpudumpfs-sbom.py"]},
        "packages": [ours, *libraries], "relationships": links}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: sbom.py TARBALL")
    json.dump(document(sys.argv[1]), sys.stdout, indent=2)
    print()
