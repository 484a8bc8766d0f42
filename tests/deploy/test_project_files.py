"""Files that other programs read: each is checked by a parser or linter of its format."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import croupier
from croupier.server.config import Settings, load

ROOT = Path(__file__).parents[2]
SCHEMAS = {
    "vendor.github-workflows": sorted((ROOT / ".github" / "workflows").glob("*.yml")),
    "vendor.dependabot": [ROOT / ".github" / "dependabot.yml"],
    "vendor.github-issue-forms": [ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml" for name in ("bug", "idea")],
    "vendor.github-issue-config": [ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml"],
    "vendor.compose-spec": sorted((ROOT / "deploy").glob("compose*.yaml")),
    "vendor.citation-file-format": [ROOT / "CITATION.cff"],
}


def _run(*words: str | Path) -> None:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_follow_the_schema_of_their_format(schema: str) -> None:
    assert SCHEMAS[schema]
    _run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *SCHEMAS[schema])


def test_a_file_that_does_not_follow_its_schema_is_found(tmp_path: Path) -> None:
    wrong = tmp_path / "test.yml"
    wrong.write_text("name: test\non: push\njobs: { lint: { steps: [] } }\n")
    with pytest.raises(AssertionError, match="runs-on"):
        _run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", wrong)


def test_the_citation_names_this_version() -> None:
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == croupier.__version__


def test_the_hooks_before_a_commit_can_be_read() -> None:
    _run(sys.executable, "-m", "pre_commit", "validate-config", ROOT / ".pre-commit-config.yaml")


def test_the_dockerfile_has_no_fault() -> None:
    linter = Path(sys.executable).parent / "hadolint"
    _run(linter, ROOT / "Dockerfile")


def test_every_setting_of_the_deployment_files_exists() -> None:
    known = {f"CROUPIER_{name.upper()}" for name in Settings.__struct_fields__} | {"CROUPIER_HOST", "CROUPIER_PORT"}
    for name in ("Dockerfile", "deploy/compose.yaml", "deploy/compose-cluster.yaml", "deploy/croupier.service"):
        used = set(re.findall(r"CROUPIER_[A-Z_]+", (ROOT / name).read_text()))
        assert used <= known, name


@pytest.mark.parametrize("name", ["compose", "compose-cluster"])
def test_a_node_can_use_the_settings_that_its_compose_file_gives_it(name: str) -> None:
    services = yaml.safe_load((ROOT / "deploy" / f"{name}.yaml").read_text())["services"]
    nodes = [service for service in services.values() if "build" in service]
    assert len(nodes) == {"compose": 1, "compose-cluster": 3}[name]
    for node in nodes:
        chosen = {word: re.sub(r"\$\{\w+:.*?\}", "chosen", value) for word, value in node["environment"].items()}
        assert load({}, chosen).hosts == ("chosen",)


def test_no_secret_of_a_deployment_has_a_value_that_everybody_knows() -> None:
    for file in (ROOT / "deploy").glob("*.yaml"):
        for name, otherwise in re.findall(r"\$\{(\w+):(.)", file.read_text()):
            assert (otherwise == "?") is name.endswith(("PASSWORD", "KEY")), name


def test_every_file_that_a_compose_file_mounts_is_there() -> None:
    for file in (ROOT / "deploy").glob("*.yaml"):
        for mounted in re.findall(r"\./([\w.-]+):", file.read_text()):
            assert (ROOT / "deploy" / mounted).is_file()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_the_unit_can_be_read_by_systemd(tmp_path: Path) -> None:
    unit = tmp_path / "croupier.service"
    text = (ROOT / "deploy" / "croupier.service").read_text()
    unit.write_text(text.replace("/opt/croupier/bin/croupier", sys.executable))
    _run("systemd-analyze", "verify", unit)


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_the_proxy_of_the_cluster_can_be_read_by_nginx(tmp_path: Path) -> None:
    text = (ROOT / "deploy" / "compose-nginx.conf").read_text()
    config = tmp_path / "nginx.conf"
    config.write_text(re.sub(r"(server |//)(one|two|three):", r"\g<1>127.0.0.1:", text) + f"pid {tmp_path}/pid;\n")
    shutil.copy(ROOT / "deploy" / "croupier_proxy.conf", tmp_path)
    _run("nginx", "-t", "-q", "-e", tmp_path / "error.log", "-c", config)
