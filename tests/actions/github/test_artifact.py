"""What a stranger's artifact may try: nothing of it is unpacked, believed or shown as anything but text."""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from torchrl_preflight.actions.github import artifact
from torchrl_preflight.actions.github.artifact import of_folder, of_run
from torchrl_preflight.actions.github.client import GitHub
from torchrl_preflight.actions.github.results import results
from torchrl_preflight.hooks.finding import Edit

from .fake import Fake, zipped
from .stages import PATCH, finding, labels, lint, plan, smoke

HEAD = "a" * 40


def read(fake: Fake, github: GitHub, *zips: bytes) -> artifact.Read:
    fake.finish_run(5, HEAD, {f"preflight-{number}": data for number, data in enumerate(zips)})
    return of_run(github, 5)


def member(name: str, mode: int = 0o100644, data: bytes = b"{}") -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        info = zipfile.ZipInfo("x")
        info.filename = name
        info.external_attr = mode << 16
        archive.writestr(info, data)
        archive.writestr("lint.json", json.dumps(lint()))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("../lint.json", 0o100644),
        ("a/../../lint.json", 0o100644),
        ("/etc/passwd", 0o100644),
        ("..\\lint.json", 0o100644),
        ("C:\\x.json", 0o100644),
        ("link.json", 0o120777),
        ("plan.json", 0o120777),
    ],
)
def test_a_zip_that_leads_out_of_its_folder_is_not_read_at_all(
    fake: Fake, github: GitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, mode: int
) -> None:
    monkeypatch.chdir(tmp_path)
    found = read(fake, github, member(name, mode, b"/etc/passwd"))
    assert found.files == {}
    why = "there is a link in it" if mode == 0o120777 else "a name in it leads out of its folder"
    assert found.refused == [f"preflight-0 is not read: {why}"]
    assert list(tmp_path.iterdir()) == []


def test_only_files_of_known_names_are_read(fake: Fake, github: GitHub) -> None:
    names = [
        "lint.json",
        "smoke-a-1.json",
        "smoke-.json",
        "smoke-A.json",
        "x/lint.json",
        "lint.json.sh",
        "evil.py",
        "run.json\n",
    ]
    found = read(fake, github, zipped(dict.fromkeys(names, {})))
    assert sorted(found.files) == ["lint.json", "smoke-a-1.json"]


def test_artifacts_of_others_are_not_downloaded(fake: Fake, github: GitHub) -> None:
    fake.finish_run(5, HEAD, {"coverage": zipped({"lint.json": {}}), "preflight-lint": zipped({"lint.json": lint()})})
    assert list(of_run(github, 5).files) == ["lint.json"]
    assert len(fake.storage_headers) == 1


def test_too_large_by_github_s_word_is_not_downloaded(fake: Fake, github: GitHub) -> None:
    fake.finish_run(5, HEAD, {"preflight-lint": zipped({"lint.json": lint()})})
    fake.artifacts[5][0]["size_in_bytes"] = artifact.ZIP + 1
    assert of_run(github, 5).refused == ["preflight-lint is not read: 10485761 bytes are more than 10485760"]
    assert fake.storage_headers == []


def test_an_expired_artifact(fake: Fake, github: GitHub) -> None:
    fake.finish_run(5, HEAD, {"preflight-lint": zipped({"lint.json": lint()})})
    fake.artifacts[5][0]["expired"] = True
    assert of_run(github, 5) == artifact.Read({}, ["preflight-lint is not read: it has expired"])


def test_a_bomb_is_read_to_the_limit(fake: Fake, github: GitHub) -> None:
    bomb = zipped({"lint.json": b" " * (artifact.FILE + 5_000_000), "plan.json": plan()})
    assert len(bomb) < 50_000
    found = read(fake, github, bomb)
    assert found.refused == ["lint.json is not read: it is larger than 26214400 bytes"]
    assert list(found.files) == ["plan.json"]


def test_all_files_together_have_a_limit(fake: Fake, github: GitHub) -> None:
    half = b'"' + b" " * (artifact.FILE - 2) + b'"'
    found = read(fake, github, *(zipped({f"smoke-{number}.json": half}) for number in range(4)))
    assert list(found.files) == ["smoke-0.json", "smoke-1.json"]
    assert found.refused == [f"smoke-{number}.json is not read: it is larger than 0 bytes" for number in (2, 3)]


def test_many_artifacts_and_many_files(fake: Fake, github: GitHub) -> None:
    many = {f"preflight-{number}": zipped({f"smoke-{number}.json": {}}) for number in range(25)}
    fake.finish_run(5, HEAD, many)
    found = of_run(github, 5)
    assert (len(found.files), len(found.refused)) == (20, 5)
    found = read(fake, github, zipped({f"smoke-{number}.json": {} for number in range(300)}))
    assert found == artifact.Read({}, ["preflight-0 is not read: there are more than 256 files in it"])


def lying(data: bytes) -> bytes:
    """The central directory says that the file has three bytes."""
    at = data.rindex(b"PK\x01\x02") + 24
    return data[:at] + struct.pack("<I", 3) + data[at + 4 :]


@pytest.mark.parametrize(
    "data",
    [b"", b"no zip", zipped({"lint.json": {}})[:-10], lying(zipped({"lint.json": lint(finding(1))}))],
    ids=["empty", "text", "cut", "lying"],
)
def test_what_is_no_zip(fake: Fake, github: GitHub, data: bytes) -> None:
    found = read(fake, github, data)
    assert found.files == {}
    assert len(found.refused) == 1
    assert found.refused[0].startswith(
        ("preflight-0 is not read: it is no zip file", "lint.json is not read: it is no JSON")
    )


def test_two_files_of_one_name(fake: Fake, github: GitHub) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive, pytest.warns(UserWarning):
        archive.writestr("lint.json", json.dumps(lint()))
        archive.writestr("lint.json", json.dumps(lint(finding(1))))
    assert read(fake, github, stream.getvalue()).refused == [
        "preflight-0 is not read: two of its files have the same name"
    ]
    both = read(fake, github, zipped({"lint.json": lint()}), zipped({"lint.json": lint(finding(1))}))
    assert both.refused == ["lint.json is not read: there are two of this name"]


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"{", b"[" * 100_000, b"NaN", b'{"a": Infinity}', b"1" * 10_000, b"import os", b"\x80\x04."],
    ids=["empty", "bytes", "cut", "deep", "nan", "infinity", "huge number", "code", "pickle"],
)
def test_what_is_no_json(fake: Fake, github: GitHub, content: bytes) -> None:
    found = read(fake, github, zipped({"lint.json": content}))
    assert found.files == {}
    assert found.refused[0].startswith("lint.json is not read: it is no JSON")


def with_finding(**values: Any) -> dict[str, Any]:
    content = lint(finding(1, edit=Edit(PATCH, True)))
    content["findings"][0] |= values
    return content


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        "x",
        {},
        {**lint(), "schema": 2},
        {**lint(), "schema": True},
        {**lint(), "findings": {}},
        {**lint(), "findings": [None]},
        {**lint(), "notes": [1]},
        {**lint(), "base": {"commit": "--upload-pack=x", "chosen_by": ""}},
        with_finding(path="/etc/passwd"),
        with_finding(path="a/../../b"),
        with_finding(path=".."),
        with_finding(path="..\\b"),
        with_finding(path="C:/b"),
        with_finding(path="a\0b"),
        with_finding(path=""),
        with_finding(path="a" * 2_000),
        with_finding(rule="x](https://evil.example)"),
        with_finding(severity="fatal"),
        with_finding(line="1"),
        with_finding(line=True),
        with_finding(line=10**30),
        with_finding(message=None),
        with_finding(message="x" * 100_000),
        with_finding(edit={"patch": 1, "safe": True}),
        with_finding(edit={"patch": "", "safe": "yes"}),
        with_finding(also_touch="x"),
        with_finding(also_touch=["../x"]),
    ],
)
def test_a_file_of_another_shape_is_no_result(content: Any) -> None:
    found = results(artifact.Read({"lint.json": content, "plan.json": plan()}, []))
    assert (found.lint, found.plan["areas"]) == (None, ["envs"])
    assert len(found.refused) == 1
    assert found.refused[0].startswith("lint.json is not read: lint")
    assert "evil" not in found.refused[0]


@pytest.mark.parametrize("path", ["a b/c.py", "-x.py", "a..b.py", "..a/b", "caf\u00e9.py", "ab:c.py", "a\nb.py"])
def test_odd_paths_are_paths(path: str) -> None:
    found = results(artifact.Read({"lint.json": lint(finding(1, path=path))}, []))
    assert found.lint is not None
    assert found.lint.findings[0].path == path


def test_the_commands_own_files_are_taken_as_they_are() -> None:
    items = [
        finding(1, edit=Edit(PATCH, True), also_touch=("b.py",), verify="pytest"),
        finding(2, "advisory", line=None, new=False),
    ]
    files = {
        "lint.json": lint(*items),
        "labels.json": labels(Data=["x"]),
        "plan.json": plan(),
        "smoke-cpu.json": smoke(),
    }
    found = results(artifact.Read(files, []))
    assert (found.refused, found.lint.findings[0]) == ([], items[0]._replace(end_line=2))
    assert found.labels[0]["jobs"] == ["x"]
    assert found.smoke["cpu"].count("passed") == 1


def test_a_folder_is_read_with_the_same_distrust(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(json.dumps(plan()))
    folder = tmp_path / "preflight"
    folder.mkdir()
    (folder / "lint.json").write_text(json.dumps(lint()))
    (folder / "plan.json").symlink_to(tmp_path / "secret")
    (folder / "labels.json").mkdir()
    os.mkfifo(folder / "run.json")
    (folder / "smoke-x.json").write_bytes(b" " * (artifact.FILE + 1))
    (folder / "evil.json").write_text("{}")
    found = of_folder(folder)
    assert list(found.files) == ["lint.json"]
    assert found.refused == [
        "labels.json is not read: it is no regular file",
        "plan.json is not read: it is no regular file",
        "run.json is not read: it is no regular file",
        "smoke-x.json is not read: it is larger than 26214400 bytes",
    ]
    assert of_folder(tmp_path / "nowhere") == artifact.Read({}, [])
