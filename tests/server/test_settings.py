"""What an operator can set by environment."""

import pytest

from dreadclock_server.settings import BadSetting, from_environment


def test_names_are_split_at_commas_and_the_loopback_stays_allowed():
    settings = from_environment({"DREADCLOCK_ALLOWED_HOSTS": "tables.example, other.example,"})

    assert settings.allowed_hosts == ("127.0.0.1", "localhost", "::1", "tables.example", "other.example")


def test_what_is_not_set_has_its_default():
    assert from_environment({}).hello_within_s == 5


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan", "inf", "61"])
def test_a_time_that_makes_no_sense_is_refused_in_a_sentence(text: str):
    with pytest.raises(BadSetting, match=r"^DREADCLOCK_HELLO_WITHIN_S is a number of seconds up to 60, not "):
        from_environment({"DREADCLOCK_HELLO_WITHIN_S": text})
