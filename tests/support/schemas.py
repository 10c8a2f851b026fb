# SPDX-License-Identifier: MIT
"""Checks JSON that programs write against the schemas in docs/. A key that is not in the schema is
an error here."""
import json
import os

try:
    import jsonschema
except ImportError:
    jsonschema = None


def closed(schema):
    """Returns the schema with additional keys forbidden."""
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
        """Returns the violations of that part of the schema, a line each."""
        validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/" + kind, "$defs": self.parts})
        return [f"{'.'.join(map(str, error.absolute_path))}: {error.message}"
                for error in validator.iter_errors(document)]

    def check(self, kind, document):
        """Returns the document after checking it. Without jsonschema there is no check: the test has to skip itself."""
        found = self.lacks(kind, document) if jsonschema is not None else []
        assert not found, "\n".join(found)
        return document


REPORTS, DATASET = Schema("reports"), Schema("dataset")
