"""The words of results: what they say about winning, whom they name, and to which seat they belong.

``Alpha Wins`` says that Alpha wins; ``draw`` names nobody; ``ex`` names somebody
and leaves it to its rule to tell whom. ``Black captures`` begins with the name of a
player, and what stands behind it is a verb that may be unknown.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from zermelo.core.machine import DRAWS, LOSES, NOBODY, WINS, Verb, spaced, words_of
from zermelo.core.values import Atom, SetType, Value, WordType, in_order
from zermelo.languages.sections import ir
from zermelo.languages.sections.walk import effects, parts
from zermelo.text.source import NOWHERE, Span

_ALL: Final = frozenset({"all", "everybody", "everyone"})
_TOGETHER: Final = frozenset(
    {"all", "both", "everybody", "everyone", "we", "us", "they", "team", "together", "players"}
)
_FILLERS: Final = frozenset({"the", "is", "has", "have", "by", "a", "game"})
SOLVED: Final = WINS | frozenset(
    {"solved", "solve", "solution", "success", "succeeded", "complete", "completed", "done"}
    | {"escaped", "cleared", "reached", "passed", "yes", "goal", "finished", "across", "safe"}
)
FAILED: Final = LOSES | frozenset(
    {"fail", "fails", "failed", "failure", "dead", "died", "stuck", "trapped", "caught"}
    | {"bust", "timeout", "no", "unsolved", "impossible", "eaten", "drowned", "crashed"}
)
_FATES: Final = frozenset({"captured", "found", "free", "freed", "arrested", "sunk", "expired"})
_SHARED_FATES: Final = (
    WINS
    | LOSES
    | frozenset(
        {"solved", "success", "succeeded", "failure", "failed", "fail", "done", "complete"}
        | {"completed", "unsolved", "timeout"}
    )
)
_ENDS: Final = frozenset({"solved", "fail", "fails", "failed", "failure"})
_ALONE: Final = frozenset({"player", "you", "i", "solver"})
_ARITHMETIC: Final = {ir.Op.PLUS, ir.Op.MINUS, ir.Op.TIMES, ir.Op.DIVIDE, ir.Op.MOD, ir.Op.POWER}
_MOST_LISTED: Final = 64
_DEPTH: Final = 20
BY_RULES: Final = 2
"""The score of what rules tell."""
_WEAK: Final = 3
"""Scores up to this one come from rules, ranks and single letters, not from names."""
_TURN_WORDS: Final = frozenset(
    {"turn", "turns", "move", "moves", "to", "is", "s", "player", "play", "plays", "go", "goes"}
    | {"active", "current", "next", "now", "flag", "toggle", "switch", "state", "phase", "step"}
)
_PRONOUNS: Final[Mapping[str, tuple[str, ...]]] = {"my": ("i", "me"), "your": ("you",)}
"""Whom a word in the name of a turn variable stands for, as in ``myTurn``."""
_SPELLED: Final[Mapping[str, frozenset[str]]] = {"x": frozenset({"ex"}), "o": frozenset({"oh"})}
_CALLED: Final[Mapping[str, frozenset[str]]] = {
    "x": _SPELLED["x"] | {"cross", "crosses"},
    "o": _SPELLED["o"] | {"nought", "noughts", "ring", "rings", "circle", "circles", "zero"},
}
"""What letters that are used as marks are called."""
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
_GAINS: Final = frozenset(
    {"more", "most", "ahead", "leads", "triumphs", "prevails", "survives", "succeeds", "best"}
    | {"escapes", "escaped", "survived", "succeeded"}
)
_FAILS: Final = frozenset(
    {"bust", "busts", "busted", "out", "fails", "failed", "dies", "died", "dead", "resigns"}
    | {"trapped", "caught", "stuck", "eliminated", "falls", "worst"}
)
_NOUNS: Final = frozenset({"player", "players", "side", "team", "colour", "color"})
_NEUTRAL: Final = frozenset(
    {"equal", "equals", "equality", "even", "full", "level", "balanced", "balance", "same"}
    | {"blocked", "undecided", "quits", "split", "peace"}
)


PLAIN_DRAWS: Final = frozenset(
    {"equal", "equals", "equality", "level", "balanced", "balance", "same", "quits", "split"}
)
"""Words that say that nobody wins where everybody has a word of their own."""
_PLAIN_ENDS: Final = frozenset(
    {"finished", "done", "complete", "completed", "over", "end", "ended", "stopped", "exhausted"}
    | {"board", "the", "is", "game"}
)


@dataclass(frozen=True, slots=True)
class ResultWord:
    """A value that the result may get."""

    value: Value
    text: str
    stem: str
    """The words that are no verb: who or what it names; may be empty."""
    verb: Verb
    guards: tuple[ir.Expr, ...]
    """The guards of the rules that set it."""
    span: Span
    """A rule that sets it, or nowhere."""
    rest: str = ""
    """What stands behind the name of a player, where it is no verb that is always clear."""

    @property
    def tokens(self) -> frozenset[str]:
        """Its single words, in small letters."""
        return tokens(self.text)

    @property
    def is_fate(self) -> bool:
        """Whether it tells what became of somebody, or of all, and not of whom: `caught`, `won`."""
        return bool(self.tokens) and self.tokens <= SOLVED | FAILED | _FATES

    @property
    def is_for_all(self) -> bool:
        """Whether it is a fate that players share rather than one that they do to each other."""
        return self.is_fate and self.tokens <= _SHARED_FATES

    @property
    def is_shared(self) -> bool:
        """Whether it says that all win together, or lose."""
        says = not self.tokens.isdisjoint(WINS | LOSES)
        return says and not self.tokens.isdisjoint(_TOGETHER)

    @property
    def is_solved(self) -> bool:
        """Whether a single player has won with it."""
        return bool(self.tokens & SOLVED) and not self.is_failed

    @property
    def is_failed(self) -> bool:
        """Whether a single player has lost with it."""
        return bool(self.tokens & FAILED)


def result_words(system: ir.System) -> tuple[ResultWord, ...]:
    """The values that the result of *system* may get, those of its set first.

    A value that it has at first and that no rule sets, as ``none``, is no result.
    """
    variable = system.variable(system.result)
    if variable is None:
        return ()
    kind = variable.type.item if isinstance(variable.type, SetType) else variable.type
    possible = [] if variable.domain is None else list(listed(system, variable.domain))
    given: dict[Value, list[tuple[tuple[ir.Expr, ...], Span]]] = {}
    for value, guards, span in _assigned(system, variable.name):
        given.setdefault(value, []).append((guards, span))
    values = list(dict.fromkeys((*possible, *given)))
    first = variable.initial.value if isinstance(variable.initial, ir.Literal) else None
    has_words = isinstance(kind, WordType)
    # Whoever a variable called `loser` names has lost, and whoever `winners` has in it has won.
    given_verb = _verb_of_all(tokens(variable.name))
    owners = {each.name for each in system.variables}
    found: list[ResultWord] = []
    for value in values:
        if value in given or (has_words and value != first):
            rules = given.get(value, [])
            text = value.name if isinstance(value, Atom) else str(value)
            guards = tuple(guard for around, _ in rules for guard in around)
            span = rules[0][1] if rules else NOWHERE
            stem, verb = read_word(text)
            if verb is Verb.DRAWS and (text in owners or _is_beside_odd(text, values)):
                # A player may be called Even.
                stem, verb = text, Verb.SILENT
            if verb is Verb.SILENT:
                verb = given_verb
            found.append(ResultWord(value, text, stem, verb, guards, span))
    return tuple(found)


def _is_beside_odd(text: str, values: Sequence[Value]) -> bool:
    others = {value.name.casefold() for value in values if isinstance(value, Atom)}
    return text.casefold() == "even" and "odd" in others


def _verb_of_all(called: frozenset[str]) -> Verb:
    """What the name of a result says of whomever it holds, as ``loser`` or ``winners``."""
    if called & {"loser", "losers", "victim", "victims"} or not LOSES.isdisjoint(called):
        return Verb.LOSES
    return Verb.WINS if called & (WINS | {"winners", "champion"}) else Verb.SILENT


def only_at_first(system: ir.System) -> Value | None:
    """The value of the result before anything is decided, as ``playing``, if no rule sets it."""
    variable = system.variable(system.result)
    if variable is None or not isinstance(variable.initial, ir.Literal):
        return None
    first = variable.initial.value
    given = {value for value, _, _ in _assigned(system, variable.name)}
    return None if first in given else first


def names_players(words: Sequence[ResultWord]) -> bool:
    """Whether *words* speak of several players: all, one is said to win, or two are named."""
    if any(word.is_shared for word in words):
        return True
    said = [w for w in words if w.verb in {Verb.WINS, Verb.LOSES} and w.stem]
    if any(w.stem.casefold() not in _ALONE for w in said):
        return True
    if len({w.stem.casefold() for w in said if w.verb is Verb.WINS}) >= 2:
        # `you win` alone is a puzzle, and `you win` with `I win` are two players.
        return True
    named = [w for w in words if w.verb is Verb.SILENT and not w.is_solved and not w.is_failed]
    return len({w.stem.casefold() for w in named}) >= 2


def read_word(text: str) -> tuple[str, Verb]:
    """Whom a result word names, and what it says.

    >>> read_word("Alpha Wins"), read_word("xWon"), read_word("draw"), read_word("ex")
    (('Alpha', <Verb.WINS: 'wins'>), ('x', <Verb.WINS: 'wins'>), ('', <Verb.DRAWS: 'draws'>), \
('ex', <Verb.SILENT: 'names somebody or something, and no verb'>))
    """
    tokens = words_of(text)
    lower = [token.casefold() for token in tokens]
    has_verb = not (WINS | LOSES).isdisjoint(lower)
    # A player may be called Even: with a verb, only words for nobody say that nobody wins.
    drawn = NOBODY if has_verb else DRAWS
    if has_verb and not _ALL.isdisjoint(lower):
        return "", Verb.DRAWS
    if not drawn.isdisjoint(lower) or lower[:1] == ["no"] or text == "0":
        return "", Verb.DRAWS
    if not has_verb:
        return text, Verb.SILENT
    verb = Verb.LOSES if WINS.isdisjoint(lower) else Verb.WINS
    named = [t for t in tokens if t.casefold() not in WINS | LOSES]
    # A player may be called A: words such as the article go only if something is left.
    short = [t for t in named if t.casefold() not in _FILLERS or t == "A"]
    return " ".join(short or named), verb


def tokens(text: str) -> frozenset[str]:
    """The single words of *text*, in small letters.

    >>> sorted(tokens("redWins"))
    ['red', 'wins']
    """
    return frozenset(token.casefold() for token in words_of(text))


_SAID_TOGETHER: Final = re.compile(
    r"\bco-?operat|\b(?:work|play|act|fight|win|lose)s? together\b|\bas (?:a|one) team\b"
    r"|\bhelp each other\b|\b(?:are|is) (?:a|one) team\b|\bboth (?:players )?(?:win|lose)\b"
    r"|\b(?:all|everybody|everyone) (?:players )?(?:wins?|loses?)\b",
    re.IGNORECASE,
)


def says_together(prose: Iterable[str]) -> bool:
    """Whether the document says in words that its players win and lose together.

    >>> says_together(["Both players win if the word is found."]), says_together(["Two play."])
    (True, False)
    """
    return any(_SAID_TOGETHER.search(row) for row in prose)


def tells_an_end(text: str) -> bool:
    """Whether *text* has a word that says how play ended.

    >>> tells_an_end("Alpha Wins"), tells_an_end("closed"), tells_an_end("none")
    (True, False, False)
    """
    # `none` and `both` are said of many things.
    return not tokens(text).isdisjoint(WINS | LOSES | (DRAWS - NOBODY - {"even"}) | _ENDS)


def _assigned(system: ir.System, name: str) -> Iterator[tuple[Value, tuple[ir.Expr, ...], Span]]:
    """Each value that a rule gives the variable *name*, or adds to it."""
    seen: set[int] = set()
    for procedure in (*system.moves, *((system.end,) if system.end else ())):
        for effect in effects(system, procedure):
            if effect.assign.variable != name or id(effect.assign) in seen:
                continue
            seen.add(id(effect.assign))
            span = effect.assign.span if effect.rule is None else effect.rule.span
            for value in _given(system, name, effect.assign.value):
                yield value, effect.guards, span


def _given(system: ir.System, name: str, expr: ir.Expr) -> Iterator[Value]:
    """The values that *expr* may give the variable *name*.

    One that is computed, as ``3 − turn``, may give each value that both the variable and one
    that it is computed from can have.
    """
    if not any(isinstance(node, ir.Binary) and node.op in _ARITHMETIC for node in parts(expr)):
        for node in parts(expr):
            if isinstance(node, ir.Literal):
                yield from _marks(node.value)
        sources = [expr] if isinstance(expr, ir.Ref) else []
    else:
        sources = [node for node in parts(expr) if isinstance(node, ir.Ref)]
    for source in sources:
        if source.name != name:
            mine, theirs = _possible(system, name), _possible(system, source.name)
            yield from mine if set(mine) <= {0, *theirs} else ()


def _possible(system: ir.System, name: str) -> list[Value]:
    variable = system.variable(name)
    domain = None if variable is None else variable.domain
    return [] if domain is None else list(listed(system, domain))


def listed(system: ir.System, domain: ir.Expr, *, depth: int = 0) -> Iterator[Value]:
    """The words or numbers that *domain* lists, itself or by the names of sets."""
    match domain:
        case ir.PowerSet(base=base):
            yield from listed(system, base, depth=depth)
        case ir.SetOf(items=items):
            for item in items:
                if isinstance(item, ir.Literal | ir.Range):
                    yield from listed(system, item, depth=depth)
        case ir.Range(low=ir.Literal(value=int(low)), high=ir.Literal(value=int(high))):
            yield from range(low, min(high, low + _MOST_LISTED) + 1)
        case ir.Literal(value=value):
            yield from _marks(value)
        case ir.Ref(name=name) if depth < _DEPTH:
            definition = next((s for s in system.sets if s.name == name), None)
            if definition is not None:
                yield from listed(system, definition.value, depth=depth + 1)
        case ir.Binary(op=ir.Op.UNION, left=left, right=right):
            yield from listed(system, left, depth=depth)
            yield from listed(system, right, depth=depth)
        case _:
            pass


def _marks(value: Value) -> Iterator[Value]:
    if isinstance(value, frozenset):
        for item in in_order(value):
            yield from _marks(item)
    elif isinstance(value, Atom) or is_number(value):
        yield value


# Seats


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table: when it is to move, and what is known of who sits there."""

    turn: ir.Expr
    value: Value | None = None
    """The value of the turn variable, where it is one variable."""
    owned: tuple[str, ...] = ()
    """The variables that grow in this seat's turns only."""
    owned_sets: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    """The variables that change in this seat's turns only."""
    tokens: tuple[str, ...] = ()
    """Of a Boolean as ``redTurn`` the ``red``, at the seat that moves when it holds."""
    name: str | None = None
    """The name the document's Reading gives, later the name found."""


def tokens_of(variable: str) -> tuple[str, ...]:
    """The words in the name of a turn variable that may name who moves when it holds.

    >>> tokens_of("redTurn"), tokens_of("turn"), tokens_of("tomsTurn"), tokens_of("myTurn")
    (('red',), (), ('toms', 'tom'), ('i', 'me'))
    """
    words = re.split(r"[\s_]+", spaced(variable).casefold())
    named = [word for word in words if word and word not in _TURN_WORDS]
    meant = [each for word in named for each in _PRONOUNS.get(word, (word,))]
    return (*meant, *(word[:-1] for word in meant if len(word) > 2 and word.endswith("s")))


def named_words(seats: Sequence[Seat], words: Sequence[ResultWord]) -> tuple[ResultWord, ...]:
    """*words*, those without a known verb taken apart into a player's name and the rest."""
    silent = [word for word in words if word.stem == word.text]
    return tuple(_parted(seats, word, silent) if word in silent else word for word in words)


def sounds_drawn(word: ResultWord) -> bool:
    """Whether a word that names nobody is likely to say that nobody wins."""
    return bool(word.tokens & _NEUTRAL)


def _parted(seats: Sequence[Seat], word: ResultWord, silent: Sequence[ResultWord]) -> ResultWord:
    names = [n for seat in seats for n in _names_of(seat) if begins(word.text, n)]
    if names:
        length = len(max(names, key=len))
    else:
        others = [other.text for other in silent if other is not word]
        length = len(word.text) - len(_shared_end(word.text, others))
    stem, rest = word.text[:length].strip(), word.text[length:].strip()
    if not stem or not rest or set(rest.casefold().split()) <= _NOUNS:
        return word
    if word.verb is not Verb.SILENT:
        return replace(word, stem=stem)
    tokens = set(rest.casefold().split())
    verb = Verb.LOSES if tokens & _FAILS else Verb.WINS if tokens & _GAINS else Verb.SILENT
    return replace(word, stem=stem, verb=verb, rest=rest)


def _names_of(seat: Seat) -> Iterable[str]:
    """The names that a seat is known by: a given one, the turn's value or name, its sets."""
    if seat.name is not None:
        yield seat.name
    if isinstance(seat.value, Atom):
        yield seat.value.name
    yield from seat.owned
    yield from seat.tokens


def _shared_end(text: str, others: Iterable[str]) -> str:
    """The longest run of words at the end of *text*, not all of it, that others end with too."""
    words = text.split()
    for start in range(1, len(words)):
        end = " " + " ".join(words[start:])
        if any(other.casefold().endswith(end.casefold()) for other in others):
            return end
    return ""


def begins(text: str, name: str) -> bool:
    """Whether *text* begins with the whole word or words *name*.

    >>> begins("Black captures", "black"), begins("Blackbird", "Black")
    (True, False)
    """
    lower, start = text.casefold(), name.casefold()
    return lower.startswith(start) and not lower[len(start) : len(start) + 1].isalpha()


@dataclass(frozen=True, slots=True)
class Clue:
    """Something that ties a word to a seat: how strongly, and what it is."""

    word: str
    """The text of the word."""
    seat: int
    score: int
    evidence: str


@dataclass(frozen=True, slots=True)
class Belonging:
    """Words given to seats."""

    seat_by_word: Mapping[str, int]
    """By the text of the word."""
    assumed: tuple[str, ...] = ()
    """Stems given to seats by their order, or by rules of which each tells one side only."""
    by_rules: tuple[str, ...] = ()
    """Stems that only rules tie to seats: who brings about what they ask for is taken to win."""
    unknown: tuple[ResultWord, ...] = ()
    """Words that are nobody's, or say nothing of winning, as far as the document says."""
    drawn: tuple[ResultWord, ...] = ()
    """Words that name nobody, where everybody has a word of their own: taken as draws."""
    evidence: Mapping[str, str] = field(default_factory=dict)
    """What ties a word to its seat, by the text of the word."""


def belonging(
    seats: Sequence[Seat],
    words: Sequence[ResultWord],
    clues: Sequence[Clue],
    *,
    trusts_rules: bool = True,
) -> Belonging:
    """Whose word each of *words* is; words that say draw are left out.

    *clues* tell more than names do. Without *trusts_rules* what a rule asks for may as well be
    what its winner has to avoid.
    """
    fates = _fates_of_me(seats, words)
    if fates is not None:
        return fates
    named = _naming(seats, words)
    ties = _by_score(seats, named, clues)
    weak = _told_by_rules(seats, named, ties)
    is_whole = len({ties[w.text].seat for w in weak}) == len(_open_seats(seats, ties, weak))
    is_told = is_whole and trusts_rules and not _is_against_order(weak, ties)
    by_rules = tuple(dict.fromkeys(w.stem for w in weak)) if is_told else ()
    found = {text: tie.seat for text, tie in ties.items()}
    evidence = {text: tie.evidence for text, tie in ties.items()}
    doubtful = [] if by_rules else weak
    for word in doubtful:
        del found[word.text]
    known = {w.stem.casefold(): found[w.text] for w in named if w.text in found and w.stem}
    for word in named:
        if word.stem.casefold() in known:
            found.setdefault(word.text, known[word.stem.casefold()])
    open_seats = [i for i in range(len(seats)) if i not in found.values()]
    open_words = [word for word in named if word.text not in found and word.stem]
    stems = {word.stem.casefold(): word.stem for word in reversed(open_words)}
    # They look like names of players if all have a verb, or there is one for each seat.
    have_verbs = all(word.verb is not Verb.SILENT for word in open_words)
    assumed: tuple[str, ...] = ()
    if stems and (len(stems) == len(open_seats) or (have_verbs and len(stems) < len(open_seats))):
        likely = {w.stem.casefold(): ties[w.text].seat for w in doubtful}
        rest = [seat for seat in open_seats if seat not in likely.values()]
        others = zip([s for s in sorted(stems) if s not in likely], rest, strict=False)
        seat_by_stem = {**likely, **dict(others)}
        found.update((word.text, seat_by_stem[word.stem.casefold()]) for word in open_words)
        if len(open_seats) > 1:
            assumed = tuple(stems[stem] for stem in sorted(stems))
        else:
            last = "nobody else is left whose it could be"
            evidence.update((word.text, last) for word in open_words)
    # A verb may be good or bad; if each seat has one such word, it is good.
    silent = [w for w in named if w.rest and w.verb is Verb.SILENT and w.text in found]
    if sorted(found[w.text] for w in silent) == list(range(len(seats))):
        silent = []
    left = [word for word in words if word.verb is not Verb.DRAWS and word.text not in found]
    everybody = set(range(len(seats))) <= set(found.values())
    drawn = [word for word in left if everybody and not silent and _may_be_drawn(word)]
    unknown = (*(word for word in left if word not in drawn), *silent)
    return Belonging(found, assumed, by_rules, unknown, tuple(drawn), evidence)


def _fates_of_me(seats: Sequence[Seat], words: Sequence[ResultWord]) -> Belonging | None:
    """Whose `win` and `lose` is, where the turn is called `myTurn` and no word names anybody."""
    mine = [index for index, seat in enumerate(seats) if "me" in seat.tokens]
    decided = [word for word in words if word.verb is not Verb.DRAWS]
    if len(mine) != 1 or not decided or not all(w.tokens <= WINS | LOSES for w in decided):
        return None
    why = "the variable of the turn says who I am"
    seat_by_word = {word.text: mine[0] for word in decided}
    return Belonging(seat_by_word, evidence=dict.fromkeys(seat_by_word, why))


def _naming(seats: Sequence[Seat], words: Sequence[ResultWord]) -> list[ResultWord]:
    """The words that may name somebody: no fates, nor what sounds drawn, if others are enough."""
    named = [word for word in words if word.verb is not Verb.DRAWS and not word.is_fate]
    others = [w for w in named if w.verb is not Verb.SILENT or not sounds_drawn(w)]
    is_enough = len({w.stem.casefold() for w in others if w.stem}) >= len(seats)
    return others if is_enough else named


def _may_be_drawn(word: ResultWord) -> bool:
    """Whether a word that is nobody's may say that nobody wins: `full`, `D`, 3 beside 1 and 2."""
    if is_number(word.value) or word.text.casefold() in {"d", "t"}:
        return True
    return word.verb is Verb.SILENT and bool(word.tokens) and word.tokens <= _NEUTRAL | _PLAIN_ENDS


def _told_by_rules(
    seats: Sequence[Seat], words: Sequence[ResultWord], ties: Mapping[str, Clue]
) -> list[ResultWord]:
    """The words that nothing but rules ties to a seat, where it may be another seat as well."""
    weak = [w for w in words if w.text in ties and ties[w.text].score <= BY_RULES]
    return weak if len(_open_seats(seats, ties, weak)) > 1 else []


def _is_against_order(words: Sequence[ResultWord], ties: Mapping[str, Clue]) -> bool:
    """Whether rules make B the one who moves before A.

    Letters in a row are given to players in the order of play, so a rule that tells otherwise
    may as well ask for what is to be avoided.
    """
    by_seat = {ties[word.text].seat: word.stem.casefold() for word in words}
    names = [by_seat[seat] for seat in sorted(by_seat)]
    in_row = "".join(sorted(names)) in string.ascii_lowercase
    return in_row and all(len(name) == 1 for name in names) and names != sorted(names)


def _open_seats(
    seats: Sequence[Seat], ties: Mapping[str, Clue], weak: Sequence[ResultWord]
) -> list[int]:
    """The seats to which nothing but rules ties a word."""
    doubtful = {word.text for word in weak}
    taken = {tie.seat for text, tie in ties.items() if text not in doubtful}
    return [index for index in range(len(seats)) if index not in taken]


def _by_score(
    seats: Sequence[Seat], words: Sequence[ResultWord], clues: Sequence[Clue]
) -> dict[str, Clue]:
    """The words that are tied to one seat more than to any other.

    Of words tied to a seat by their rules only, those of one name can be right.
    """
    initials = _initials(seats, words)
    tied: list[tuple[ResultWord, Clue]] = []
    for word in words:
        mine = [clue for clue in clues if clue.word == word.text]
        mine += [clue for clue in initials if clue.word == word.text]
        ties = [
            max(
                (_tie(seat, word, seats=seats, words=words), *(c for c in mine if c.seat == index)),
                key=lambda clue: clue.score,
            )
            for index, seat in enumerate(seats)
        ]
        best = max(ties, key=lambda tie: tie.score, default=None)
        scores = [tie.score for tie in ties]
        if best is not None and best.score > 0 and scores.count(best.score) == 1:
            tied.append((word, best))
    found: dict[str, Clue] = {}
    for word, tie in tied:
        rivals = [
            other.score
            for rival, other in tied
            if other.seat == tie.seat and rival.stem.casefold() != word.stem.casefold()
        ]
        if tie.score > _WEAK or all(tie.score > score for score in rivals):
            found[word.text] = tie
    return found


def _initials(seats: Sequence[Seat], words: Sequence[ResultWord]) -> tuple[Clue, ...]:
    """Names and variables of which one is the first letter of the other, if that is so of all."""
    stems = dict.fromkeys(w.stem.casefold() for w in words if w.stem)
    owners = {
        stem: [
            (index, name)
            for index, seat in enumerate(seats)
            for name in seat.owned
            if name[:1].casefold() == stem[:1] and 1 in {len(name), len(stem)}
        ]
        for stem in stems
    }
    taken = [{index for index, _ in found} for found in owners.values()]
    is_one_each = all(len(found) == 1 for found in taken) and len(stems) > 1
    if not is_one_each or len(frozenset().union(*taken)) < len(stems):
        return ()
    return tuple(
        Clue(w.text, index, _WEAK, f"`{name}` gets more in no other turns")
        for w in words
        if w.stem
        for index, name in owners[w.stem.casefold()][:1]
    )


def _tie(
    seat: Seat, word: ResultWord, *, seats: Sequence[Seat], words: Sequence[ResultWord]
) -> Clue:
    """How strongly the name in *word* ties it to *seat*."""
    index = seats.index(seat)
    stem = word.stem.casefold()
    if seat.name is not None and begins(word.text, seat.name):
        return Clue(word.text, index, 10, "the player is called so")
    if isinstance(seat.value, Atom) and stem and seat.value.name.casefold() == stem:
        return Clue(word.text, index, 6, "the turn has the same name")
    if _names_number(seat, word, seats=seats, words=words):
        return Clue(word.text, index, 6, "the turn has the same number")
    same = [name for name in seat.owned if name.casefold() == stem]
    if same:
        return Clue(word.text, index, 5, f"`{same[0]}` gets more in no other turns")
    like = [name for name in seat.owned if stem and is_like(name.casefold(), stem)]
    if like:
        return Clue(word.text, index, 4, f"`{like[0]}` gets more in no other turns")
    # ``first`` or ``Player 1`` is the seat that moves first, if all words are like that.
    ranks = [ordinal(other.stem) for other in words if other.stem]
    if None not in ranks and ordinal(word.stem) == index + 1:
        return Clue(word.text, index, _WEAK, "the number says who moves when")
    why = _called_in_turn(seat, stem, words)
    return Clue(word.text, index, _WEAK if why else 0, why)


def _called_in_turn(seat: Seat, stem: str, words: Sequence[ResultWord]) -> str:
    """How the name of the turn's variable has the name *stem* in it; empty if it has not."""
    if stem in seat.tokens:
        return "the variable of the turn is called so"
    if any(stem.startswith(token) for token in seat.tokens):
        return "the variable of the turn begins so"
    # `S` is short for `south` if no other name is.
    others = {word.stem.casefold() for word in words} - {stem}
    is_letter = len(stem) == 1 and not [other for other in others if other[:1] == stem]
    if is_letter and any(token[:1] == stem for token in seat.tokens):
        return "the variable of the turn begins with this letter"
    return ""


def is_like(name: str, stem: str) -> bool:
    """Whether a variable with this *name* is likely to be that of whom *stem* names.

    One letter that both begin with tells something only where it tells everybody apart.

    >>> is_like("reds", "red"), is_like("up", "upper"), is_like("x", "cross"), is_like("a", "anna")
    (True, True, True, False)
    >>> is_like("blue", "b"), is_like("x", "x")
    (False, True)
    """
    letter = name[:1]
    is_called_so = stem in (_CALLED if len(name) == 1 else _SPELLED).get(letter, ())
    short, long = sorted((name, stem), key=len)
    return is_called_so or name == stem or (len(short) > 1 and long.startswith(short))


def ordinal(stem: str) -> int | None:
    lower = stem.casefold()
    if lower in _ORDINALS:
        return _ORDINALS.index(lower) + 1
    match = re.fullmatch(r"(?:player|p|no|number)?\s*(\d)(?:st|nd|rd|th)?(?:\s+player)?", lower)
    first = re.fullmatch(rf"({'|'.join(_ORDINALS)}) player|player ({'|'.join(_ORDINALS)})", lower)
    if first is not None:
        return _ORDINALS.index(first[1] or first[2]) + 1
    return None if match is None else int(match[1])


def _names_number(
    seat: Seat, word: ResultWord, *, seats: Sequence[Seat], words: Sequence[ResultWord]
) -> bool:
    """Whether the word's number is the seat's, and numbers of words are values of the turn."""
    digits = [_numbers(other.stem) for other in words if other.stem]
    values = {str(other.value) for other in seats if is_number(other.value)}
    mine = _numbers(word.stem)
    is_mine = is_number(seat.value) and mine[:1] == [str(seat.value)]
    return is_mine and all(len(found) == 1 and found[0] in values for found in digits)


_NUMERALS: Final = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}


def _numbers(stem: str) -> list[str]:
    """The numbers in the name of a player, in figures or in words.

    >>> _numbers("Player 2"), _numbers("Two"), _numbers("Toni")
    (['2'], ['2'], [])
    """
    words = (_NUMERALS.get(word.casefold()) for word in words_of(stem))
    return re.findall(r"\d+", stem) or [word for word in words if word is not None]


def is_number(value: Value | None) -> bool:
    return isinstance(value, int)


def named(seats: Sequence[Seat], words: Sequence[ResultWord], found: Belonging) -> tuple[Seat, ...]:
    """*seats*, each with a name: from words, from the turn's value, from sets, or a number."""
    if len(seats) == 1:
        said = [w.stem for w in words if w.stem and w.verb in {Verb.WINS, Verb.LOSES}]
        name = said[0] if len({stem.casefold() for stem in said}) == 1 else "Player"
        return (replace(seats[0], name=seats[0].name or name),)
    others = [_names(seat, index, words=words, found=found) for index, seat in enumerate(seats)]
    by_variables = _by_variables(seats, others)
    result: list[Seat] = []
    for index, (seat, known) in enumerate(zip(seats, others, strict=True)):
        taken = {other.name for other in result}
        by_number = f"Player {seat.value}" if is_number(seat.value) else None
        last = f"Player {index + 1}"
        choices = (*known, by_variables[index], by_number)
        name = next((c for c in choices if c and c not in taken), last)
        result.append(replace(seat, name=name))
    return tuple(result)


def _names(seat: Seat, index: int, *, words: Sequence[ResultWord], found: Belonging) -> list[str]:
    """What a seat may be called by words and by its turn, best first."""
    mine = [w for w in words if found.seat_by_word.get(w.text) == index and w.stem]
    by_word = min(mine, key=lambda w: w.verb is not Verb.WINS).stem if mine else None
    if by_word is not None and by_word.isdigit():
        by_word = f"Player {by_word}"
    by_value = seat.value.name if isinstance(seat.value, Atom) else None
    # Of `kimsTurn` the name is the last and shortest; a letter alone is no name.
    by_turn = next((token for token in reversed(seat.tokens) if len(token) > 1), None)
    return [name for name in (seat.name, by_word, by_value, by_turn) if name]


def _by_variables(seats: Sequence[Seat], others: Sequence[Sequence[str]]) -> list[str | None]:
    """What seats may be called by the variables that are theirs, where these are like players.

    Everybody who has no other name must have one, and they must be alike: a heap that gets
    smaller in the turns of one and a board that fills in the turns of the other are things.
    """
    found = [_variable_of(seat) for seat in seats]
    asked = [
        (seat, mine) for seat, mine, known in zip(seats, found, others, strict=True) if not known
    ]
    is_alike = len({mine in seat.owned for seat, mine in asked}) <= 1
    return found if is_alike and all(mine for _, mine in asked) else [None] * len(seats)


def _variable_of(seat: Seat) -> str | None:
    """The first set that grows in the seat's turns only, or the one piece that is moved then.

    A seat that has a number is not called by a piece.
    """
    if seat.owned_sets:
        return seat.owned_sets[0]
    has_piece = len(seat.moved) == 1 and len(seat.moved[0]) > 1
    return seat.moved[0] if has_piece and not is_number(seat.value) else None
