"""The configuration of a training run, from a YAML file or a preset of the package.

Every key has a default except `game_type`. An unknown key is rejected with the nearest valid one, a value of the wrong
type with the expected one, so that a typo costs a second and not a night.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from math import isfinite
from typing import Any, Final, get_type_hints

from tahur.core.cache import shipped
from tahur.core.errors import SettingError, UnknownName, hint_for
from tahur.core.game import Game
from tahur.core.limits import parse_yaml

GAME_TYPES: Final = ("kuhn", "leduc", "limit_holdem")
PRESETS: Final = ("kuhn", "leduc", "fhp-quick", "fhp", "hulh-quick", "hulh")
MODES: Final = ("paper", "fast")
FALLBACKS: Final = ("argmax", "uniform")
_SMALL: Final = ("kuhn", "leduc")


@dataclass(frozen=True, slots=True)
class GameConfig:
    """Limit hold'em's rules; Kuhn and Leduc have no options. Bets are in small blinds."""

    stack_depth: int = 50  # big blinds
    num_streets: int = 4
    max_raises_early: int = 3
    max_raises_late: int = 4
    small_bet: int = 2
    big_bet: int = 4
    raise_caps: tuple[int, ...] = ()  # one for each street, instead of the two above
    showdown_board: int = 0  # board cards at the end; 0: three after two streets, else five

    @property
    def caps(self) -> tuple[int, ...]:
        usual = (self.max_raises_early,) * 2 + (self.max_raises_late,) * 2
        return self.raise_caps or usual[: self.num_streets]


@dataclass(frozen=True, slots=True)
class DealsConfig:
    count: int = 0  # size of a fixed pool of deals, for debugging; 0: fresh deals every time
    seed: int = 42


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How long, how much and with which seed to train, and what to store."""

    iterations: int = 500
    traversals_per_iter: int = 1000  # for each player
    output_dir: str = ""
    mode: str = "paper"
    seed: int = 1
    threads: int = 0  # of PyTorch; 0: its default
    log_interval: int = 10  # iterations between measurements, where a game can be measured; 0: none
    keep_every: int = 1  # iterations between the nets that the average uses
    keep_from: int = 1  # the first iteration whose net is stored
    fallback: str = "argmax"  # strategy where no regret is positive: argmax or uniform


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """The shape of a net."""

    hidden_dim: int = 128
    num_actions: int = 3


@dataclass(frozen=True, slots=True)
class SgdConfig:
    """How a net is fitted."""

    steps: int = 4000
    batch_size: int = 4096
    learning_rate: float = 0.001
    final_rate: float = 0.1  # factor of the learning rate at the last step; it falls linearly
    clip: float = 1.0  # maximum norm of the gradient


@dataclass(frozen=True, slots=True)
class MemoryConfig:
    """The capacity of the reservoirs."""

    advantage_cap: int = 5_000_000  # samples of each player


@dataclass(frozen=True, slots=True)
class CheckpointConfig:
    interval: int = 100  # iterations


@dataclass(frozen=True, slots=True)
class FastConfig:
    """Settings of the fast mode, which is for Flop Hold'em."""

    flops_per_iter: int = 220  # of the 1,755 classes; each is visited once before any is visited again
    flops: int = 0  # 0: all of them; else this many represent all, for debugging
    negative: float = 0.0  # factor for negative regrets at the next visit
    unreached: float = 0.2  # weight in the loss of a hand that its own seat never plays to a decision


@dataclass(frozen=True, slots=True)
class Config:
    """One run. `bands` are measurements of healthy runs: iteration, lowest and highest exploitability."""

    game_type: str
    game: GameConfig = field(default_factory=GameConfig)
    deals: DealsConfig = field(default_factory=DealsConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    network: NetworkConfig = field(default_factory=NetworkConfig)
    sgd: SgdConfig = field(default_factory=SgdConfig)
    memory: MemoryConfig = field(default_factory=MemoryConfig)
    checkpoint: CheckpointConfig = field(default_factory=CheckpointConfig)
    fast: FastConfig = field(default_factory=FastConfig)
    bands: tuple[tuple[int, float, float], ...] = ()

    def __post_init__(self) -> None:
        _check(self)

    def make_game(self) -> Game[Any]:
        """The game to train for, by its registered name if it has one."""
        from tahur.games.registry import make

        if self.game_type in _SMALL:
            return make(self.game_type)
        rules = self.game
        board = rules.showdown_board or (3 if rules.num_streets == 2 else 5)
        chips = 2 * rules.stack_depth
        presets = {(3, 3, 4, 4): "hulh", (3, 4, 4, 4): "acpc", (3, 3): "fhp", (3, 4): "fhp-3-4"}
        if (rules.small_bet, rules.big_bet) == (2, 4) and rules.caps in presets:
            return make(presets[rules.caps], {"stack": chips, "showdown_board": board})
        bets = {"bets": [rules.small_bet, rules.big_bet], "caps": list(rules.caps), "showdown_board": board}
        return make("limit", {"seats": 2, "stack": chips, "carry": False, **bets})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def config_from(value: Any, source: str) -> Config:
    """A config from the content of YAML or JSON."""
    if not isinstance(value, Mapping):
        raise SettingError(f"{source}: a training config must be keys and values, such as 'game_type: leduc'")
    if "game_type" not in value:
        raise SettingError(f"{source}: game_type is missing; valid: {', '.join(GAME_TYPES)}")
    config: Config = _build(Config, value, source, "")
    return config


def config_from_yaml(text: str, source: str) -> Config:
    """A config from the text of a YAML file."""
    try:
        value = parse_yaml(text)
    except ValueError as error:
        raise SettingError(f"{source} is not valid YAML: {error}") from None
    return config_from(value, source)


def preset(name: str) -> Config:
    """A preset of the package."""
    if name not in PRESETS:
        raise UnknownName(f"no file and no preset '{name}'; {hint_for(name, PRESETS, 'presets')}")
    return config_from_yaml(shipped(f"solvers/deep/presets/{name}.yaml"), f"preset {name}")


def _build(kind: type, value: Any, source: str, way: str) -> Any:
    """A dataclass from a mapping, with nested sections."""
    if not isinstance(value, Mapping):
        raise SettingError(f"{source}: {way.rstrip('.')} is {value!r}; keys and values were expected")
    hints = get_type_hints(kind)
    known = [field.name for field in fields(kind)]
    for key in value:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            hint = f"did you mean '{way}{near[0]}'?" if near else f"valid: {', '.join(known)}"
            raise SettingError(f"{source}: no key '{way}{key}'; {hint}")
    return kind(**{key: _value(hints[key], entry, source, f"{way}{key}") for key, entry in value.items()})


def _value(kind: Any, value: Any, source: str, name: str) -> Any:
    """A setting checked against its declared type `kind`, and converted to it; `source` and `name` are for errors."""
    if hasattr(kind, "__dataclass_fields__"):
        return _build(kind, {} if value is None else value, source, f"{name}.")
    if name == "bands":
        return _bands(value, source)
    if kind == tuple[int, ...]:
        if isinstance(value, list | tuple) and all(type(number) is int for number in value):
            return tuple(value)
        raise SettingError(f"{source}: {name} is {value!r}; a list of whole numbers, such as [3, 4], was expected")
    if kind is float and type(value) in (int, float) and isfinite(value):
        return float(value)
    if type(value) is not kind:
        words = {int: "a whole number", float: "a number", str: "a word"}
        raise SettingError(f"{source}: {name} is {value!r}; {words[kind]} was expected")
    return value


def _bands(value: Any, source: str) -> tuple[tuple[int, float, float], ...]:
    try:
        return tuple((int(at), float(low), float(high)) for at, low, high in value)
    except (TypeError, ValueError):
        raise SettingError(f"{source}: bands is {value!r}; a list of [iteration, low, high] was expected") from None


def _check(config: Config) -> None:
    """Reject invalid combinations of settings."""
    choices = (
        ("game_type", config.game_type, GAME_TYPES),
        ("training.mode", config.training.mode, MODES),
        ("training.fallback", config.training.fallback, FALLBACKS),
    )
    for name, value, allowed in choices:
        if value not in allowed:
            raise SettingError(f"{name} is {value!r}; valid: {', '.join(allowed)}")
    at_least_one = {
        "training.iterations": config.training.iterations,
        "training.traversals_per_iter": config.training.traversals_per_iter,
        "training.keep_every": config.training.keep_every,
        "network.hidden_dim": config.network.hidden_dim,
        "sgd.steps": config.sgd.steps,
        "sgd.batch_size": config.sgd.batch_size,
        "memory.advantage_cap": config.memory.advantage_cap,
        "checkpoint.interval": config.checkpoint.interval,
        "fast.flops_per_iter": config.fast.flops_per_iter,
    }
    for name, number in at_least_one.items():
        if number < 1:
            raise SettingError(f"{name} is {number}; it must be 1 or more")
    if config.training.log_interval < 0:
        raise SettingError(f"training.log_interval is {config.training.log_interval}; it must be 0 (never) or more")
    if config.fast.flops < 0:
        raise SettingError(f"fast.flops is {config.fast.flops}; it must be 0 (all flops) or more")
    if config.deals.count < 0:
        raise SettingError(f"deals.count is {config.deals.count}; it must be 0 (fresh deals) or more")
    if config.network.num_actions != 3:
        raise SettingError(f"network.num_actions is {config.network.num_actions}; it must be 3: fold, call, raise")
    if config.sgd.learning_rate <= 0:
        raise SettingError(f"sgd.learning_rate is {config.sgd.learning_rate}; it must be above 0")
    _check_rules(config)


def _check_rules(config: Config) -> None:
    """Reject settings of the game that contradict each other or the training mode."""
    if not 2 <= config.game.num_streets <= 4:
        raise SettingError(f"game.num_streets is {config.game.num_streets}; it must be 2 (Flop Hold'em), 3 or 4")
    if config.game_type in _SMALL and config.training.mode == "fast":
        raise SettingError(f"training.mode is fast; that is for Flop Hold'em; train {config.game_type} with mode paper")
    if config.game_type == "limit_holdem":
        if len(config.game.caps) != config.game.num_streets:
            raise SettingError(
                f"game.raise_caps has {len(config.game.caps)} caps; num_streets is {config.game.num_streets}"
            )
        if max(config.game.caps) > 4:
            raise SettingError(f"raise caps {list(config.game.caps)}; nets see six actions per street, so 4 at most")
        if config.training.mode == "fast" and (
            config.game.num_streets != 2 or config.game.showdown_board not in (0, 3)
        ):
            raise SettingError("training.mode is fast; that is for Flop Hold'em: num_streets 2 and 3 board cards")
