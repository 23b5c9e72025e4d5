"""Pages that tests use in turn: each finds what a new browser would have."""

from playwright.async_api import Browser

from kit.browser.reuse import Places
from kit.server import Server

KEEPS = "() => { localStorage.own = 'a'; sessionStorage.own = 'a'; document.cookie = 'own=a'; }"
LOOKS = """
() => [innerWidth, ...["prefers-color-scheme: dark", "prefers-reduced-motion: reduce", "forced-colors: active"]
  .map((each) => matchMedia(`(${each})`).matches)]
"""
KEPT = "() => ({...localStorage, ...sessionStorage, cookie: document.cookie})"


async def test_a_page_used_again_kept_nothing_and_a_changed_page_is_not_used_again(browser: Browser, server: Server):
    places, options = Places(browser, idle=1), {"base_url": server.url, "reduced_motion": "no-preference"}
    first = await places.take(options, new=False)
    await first.page.goto("/")
    await first.page.evaluate(KEEPS)
    asked: list[str] = []
    first.page.on("request", lambda request: asked.append(request.url))
    await first.page.route("**/*", lambda route: route.abort())
    await first.page.set_viewport_size({"width": 360, "height": 740})
    await first.page.emulate_media(color_scheme="dark", reduced_motion="reduce", forced_colors="active")
    await places.give_back(first)

    again = await places.take(options, new=False)
    asked.clear()
    await again.page.goto("/")
    assert asked == []
    assert again is first
    assert await again.page.evaluate(LOOKS) == [1280, False, False, False]
    assert (await again.page.evaluate(KEPT))["cookie"] == ""
    assert not {"own"} & set(await again.page.evaluate(KEPT))

    await again.page.add_init_script("window.own = 1")
    await places.give_back(again)
    last = await places.take(options, new=False)
    assert last is not again
    await last.context.close()
