"""The pages and what they load, as browsers ask for them."""

import asyncio
import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from dreadclock_server.gateway.pages.pages import PAGES, RULES, all_files, client_folder, listed, routes
from dreadclock_server.gateway.pages.serving import names, takes_gzip
from kit.rooms import Table, http_client
from kit.server import Server, running_server

ROOT = Path(__file__).parents[4]
LIT = "/assets/vendor/lit-html/lit-html.js"
IN_PLAY = "/in-play/{room}"
FRAMED, FRAMES = {"/r/{room}": {"frame-ancestors"}}, {IN_PLAY: {"frame-src"}}
OPENED = ["/", "/r/{room}", "/o/{room}", IN_PLAY, "/recap/{room}"]
OWLBEAR = "https://www.owlbear.rodeo "
FRAMERS = {"/r/x": "'self' ", "/owlbear/popover": OWLBEAR, "/owlbear/background": OWLBEAR}  # whatever is set
OF_OWLBEAR = [f"/owlbear/{name}" for name in ("manifest.json", "icon.svg", "popover", "background")]
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\s]+)["']""")
QUIET = "default-src 'none'; frame-ancestors 'none'"


@pytest.fixture
async def http(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    async with http_client(server) as http:
        http.headers["Accept-Encoding"] = "identity"
        yield http


async def raw_answer(server: Server, request: str) -> bytes:
    """Send a request that no client would make of its own accord, and return the whole answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"{request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    async with asyncio.timeout(10):
        answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


def sources(answer: httpx.Response) -> dict[str, str]:
    """Read a page's policy, by directive."""
    policy = answer.headers["content-security-policy"].split("; ")
    return {name: value for name, _, value in (directive.partition(" ") for directive in policy)}


ERROR = "errors/not_found.html"
NOWHERE = ["/nothing", "/rules/nothing", "/a/b/c", "/a/", "/%2e%2e%2fx", "/r", "/<script>alert(1)</script>"]
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


# What there is


async def test_a_link_opens_the_table_and_says_nothing_about_the_room(http: httpx.AsyncClient, table: Table):
    real = await http.get(f"/r/{table.id}")
    for room in ("never-was", table.id[::-1], "a b%0d%0aX: y", "<script>"):
        other = await http.get(f"/r/{room}")
        assert (other.status_code, other.content) == (200, real.content)
        assert other.headers["etag"] == real.headers["etag"]
    assert real.headers["content-type"] == "text/html; charset=utf-8"
    assert re.search(rb'"\.\./assets/[0-9a-f]{16}/js/table\.js"', real.content)


@pytest.mark.parametrize("address", OPENED)
async def test_whatever_a_page_refers_to_is_served(http: httpx.AsyncClient, address: str):
    page = await http.get(address.replace("{room}", "x"))
    links = re.findall(r'(?:href|src)="([^"#]+)"', page.text)

    assert page.status_code == 200
    assert any(link.endswith(".js") for link in links)
    for link in links:
        assert "://" not in link
        assert not link.startswith("/"), "a server may live under a path"
        assert (await http.get(str(page.url.join(link)))).status_code == 200, link


async def test_assets_below_their_hash_are_cached_forever_and_others_revalidated(http: httpx.AsyncClient):
    page = await http.get("/r/x")
    (script,) = re.findall(r'<script type="module" src="([^"]+)"', page.text)
    fixed = await http.get(str(page.url.join(script)))
    hash_ = str(fixed.url).split("/")[-3]
    others = [await http.get(f"/assets/{other}js/table.js") for other in ("", "0123456789abcdef/")]

    assert page.headers["cache-control"] == "no-cache"
    assert (fixed.status_code, fixed.headers["cache-control"]) == (200, "max-age=31536000, immutable")
    assert "etag" not in fixed.headers, "nobody asks again"
    for answer in others:
        assert (answer.status_code, answer.content) == (200, fixed.content)
        assert answer.headers["cache-control"] == "no-cache"
        again = await http.get(str(answer.url), headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304
    for nothing in ("nothing.js", "table.html", "/icon.svg", ""):
        assert (await http.get(f"/assets/{hash_}/{nothing}")).status_code == 404


async def test_whatever_a_module_imports_is_served(http: httpx.AsyncClient):
    modules = [f"/assets/{name}" for name in listed() if name.endswith(".js")]
    assert {LIT, "/assets/client/dreadclock.js", "/assets/js/table.js"} <= set(modules)
    for module in modules:
        answer = await http.get(module)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/javascript")
        for link in IMPORTED.findall(COMMENT.sub("", answer.text)):
            assert link.startswith("."), f"{module} imports {link}, which only a build could find"
            assert answer.url.join(link).path in modules, f"{module} imports {link}"


def test_modules_name_other_assets_as_bundles_can_do():
    """Bundles move code to other files: only what is the same for all of them may depend on a module's address."""
    modules = {name: path.read_text("utf-8") for name, path in listed().items() if name.startswith(("js/", "owlbear/"))}

    own = {name: re.findall(r"import\.meta\.url[^;]*;", text) for name, text in modules.items()}

    places = {name: found for name, found in own.items() if found}
    assert set(places) == {"js/app/settings.js", "js/parts/meaning.js"}
    assert all('lastIndexOf("/' in found[0] for found in places.values())


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("icon.svg", "image/svg+xml; charset=utf-8"),
        ("css/table.css", "text/css; charset=utf-8"),
        ("fonts/inter/latin.woff2", "font/woff2"),
        ("labels/table.en.json", "application/json; charset=utf-8"),
        ("narration/narration.de.json", "application/json; charset=utf-8"),
        ("vendor/lit-html/LICENSE", "text/plain; charset=utf-8"),
        ("throws.bin", "application/octet-stream"),
    ],
)
async def test_every_kind_of_file_says_what_it_is(http: httpx.AsyncClient, name: str, media_type: str):
    answer = await http.get(f"/assets/{name}")

    assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)
    assert answer.content == listed()[name].read_bytes()


@pytest.mark.parametrize(
    "address",
    [
        "/assets/",
        "/assets/js",
        "/assets/nothing.js",
        "/assets/table.html",
        "/assets/client/dreadclock.types.d.ts",
        "/assets/client/package.json",
        "/assets/narration/messages.py",
        "/assets/../settings.py",
        "/assets/%2e%2e/settings.py",
        "/assets/js/..%2f..%2fsettings.py",
        "/assets/js/../icon.svg",
        "/assets//icon.svg",
        "/assets/..%5csettings.py",
        "/assets/icon.svg%00",
        "/assets//etc/passwd",
        "/r/",
        "/r/a/b",
        "/o",
    ],
)
async def test_there_is_nothing_else(server: Server, address: str):
    answer = await raw_answer(server, f"GET {address}")

    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 404 "), answer
    assert b"content-type: text/plain; charset=utf-8" in head
    assert len(body) < 40


@pytest.mark.parametrize("page", ["r", "o"])
async def test_an_address_with_a_slash_at_its_end_leads_to_the_one_without(http: httpx.AsyncClient, page: str):
    answer = await http.get(f"/{page}/x%0d%0ay/?show=clocks&scale=2")

    assert (answer.status_code, answer.headers["location"]) == (307, "../x%0D%0Ay?show=clocks&scale=2")
    assert str(answer.url.join(answer.headers["location"]).path) == f"/{page}/x\r\ny"


@pytest.mark.parametrize("address", ["/r/x", LIT])
async def test_a_page_takes_nothing_but_questions(http: httpx.AsyncClient, address: str):
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert (await http.request(method, address)).status_code == 405


# What is sent of it


@pytest.mark.parametrize("address", ["/r/x", LIT])
async def test_what_the_browser_has_already_is_not_sent_again(http: httpx.AsyncClient, address: str):
    first = await http.get(address)
    tag = first.headers["etag"]
    assert re.fullmatch(r'"[0-9a-f]{8}"', tag)
    for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        again = await http.get(address, headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert "content-type" not in again.headers
        for name in ("cache-control", "vary", "content-security-policy"):
            assert again.headers.get(name) == first.headers.get(name)
    for unknown in ('"other"', tag.strip('"'), ""):
        assert (await http.get(address, headers={"If-None-Match": unknown})).status_code == 200
    assert first.headers["cache-control"] == "no-cache"


async def test_gzip_is_another_answer_with_a_tag_of_its_own(http: httpx.AsyncClient):
    plain = await http.get(LIT)
    async with http.stream("GET", LIT, headers={"Accept-Encoding": "br, gzip"}) as packed:
        body = b"".join([chunk async for chunk in packed.aiter_raw()])

    assert gzip.decompress(body) == plain.content
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) == len(body) < len(plain.content) / 2
    assert packed.headers["etag"] == plain.headers["etag"][:-1] + '-gzip"'
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    assert "content-encoding" not in plain.headers
    both = {"Accept-Encoding": "gzip", "If-None-Match": plain.headers["etag"]}
    assert (await http.get(LIT, headers=both)).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [
        ([], False),
        ([""], False),
        (["gzip"], True),
        (["GZip"], True),
        (["deflate, gzip;q=0.5, br"], True),
        (["br", "gzip"], True),
        (["*"], True),
        (["gzip;q=0"], False),
        (["gzip; q=0.000, *"], False),
        (["*;q=0"], False),
        (["identity, br"], False),
        (["x-gzip-like"], False),
    ],
)
def test_gzip_is_sent_to_those_who_take_it(accepted: list[str], taken: bool):
    assert takes_gzip(accepted) is taken


def test_a_tag_may_be_named_in_several_headers():
    assert names(['"a"', ' W/"b"'], '"b"')
    assert not names(['"a, b"'], '"b"')


@pytest.mark.parametrize("address", ["/r/x", LIT, "/assets/nothing.js"])
async def test_head_tells_the_same_without_the_body(http: httpx.AsyncClient, address: str):
    got, head = await http.get(address), await http.head(address)

    assert (head.status_code, head.content) == (got.status_code, b"")
    assert {**head.headers, "date": ""} == {**got.headers, "date": ""}


# What browsers are told to be careful about


@pytest.mark.parametrize("address", OPENED)
async def test_a_page_may_run_and_reach_nothing_but_its_own_server(http: httpx.AsyncClient, address: str):
    answer = await http.get(address.replace("{room}", "x"))
    policy = sources(answer)

    assert policy.pop("default-src") == "'none'"
    assert {name for name, value in policy.items() if value == "'self'"} == {
        "script-src",
        "style-src",
        "connect-src",
        "font-src",
        "manifest-src",
        *FRAMED.get(address, ()),  # by a table in play, which is the only page that shows others
        *FRAMES.get(address, ()),
    }
    assert {name for name, value in policy.items() if value == "'none'"} == {
        "base-uri",
        "form-action",
        "frame-ancestors",
        "object-src",
    } - FRAMED.get(address, set())
    assert policy["img-src"] == "'self' data:"
    assert (policy["require-trusted-types-for"], policy["trusted-types"]) == ("'script'", "lit-html")
    assert len(policy) == 12 + len(FRAMES.get(address, ()))
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert "microphone=()" in answer.headers["permissions-policy"]


async def test_a_page_sets_no_cookie_and_has_nothing_inline(http: httpx.AsyncClient):
    for address in OPENED:
        answer = await http.get(address.replace("{room}", "x"))
        assert "set-cookie" not in answer.headers
        assert re.search(r"<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|javascript:", answer.text) is None


async def test_every_answer_forbids_browsers_to_guess_its_type(http: httpx.AsyncClient, server: Server, table: Table):
    asked = ["/", "/r/x", "/assets/icon.svg", "/no/page", "/healthz", "/metrics", "/api/odds/table", "/openapi.json"]
    answers = [await http.get(address) for address in asked]
    answers.append(await http.get("/", headers={"Host": "evil.example"}))
    answers.append(await http.post("/api/rooms", headers={"Origin": "https://evil.example"}))
    answers.append(await http.get(table.path()))
    for answer in answers:
        asker = "cross-origin" if answer.url.path == "/healthz" else "same-origin"  # pages elsewhere may ask that
        assert answer.headers["x-content-type-options"] == "nosniff", answer.url
        assert answer.headers["cross-origin-resource-policy"] == asker
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_assets_say_only_what_holds_for_assets(http: httpx.AsyncClient):
    for address in (LIT, "/assets/no"):
        answer = await http.get(address)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "content-security-policy" not in answer.headers


async def test_what_holds_secrets_is_kept_by_nobody(table: Table):
    async with table.http("gm") as http:
        answers = [
            await http.post("/api/rooms", json={"title": "T"}),
            await http.post("/api/rooms", json={}),
            await http.post(table.path("/invites"), json={"role": "player"}),
            await http.get(table.path("/tokens")),
            await http.get(table.path("/log")),
            await http.get(table.path()),
            await http.post(table.path("/commands"), json={"type": "roll_dice", "pool": 1}),
        ]
    assert [answer.status_code for answer in answers] == [201, 422, 201, 200, 200, 200, 200]
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}
    assert {answer.headers["content-security-policy"] for answer in answers} == {QUIET}


async def test_pages_that_the_operator_names_may_frame_these(server: Server, tmp_path: Path):
    named = {"DREADCLOCK_FRAME_ANCESTORS": "https://vtt.example, https://*.vtt.example:8443"}
    async with (
        running_server(tmp_path / "data", store=server.store_url, environment=named) as framed,
        http_client(framed) as http,
    ):
        answers = {address: await http.get(address) for address in (*FRAMERS, "/o/x", "/", "/in-play/x")}
        calls = await http.get("/healthz")
    for address, answer in answers.items():
        ours = FRAMERS.get(address, "")
        assert sources(answer)["frame-ancestors"] == f"{ours}https://vtt.example https://*.vtt.example:8443"
    assert calls.headers["content-security-policy"] == QUIET


# Where it comes from


def test_the_client_is_found_in_the_sdks_folder_of_a_checkout_and_in_an_installed_server(tmp_path: Path):
    package = tmp_path / "server" / "src" / "dreadclock_server"
    package.mkdir(parents=True)

    assert client_folder() == ROOT / "client_sdk" / "js"
    assert client_folder(package) == tmp_path / "client_sdk" / "js"
    (package / "js").mkdir()
    assert client_folder(package) == package / "js"


def test_every_page_has_its_address():
    paths = [route.path for route in routes(all_files(), (), None)]

    assert list(PAGES) == OPENED
    of_rules = [f"/rules/{name}" for name in RULES]
    assert paths == [
        *OPENED,
        "/r/{room}/",
        "/o/{room}/",
        "/in-play/{room}/",
        "/recap/{room}/",
        "/manifest.webmanifest",
        *of_rules,
        *OF_OWLBEAR,
        "/assets/{name:path}",
    ]
    rules = {f"rules/{name}.html" for name in RULES}
    assert {*PAGES.values(), *rules, *(f"owlbear/{name}.html" for name in ("popover", "background")), ERROR} == {
        name for name in listed() if name.endswith(".html")
    }


# What there is not


@pytest.mark.parametrize(
    "path", ["/nothing", "/rules/nothing", "/a/b/c", "/a/", "/%2e%2e%2fx", "/r", "/<script>alert(1)</script>"]
)
async def test_a_browser_is_shown_a_page_where_there_is_none(http: httpx.AsyncClient, path: str):
    answer = await http.get(path, headers=BROWSER)

    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is no page at this address." in answer.text
    assert "Unter dieser Adresse gibt es keine Seite." in answer.text
    assert "alert" not in answer.text
    opened = await http.get("/")
    assert sources(answer) == sources(opened)
    for name in (
        "cross-origin-resource-policy",
        "referrer-policy",
        "x-content-type-options",
        "cross-origin-opener-policy",
    ):
        assert answer.headers[name] == opened.headers[name]
    (style, *_) = re.findall(r'href="([^"]+theme\.css)"', answer.text)
    assert (await http.get(str(answer.url.join(style)))).status_code == 200
    (first,) = re.findall(r'<a href="([^"]+)"', answer.text)
    assert answer.url.join(first).path == "/"


@pytest.mark.parametrize("path", ["/nothing", "/api/nothing", "/api/rooms/a/b/c/d"])
@pytest.mark.parametrize("accept", ["*/*", "application/json", None])
async def test_a_program_gets_a_404_in_plain_text(http: httpx.AsyncClient, path: str, accept: str | None):
    answer = await http.get(path, headers={} if accept is None else {"Accept": accept})

    assert (answer.status_code, answer.text) == (404, "Not Found")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


async def test_an_address_of_many_folders_makes_no_large_answer(http: httpx.AsyncClient):
    answer = await http.get("/" + "a/" * 10_000, headers=BROWSER)

    assert (answer.status_code, answer.text) == (404, "Not Found")


async def test_a_refusal_of_the_api_stays_json_for_a_browser(http: httpx.AsyncClient, table: Table):
    answer = await http.get(f"/api/rooms/{table.id}", headers=BROWSER)

    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorised")
