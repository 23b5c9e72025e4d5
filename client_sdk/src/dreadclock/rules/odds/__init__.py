"""Exact odds of the rules, as fractions: `countdown`, `race`, `check`, `contest` and `total`. The `report` modules
return them ready for JSON.
"""

from dreadclock.rules.odds.check_report import CheckReport as CheckReport
from dreadclock.rules.odds.check_report import ContestReport as ContestReport
from dreadclock.rules.odds.check_report import check_report as check_report
from dreadclock.rules.odds.check_report import contest_report as contest_report
from dreadclock.rules.odds.report import CountdownReport as CountdownReport
from dreadclock.rules.odds.report import RaceReport as RaceReport
from dreadclock.rules.odds.report import TableReport as TableReport
from dreadclock.rules.odds.report import countdown_report as countdown_report
from dreadclock.rules.odds.report import race_report as race_report
from dreadclock.rules.odds.report import read_fraction as read_fraction
from dreadclock.rules.odds.report import table_report as table_report
from dreadclock.rules.odds.total_report import PushReport as PushReport
from dreadclock.rules.odds.total_report import TotalReport as TotalReport
from dreadclock.rules.odds.total_report import push_report as push_report
from dreadclock.rules.odds.total_report import total_report as total_report
