"""A player lets an integration act for her on her page, and takes that back."""

import pytest
from playwright.async_api import expect

import dreadclock
from dreadclock.wire.errors import Code, Refused
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.rooms import open_table
from kit.server import Server


async def test_a_player_lends_her_seat_and_takes_it_back(company: Company, server: Server):
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as gm:
        helper = (await table.invite("bot", "integration", scopes=["act_for"]))["link"]
        ann = await company.come("ann")
        await ann.open(link(table, "ann"))
        seat_id = next(each.id for each in gm.view.seats.values() if each.role == "player")
        async with dreadclock.connect(helper) as bot:
            with pytest.raises(Refused):
                await bot.roll_dice(2, act_for=seat_id)

            await ann.unfold("my.seat")
            await ann.button(label("my.lend", name="Bot")).click()
            await expect(ann.page.get_by_text(label("lent_to", name="Bot"))).to_be_visible()
            await bot.roll_dice(2, act_for=seat_id)

            await ann.button(label("my.take_back")).click()
            await expect(ann.button(label("my.lend", name="Bot"))).to_be_visible()
            with pytest.raises(Refused) as refused:
                await bot.roll_dice(2, act_for=seat_id)
            assert refused.value.code is Code.NOT_LENT
