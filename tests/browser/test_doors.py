"""Nobody is locked out: tables that a device keeps, links from other devices, hidden tokens, and dead links."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Mapping

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from dreadclock.cli.installed import LINKS_KEY_FILE
from dreadclock_server.gateway.rest.addresses import own_addresses
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.complaints import Asked
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.qr import read_qr
from kit.rooms import Table, http_client, open_table
from kit.server import INSTALLED, Server

KEY = "hush, my dear"
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"
IN_NETWORKS = own_addresses(socket.AF_INET)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def everywhere(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server that other devices reach."""
    data = tmp_path_factory.mktemp("everywhere") / "data"
    server = Server(data, host="0.0.0.0", environment={"DREADCLOCK_OPERATOR_KEY": KEY})
    await server.start()
    yield server
    await server.stop()


async def opened(seat: Seat, title: str, keep: bool = True) -> str:
    """Open a room on the first page, close its tab, and return the room's bare address."""
    await seat.page.goto("/")
    await seat.press("home.open")
    form = seat.page.get_by_role("region", name=label("home.open"))
    await seat.fill(form, {"home.title": title} | ({} if keep else {"home.keep": False}))
    await seat.press("home.open_send", form)
    await seat.arrived()
    return seat.address


def tables(page: Page) -> Locator:
    """Find the tables on the first page."""
    return page.get_by_role("region", name=label("home.tables")).get_by_role("listitem")


async def new_tab(seat: Seat, address: str) -> Page:
    """Close the tab, which forgets what only tabs keep, and come back in another one of the same browser."""
    await seat.page.close()
    seat.page = await seat.context.new_page()
    await seat.page.goto(address)
    return seat.page


async def test_a_device_keeps_the_tables_that_one_sits_at_until_they_are_no_more(company: Company, server: Server):
    table = await open_table(server, "The Vault")
    gm = await company.come("gm")
    gm.complaints.forgive("401")  # a withdrawn link is found by asking
    address = await opened(gm, "The <b>Sunken</b> Chapel")
    key = await gm.unfold("gm.beginning.key")
    await warned(gm, "gm.beginning.forgets", 0)
    await expect(gm.page.locator("[data-key='beginning:keep']")).to_have_count(0)  # it is kept
    await gm.press("gm.beginning.show_key", key)
    await key.locator("[data-part=only-here]").wait_for()
    await an_invitation_says_that_it_leads_nowhere_from_another_device(gm)

    for name in ("gm", "ann"):  # two seats of one room, which were followed there: off until it is pressed
        await gm.open(link(table, name))
        keep = gm.page.locator("button[data-key='seat:keep']")
        await expect(keep).to_have_attribute("aria-pressed", "false")
        assert table.token(name) not in str(await gm.kept("localStorage"))
        where = "menu:drawer" if name == "gm" else "settings"
        await gm.page.locator(f'[data-place="{where}"] > summary').click()
        await keep.click()
        await expect(keep).to_have_attribute("aria-pressed", "true")

    await new_tab(gm, address)
    await gm.page.locator("main[data-role=gm]").wait_for()
    assert gm.address == address

    await gm.page.goto("/")
    rows = tables(gm.page)
    await expect(rows).to_have_count(3)
    await warned(gm, "home.forgets", 0)
    texts = await rows.all_inner_texts()
    assert "The <b>Sunken</b> Chapel" in texts[0]
    assert label("role.player") in texts[1]
    assert label("role.gm") in texts[2]
    await rows.nth(2).locator("button.sit").click()
    await gm.page.locator("main[data-role=gm]").wait_for()
    assert gm.address == f"{server.url}/r/{table.id}"

    async with table.http("gm") as http:
        await http.delete(table.path(f"/tokens/{table.grants['ann']['token_id']}"))
    await gm.page.goto("/")
    await expect(rows).to_have_count(2)
    async with table.http("gm") as http:
        await http.delete(table.path(), params={"confirm": "The Vault"})
    await gm.page.reload()
    await expect(rows).to_have_count(1)
    await rows.get_by_role("button", name=label("home.forget")).click()
    await expect(rows).to_have_count(0)
    assert "seats" not in str(await gm.kept("localStorage"))


async def test_a_browser_that_keeps_nothing_says_so_and_goes_on(company: Company, table: Table):
    ann = await company.come("ann")
    await ann.context.add_init_script(FULL)
    await ann.open(link(table, "ann"))
    await ann.page.locator("[data-place=settings] > summary").click()
    await ann.page.locator("button[data-key='seat:keep']").click()

    await ann.page.get_by_role("alert").filter(has_text=label("keep.fails")).wait_for()
    await opened(ann, "Kept nowhere")
    await expect(ann.page.locator("[data-key='beginning:keep']")).to_be_visible()


async def drawn(code: Locator) -> tuple[str, ...]:
    """Return the rows of a QR code as it is drawn."""
    size = int(str(await code.get_attribute("viewBox")).split()[-1]) - 8
    rows = [["0"] * size for _ in range(size)]
    path = str(await code.locator("path").get_attribute("d"))
    for x, y, run in re.findall(r"M(\d+) (\d+)h(\d+)", path):
        rows[int(y) - 4][int(x) - 4 : int(x) - 4 + int(run)] = "1" * int(run)
    return tuple("".join(row) for row in rows)


async def invited(gm: Seat, name: str) -> Locator:
    """Invite people in two presses and a name, and return what is shown of the link."""
    await gm.unfold("gm.invite")
    await gm.page.locator("[data-place='seat:invite:form'] input[name=name]").fill(name)
    await gm.press("gm.invite.make")
    made = gm.page.locator("[data-part=link]")
    await made.wait_for()
    return made


async def an_invitation_says_that_it_leads_nowhere_from_another_device(gm: Seat) -> None:
    """Invite people on a server that nobody else reaches, and read how to change that."""
    made = await invited(gm, "Zoe")
    await expect(made.locator("[data-part=only-here]")).to_be_visible()
    assert await made.locator("svg.qr").count() == 0
    await made.locator("summary", has_text=label("gm.link.local.how")).click()
    port = gm.server.url.rpartition(":")[2]
    command = f"dreadclock serve --lan --port {port}" if INSTALLED else f'make run ARGS="--lan --port {port}"'
    await expect(made.locator("code")).to_have_text(command)
    await gm.page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.__copied = text; } }")
    await gm.press("gm.copy", made.locator("[data-part=only-here]"))
    assert await gm.page.evaluate("() => window.__copied") == await made.locator("code").inner_text()


@pytest.mark.skipif(not IN_NETWORKS, reason="this machine is in no network")
async def test_an_invitation_leads_there_from_another_device(company: Company, everywhere: Server):
    reached = await open_table(everywhere, operator_key=KEY)
    far, zoe = await company.come("far"), await company.come("zoe")
    far.complaints.forgive(everywhere.url.removeprefix("http:"))
    zoe.complaints.forgive(f"//{IN_NETWORKS[0]}")

    await far.page.goto(link(reached, "gm"))
    made = await invited(far, "Zoe")
    address = await made.locator("input[name=link]").input_value()
    assert address.startswith(f"http://{IN_NETWORKS[0]}:{everywhere.port}/r/{reached.id}#")
    assert read_qr(await drawn(made.locator("svg.qr"))) == address
    assert await made.locator("[data-part=only-here]").count() == 0
    await zoe.open(address)
    await zoe.page.locator("main[data-role=player]").wait_for()
    async with http_client(everywhere, address.partition("#")[2]) as http:
        assert (await http.get(reached.path())).status_code == 200
    await a_typed_address_names_the_setting_that_it_needs(made, address, everywhere.port)


async def a_typed_address_names_the_setting_that_it_needs(made: Locator, address: str, port: int) -> None:
    """Type addresses: one that the server does not answer to, one that is no address, and one that it has."""
    other, field, place = (
        made.locator("input[name=other]"),
        made.locator("input[name=link]"),
        address.partition("/r/")[2],
    )
    setting = made.locator("[data-part=allowed-hosts] code")
    await made.get_by_text(label("gm.link.other"), exact=True).click()
    for typed, base, name in (
        ("tables.example", f"http://tables.example:{port}", "tables.example"),
        ("https://a-tunnel.example/play/", "https://a-tunnel.example/play", "a-tunnel.example"),
        ("192.168.77.5:80", "http://192.168.77.5", "192.168.77.5"),
    ):
        await other.fill(typed)
        await other.blur()
        await expect(field).to_have_value(f"{base}/r/{place}")
        await expect(setting).to_have_text(f"export DREADCLOCK_ALLOWED_HOSTS={name}")
        assert read_qr(await drawn(made.locator("svg.qr"))) == f"{base}/r/{place}"
    await other.fill("no address")
    await other.blur()
    await made.get_by_text(label("gm.link.other.wrong")).wait_for()
    await other.fill(IN_NETWORKS[0])
    await other.blur()
    await expect(field).to_have_value(address)
    await expect(setting).to_have_count(0)


APPLE = "Object.defineProperty(Navigator.prototype, 'vendor', { get: () => 'Apple Computer, Inc.' })"
ASKED = """
localStorage.getItem("asked") ?? localStorage.setItem("asked", "0");
StorageManager.prototype.persist = async () => {
  localStorage.setItem("asked", String(Number(localStorage.getItem("asked")) + 1));
  return true;
};
"""


async def installable(seat: Seat) -> None:
    """See that a browser takes the manifest of the page that is open, and that its icon is there."""
    chromium = await seat.context.new_cdp_session(seat.page)
    manifest = await chromium.send("Page.getAppManifest")
    assert (manifest["errors"], manifest["url"]) == ([], f"{seat.server.url}/manifest.webmanifest")
    parsed = json.loads(manifest["data"])
    assert parsed["start_url"] == "./"
    async with http_client(seat.server) as http:
        answer = await http.get(f"/{parsed['icons'][0]['src']}")
    assert answer.headers["content-type"].startswith("image/svg+xml")


async def warned(seat: Seat, key: str, times: int) -> None:
    """See whether a page says that this browser deletes seats."""
    await expect(seat.page.get_by_text(label(key))).to_have_count(times)


async def test_safari_users_are_warned_that_it_deletes_seats_and_a_kept_seat_asks_for_lasting_storage(company: Company):
    gm = await company.come("gm")
    await gm.context.add_init_script(APPLE)
    await gm.context.add_init_script(ASKED)
    await opened(gm, "A borrowed evening", keep=False)
    assert "seats" not in str(await gm.kept("localStorage"))
    assert await gm.page.evaluate("localStorage.getItem('asked')") == "0"

    await gm.page.goto("/")
    await gm.press("home.open")
    await expect(gm.page.get_by_label(label("home.title"))).to_be_visible()
    await warned(gm, "home.forgets", 1)
    await installable(gm)
    await opened(gm, "The Vault")
    await gm.page.locator("[data-part=key]").wait_for()
    await warned(gm, "gm.beginning.forgets", 1)
    assert await gm.page.evaluate("localStorage.getItem('asked')") != "0"


async def test_a_link_that_the_operator_made_stands_in_the_gms_list_as_such(company: Company, table: Table):
    secret = (table.server.data / LINKS_KEY_FILE).read_text().strip()
    async with http_client(table.server, secret) as http:
        made = (await http.post(table.path("/gm-link"))).json()
    gm = await company.seat(table, "gm")
    await installable(gm)
    await gm.unfold("gm.tokens")
    row = gm.page.locator(f"[data-token='{made['token_id']}']")
    by_the_operator = "made by the operator of this server"
    await expect(row).to_contain_text(by_the_operator)
    await expect(gm.page.locator("[data-token]", has_text=by_the_operator)).to_have_count(1)
    assert await gm.page.locator("[data-token]").count() == 5


async def test_the_token_is_in_no_address_history_lasting_storage_or_other_tab(
    company: Company, server: Server, table: Table
):
    eve = await company.come("eve")
    asked = Asked(eve.page)
    await eve.open(link(table, "eve"))

    assert eve.token == table.token("eve")
    assert eve.address == f"{server.url}/r/{table.id}"
    assert eve.token in (await eve.kept("sessionStorage")).values()
    assert eve.token not in str(await eve.kept("localStorage"))
    assert await eve.context.cookies() == []
    assert eve.address in asked.urls
    assert not [url for url in asked.urls if eve.token in url]
    assert eve.token not in await eve.page.content()

    tab = await eve.context.new_page()
    await tab.goto(eve.address)
    await tab.get_by_role("button", name=label("knock.send")).wait_for()
    assert await tab.locator("main[data-role]").count() == 0

    await eve.page.goto("/healthz")
    for back in (eve.page.go_back, eve.page.reload):  # to the same seat, without the token in sight
        await back()
        await eve.page.locator("main[data-role=spectator]").wait_for(state="attached")
        assert eve.address == f"{server.url}/r/{table.id}"


async def test_a_token_leaves_the_address_even_where_it_is_wrong(company: Company, server: Server, table: Table):
    eve = await company.come("eve")
    for address in (f"{link(table, 'eve')}).", link(table, "eve").replace("#", "%23")):
        await eve.page.goto(address)
        await eve.page.locator("main[data-role=spectator]").wait_for(state="attached")
        assert eve.address == f"{server.url}/r/{table.id}"
        await eve.page.goto("/healthz")
    for wrong in ("A" * 16, "A" * 100, "A" * 20 + "%22"):
        await eve.page.goto("/healthz")
        await eve.page.goto(f"/r/{table.id}#{wrong}")
        await eve.page.wait_for_function("() => location.hash === ''")


_STORED = "() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])"


def _dead_links(table: Table) -> Mapping[str, str]:
    """Return links by what is wrong with them; to the server, all causes are one (gateway/ws/test_hello.py)."""
    token = table.token("eve")
    return {
        "mistyped token": f"/r/{table.id}#{token[::-1]}",
        "cut token": f"/r/{table.id}#{token[:17]}",
        "unknown room": f"/r/{table.id[::-1]}#{token}",
        "cut room": f"/r/{table.id[:9]}#{token}",
    }


async def test_all_links_that_open_nothing_are_answered_alike_with_causes_and_a_knock(company: Company, table: Table):
    links = _dead_links(table)
    visitors = {cause: await company.come_first(cause) for cause in links}
    seen = dict(
        zip(links, await asyncio.gather(*(_shown(visitors[cause], link) for cause, link in links.items())), strict=True)
    )

    first = seen["mistyped token"]
    assert {cause: what for cause, what in seen.items() if what != first} == {}
    for key in ("knock.dead.whole", "knock.dead.over", "knock.dead.gone", "knock.dead.ask", "knock.send"):
        assert label(key).replace("'", "&#39;") in first[0] or label(key) in first[0]
    ines = visitors["mistyped token"]
    assert not (found := await violations(ines.page)), "\n".join(found)


async def _shown(visitor: Seat, link: str) -> tuple[str, list[str], str, str]:
    """Return what a page shows of a dead link, whom it asks, what it keeps and its address, without the room's id."""
    visitor.complaints.forgive("ConnectionEnded")
    asked = Asked(visitor.page)
    room = link.removeprefix("/r/").partition("#")[0]
    await visitor.page.goto(link)
    await expect(visitor.page.get_by_role("heading", name=label("knock.dead"))).to_be_visible()
    await visitor.page.wait_for_load_state("networkidle")
    main = (await visitor.page.locator("main").inner_html()).replace(room, "ROOM")
    return (
        re.sub(r"<!--.*?-->", "", main),
        sorted(each.partition("#")[0].replace(room, "ROOM") for each in asked.urls),
        (await visitor.page.evaluate(_STORED)).replace(room, "ROOM"),
        visitor.page.url.replace(room, "ROOM"),
    )


async def test_an_address_without_a_page_is_answered_by_one_in_both_languages(company: Company):
    visitor = await company.come("visitor")
    visitor.complaints.forgive("404")

    answer = await visitor.page.goto("/nothing/here")

    assert answer is not None
    assert answer.status == 404
    await expect(visitor.page.locator("[lang=de]").first).to_be_visible()
    assert not (found := await violations(visitor.page)), "\n".join(found)
    await visitor.page.get_by_role("link").click()
    await expect(visitor.page.get_by_role("heading", name="Dreadclock")).to_be_visible()
