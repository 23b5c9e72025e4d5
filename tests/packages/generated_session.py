"""A session by a client that another tool generated from /openapi.json; it is named in generated.yml.

Run as `python generated_session.py http://127.0.0.1:7717`, beside the package `dreadclock_client`.
"""

import sys
from typing import Any

from dreadclock_client import AuthenticatedClient, Client, models  # type: ignore[import-not-found]
from dreadclock_client.api.commands import send_command  # type: ignore[import-not-found]
from dreadclock_client.api.invites import invite  # type: ignore[import-not-found]
from dreadclock_client.api.log import get_log  # type: ignore[import-not-found]
from dreadclock_client.api.odds import check_odds  # type: ignore[import-not-found]
from dreadclock_client.api.rooms import delete_room, get_size, get_view, open_room  # type: ignore[import-not-found]
from dreadclock_client.api.tokens import list_tokens, revoke_token  # type: ignore[import-not-found]

URL = sys.argv[1]


def main() -> None:
    """Open a room, invite somebody, play, look, and put all away."""
    opened = open_room.sync(client=Client(URL), body=models.OpenRoom(title="The Sunken Chapel"))
    gm, room = AuthenticatedClient(URL, token=opened.gm.token), opened.room_id
    grant = invite.sync(room, client=gm, body=models.Invite(role=models.Role.PLAYER, name="Ines"))
    ines = AuthenticatedClient(URL, token=grant.token)

    start = models.StartCountdown(type_="start_countdown", id="air", name="Air", pool=30, owner=grant.seat_id)
    started = send_command.sync(room, client=gm, body=start, idempotency_key="one")
    assert send_command.sync(room, client=gm, body=start, idempotency_key="one") == started
    roll = models.RollCountdown(type_="roll_countdown", countdown_id="air")
    (rolled,) = [each.event for each in send_command.sync(room, client=ines, body=roll).records]
    refused = send_command.sync(room, client=ines, body=models.RollCountdown(type_=roll.type_, countdown_id="none"))
    assert (refused.code, refused.n) == (models.Code.UNKNOWN, 1)

    seen: Any = get_view.sync(room, client=ines).channels["public"].countdowns["air"]
    assert (seen.pool, seen.last_faces) == (rolled.remaining, rolled.faces)
    log = get_log.sync(room, client=ines.with_headers({"Accept": "application/json"}))
    assert [log[-1].event.type_, log[-1].event.faces] == ["countdown_rolled", rolled.faces]
    assert check_odds.sync(client=Client(URL), dice=4, penalty=1).succeeds.fraction == "7/8"
    assert get_size.sync(room, client=gm).bytes_ > 0

    revoke_token.sync_detailed(room, grant.token_id, client=gm)
    assert [each.seat_id for each in list_tokens.sync(room, client=gm)] == ["gm"]
    assert get_view.sync(room, client=ines).code is models.Code.UNAUTHORISED
    delete_room.sync_detailed(room, client=gm, confirm="The Sunken Chapel")
    assert get_view.sync(room, client=gm).status == 401
    sys.stdout.write("played\n")


main()
