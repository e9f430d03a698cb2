"""The same program with other names for its variables."""

import ast
import builtins


def renamed(code: str, kept: set[str]) -> str:
    """`code`, each variable of its own renamed but those in `kept`.

    Its own are those that it assigns, and its functions' parameters. What it is called by (names of
    keyword arguments) stays.
    """
    tree = ast.parse(code)
    own = {node.id for node in ast.walk(tree) if _is_stored(node)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own -= kept | set(dir(builtins)) | {"torch"}
    names = {name: f"renamed_{index}" for index, name in enumerate(sorted(own))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
    return ast.unparse(tree)


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
