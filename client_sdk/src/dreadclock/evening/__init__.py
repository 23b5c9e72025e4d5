"""Files of a whole evening: exports, and the recap, a page that tells one. `dreadclock.dice.audit` checks exports."""
