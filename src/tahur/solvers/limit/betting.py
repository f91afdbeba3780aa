"""The betting of limit games as arrays, for solvers; defined with the rules, since players use it to look up nodes."""

from __future__ import annotations

from tahur.games.holdem.limit_betting import DECISION as DECISION
from tahur.games.holdem.limit_betting import FOLDED as FOLDED
from tahur.games.holdem.limit_betting import NOT_LEGAL as NOT_LEGAL
from tahur.games.holdem.limit_betting import SHOWDOWN as SHOWDOWN
from tahur.games.holdem.limit_betting import SLOTS as SLOTS
from tahur.games.holdem.limit_betting import Betting as Betting
from tahur.games.holdem.limit_betting import betting_of as betting_of
from tahur.games.holdem.limit_betting import slot_of as slot_of
