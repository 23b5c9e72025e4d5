"""Looking back on a page: any moment of a long evening is right, and near to any other."""

import json
import subprocess
from pathlib import Path

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record, text_of
from dreadclock.wire.things import Policy, Roll
from kit.puppet import needs_node, pages_for_node

WITHIN_S = 60
RECORDS, STEPS, EVERY = 2_000, 120, 50
ASK = """
const [folder, ...numbers] = process.argv.slice(1);
const { Course } = await import(`${folder}/js/evening/course.js`);
const { View, fold } = await import(`${folder}/client/dreadclock.js`);
const { read, readRecord } = await import(`${folder}/client/records.js`);
const { MODELS } = await import(`${folder}/client/shapes.js`);
const { readFileSync } = await import("node:fs");
const records = readFileSync(0, "utf8").trim().split("\\n").map(readRecord);
let folds = 0;
const counting = new Proxy(records, { get: (all, place) => ((folds += /^\\d+$/.test(String(place))), all[place]) });
const course = new Course(["public"], counting);
const views = [new View({ public: read(MODELS.ChannelView, {}, "a view") })];
for (const record of records) views.push(fold(views.at(-1), record));
const costs = numbers.map((number) => {
  folds = 0;
  const same = JSON.stringify(course.after(Number(number))) === JSON.stringify(views[number]);
  return [same, folds];
});
console.log(JSON.stringify(costs));
"""


def texts() -> list[str]:
    """Write an evening of many rolls."""
    rolls = [e.DiceRolled(roll=Roll(id=f"roll-{n}", seat_id="gm-1", faces=(n % 6 + 1,))) for n in range(1, RECORDS)]
    events: list[e.Event] = [e.RoomOpened(title="A long evening", policy=Policy()), *rolls]
    return [
        text_of(Record(channel=Channel.PUBLIC, seq=seq, at=seq, by="gm-1", event=event))
        for seq, event in enumerate(events, start=1)
    ]


@needs_node
def test_a_step_back_is_right_and_folds_no_more_than_lie_between_two_views_that_are_kept(tmp_path: Path) -> None:
    folder = pages_for_node(tmp_path)
    numbers = [RECORDS, *range(RECORDS - 1, RECORDS - STEPS, -1), 1, RECORDS // 2, RECORDS // 2 + 1]

    command = ["node", "--input-type=module", "--eval", ASK, folder.as_uri(), *map(str, numbers)]
    done = subprocess.run(command, input="\n".join(texts()), capture_output=True, text=True, timeout=WITHIN_S)

    assert done.returncode == 0, done.stderr
    costs = json.loads(done.stdout)
    assert all(same for same, _ in costs)
    assert costs[0][1] == RECORDS
    assert max(folds for _, folds in costs[1:]) < EVERY
    assert costs[-1][1] == 1
