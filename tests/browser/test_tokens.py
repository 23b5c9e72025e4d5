"""A link's token opens the table, and is then nowhere that others could find it."""

from kit.browser.company import Company, link
from kit.browser.complaints import Asked
from kit.browser.labels import label
from kit.rooms import open_table
from kit.server import Server


async def test_the_token_is_in_no_address_no_history_no_lasting_storage_and_no_other_tab(
    company: Company, server: Server
):
    table = await open_table(server)
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


async def test_a_token_leaves_the_address_even_where_it_is_wrong(company: Company, server: Server):
    table = await open_table(server)
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
