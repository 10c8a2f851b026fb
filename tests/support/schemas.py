# SPDX-License-Identifier: MIT
"""JSON that programs write, against the schemas in docs/. Keys that they do not have are wrong here."""
import json
import os

try:
    import jsonschema
except ImportError:
    jsonschema = None


def closed(schema):
    """The same without other keys."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    more = {"additionalProperties": False} if isinstance(schema.get("properties"), dict) else {}
    return {key: closed(value) for key, value in schema.items()} | more


class Schema:
    def __init__(self, name):
        with open(os.path.join(os.environ.get("top_srcdir", "."), "docs", name + ".schema.json")) as file:
            self.document = json.load(file)
        self.parts = closed(self.document)["$defs"]

    def lacks(self, kind, document):
        """What that part has against it, a line each."""
        validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/" + kind, "$defs": self.parts})
        return [f"{'.'.join(map(str, error.absolute_path))}: {error.message}"
                for error in validator.iter_errors(document)]

    def check(self, kind, document):
        """The document, which the schema has nothing against; where nothing can tell, it is the test that says so."""
        found = self.lacks(kind, document) if jsonschema is not None else []
        assert not found, "\n".join(found)
        return document


REPORTS, DATASET = Schema("reports"), Schema("dataset")
