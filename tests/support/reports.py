# SPDX-License-Identifier: MIT
"""Reports as JSON, against docs/reports.schema.json. Keys that it does not have are wrong here."""
import json
import os

try:
    import jsonschema
except ImportError:
    jsonschema = None

with open(os.path.join(os.environ.get("top_srcdir", "."), "docs", "reports.schema.json")) as file:
    SCHEMA = json.load(file)


def closed(schema):
    """The same without other keys."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    more = {"additionalProperties": False} if isinstance(schema.get("properties"), dict) else {}
    return {key: closed(value) for key, value in schema.items()} | more


CLOSED = closed(SCHEMA)


def lacks(kind, document):
    """What the schema of that kind has against it, a line each."""
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/" + kind, "$defs": CLOSED["$defs"]})
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message}" for error in validator.iter_errors(document)]


def check(kind, document):
    """The document, which the schema has nothing against; where nothing can tell, it is the test that says so."""
    found = lacks(kind, document) if jsonschema is not None else []
    assert not found, "\n".join(found)
    return document
