"""The palette: whatever a seat may do is found by typing, and done with few keys."""

import asyncio
import re

from playwright.async_api import Locator, Route, expect

import dreadclock
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.hands import reads_modules
from kit.browser.labels import label
from kit.browser.layout import unfold_each_kind
from kit.browser.scene import flooded_vault
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.server import Server
from kit.waiting import until

# Which of all that can be pressed on the unfolded page the palette does not offer; links are listed on demand.
MISSING = """
async () => {
  const { entriesIn } = await import(new URL("palette/entries.js", document.scripts[0].src));
  const offered = new Set(window.__offered);
  const isMissing = ({ id }) => !offered.has(id) && !id.startsWith("token:");
  const missing = entriesIn(document.getElementById("root")).filter(isMissing);
  return missing.map(({ id, label }) => `${id} ${label}`);
}
"""
# What a language's other words lead to, of all that was offered: for each the deed found first, by these words alone.
FOUND = """
async ([language, typed]) => {
  const here = (path) => import(new URL(path, document.scripts[0].src));
  const { keysOfWords } = await here("palette/entries.js");
  const role = document.querySelector("main[data-role]").dataset.role;
  const actions = role === "gm" ? (await here("actions/gm.js")).GMS : (await here("actions/player.js")).PLAYERS;
  const table = { role: { actions } };
  const { fitting } = await import(new URL("palette/matching.js", document.scripts[0].src));
  const words = await (await fetch(`/assets/labels/palette.${language}.json`)).json();
  const also = (id) => words[keysOfWords(table, id).find((key) => key in words)] ?? "";
  const deeds = [...window.__offered].map((id) => ({ id, label: "", about: "", keys: "", also: also(id) }));
  return typed.map((each) => fitting(deeds, each, words["palette.small"]).map(({ id }) => id));
}
"""
_PRESS_KEY = """
([key, code, ctrlKey]) => document.body.dispatchEvent(
  new KeyboardEvent("keydown", { key, code, ctrlKey, bubbles: true, cancelable: true }))
"""
# As where the page was busy for ten seconds between two keys.
_HEARS_LATE = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 10_000; }"
ALSO = {
    "gm": (
        ("en", "undo", "undo"), ("en", "against", "check:dodge:oppose:form"), ("en", "the theme", "settings"),
        ("en", "dice", "countdown:water:roll"), ("de", "geheim", "clock:start:form"),
    ),
    "tom": (("en", "contest", "character:rook:check"), ("de", "gehen", "seat:leave:ask")),
}  # fmt: skip
KEEPS_NOTHING = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('none'); } })"
# Close the palette, and ask for it before its dialog has said so.
CLOSED_AND_ASKED_FOR = """
() => {
  document.querySelector(".palette").close();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true }));
}
"""
OFFERED = (
    "() => { window.__offered = [...document.querySelectorAll('li[role=option]')].map((each) => each.dataset.deed); }"
)


def option(seat: Seat, name: str) -> Locator:
    """Find what the palette offers."""
    return seat.page.get_by_role("dialog").get_by_role("option").filter(has_text=name)


async def value(seat: Seat) -> int:
    """Tell how the guards' clock stands."""
    return (await seat.view()).clocks["alarm"].value


@reads_modules
async def test_what_is_typed_is_found_and_done_and_keys_alone_do_it_too(company: Company, server: Server):
    table = await flooded_vault(server)
    gm = await company.seat(table, "gm")
    before, keys = await value(gm), gm.page.keyboard

    await keys.press("/")
    await expect(gm.page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
    first = gm.page.get_by_role("dialog").get_by_role("option").first
    await expect(first).not_to_contain_text(label("gm.turn.end"))  # Enter alone ends nothing
    await keys.type("the theme")
    await expect(first).to_have_attribute("data-deed", "settings")
    await expect(first).to_contain_text("(theme)")
    await keys.press("ControlOrMeta+A")
    await keys.type("tick guar")
    await keys.press("Enter")
    await until(lambda: _is(gm, before + 1))
    await expect(gm.page.get_by_role("dialog")).to_have_count(0)

    shortcut = gm.page.locator("kbd")
    await gm.page.evaluate(_PRESS_KEY, ["л", "KeyK", True])  # tests/js/keys.test.mjs knows other keys and layouts
    await keys.type("amend mask")
    await expect(option(gm, label("gm.countdown.amend"))).to_have_count(1)
    folded = "".join(await option(gm, label("gm.countdown.amend")).locator(shortcut).all_inner_texts()).lower()
    await keys.press("Escape")
    await keys.type(folded[:1])
    await gm.page.evaluate(_HEARS_LATE)
    await keys.type(folded[1:])  # in time
    await gm.page.evaluate("delete performance.now")
    form = gm.page.get_by_role("form", name=label("gm.countdown.amend"))
    await expect(form.locator(":focus")).to_have_count(1)
    await keys.type("t")  # is typed, and ticks nothing
    await keys.press("Escape")
    await gm.page.evaluate(_PRESS_KEY, ["е", "KeyT", False])
    await until(lambda: _is(gm, before + 2))
    told = gm.page.locator("#letters")
    ticked = f"{label('gm.tick')}: The guards wake"
    await expect(told).to_contain_text(label("letters.did", keys="T", what=ticked))
    await gm.unfold("gm.scene.open")
    await gm.page.locator(".panel .close").focus()
    await keys.press("t")  # is not meant for what lies below a form
    await keys.press("Escape")

    await one_form_is_open_on_a_slow_page(gm)
    await no_shortcut_is_of_two_things(gm)
    await a_thing_may_be_called_anything(gm, table)
    await keys.press("/")
    await keys.type("water rises")
    await expect(gm.page.locator("[data-palette=whole] .about").first).to_be_visible()  # the name of its thing
    await keys.press("ArrowDown")
    await keys.press("ArrowUp")
    await keys.press("Enter")
    await expect(gm.thing("countdown:water")).to_be_focused()
    assert await value(gm) == before + 2
    await gm.button(label("letters.off"), told).click()
    await gm.button(label("letters.seen"), told).click()
    await expect(told).to_be_empty()
    await keys.press("t")
    await gm.page.locator('[data-key="undo"]').wait_for()  # the server has said what can be taken back
    await all_that_can_be_pressed_is_offered(gm)
    await gm.page.reload()
    await gm.arrived()
    await keys.press("t")
    await keys.press("/")
    await keys.type("tick guar")
    await keys.press("Enter")
    await until(lambda: _is(gm, before + 3))
    await keys.press("/")
    await gm.page.get_by_role("checkbox", name=label("palette.shortcuts")).check()
    await keys.press("Escape")
    await keys.press("t")
    await until(lambda: _is(gm, before + 4))
    await expect(told).to_be_empty()
    await numbers_stay(gm, table)


# Open a scene's form in the place of a countdown's, of which the browser says late that it was opened.
_HEARS_LATE_OF_A_FORM = """
() => {
  const [soon, drawings] = [requestAnimationFrame, []];
  window.requestAnimationFrame = (draw) => drawings.push(draw);
  document.querySelector("[data-place='scene:open:form'] > summary").click();
  document.querySelector("[data-place='countdown:start:form']").dispatchEvent(new Event("toggle"));
  window.requestAnimationFrame = soon;
  for (const draw of drawings) requestAnimationFrame(draw);
}
"""


async def one_form_is_open_on_a_slow_page(gm: Seat) -> None:
    """See that a form goes as another one opens: while it is there, letters do nothing."""
    await gm.unfold("gm.countdown.start")
    await gm.page.evaluate(_HEARS_LATE_OF_A_FORM)
    await expect(gm.page.get_by_role("form", name=label("gm.scene.open")).locator(":focus")).to_have_count(1)
    await expect(gm.page.locator(".panel:popover-open")).to_have_count(1)
    await gm.page.keyboard.press("Escape")
    await gm.page.keyboard.press("Escape")


_OF_MANY = """
async (many) => {
  const { entriesInSight } = await import(new URL("palette/entries.js", document.scripts[0].src));
  const { GMS } = await import(new URL("actions/gm.js", document.scripts[0].src));
  const all = document.createElement("div");
  for (let number = 0; number < many; number++) {
    const button = Object.assign(document.createElement("button"), { textContent: "Roll" });
    button.dataset.key = `countdown:many${number}:roll`;
    all.append(button);
  }
  document.body.append(all);
  const found = entriesInSight({ root: all, role: { actions: GMS } }).map(({ keys }) => keys);
  all.remove();
  return found;
}
"""


async def no_shortcut_is_of_two_things(gm: Seat) -> None:
    """See that where there are more things than digits and letters, the others have none."""
    found = await gm.page.evaluate(_OF_MANY, 60)
    given = [keys for keys in found if keys]
    assert len(set(given)) == len(given)
    assert 20 < len(given) <= 35
    assert {len(keys) for keys in given} == {2}
    assert not any(found[len(given) :])


async def numbers_stay(gm: Seat, table: Table) -> None:
    """See that the shortcut of the third countdown rolls that one after the second has gone, whose number is free."""
    third, second = await _shortcut(gm, "countdown:air:roll"), await _shortcut(gm, "countdown:below:roll")
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        await room.cancel_countdown("below")
        await expect(gm.thing("countdown:below")).to_have_count(0)
        assert await _shortcut(gm, "countdown:air:roll") == third
        await room.start_countdown("Lamps", 30, id="lamps")
    await gm.thing("countdown:lamps").wait_for()
    assert await _shortcut(gm, "countdown:lamps:roll") == second
    await gm.page.keyboard.type(third)
    await expect(gm.thing("countdown:air")).to_contain_text(label("gm.rolled_this_turn"))


async def _shortcut(gm: Seat, deed: str) -> str:
    """Read the shortcut that the palette shows."""
    await gm.page.keyboard.press("/")
    await gm.page.locator("[data-palette=whole]").wait_for()
    keys = await gm.page.locator(f'[data-deed="{deed}"] kbd').all_inner_texts()
    await gm.page.keyboard.press("Escape")
    return "".join(keys).lower()


async def a_thing_may_be_called_anything(gm: Seat, table: Table) -> None:
    """See that neither a name that JavaScript knows nor one of a command stands in the way."""
    names = ("constructor", "undo")
    async with dreadclock.connect(link(table, "tom")) as tom:
        for name in names:
            await tom.start_clock(name, 8, id=name)
            await gm.thing(f"clock:{name}").wait_for()
    await gm.page.keyboard.press("/")
    await expect(gm.page.locator("[data-palette=whole]")).to_be_visible()
    await gm.page.keyboard.type("tick constr")
    await gm.page.keyboard.press("Enter")
    await until(lambda: _stands(gm, "constructor", 7))
    await gm.shows_what_the_server_says()
    await what_is_still_on_its_way_is_undone_first(gm, table)
    assert await _stands(gm, "undo", 8)
    async with dreadclock.connect(link(table, "gm")) as room:
        for name in names:
            await room.cancel(name, "It was about its name.")
            await expect(gm.thing(f"clock:{name}")).to_have_count(0)


HOLD_ANSWERS = """() => {
  const { send } = WebSocket.prototype;
  const held = [];
  WebSocket.prototype.send = function (text) { held.push(() => send.call(this, text)); };
  window.__release = () => { WebSocket.prototype.send = send; held.forEach((each) => each()); };
}"""


async def what_is_still_on_its_way_is_undone_first(gm: Seat, table: Table) -> None:
    """Tick, and undo before the server has the tick: that tick goes, not what was done before it."""
    before = await value(gm)
    await gm.page.locator('[data-key="undo"]').wait_for()  # the server has said what can be undone
    await gm.page.evaluate(HOLD_ANSWERS)
    await gm.button(label("gm.tick"), gm.thing("clock:alarm")).click()
    await expect(gm.thing("clock:alarm").locator("[aria-busy=true]")).not_to_have_count(0)
    await gm.page.keyboard.press("z")
    await gm.page.evaluate("window.__release()")
    await until(lambda: _undone(table))
    assert (await value(gm), await _stands(gm, "constructor", 7)) == (before, True)


async def _undone(table: Table) -> bool:
    return '"command_voided"' in (await table.log("gm"))[-1]


async def _is(seat: Seat, expected: int) -> bool:
    return await value(seat) == expected


async def test_all_that_a_player_can_press_is_offered(company: Company, server: Server):
    tom = await company.come("tom")
    await tom.context.add_init_script(KEEPS_NOTHING)
    await tom.open(link(await flooded_vault(server), "tom"))
    await letters_are_off_where_nothing_is_kept(tom)
    await all_that_can_be_pressed_is_offered(tom)


async def letters_are_off_where_nothing_is_kept(tom: Seat) -> None:
    """Press a letter that only leads somewhere, and switch letters off; look for what is found by its second word."""
    keys, told = tom.page.keyboard, tom.page.locator("#letters")
    await a_field_is_typed_in_while_the_palette_is_on_its_way(tom)
    await keys.press("n")
    await expect(told).to_contain_text(label("letters.led", keys="N", what=label("narrate")))
    await tom.button(label("letters.off"), told).click()
    await tom.button(label("letters.seen"), told).click()
    await keys.press("/")
    await expect(tom.page.get_by_role("checkbox", name=label("palette.shortcuts"))).not_to_be_checked()
    await keys.type("my dark")
    await expect(tom.page.get_by_role("dialog").get_by_role("option")).to_contain_text(["(dark)"])
    await keys.insert_text("a " * 1_000)
    await expect(tom.page.get_by_role("dialog").get_by_role("combobox")).to_have_value(re.compile("^.{100}$"))
    await tom.page.evaluate(CLOSED_AND_ASKED_FOR)
    await expect(tom.page.get_by_role("dialog").get_by_role("combobox")).to_have_value("")
    await expect(tom.page.locator("[data-palette=whole]")).to_be_visible()
    await keys.press("Escape")


async def a_field_is_typed_in_while_the_palette_is_on_its_way(tom: Seat) -> None:
    """Ask for the palette where its words take long, and type elsewhere meanwhile."""
    come = asyncio.Event()

    async def late(route: Route) -> None:
        await come.wait()
        await route.continue_()

    await tom.page.route("**/labels/palette.*", late)
    await tom.page.keyboard.press("/")
    await tom.unfold("narrate")
    field = tom.page.get_by_label(label("narrate.text"), exact=True)
    await field.press_sequentially("Rain")
    await expect(field).to_have_value("Rain")
    come.set()
    await tom.page.get_by_role("dialog").wait_for()
    await tom.page.reload()
    await tom.arrived()


async def all_that_can_be_pressed_is_offered(seat: Seat) -> None:
    """See that the palette offers what there is on the page, its forms included, and can be read."""
    await seat.page.keyboard.press("/")
    await expect(seat.page.locator("[data-palette=whole]")).to_be_visible()
    options = seat.page.locator("li[role=option]")
    await expect(options).to_have_count(50)
    assert await violations(seat.page, place=".palette") == []
    await seat.page.locator(".palette .more").click()
    assert await options.count() > 50
    await seat.page.evaluate(OFFERED)
    for language in ("en", "de"):
        meant = [(typed, deed) for spoken, typed, deed in ALSO[seat.name] if spoken == language]
        found = await seat.page.evaluate(FOUND, [language, [typed for typed, _ in meant]])
        assert [each for each, deeds in zip(meant, found, strict=True) if each[1] not in deeds] == []
    await seat.page.keyboard.press("Escape")
    await unfold_each_kind(seat.page)

    assert await seat.page.evaluate(MISSING) == []


async def _stands(seat: Seat, clock: str, value: int) -> bool:
    return (await seat.view()).clocks[clock].value == value
