"""What the package promises: Python 3.9, the standard library only, types that resolve, one version."""

from __future__ import annotations

import ast
import inspect
import re
import typing
import unittest
from pathlib import Path

import marquee_client
from marquee_client import AsyncClient, Client, types

FOLDER = Path(__file__).parents[1]
SOURCES = sorted((FOLDER / "marquee_client").glob("*.py")) + sorted((FOLDER / "examples").glob("*.py"))

#: The modules of the standard library that are used; all of them are in Python 3.9.
MODULES = set(
    "__future__ asyncio collections dataclasses datetime email http io json math os pathlib random re select socket ssl sys"
    " threading time typing urllib zlib".split()
)

#: Names that came after Python 3.9, by their modules.
NEWER = {
    "asyncio": "Barrier Runner TaskGroup timeout timeout_at Queue.shutdown",
    "collections": "",
    "contextlib": "aclosing AsyncContextDecorator chdir",
    "datetime": "UTC",
    "itertools": "pairwise batched",
    "math": "cbrt exp2 sumprod fma",
    "random": "binomialvariate",
    "socket": "",
    "typing": "Annotated Concatenate Generic.Unpack LiteralString Never NotRequired ParamSpec ReadOnly Required Self"
    " TypeAlias TypeAliasType TypeGuard TypeIs TypeVarTuple Unpack assert_never assert_type is_typeddict override reveal_type"
    " dataclass_transform get_overloads clear_overloads get_protocol_members is_protocol NoDefault",
}
NEWER_BUILTINS = {"aiter", "anext", "BaseExceptionGroup", "ExceptionGroup", "EncodingWarning", "PythonFinalizationError"}
#: Arguments that came after Python 3.9, by the name of the function.
NEWER_ARGUMENTS = {"zip": {"strict"}, "dataclass": {"slots", "kw_only", "match_args"}}


class Package(unittest.TestCase):
    def test_sources_are_of_python_3_9(self) -> None:
        self.assertGreater(len(SOURCES), 15)
        for file in SOURCES:
            with self.subTest(file=file.name):
                text = file.read_text("utf-8")
                tree = ast.parse(text, feature_version=(3, 9))
                for node in ast.walk(tree):
                    self.check_node(node)
                annotated = any(isinstance(node, (ast.AnnAssign, ast.FunctionDef)) for node in ast.walk(tree))
                if annotated and file.parent.name == "marquee_client":
                    # Without it, Python 3.9 would evaluate annotations.
                    self.assertIn("from __future__ import annotations", text)

    def check_node(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for name in node.names:
                self.assertIn(name.name.split(".")[0], MODULES | {"marquee_client"})
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            module = str(node.module).split(".")[0]
            self.assertIn(module, MODULES | {"marquee_client"})
            for name in node.names:
                self.assertNotIn(name.name, NEWER.get(module, "").split())
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            self.assertNotIn(node.attr, NEWER.get(node.value.id, "").split())
        if isinstance(node, ast.Name):
            self.assertNotIn(node.id, NEWER_BUILTINS)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            used = {keyword.arg for keyword in node.keywords}
            self.assertFalse(used & NEWER_ARGUMENTS.get(node.func.id, set()))

    def test_types_resolve(self) -> None:
        names = [name for name, value in vars(types).items() if isinstance(value, type) and value.__module__ == types.__name__]
        self.assertIn("Movie", names)
        for name in names:
            typing.get_type_hints(getattr(types, name))
        self.assertLessEqual({"id", "title", "streamingOptions"}, types.Movie.__required_keys__)
        self.assertIn("releaseYear", types.Movie.__optional_keys__)
        self.assertIn("1week", types.Popularity.__optional_keys__)

    def test_both_clients_have_the_same_methods(self) -> None:
        def methods(kind: type) -> typing.Dict[str, typing.List[str]]:
            return {
                name: [one for one in inspect.signature(value).parameters]
                for name, value in inspect.getmembers(kind, inspect.isfunction)
                if not name.startswith("_")
            }

        self.assertEqual(methods(Client), methods(AsyncClient))
        self.assertGreaterEqual(len(methods(Client)), 16)
        for kind in (Client, AsyncClient):
            for name in methods(kind):
                with self.subTest(kind=kind.__name__, method=name):
                    typing.get_type_hints(getattr(kind, name))

    def test_the_version_is_one(self) -> None:
        project = (FOLDER / "pyproject.toml").read_text("utf-8")
        version = re.search(r'^version = "(.+)"$', project, re.M)
        self.assertEqual(version and version[1], marquee_client.__version__)
        self.assertTrue((FOLDER / "marquee_client" / "py.typed").exists())
