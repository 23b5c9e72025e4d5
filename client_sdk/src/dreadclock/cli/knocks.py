"""`dreadclock knocks`: list and answer the knocks at a room: requests for a seat, from people without a link."""

import asyncio
from typing import Annotated

import typer

from dreadclock.cli.knock import Wanted
from dreadclock.cli.links import GM_LINK, SCOPES, opened_link
from dreadclock.client.rest import RestRoom
from dreadclock.wire.base import Role, Scope
from dreadclock.wire.frames import WaitingKnock
from dreadclock.wire.plain import isolated

_AS = {Role.PLAYER: "a player", Role.SPECTATOR: "a spectator", Role.INTEGRATION: "an integration"}


def knocks(
    link: Annotated[str, GM_LINK],
    accept: Annotated[str | None, typer.Option(metavar="CODE", help="Give a seat to whoever shows this code.")] = None,
    turn_away: Annotated[str | None, typer.Option(metavar="CODE", help="Turn away whoever shows this code.")] = None,
    role: Annotated[Wanted | None, typer.Option(help="The role of the seat. Default: the role in the knock.")] = None,
    name: Annotated[str | None, typer.Option(help="The name of the seat. Default: the name in the knock.")] = None,
    scope: Annotated[list[Scope] | None, SCOPES] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="ID", help="Give this existing seat of that role, not a new seat.")
    ] = None,
) -> None:
    """List the knocks at a room, or answer a knock.

    \b
    dreadclock knocks GM_LINK --accept dalad-zihig
    """
    if accept is not None and turn_away is not None:
        raise typer.BadParameter("give one of --accept and --turn-away", param_hint="--turn-away")
    opened = opened_link(link, "GM_LINK")
    room, code = RestRoom(opened.server, opened.room, opened.token), accept or turn_away
    if code is None:
        for knock in asyncio.run(room.knocks()):
            typer.echo(_line(knock))
        return
    more = {"role": role and role.value, "name": name, "seat_id": seat}
    typer.echo(asyncio.run(_answer(room, code, accept is not None, tuple(scope or ()), more)))


def _line(knock: WaitingKnock) -> str:
    program = f", with {isolated(knock.client)}" if knock.client is not None else ""
    alike = f"; its name reads like that of the seat {knock.resembles}" if knock.resembles is not None else ""
    return f"{knock.code}  {isolated(knock.name)} wants to be {_AS[knock.wants]}{program}{alike}"


async def _answer(
    room: RestRoom, code: str, accept: bool, scopes: tuple[Scope, ...], more: dict[str, str | None]
) -> str:
    as_shown = "-".join(code.lower().replace("-", " ").split())
    matches = [knock for knock in await room.knocks() if knock.code == as_shown]
    if not matches:
        typer.echo("Nobody who knocks shows this code: look at it again, or ask them to knock anew.", err=True)
        raise typer.Exit(1)
    if not accept:
        await room.answer_knock(matches[0].knock, accept=False)
        return f"{isolated(matches[0].name)} was turned away."
    state = await room.answer_knock(matches[0].knock, accept=True, scopes=scopes, **more)
    return f"{isolated(more['name'] or matches[0].name)} has the seat {state.seat_id}."
