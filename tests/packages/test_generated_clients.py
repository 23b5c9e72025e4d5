"""Clients that other tools generate from what a server says of itself play a session; a tool reads the AsyncAPI page.

They are tested with DREADCLOCK_PACKAGES=1 alone: the tools come from package indexes, and take a minute.
"""

import os
import shutil
import sys
from pathlib import Path

import pytest

from kit.server import Server
from packages.test_packages import ROOT, STRICT, run, said

HERE = Path(__file__).parent
GENERATOR = "openapi-python-client==0.29.*"
TYPES = ("openapi-typescript@7", "openapi-fetch@0.17", "typescript@5.9", "@types/node@20")
LINTERS = ("@stoplight/spectral-cli@6", "@redocly/cli@2")
PARSER = "@asyncapi/parser@3.6"
READS = """
import { Parser } from "@asyncapi/parser";
import { readFileSync } from "node:fs";
const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[1], "utf8"));
for (const { code, message, path } of diagnostics) console.log(code, message, path.join("/"));
console.log(document?.version(), document?.channels().all()[0]?.address(), document?.messages().all().length);
"""
pytestmark = pytest.mark.skipif("DREADCLOCK_PACKAGES" not in os.environ, reason="only with DREADCLOCK_PACKAGES=1")


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the generator into an environment of its own, and return the folder of its programs."""
    folder = tmp_path_factory.mktemp("generator")
    run(sys.executable, "-m", "venv", "env", cwd=folder)
    run(folder / "env/bin/python", "-m", "pip", "install", "-q", GENERATOR, cwd=folder)
    return folder / "env/bin"


async def test_a_generated_client_in_python_completes_a_session(
    generator: Path, server: Server, tmp_path: Path
) -> None:
    options = ("--url", f"{server.url}/openapi.json", "--config", HERE / "generated.yml", "--output-path", "client")
    told = await said(generator / "openapi-python-client", "generate", *options, cwd=tmp_path)
    assert "warning" not in told.lower()
    shutil.copy(HERE / "generated_session.py", tmp_path / "client")

    played = await said(generator / "python", "generated_session.py", server.url, cwd=tmp_path / "client")
    assert played.endswith("played\n")  # Python may say before that how the generator spaces its code


async def test_generated_types_fit_a_session_in_strict_typescript(server: Server, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type":"module","private":true}')
    await said("npm", "install", "--silent", "--no-audit", "--no-fund", *TYPES, cwd=tmp_path)
    shutil.copy(HERE / "generated_session.ts", tmp_path)
    options = ("--default-non-nullable=false", "-o", "schema.d.ts")
    await said("npx", "openapi-typescript", f"{server.url}/openapi.json", *options, cwd=tmp_path)
    await said("npx", "tsc", *STRICT, "generated_session.ts", cwd=tmp_path)

    assert (
        await said("node", "generated_session.js", server.url, cwd=tmp_path)
        == "200 5 not_allowed 32557/2592 countdown_rolled\n"
    )


async def test_linters_of_openapi_find_no_fault(server: Server, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type":"module","private":true}')
    (tmp_path / "spectral.yaml").write_text("extends: ['spectral:oas']")
    await said("npm", "install", "--silent", "--no-audit", "--no-fund", *LINTERS, cwd=tmp_path)
    url = f"{server.url}/openapi.json"

    found = await said(
        "npx", "spectral", "lint", "--ruleset", "spectral.yaml", "--fail-severity", "warn", url, cwd=tmp_path
    )
    assert "No results" in found
    await said("npx", "redocly", "lint", url, cwd=tmp_path)


async def test_the_parser_of_asyncapi_finds_no_fault_with_the_page(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type":"module","private":true}')
    await said("npm", "install", "--silent", "--no-audit", "--no-fund", PARSER, cwd=tmp_path)
    page = ROOT / "docs/asyncapi.yaml"

    assert await said("node", "--input-type=module", "--eval", READS, page, cwd=tmp_path) == "3.1.0 /ws/{room} 12\n"
