"""Expressions: parsed, checked against an allow-list, then compiled."""

import ast

ALLOWED = (
    ast.Expression, ast.Constant, ast.Name, ast.Load,
    ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod,
    ast.UnaryOp, ast.USub, ast.Not,
    ast.BoolOp, ast.And, ast.Or,
    ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
    ast.IfExp, ast.Subscript,
)
LONGEST = 200


class ExpressionError(ValueError):
    """The expression uses something that templates may not."""


def compile_expression(source):
    if len(source) > LONGEST:
        raise ExpressionError(f"expression of {len(source)} characters, at most {LONGEST}")
    try:
        tree = ast.parse(source.strip(), mode="eval")
    except SyntaxError as error:
        raise ExpressionError(f"cannot read '{source}': {error.msg}") from None
    for node in ast.walk(tree):
        if not isinstance(node, ALLOWED):
            raise ExpressionError(f"{type(node).__name__} is not allowed in '{source}'")
        if isinstance(node, ast.Name) and node.id.startswith("_"):
            raise ExpressionError(f"name '{node.id}' is not allowed")
    return compile(tree, "<template>", "eval")


def evaluate(code, values):
    return eval(code, {"__builtins__": {}}, dict(values))
