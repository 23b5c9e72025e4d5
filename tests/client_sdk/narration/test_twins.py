"""The narrator in JavaScript against the one in Python, over every record there is."""

from dreadclock.narration import QUIET, Narrator, is_quiet
from dreadclock.wire.events import ConsequenceAttached, EffectChosen
from dreadclock.wire.views import View
from kit.narration.examples import LANGUAGES, examples
from kit.narration.telling import in_javascript, json_of, told_in_transcript
from kit.puppet import needs_node
from kit.scenery import record
from kit.transcripts.written import transcript_files

NARRATORS = [Narrator(language) for language in LANGUAGES]

pytestmark = needs_node


def test_every_transcript_is_told_alike() -> None:
    names = [path.name for path in transcript_files()]

    told = in_javascript([{"do": "transcript", "name": name, "languages": LANGUAGES} for name in names])

    assert len(names) > 40
    for name, sentences in zip(names, told, strict=True):
        assert sentences == list(told_in_transcript(name, NARRATORS)), name


def test_every_example_is_told_alike() -> None:
    known: list[View] = []
    jobs = []
    told = []
    for example in examples():
        known += [] if example.view in known else [example.view]
        jobs.append(
            {"do": "tell", "languages": LANGUAGES, "record": json_of(example.record), "view": known.index(example.view)}
        )
        told.append([narrator.told(example.record, example.view) for narrator in NARRATORS])

    assert in_javascript(jobs, known) == told
    assert len(told) > 150


def test_what_follows_from_what_is_said_alike() -> None:
    attached = [(each.event, each) for each in examples() if isinstance(each.event, ConsequenceAttached)]
    views = [each.view for _, each in attached]

    jobs = [
        {"do": "follows", "languages": LANGUAGES, "record": json_of(each.record), "view": place}
        for place, (_, each) in enumerate(attached)
    ]
    told = [[narrator.follows(event.consequence, each.view) for narrator in NARRATORS] for event, each in attached]

    assert in_javascript(jobs, views) == told
    assert len({sentence for each in told for sentence in each}) > 2 * len(LANGUAGES)


def test_the_same_events_are_left_out_of_a_story() -> None:
    (quiet,) = in_javascript([{"do": "quiet"}])

    assert set(quiet) == QUIET
    chosen = EffectChosen(character_id="raven", check_id="dive", effect="momentum", choices=())
    events = [chosen, chosen.model_copy(update={"effect": "Swing"}), *(example.event for example in examples())]
    left_out = in_javascript([{"do": "is_quiet", "record": json_of(record(event))} for event in events])
    assert left_out == [is_quiet(event) for event in events]
    assert left_out[:2] == [True, False]
