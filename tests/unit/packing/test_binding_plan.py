"""Plans for bindings: what comes first, and that running and writing them do the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from zermelo.packing.binding_plan import (
    BindingPlan,
    BindingStep,
    Clause,
    Names,
    ValueSource,
    Way,
    emit,
    run,
)

Rows: TypeAlias = tuple[tuple[int, ...], ...]
Values: TypeAlias = dict[str, int]


@dataclass(frozen=True)
class Members:
    """A list of tuples of numbers, whose components are variables."""

    names: tuple[str, ...]
    rows: Rows


@dataclass(frozen=True)
class Less:
    """The condition that one variable is less than another."""

    left: str
    right: str


Step: TypeAlias = BindingStep[Members, Less]


def source(
    members: Members, rank: int = 1, *, needs: Names = frozenset(), restricts: bool = False
) -> ValueSource[Members]:
    return ValueSource(members, members.names, rank, needs, restricts=restricts)


def less(left: str, right: str) -> Clause[Less]:
    return Clause(Less(left, right), frozenset({left, right}))


def plan(
    names: str, sources: list[ValueSource[Members]], clauses: tuple[Clause[Less], ...] = ()
) -> BindingPlan[Members, Less]:
    return BindingPlan(dict.fromkeys(names, frozenset()), sources, clauses)


def size(way: Way[Members]) -> int:
    return len(way.of.rows)


def extended(members: Members, values: Values) -> Iterator[Values]:
    for row in members.rows:
        found = dict(values)
        pairs = zip(members.names, row, strict=True)
        if all(found.setdefault(name, number) == number for name, number in pairs):
            yield found


# Running


def decided(step: Step, values: Values) -> Values | None:
    holds = all(values[test.left] < values[test.right] for test in step.clauses)
    return values if holds else None


def following(step: Step, values: Values) -> Iterator[tuple[Step, Values]] | None:
    if step.is_last:
        return None
    way = next(step.ways(size))
    return ((step.after(way), found) for found in extended(way.of, values))


def answers(of: BindingPlan[Members, Less]) -> list[Values]:
    nothing: Values = {}
    return list(run(of.start(), nothing, decide=decided, follow=following))


# Writing


@dataclass
class Python:
    """Writes a plan as Python."""

    blocks: ExitStack
    lines: list[str] = field(default_factory=list)
    indent: int = 0

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.lines.append("  " * self.indent + head)
        self.indent += 1
        yield
        self.indent -= 1

    def decide(self, step: Step) -> bool:
        for test in step.clauses:
            self.blocks.enter_context(self.block(f"if {test.left} < {test.right}:"))
        return True

    def go_through(self, step: Step, way: Way[Members]) -> None:
        fresh = [f"{name}{'' if name in way.names else '_'}" for name in way.of.names]
        head = f"for ({', '.join(fresh)},) in {list(way.of.rows)}:"
        self.blocks.enter_context(self.block(head))
        for name in way.of.names:
            if name in step.bound:
                self.blocks.enter_context(self.block(f"if {name} == {name}_:"))


def written(of: BindingPlan[Members, Less], names: str) -> list[Values]:
    with ExitStack() as blocks:
        to = Python(blocks)
        assert emit(of.start(), decide=to.decide, go_through=to.go_through, cost=size)
        found = ", ".join(f"{name!r}: {name}" for name in names)
        to.lines.append("  " * to.indent + f"found.append({{{found}}})")
    space: dict[str, list[Values]] = {"found": []}
    exec("\n".join(to.lines), {}, space)
    return space["found"]


def test_the_source_of_the_lowest_rank_comes_first_and_then_the_shorter_one() -> None:
    long, short = Members(("x",), ((1,), (2,))), Members(("y",), ((1,),))
    late = Members(("z",), ())
    step = plan("xyz", [source(late, 2), source(long), source(short)]).start()

    assert [way.of for way in step.ways(size)] == [short, long, late]


def test_of_equal_sources_the_first_comes_first() -> None:
    first, second = Members(("x",), ((1,),)), Members(("y",), ((1,),))

    assert [way.of for way in plan("xy", [source(first), source(second)]).start().ways(size)] == [
        first,
        second,
    ]


def test_a_rank_counts_once_what_it_needs_is_known() -> None:
    x, y = Members(("x",), ((1,),)), Members(("y",), ((1,),))
    better_behind_y = ((frozenset({"y"}), 0),)
    of = plan("xyz", [ValueSource(x, ("x",), 9, ranks=better_behind_y), source(y, 5)])
    start = of.start()

    assert start.best().of == y
    assert start.after(start.best()).best().of == x


def test_a_source_waits_for_what_it_needs() -> None:
    x, y = Members(("x",), ((1,),)), Members(("y",), ((1,),))
    of = plan("xy", [source(x, 0, needs=frozenset("y")), source(y, 5)])

    assert [step.bound for step in of.chain()] == [set(), {"y"}, {"x", "y"}]


def test_a_source_that_gives_too_few_variables_is_left_out() -> None:
    pair = ValueSource(Members(("x", "y"), ()), ("x", "y"), 0, least=2)
    x, y = Members(("x",), ()), Members(("y",), ())
    of = plan("xy", [pair, source(x), source(y)])

    assert of.start().best().names == ("x", "y")
    assert [way.of for way in of.start(frozenset("x")).ways(size)] == [y]


def test_a_variable_whose_set_depends_on_another_waits_for_it() -> None:
    x, y = Members(("x",), ()), Members(("y",), ())
    variables = {"x": frozenset("y"), "y": frozenset[str]()}
    of = BindingPlan[Members, Less](variables, [source(x), source(y)], ())

    assert [way.of for way in of.start().ways(size)] == [y]


def test_where_all_sets_wait_for_each_other_the_first_is_tried() -> None:
    x, y = Members(("x",), ()), Members(("y",), ())
    variables = {"x": frozenset("y"), "y": frozenset("x")}
    of = BindingPlan[Members, Less](variables, [source(x), source(y)], ())

    assert [way.of for way in of.start().ways(size)] == [x]


def test_a_condition_is_decided_as_soon_as_its_variables_are_known_and_only_once() -> None:
    rows = ((1,), (2,))
    sources = [source(Members((name,), rows)) for name in "xyz"]
    of = plan("xyz", sources, (less("x", "y"), less("x", "x")))

    assert [step.clauses for step in of.chain()] == [
        (),
        (Less("x", "x"),),
        (Less("x", "y"),),
        (),
    ]


def test_a_source_that_restricts_is_gone_through_though_its_variables_are_known() -> None:
    wide, narrow = Members(("x",), ((1,), (2,), (3,))), Members(("x",), ((2,), (7,)))
    of = plan("x", [source(wide), source(narrow, 2, restricts=True)])

    assert answers(of) == [{"x": 2}]
    assert written(of, "x") == [{"x": 2}]


def test_a_source_without_a_cost_is_passed_over() -> None:
    x = Members(("x",), ((1,), (2,)))
    other = Members(("x",), ((3,),))
    step = plan("x", [source(x), source(other)]).start()

    ways = step.ways(lambda way: None if way.of is x else 1)

    assert [way.of for way in ways] == [other]


def test_a_step_is_made_once() -> None:
    sources = [source(Members((name,), ((1,),))) for name in "xyz"]
    start = plan("xyz", sources).start()
    x, y, _ = start.ways(size)

    assert start.after(x) is start.after(x)
    assert start.after(x).bound == {"x"}
    assert start.after(y) is not start.after(x)


NAMES = "xyz"
ROWS = st.integers(1, 2).flatmap(
    lambda width: st.tuples(
        st.sampled_from(list(permutations(NAMES, width))),
        st.lists(st.tuples(*[st.integers(0, 3)] * width), unique=True, max_size=5),
    )
)


@given(
    st.lists(st.tuples(ROWS, st.integers(0, 2)), max_size=4),
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=2),
)
def test_running_and_writing_a_plan_find_what_trying_all_values_finds(
    drawn: list[tuple[tuple[tuple[str, ...], list[tuple[int, ...]]], int]],
    compared: list[tuple[str, str]],
) -> None:
    everything = tuple((number,) for number in range(4))
    given_ = [
        source(Members(names, tuple(rows)), rank, restricts=True) for (names, rows), rank in drawn
    ]
    wholes = [source(Members((name,), everything), 3) for name in NAMES]
    of = plan(NAMES, [*given_, *wholes], tuple(less(*pair) for pair in compared))
    expected = [
        values
        for numbers in product(range(4), repeat=len(NAMES))
        for values in [dict(zip(NAMES, numbers, strict=True))]
        if all(next(extended(each.of, values), None) is not None for each in given_)
        and all(values[left] < values[right] for left, right in compared)
    ]

    found = answers(of)

    in_order = sorted(tuple(values[name] for name in NAMES) for values in found)
    assert in_order == [tuple(values.values()) for values in expected]
    assert [tuple(v[n] for n in NAMES) for v in found] == [
        tuple(v.values()) for v in written(of, NAMES)
    ]
