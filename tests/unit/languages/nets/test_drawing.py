"""The rows of nets: places and transitions take turns, and arcs are short."""

from zermelo.languages.nets.drawing import JoinedNodes, clipped_sum, node_rows


def test_a_chain_leads_down() -> None:
    # Places 0, 1, 2 and transitions 3, 4.
    found = node_rows(JoinedNodes(5, 3, ((0, 3), (3, 1), (1, 4), (4, 2)), ()))

    assert found == [0, 2, 4, 1, 3]


def test_one_arc_of_a_circle_leads_up() -> None:
    arcs = ((0, 2), (2, 1), (1, 3), (3, 0))

    assert node_rows(JoinedNodes(4, 2, arcs, (), (0,))) == [0, 2, 1, 3]
    assert node_rows(JoinedNodes(4, 2, arcs, (), (1,))) == [2, 0, 3, 1]


def test_transitions_between_two_places_stand_in_one_row() -> None:
    both = tuple((place, transition) for transition in range(2, 9) for place in (0, 1))

    assert node_rows(JoinedNodes(9, 2, (), both, (0, 1))) == [0, 2, *[1] * 7]


def test_transitions_that_lead_there_and_back_stand_on_both_sides() -> None:
    both = tuple((0, transition) for transition in range(1, 7))

    assert node_rows(JoinedNodes(7, 1, (), both)) == [1, 0, 0, 0, 2, 2, 2]


def test_what_nothing_leads_to_stands_near_to_what_it_leads_to() -> None:
    # The place 3 is needed by the last transition of a chain only.
    arcs = ((0, 4), (4, 1), (1, 5), (5, 2), (3, 5))

    assert node_rows(JoinedNodes(6, 4, arcs, ())) == [0, 2, 4, 2, 1, 3]


def test_rows_of_places_and_of_transitions_take_turns() -> None:
    arcs = tuple((n % 5, 5 + n % 7) if n % 2 else (5 + n % 7, n % 5) for n in range(1, 30))
    one_way = tuple(dict.fromkeys(each for each in arcs if each[::-1] not in arcs))

    found = node_rows(JoinedNodes(12, 5, one_way, ()))

    assert len({layer % 2 for layer in found[:5]}) == 1
    assert {layer % 2 for layer in found[:5]} != {layer % 2 for layer in found[5:]}
    assert len({layer % 2 for layer in found[5:]}) == 1


def test_a_net_without_nodes_has_no_rows() -> None:
    assert node_rows(JoinedNodes(0, 0, (), ())) == []


def test_sums_are_cut_between_their_summands() -> None:
    assert clipped_sum("<.1.> + <.2.>", 13) == "<.1.> + <.2.>"
    assert clipped_sum("<.1.> + <.2.> + <.3.>", 20) == "<.1.> + <.2.> + …"
    assert clipped_sum("<.(a + b) * (c + d),e.> + <.1.>", 12) == "<.(a + b) * …"
