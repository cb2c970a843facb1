"""A module keeps a device.

What it protects: ``module.to(...)``, sharding and pipelines. They move parameters and buffers, not Python
attributes, so a device kept on an ``nn.Module`` goes stale, and a module that spans several devices has none.

Judged are subclasses of ``nn.Module``, by their bases: an assignment of a device to an attribute of
``self`` under any name, in a constructor, a property or in ``to()`` and ``_apply()``, and a ``device``
property that asks the first parameter. Several devices in a list, switches and functions with "device"
in their name are left alone, and so are the bases that define a device by contract, environments above all,
with what derives from them, and the testing folder, whose mocks have the attributes of what they stand for.

Bad:

    class Encoder(nn.Module):
        def __init__(self, device=None):
            super().__init__()
            self.net = nn.Linear(3, 3, device=device)
            self.device = device

        def forward(self, x):
            return self.net(x.to(self.device))

Good:

    class Encoder(nn.Module):
        def __init__(self, device=None):
            super().__init__()
            self.net = nn.Linear(3, 3, device=device)

        def forward(self, x):
            return self.net(x.to(self.net.weight.device))

How to fix: take the device from the input, the parameter or the buffer that the operation uses; make tensors
with ``tensor.new_*`` or ``device=tensor.device``; register tensor state as a buffer.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..change import Change
from ..facts.records import Attribute, Class, Function
from ..finding import Finding
from ..project import Project
from ..project.bodies import body
from ..project.modules import descends, is_module, method_of
from ..project.mro import mro
from ..project.worlds import dotted_name, parse

SUMMARY = "An nn.Module keeps a device, which to() does not move"
SEVERITY = "error"
SECTION = "6a"
CONCERNS = ("package",)
REPEATABLE = True

_DEVICE = re.compile(r"(?:.*_)?device")
_PLAIN = ("device", "_device")
_MOVERS = ("to", "_apply", "cuda", "cpu")


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        if path.startswith(project.profile["testing"] + "/"):
            continue
        module = project.module(path)
        for item in module.attributes if module else ():
            place = method_of(module, item.scope)
            if place and _keeps(item, place[1]) and _concerns(project, path, place[0]):
                yield _kept(path, item, *place)
        for function in module.functions if module else ():
            if function.name == "device" and any(
                decorator.text.endswith("property") for decorator in function.decorators
            ):
                place = method_of(module, function.qualname)
                if place and _concerns(project, path, place[0]) and _asks_first_parameter(project, path, function):
                    yield Finding(
                        path,
                        function.line,
                        function.qualname,
                        "This property takes the first parameter's device for the module's, which may span several",
                        "Delete it, and take the device from the tensor that each operation uses.",
                        text="first parameter",
                    )


def _kept(path: str, item: Attribute, owner: Class, method: Function) -> Finding:
    how = (
        f"{method.name}() keeps it in step, which encodes a single device all the same"
        if method.name in _MOVERS
        else f"to() and sharding do not move what {method.name} stores"
    )
    return Finding(
        path,
        item.line,
        f"{owner.qualname}.{item.name}",
        f"{owner.name} is an nn.Module and keeps a device in self.{item.name}: {how}",
        "Take the device from the input, parameter or buffer that the operation uses.",
        text=f"{item.owner}.{item.name} = {item.value}",
        column=item.column,
        end_line=item.end_line,
    )


def _concerns(project: Project, path: str, owner: Class) -> bool:
    line = mro(project, path, owner)
    return is_module(line) and not descends(line, project.profile["device-by-contract"])


def _keeps(item: Attribute, method: Function) -> bool:
    """Whether an assignment keeps one device on the instance."""
    if not method.parameters or item.owner != method.parameters[0].name:
        return False
    value = parse(item.value) if item.value else None
    if value is None:
        return False
    if item.name in _PLAIN:
        return _may_be_device(value)
    # Whatever the call of a helper named after devices gives, it is one only under a name that says so.
    return _is_device(value, helpers=_DEVICE.fullmatch(item.name) is not None)


def _may_be_device(value: ast.expr) -> bool:
    """For an attribute that is called device: all but what is certainly something else."""
    if isinstance(value, ast.IfExp):
        return _may_be_device(value.body) or _may_be_device(value.orelse)
    if isinstance(value, (ast.Name, ast.Call, ast.BoolOp, ast.Subscript)):
        return True
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str)
    return isinstance(value, ast.Attribute) and _is_device(value)


def _is_device(value: ast.expr, helpers: bool = True) -> bool:
    """Whether an expression is a device by what it says."""
    if isinstance(value, ast.IfExp):
        return _is_device(value.body, helpers) or _is_device(value.orelse, helpers)
    if isinstance(value, ast.BoolOp):
        return any(_is_device(part, helpers) for part in value.values)
    if isinstance(value, ast.Name):
        return _DEVICE.fullmatch(value.id) is not None
    if isinstance(value, ast.Attribute):
        return _DEVICE.fullmatch(value.attr) is not None
    if isinstance(value, ast.Call):
        name = dotted_name(value.func).rpartition(".")[2]
        if name in ("pop", "get", "getattr"):
            return any(isinstance(argument, ast.Constant) and argument.value == "device" for argument in value.args[:2])
        return name == "device" or (
            helpers and _DEVICE.fullmatch(name) is not None and not name.startswith(("has_", "is_", "set_"))
        )
    return False


def _asks_first_parameter(project: Project, path: str, function: Function) -> bool:
    node = body(project, path, function)
    own = f"{function.parameters[0].name if function.parameters else ''}.parameters()"
    asked = {f"next({own}).device", f"next(iter({own})).device", f"list({own})[0].device"}
    nodes = list(ast.walk(node)) if node else []
    for item in nodes:
        if isinstance(item, ast.For) and ast.unparse(item.iter) == own:
            asked.add(f"{ast.unparse(item.target)}.device")
    return any(isinstance(item, ast.Return) and item.value and ast.unparse(item.value) in asked for item in nodes)
