"""Pages that tests use in turn: each finds what a new browser would have."""

from playwright.async_api import Browser

from kit.browser.reuse import Places
from kit.server import Server

KEEPS = "() => { localStorage.own = 'a'; sessionStorage.own = 'a'; document.cookie = 'own=a'; }"
KEPT = "() => ({...localStorage, ...sessionStorage, cookie: document.cookie})"


async def test_a_page_that_is_used_again_kept_nothing_and_one_that_was_changed_is_not_used_again(
    browser: Browser, server: Server
):
    places, options = Places(browser, idle=1), {"base_url": server.url}
    first = await places.take(options, new=False)
    await first.page.goto("/")
    await first.page.evaluate(KEEPS)
    await places.give_back(first)

    again = await places.take(options, new=False)
    await again.page.goto("/")
    assert again is first
    assert (await again.page.evaluate(KEPT))["cookie"] == ""
    assert not {"own"} & set(await again.page.evaluate(KEPT))

    await again.page.route("**/nothing", lambda route: route.abort())
    await places.give_back(again)
    last = await places.take(options, new=False)
    assert last is not again
    await last.context.close()
