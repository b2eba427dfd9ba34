"""What a page is told: each question of ``requests`` answered from a document alone.

A position is what comes of the moves that lead to it, so that going back, going on and opening a
link are one and the same question. Nothing is remembered here but to be quick.
"""

from __future__ import annotations

import random
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, assert_never

from zermelo.api import comparing, loading, questions, writing
from zermelo.api.game import Game
from zermelo.api.languages import row_of
from zermelo.core.limits import Limits, Listener
from zermelo.core.machine import Ending, Fault
from zermelo.core.signature import reading_json
from zermelo.core.state import Move, State
from zermelo.faces.web.page import views
from zermelo.faces.web.page.handouts import hand_out
from zermelo.faces.web.page.opened import Answer, OpenGame
from zermelo.faces.web.page.pictures import (
    lines_json,
    moves_json,
    picture_json,
    shades_json,
)
from zermelo.faces.web.page.requests import (
    MOST_NAME,
    AskWhy,
    CheckDocument,
    ChooseMove,
    CompareReadings,
    Document,
    JudgeMoves,
    MakeHandOut,
    Question,
    ReadDocument,
    ReplyInState,
    ReviewPlay,
    ShowAround,
    ShowDiagram,
    ShowPosition,
    ShowRules,
    ShowTrace,
    ShowTypical,
    ShowValue,
    WriteDocument,
)
from zermelo.play import lines
from zermelo.play.advice import (
    Advice,
    AdvisedPlayer,
    Opponent,
    RandomPlayer,
    Skill,
    in_words,
)
from zermelo.play.session import Session, attempted, move_text, outcome_text, refusal
from zermelo.text import render
from zermelo.text.budget import STEPS_OF_AN_ANSWER, budget
from zermelo.text.diagnostic import Diagnostic, Json
from zermelo.text.errors import UsageError
from zermelo.text.prose import Line
from zermelo.text.source import Span, visible

MOST_GAMES: Final = 12
"""Documents that a process remembers."""
MOST_DIAGNOSTICS: Final = 200
COMPARING: Final = Limits(seconds=20.0, memory=1 << 30)
"""How far two readings are compared."""
MOST_LINE: Final = 60
"""Moves of a play without a mistake that are told."""
_TYPICAL_PLIES: Final = 60
_SEED: Final = 5
_TITLE: Final = re.compile(r"\s*#[ \t]+(\S.*?)[ \t#]*$", re.MULTILINE)


class Answers:
    """Answers questions; the documents that were asked about last are remembered."""

    def __init__(self) -> None:
        self._games: OrderedDict[object, OpenGame] = OrderedDict()

    def answer(
        self, question: Question, document: Document, listener: Listener | None = None
    ) -> Answer:
        """The answer to *question*; ``ZermeloError`` says in a sentence why there is none."""
        opened = self._opened(document, question.readings)
        match question:
            case ChooseMove() | ReplyInState() | JudgeMoves() | ReviewPlay() | CheckDocument():
                return _worked_out(opened, question, listener)
            case CompareReadings():
                before = self._opened(document, question.others)
                return compare(before.game, opened.game, listener)
            case _:
                with budget(steps=STEPS_OF_AN_ANSWER):
                    return _told(opened, question)

    def _opened(self, document: Document, readings: Mapping[str, str]) -> OpenGame:
        key = (document, tuple(sorted(readings.items())))
        found = self._games.pop(key, None)
        if found is None:
            found = OpenGame(
                loading.load_text(
                    document.text,
                    name=document.name,
                    readings=readings,
                    path=document.path,
                    reading_file=document.reading_file,
                ),
                title=document.title,
            )
        self._games[key] = found
        if len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        return found


def _told(opened: OpenGame, question: Question) -> Answer:
    match question:
        case ReadDocument() if type(question) is ReadDocument:
            return read(opened)
        case WriteDocument():
            return write(opened.game)
        case ShowValue():
            return value(opened, question)
        case ShowTypical():
            return typical(opened)
        case ShowPosition():
            return position(opened, question.moves)
        case AskWhy():
            return why(opened, question)
        case MakeHandOut():
            return hand_out(opened, question)
        case ShowRules() | ShowTrace() | ShowAround() | ShowDiagram():
            return views.seen(opened, question)
        case _:
            raise AssertionError(question)


def _worked_out(
    opened: OpenGame,
    question: ChooseMove | ReplyInState | JudgeMoves | ReviewPlay | CheckDocument,
    listener: Listener | None,
) -> Answer:
    match question:
        case ChooseMove():
            return choose(opened, question, listener)
        case ReplyInState():
            return reply(opened, question, listener)
        case JudgeMoves():
            return judge(opened, question, listener)
        case ReviewPlay():
            return review(opened, question, listener)
        case CheckDocument():
            return check(opened, listener)
        case _:
            assert_never(question)


# A document


def read(opened: OpenGame) -> Answer:
    """What a document is, and what there is to say about it."""
    game = opened.game
    signature = None if game.model is None else game.model.signature
    words = None if game.model is None or not game.is_loaded else game.model.words
    return {
        "name": visible(game.name),
        "title": visible(opened.title or _title(game)),
        "file": visible(game.source.name),
        "language": row_of(game.source).name,
        "loaded": game.is_loaded,
        "diagnostics": _diagnostics(game.diagnostics, game),
        "readings": [reading_json(each) for each in game.readings],
        "players": list(game.players),
        "moves": []
        if signature is None
        else [
            {"name": each.name, "parameters": [one.name for one in each.parameters]}
            for each in signature.moves
        ],
        "aim": [] if words is None else lines_json(lines.aim_lines(words.aim(), person=None)),
        "unplayable": None if signature is None else signature.unplayable,
        "noSolution": None if game.model is None else game.model.why_not_solved(),
    }


def _title(game: Game) -> str:
    """The title that the document begins with, in a line of Markdown, or the name of its file."""
    found = _TITLE.match(game.source.text)
    return found[1].strip()[:MOST_NAME] if found else game.name


def _diagnostics(said: Sequence[Diagnostic], game: Game) -> list[Json]:
    return [
        {
            **render.as_json(each, game.source),
            "text": render.full([each], game.source),
            "play": None if each.play is None else [*each.play],
        }
        for each in render.in_order(said)[:MOST_DIAGNOSTICS]
    ]


def write(game: Game) -> Answer:
    """What an editor shows of the document of *game*."""
    text, name = game.source.text, game.source.name
    return {
        "tokens": [each.to_json() for each in writing.tokens(text, name=name)],
        "diagnostics": writing.diagnostics_json(game)[:MOST_DIAGNOSTICS],
        "mathematics": [each.to_json() for each in writing.mathematics(game)],
        "symbols": [each.to_json() for each in writing.symbols(text, name=name)],
    }


def value(opened: OpenGame, question: ShowValue) -> Answer:
    """What stands at a place, with its value in the position after the moves."""
    state = opened.session(question.moves).state if opened.game.is_loaded else None
    place = Span(question.start, max(question.start, question.end))
    found = writing.value_at(opened.game, place, state)
    return {"found": None if found is None else found.to_json()}


# A position


def position(opened: OpenGame, moves: Sequence[str]) -> Answer:
    """The position after *moves*: the board, whose turn it is, and what can be done."""
    session = opened.session(moves)
    return _position(opened, session)


def _position(opened: OpenGame, session: Session) -> Answer:
    words, state, outcome = opened.words, session.state, session.outcome
    picture = words.picture(state, last=session.last)
    legal = session.legal
    ended = () if outcome is None else lines.outcome_lines(session, outcome)
    return {
        "player": session.player,
        "over": outcome is not None,
        "outcome": None if outcome is None else visible(outcome_text(outcome)),
        "winners": [] if outcome is None else list(outcome.winners),
        "stuck": outcome is not None and outcome.ending is Ending.STUCK,
        "ending": lines_json(ended),
        "played": [
            {"move": str(turn.move), "text": visible(move_text(turn.move, words)), "player": who}
            for turn, who in zip(session.turns, _movers(session), strict=True)
        ],
        "picture": picture_json(picture),
        "legal": moves_json(words, state, picture, legal),
        "shades": shades_json(picture, words.machine.facts(state), opened.named_sets),
        "count": len(legal),
        "unlisted": visible(lines.unlisted_words(session).strip()),
        "noun": words.machine.signature.nouns.move,
    }


def _movers(session: Session) -> list[str | None]:
    players = [session.machine.player(turn.before) for turn in session.turns]
    return [None if each is None else each.name for each in players]


def typical(opened: OpenGame) -> Answer:
    """A position from the middle of a play by lot, which is the same each time."""
    session, chance = Session(opened.words), random.Random(_SEED)
    while len(session.turns) < _TYPICAL_PLIES and session.outcome is None and session.legal:
        session.make(chance.choice(session.legal))
    half = Session(opened.words)
    for turn in session.turns[: (len(session.turns) + 1) // 2]:
        half.take(turn)
    picture = opened.words.picture(half.state, last=half.last)
    return {"picture": picture_json(picture), "plies": len(half.turns)}


def why(opened: OpenGame, question: AskWhy) -> Answer:
    """Why a move can or cannot be made: a sentence, and rule by rule."""
    session = opened.session(question.moves)
    move = opened.move(question.move, session.state)
    turn = attempted(session.machine, session.state, move)
    can = turn.after is not None
    sentence = (
        opened.words.can_be_made(turn, move_text(move, opened.words))
        if can
        else lines.refused_line(session, move, reason=refusal(session.machine, turn))
    )
    return {
        "possible": can,
        "sentence": lines_json([sentence]),
        "lines": lines_json(opened.words.why(turn)),
    }


# What takes long


def choose(opened: OpenGame, question: ChooseMove, listener: Listener | None) -> Answer:
    """The move that a player of this kind makes."""
    session = opened.session(question.moves)
    if session.outcome is not None or not session.legal:
        raise UsageError("there is no move to choose: the play is over")
    player: Opponent
    if question.player == "random":
        # Another move of the same game is drawn anew, and the same one is drawn again.
        player = RandomPlayer(question.seed * 10_007 + len(question.moves))
    else:
        skill = Skill(question.player)
        player = AdvisedPlayer(opened.adviser(skill, question.seconds, listener))
    move = player.choose(session, listener=listener)
    return {"move": str(move), "text": visible(move_text(move, opened.words))}


def reply(opened: OpenGame, question: ReplyInState, listener: Listener | None) -> Answer:
    """The move of whoever is to move in a state that no moves are known to lead to."""
    state, machine = _state(opened, question.state), opened.words.machine
    who = machine.player(state)
    kind = None if who is None else question.seats.get(who.name)
    legal = () if kind is None or machine.outcome(state) is not None else machine.legal(state)
    told: Answer = {"player": None if who is None else who.name, "move": None, "text": None}
    if not legal:
        return told
    if kind == "random":
        move = random.Random(question.seed).choice(legal)
    elif kind not in {each.value for each in Skill}:
        raise UsageError(f"nobody plays like `{visible(kind or '')}`")
    else:
        advised = opened.adviser(Skill(kind), question.seconds, listener).values(
            state, listener=listener
        )
        move = legal[0] if advised.best is None else advised.best.move
    return {**told, "move": str(move), "text": visible(move_text(move, opened.words))}


def _state(opened: OpenGame, text: str) -> State:
    """The state of a system with one variable that has the value *text*."""
    initial = opened.words.machine.initial
    found = opened.words.evaluate(text, initial)
    if found.value is None or isinstance(found.value, Fault) or len(initial.names) != 1:
        raise UsageError("this text writes no state")
    return replace(initial, values=(found.value,))


def judge(opened: OpenGame, question: JudgeMoves, listener: Listener | None) -> Answer:
    """What each move leads to, and what the position is worth."""
    session = opened.session(question.moves)
    if session.outcome is not None:
        return {"value": visible(outcome_text(session.outcome)), "moves": [], "basis": ""}
    adviser = opened.adviser(Skill.BEST, question.seconds, listener)
    advised = adviser.values(session.state, listener=listener)
    players = len(opened.words.machine.signature.players)
    who = f"{session.player} to move" if session.player else "From here"
    best = advised.best
    told = "not known" if best is None else in_words(best, players=players)
    return {
        "value": f"{who}: {told}",
        "kind": None if best is None else best.kind.value,
        "proved": best is not None and best.is_proved,
        "line": _line(opened, advised.line()[:MOST_LINE]),
        "moves": [_advice(each, opened, players) for each in advised.moves],
        "leftOut": advised.left_out,
        "basis": advised.basis,
    }


def _line(opened: OpenGame, moves: Sequence[Move]) -> list[Json]:
    return [{"move": str(each), "text": visible(move_text(each, opened.words))} for each in moves]


def _advice(advice: Advice, opened: OpenGame, players: int) -> Json:
    return {
        "move": str(advice.move),
        "text": visible(move_text(advice.move, opened.words)),
        "kind": advice.kind.value,
        "plies": advice.plies,
        "proved": advice.is_proved,
        "chance": advice.chance,
        "words": in_words(advice, players=players),
    }


def review(opened: OpenGame, question: ReviewPlay, listener: Listener | None) -> Answer:
    """Each move of a play beside the best one there."""
    players = len(opened.words.machine.signature.players)
    adviser = opened.adviser(Skill.BEST, question.seconds, listener)
    told: list[Json] = []
    basis = ""
    session = opened.session(question.moves)
    for turn, who in zip(session.turns, _movers(session), strict=True):
        advised = adviser.values(turn.before, listener=listener)
        best = advised.best
        made = next((each for each in advised.moves if each.move == turn.move), None)
        basis = advised.basis
        told.append(
            {
                "text": visible(move_text(turn.move, opened.words)),
                "player": who,
                "made": None if made is None else in_words(made, players=players),
                "kind": None if made is None else made.kind.value,
                "best": None if best is None else _advice(best, opened, players),
                "mistake": best is not None and made is not None and made.kind is not best.kind,
            }
        )
    return {"moves": told, "basis": basis}


def check(opened: OpenGame, listener: Listener | None) -> Answer:
    """What there is to say about a document, with what playing it shows and the plays to it."""
    report = questions.check(opened.game, listener=listener)
    game = opened.game
    found: list[Json] = []
    if report.checkup is not None:
        space = report.checkup.space
        found += [
            _found(opened, visible(str(ending.outcome)), ending.play, "ending")
            for ending in space.endings
            if ending.outcome.ending is not Ending.STUCK
        ]
        if report.checkup.stuck is not None:
            found.append(_found(opened, "a player is stuck", report.checkup.stuck.play, "stuck"))
        # The last move of such a play is the one that goes wrong.
        found += [
            _found(opened, visible(each.fault.message), each.play[:-1], "fault")
            for each in report.checkup.faults
        ]
    seen = [] if report.checkup is None else lines_json(_seen(opened, report))
    return {
        "diagnostics": _diagnostics(report.diagnostics, game),
        "plays": found,
        "seen": seen,
        "cut": report.cut,
        "complete": report.is_complete,
    }


def _seen(opened: OpenGame, report: questions.Report) -> Sequence[Line]:
    assert report.checkup is not None
    signature = opened.words.machine.signature
    words = opened.words.checked(report.checkup.space, in_spite=report.is_in_spite_of_errors)
    if words is not None:
        return words
    return tuple(lines.verdict_lines(report.checkup.space, signature, signature.nouns))


def _found(opened: OpenGame, text: str, play: Sequence[Move], kind: str) -> Json:
    return {
        "kind": kind,
        "text": text,
        "moves": [str(each) for each in play],
        "texts": [visible(move_text(each, opened.words)) for each in play],
    }


def compare(before: Game, after: Game, listener: Listener | None) -> Answer:
    """The first play in which two readings of a document differ, and how."""
    found = comparing.compare(before, after, first_only=True, limits=COMPARING, listener=listener)
    shortest = found.shortest
    return {
        "verdict": visible(found.verdict),
        "equal": found.is_equal,
        "before": None if shortest is None else visible(shortest.first),
        "after": None if shortest is None else visible(shortest.second),
        "how": None if shortest is None else shortest.parting.value,
        "moves": [] if shortest is None else [str(each) for each in shortest.other_play],
        "move": None if shortest is None or shortest.move is None else str(shortest.move),
    }
