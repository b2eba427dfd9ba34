"""The page: a person plays, sees and changes documents, with the mouse and with the keyboard."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import Server, served_page
from tests.support.open_page import OpenPage
from tests.support.page_editor import write
from zermelo.api import loading

HEAP = """\
# A heap

Applicable Sets
  H : {0, 1, 2, 3}
  N : {1, 2}
System Variables
  heap ∈ H
  first, over ∈ {true, false}
System Facts
  over ↔ heap = 0
System Initialization
  heap = 3
  first = true
System States and Behavior
Take(n ∈ N)
  n ≤ heap → heap = heap − n ∧ first = ¬first
GameOver(over)
  result ∈ {first wins, second wins}
  over ∧ first → result = second wins
  over ∧ ¬first → result = first wins
Reading
  players: first when first, second when ¬first
"""
COUNT = """\
Applicable Sets
  H : {0..400}
System Variables
  n ∈ H
System Initialization
  n = 0
System States and Behavior
Up()
  n < 400 → n = n + 1
"""
DOCUMENTS = Path(__file__).parents[1] / "documents"
BROKEN = "Only a few words.\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that keeps nothing."""
    with served_page() as started:
        yield started


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[OpenPage]:
    """A page that was just opened."""
    opened = OpenPage(browser, server)
    yield opened
    assert opened.errors == []
    opened.context.close()


# Library


def test_the_library_has_each_game_with_its_picture_and_what_is_known(page: OpenPage) -> None:
    cards = page.page.locator(".card")

    expect(cards).to_have_count(len(loading.games()))
    expect(cards.locator(".thumb > *")).to_have_count(len(loading.games()))
    game = page.page.locator('.card[data-document="tic-tac-toe"]')
    expect(game).to_contain_text("Whoever has three cells in a row, a column or a diagonal wins")
    expect(game).to_contain_text("sets and rules · 5,478 positions · a draw with perfect play")
    assert page.page.locator('.card[data-document="pegs"] .cell').count() == 9


def test_a_document_is_dropped_pasted_and_found_again(page: OpenPage, tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text(loading.find("tic-tac-toe").path.read_text("utf-8"), "utf-8")
    page.page.set_input_files("#file", path)
    page.shows("X to move")

    page.open("")
    expect(page.page.get_by_role("link", name="mine.md")).to_be_visible()
    page.page.get_by_label("The text of a document").fill(BROKEN)
    page.page.get_by_role("button", name="Open the text").click()

    expect(page.page.locator("#board")).to_contain_text("There is nothing to play")
    expect(page.page.get_by_role("tabpanel")).to_contain_text("error")


# Play


def test_a_whole_game_by_mouse_with_undo_a_branch_and_the_way_back(page: OpenPage) -> None:
    page.page.get_by_role("button", name="Play Tic-tac-toe", exact=True).click()
    page.shows("X to move")
    page.mark("(1, 1)", "(2, 1)", "(1, 2)", "(2, 2)", "(1, 3)")

    page.shows("Over: X wins.")
    expect(page.page.locator(".note")).to_contain_text("Decided by rule")
    # An occupied cell of a play that goes on says which part of the rule fails, with its value.
    page.page.get_by_role("button", name="Undo").click()
    page.shows("X to move")
    page.click("(2, 2)")
    expect(page.page.get_by_role("alert")).to_contain_text("rule 1 needs pos ∈ Free (pos = (2, 2)")
    # Another move from there is a branch; the first line is still there.
    page.mark("(3, 3)")
    expect(page.page.locator(".tree .branch")).to_have_text(re.compile(r"\(1, 3\)"))
    page.page.locator(".tree .branch").get_by_role("button", name="(1, 3)").click()
    page.shows("Over: X wins.")
    # The address leads back to the position.
    address = page.page.url
    page.open("")
    page.page.goto(address)
    page.shows("Over: X wins.")


def test_a_piece_is_picked_up_and_put_down_with_the_keyboard_alone(page: OpenPage) -> None:
    page.play("pawns")
    keyboard = page.page.keyboard
    keyboard.press("b")
    expect(page.cell("(6, 2)")).to_be_focused()
    assert page.cell("(6, 2)").get_attribute("aria-label") == "6, 2, Alpha, can be played"

    keyboard.press("Enter")
    expect(page.cell("(6, 2)")).to_have_attribute("aria-selected", "true")
    expect(page.page.locator("#board .cell.is-lit")).to_have_count(3)
    keyboard.press("Escape")
    expect(page.page.locator("#board [aria-selected]")).to_have_count(0)
    for key in ("Enter", "ArrowUp", "Space"):
        keyboard.press(key)

    page.shows("Beta to move")
    expect(page.page.locator("#spoken")).to_contain_text("Alpha: (6, 2) → (5, 2). Beta to move")
    keyboard.press("u")
    page.shows("Alpha to move")
    keyboard.press("r")
    page.shows("Beta to move")
    keyboard.press("n")
    page.shows("Alpha to move")


def test_a_piece_is_dragged(page: OpenPage) -> None:
    page.play("pawns")

    page.cell("(7, 1)").drag_to(page.cell("(6, 1)"))

    page.shows("Beta to move")
    expect(page.cell("(6, 1)")).to_contain_text("A")


def test_what_is_no_cell_is_chosen_beside_the_board_in_any_order(page: OpenPage) -> None:
    page.play("pegs")

    page.click("(2, 2)")
    expect(page.page.locator(".choose")).to_have_class(re.compile("is-needed"))
    page.page.get_by_role("group", name="Choose peg").get_by_role("button", name="5").click()
    page.shows("B to move")
    expect(page.cell("(2, 2)")).to_contain_text("5")
    page.page.get_by_role("group", name="Choose peg").get_by_role("button", name="7").click()
    page.click("(1, 1)")

    page.shows("A to move")
    expect(page.cell("(1, 1)")).to_contain_text("7")


def test_lines_between_points_are_played_by_mouse_and_by_keyboard(page: OpenPage) -> None:
    page.paste((DOCUMENTS / "four-points.md").read_text("utf-8"))
    lines = page.page.locator("#board .edge")
    expect(lines).to_have_count(6)

    page.cell("{1, 3}").locator(".handle").click()
    page.shows("Violet to move")
    expect(page.cell("{1, 3}")).to_have_attribute("aria-label", "line {1, 3}, Amber, last move")
    page.cell("{1, 3}").locator(".owner").first.click(force=True)
    expect(page.page.get_by_role("alert")).to_contain_text("e ∉ Amber ∪ Violet")
    page.page.keyboard.press("b")
    for key in ("ArrowLeft", "Enter"):
        page.page.keyboard.press(key)

    page.shows("Amber to move")
    expect(page.page.locator("#board .edge .owner.tone-1").first).to_be_visible()
    # What is drawn is not listed beside it.
    expect(page.page.locator("#board .chip", has_text="Amber")).to_have_count(0)


def test_a_move_is_typed_or_taken_from_the_list(page: OpenPage) -> None:
    page.play("four-quadrants")
    page.page.get_by_label("Type a move").fill("3 4")
    page.page.keyboard.press("Enter")
    page.shows("oh to move")
    expect(page.cell("(3, 4)")).to_contain_text("X")

    page.page.get_by_role("button", name="(1, 1)", exact=True).click()
    page.shows("ex to move")
    # A net whose board is known is fired by clicking at the cell that changes.
    page.play("tic-tac-toe-net")
    page.page.locator('#board [data-spot="0 1 1"]').click()
    expect(page.page.locator('#board [data-spot="0 1 1"]')).to_contain_text("x")


def test_others_play_and_think_where_one_sees_it(page: OpenPage) -> None:
    page.play("tic-tac-toe")
    page.page.get_by_label("Who plays O").select_option("perfect")
    page.click("(1, 1)")

    page.shows("O (perfect) is thinking")
    # After a corner only the middle does not lose.
    expect(page.cell("(2, 2)")).to_contain_text("O")
    page.shows("X to move")
    page.page.get_by_role("button", name="Undo").click()
    expect(page.page.locator("#board .piece")).to_have_count(0)
    page.page.get_by_label("Who plays O").select_option("random")
    page.click("(3, 3)")
    expect(page.page.locator("#board .piece")).to_have_count(2)


# See


def test_values_stand_at_the_moves_and_on_the_cells_and_a_game_is_reviewed(page: OpenPage) -> None:
    page.play("tic-tac-toe")
    page.mark("(1, 1)", "(1, 2)")
    panel = page.tab("Values")

    expect(panel.locator(".worth")).to_have_text("X to move: wins in 5 plies proved")
    expect(panel.locator(".line li")).to_have_count(5)
    expect(panel.locator("tbody tr").first).to_contain_text("wins in 5 plies")
    expect(page.cell("(2, 2)").locator(".badge")).to_have_text("W 5")
    expect(page.cell("(3, 3)").locator(".badge")).to_have_text("D")
    panel.get_by_role("button", name="Review my game").click()
    expect(panel.locator(".is-mistake")).to_contain_text("O: loses in 6 plies")
    panel.locator(".better").get_by_role("button", name="(2, 2)").click()
    expect(page.cell("(2, 2)")).to_contain_text("O")


def test_rules_trace_graph_and_findings_show_the_play(page: OpenPage) -> None:
    page.play("tic-tac-toe")
    page.mark("(1, 1)", "(2, 2)")

    rules = page.tab("Rules")
    expect(rules).to_contain_text("pos ∈ Free")
    # The first rule did nothing yet, the second put the nought there.
    stages = rules.locator(".stage-of-turn")
    stages.nth(0).hover()
    expect(page.page.locator(".preview")).to_contain_text("which changed nothing")
    expect(page.page.locator("#board .piece")).to_have_count(1)
    stages.nth(1).focus()
    expect(page.page.locator("#board .piece")).to_have_count(2)
    page.page.locator("h1").hover()
    stages.nth(1).blur()
    expect(page.page.locator(".preview")).to_have_count(0)
    trace = page.tab("Trace")
    trace.get_by_label("Pin an expression").fill("|Free|")
    page.page.keyboard.press("Enter")
    expect(trace.locator("tbody tr").nth(2).locator("td").nth(2)).to_have_text("7")
    trace.get_by_role("button", name="Show full states").click()
    expect(trace.locator("tbody tr").nth(1)).to_contain_text("{(1, 1)}")
    graph = page.tab("Graph")
    expect(graph.locator(".node")).to_have_count(8)
    graph.locator(".node").nth(3).click()
    page.shows("O to move")
    page.tab("Findings").get_by_role("button", name="O wins").click()
    page.shows("Over: O wins.")


def test_another_reading_stands_in_the_address_and_shows_where_it_matters(page: OpenPage) -> None:
    page.play("four-quadrants")
    panel = page.tab("Readings")

    panel.get_by_label("order", exact=True).select_option("in order")

    expect(page.page).to_have_url(re.compile(r"reading\.order=in(\+|%20)order"))
    expect(page.page.get_by_label("order", exact=True)).to_have_value("in order")
    expect(panel.locator(".contrast")).to_contain_text("oh is in turn")
    panel.get_by_role("button", name="Show that play").click()
    expect(page.cell("(1, 1)")).to_contain_text("X")
    page.shows("ex to move")


def test_a_small_graph_is_drawn_whole(page: OpenPage) -> None:
    page.paste(HEAP)
    # A move that points at no cell stands below the board.
    page.page.get_by_role("group", name="Make a move").get_by_role("button", name="1").click()
    page.shows("second to move")
    page.tab("Graph").get_by_label("show").select_option("the whole graph")

    # By hand: 3 first, 2 second, 1 first, 1 second, 0 first, 0 second.
    expect(page.page.locator(".node")).to_have_count(6)
    expect(page.page.get_by_role("tabpanel")).to_contain_text("6 states, all that can be reached")
    page.page.get_by_role("button", name="the beginning, first to move").click()
    page.shows("first to move")


def test_a_finding_opens_at_its_play(page: OpenPage) -> None:
    page.paste(HEAP.replace("over ↔ heap = 0\n", "over ↔ heap = 0\n  heap ≠ 1\n"))
    panel = page.tab("Findings")

    panel.get_by_role("button", name="See it after 1 move").click()

    page.shows("second to move")
    expect(page.page.locator("#board")).to_contain_text("1")


def test_of_a_long_play_only_the_rows_near_by_are_in_the_page(page: OpenPage) -> None:
    page.paste(COUNT)
    moves = ["Up()"] * 300
    page.page.goto(f"{page.page.url.partition('?')[0]}?tab=trace&moves={quote(json.dumps(moves))}")
    frame = page.page.get_by_role("region", name="The states of the play")
    expect(frame.locator("td.number").first).to_have_text("0")
    assert frame.locator("tr").count() < 200

    frame.evaluate("place => place.scrollTo(0, place.scrollHeight)")

    expect(frame.locator(".is-here .number")).to_have_text("300")
    expect(frame.locator(".is-here")).to_contain_text("n = 300")
    assert frame.locator("tr").count() < 200


def test_a_set_is_shaded_on_demand(page: OpenPage) -> None:
    page.play("tic-tac-toe")
    page.mark("(1, 1)")
    page.page.get_by_label("Shade a set").select_option("Free")

    expect(page.page.locator("#board .is-shaded")).to_have_count(8)
    expect(page.cell("(1, 1)")).not_to_have_class(re.compile("is-shaded"))


def test_a_link_holds_the_document_and_the_position(page: OpenPage, browser: Browser) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.page.get_by_role("button", name="Copy and change Pawns", exact=True).click()
    page.click("(6, 2)", "(5, 2)")
    page.shows("Beta to move")
    page.page.get_by_role("button", name="Copy link").click()
    expect(page.page.locator(".note")).to_contain_text("The link is copied")
    link = page.page.evaluate("() => navigator.clipboard.readText()")

    # Somebody else has the link, and a server that never saw the document.
    with served_page() as elsewhere:
        other = OpenPage(browser, elsewhere)
        other.page.goto(elsewhere.root + link[link.index("#") :])
        other.shows("Beta to move")
        expect(other.cell("(5, 2)")).to_contain_text("A")
        other.open("open?text=broken")
        expect(other.page.locator(".fault")).to_contain_text("This link holds no document")
        other.context.close()


def test_a_position_and_the_document_are_handed_out(page: OpenPage) -> None:
    page.play("tic-tac-toe")
    page.mark("(1, 1)")
    panel = page.tab("Hand out")
    position = panel.get_by_role("group", name="The position")

    with page.page.expect_download() as made:
        position.get_by_role("button", name="SVG").click()
    assert made.value.suggested_filename == "tic-tac-toe-position.svg"
    assert "<svg" in Path(made.value.path()).read_text("utf-8")
    position.get_by_role("button", name="Look at: The position").click()
    image = panel.get_by_role("img", name="The position as a picture")
    expect(image).to_be_visible()
    assert image.evaluate("(image) => image.naturalWidth") > 100
    with page.page.expect_download() as made:
        panel.get_by_role("button", name="LaTeX article").click()
    assert made.value.suggested_filename == "tic-tac-toe.tex"


# Change


def test_a_file_is_changed_and_saved_also_after_a_reload(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    text = loading.find("tic-tac-toe").path.read_text("utf-8")
    path.write_bytes(text.replace("\n", "\r\n").encode())
    with served_page(str(path)) as started:
        context = browser.new_context()
        opened = context.new_page()
        opened.goto(started.address)
        opened.get_by_role("tab", name="Document").click()
        write(opened, f"{text}// changed\n")
        # It is read: what is changed has another name, and is known to come from the file.
        expect(opened).to_have_url(re.compile(r"play/[0-9a-f]{16}"))
        opened.reload()
        expect(opened.get_by_label("The document", exact=True)).to_contain_text("Tic-tac-toe")
        opened.get_by_role("button", name="Save", exact=True).click()
        expect(opened.locator(".note")).to_contain_text("Saved mine.md")
        context.close()

    # Lines end as they did.
    assert path.read_bytes() == f"{text}// changed\n".replace("\n", "\r\n").encode()


def test_a_faulty_document_is_mended_by_the_button_beside_its_fault(page: OpenPage) -> None:
    page.paste(HEAP.replace("n ≤ heap", "n ≤ haep"))
    panel = page.tab("Document")

    panel.locator(".said-of").get_by_role("button", name="Replace by heap").click()

    expect(page.page.get_by_label("The document", exact=True)).to_contain_text("n ≤ heap →")
    page.page.get_by_role("group", name="Make a move").get_by_role("button", name="2").click()
    page.shows("second to move")


def test_errors_in_spite_of_which_there_is_a_board_are_said_there(page: OpenPage) -> None:
    page.paste(HEAP.replace("  over ∧ first → result", "  over ∧ ∧ first → result"))

    expect(page.page.get_by_role("alert")).to_contain_text("1 error in the document")
    page.page.get_by_role("button", name="Show the document").click()
    expect(page.page.locator(".said-of .is-error")).to_have_count(1)


def test_what_is_typed_and_cannot_be_read_is_there_after_a_reload(page: OpenPage) -> None:
    page.open("play/tic-tac-toe?tab=document")
    write(page.page, "nothing yet")
    expect(page.page.locator("#board")).to_have_class(re.compile("is-broken"))

    page.page.reload()

    expect(page.page.get_by_label("The document", exact=True)).to_have_text("nothing yet")
    expect(page.page.locator("#board")).to_have_class(re.compile("is-broken"))
    expect(page.cell("(1, 1)")).to_be_visible()


def test_of_texts_that_are_typed_one_after_the_other_the_last_is_kept(page: OpenPage) -> None:
    copies = page.page.get_by_role("link", name="copy of tic-tac-toe.md")
    before_all = copies.count()
    page.open("play/tic-tac-toe?tab=document")
    text = loading.find("tic-tac-toe").path.read_text("utf-8")
    expect(page.page.get_by_label("The document", exact=True)).to_be_visible()
    for number in range(3):
        before = page.page.url
        write(page.page, f"{text}// change {number}\n")
        expect(page.page).not_to_have_url(before)

    page.open("")

    expect(copies).to_have_count(before_all + 1)


def test_a_question_that_nobody_waits_for_is_given_up(page: OpenPage) -> None:
    page.play("tic-tac-toe")
    # One answer never comes.
    asked: list[str] = []
    page.page.on("requestfailed", lambda request: asked.append(request.url))
    page.page.route("**/api/ask/rules", lambda _: None)
    page.mark("(1, 1)")
    page.tab("Rules")
    page.tab("Moves")

    expect(page.page.get_by_role("tabpanel")).to_contain_text("moves possible")
    assert [each.rpartition("/")[2] for each in asked] == ["rules"]


def test_what_nobody_expected_is_said_in_a_sentence(page: OpenPage) -> None:
    page.page.evaluate("() => { Promise.reject(new Error('the cat sat on it')); }")

    expect(page.page.get_by_role("alert")).to_contain_text("Something went wrong on this page")
    expect(page.page.get_by_role("alert")).to_contain_text("the cat sat on it")
    page.page.get_by_role("button", name="Close").click()
    expect(page.page.locator("#trouble")).to_be_hidden()
    assert page.errors == ["the cat sat on it"]
    page.errors.clear()


def test_a_document_is_changed_and_the_last_good_board_stays_while_it_is_broken(
    page: OpenPage,
) -> None:
    page.page.get_by_role("button", name="Copy and change Tic-tac-toe", exact=True).click()
    text = loading.find("tic-tac-toe").path.read_text("utf-8")
    # What was played in the same text before may have been kept.
    page.page.get_by_role("tab", name="Document").press("n")
    page.shows("X to move")
    page.mark("(1, 1)")

    # The same as mathematics, with values in the position.
    maths = page.page.get_by_role("region", name="Mathematics")
    maths.locator("math mi").get_by_text("Free", exact=True).first.hover()
    expect(page.page.locator(".write-value")).to_contain_text("8 members")
    write(page.page, "nothing")
    expect(page.page.locator("#board")).to_have_class(re.compile("is-broken"))
    expect(page.cell("(1, 1)")).to_contain_text("X")

    # What was typed is there after a look at something else.
    page.page.get_by_role("tab", name="Moves").click()
    page.page.get_by_role("tab", name="Document").click()
    expect(page.page.get_by_label("The document", exact=True)).to_have_text("nothing")
    write(page.page, text.replace("{1, 2, 3}", "{1, 2, 3, 4}", 1))

    # The move that was made stands on the larger board.
    expect(page.cell("(4, 4)")).to_be_visible()
    expect(page.cell("(1, 1)")).to_contain_text("X")


# Faults


@pytest.mark.parametrize("rest", ["moves=%5B%22mark", "moves=5", "tab=constructor"])
def test_a_link_that_was_cut_short_opens_the_game(page: OpenPage, rest: str) -> None:
    page.open(f"play/four-quadrants?{rest}")

    expect(page.page.locator("[data-spot]").first).to_be_visible()
    expect(page.page.get_by_role("tab", name="Moves", selected=True)).to_be_visible()
    assert page.errors == []


def test_what_a_document_says_never_becomes_markup(page: OpenPage) -> None:
    text = loading.find("tic-tac-toe").path.read_text("utf-8")
    hostile = f"# <img src=x onerror=alert(1)>\n{text}\n<script>alert(2)</script>\n"
    page.page.get_by_label("The text of a document").fill(
        hostile.replace("X wins", "<b>X</b> wins")
    )
    page.page.get_by_role("button", name="Open the text").click()

    expect(page.page.locator("#panel, #board").first).to_be_visible()
    page.tab("Document")
    expect(page.page.get_by_label("The document", exact=True)).to_contain_text("onerror=alert")
    expect(page.page.get_by_role("region", name="Mathematics")).to_contain_text("<img src=x")
    assert page.page.locator("main script, main img, main b").count() == 0


def test_a_server_that_is_started_anew_finds_the_page_where_it_was(browser: Browser) -> None:
    with served_page() as first:
        opened = OpenPage(browser, first)
        opened.page.get_by_label("The text of a document").fill(
            loading.find("tic-tac-toe").path.read_text("utf-8")
        )
        opened.page.get_by_role("button", name="Open the text").click()
        opened.mark("(1, 1)")
    with served_page(port=first.port) as second:
        opened.click("(2, 2)")
        expect(opened.page.locator("#link")).to_contain_text("The program was started anew")
        # Whoever opens the new address brings all pages back.
        other = opened.context.new_page()
        other.goto(second.address)
        expect(opened.cell("(2, 2)")).to_contain_text("O")
        expect(opened.page.locator("#link")).to_have_text("")
    opened.context.close()


# Looks


@pytest.mark.parametrize("width", [390, 820, 1400])
def test_no_view_is_wider_than_the_window(browser: Browser, server: Server, width: int) -> None:
    opened = OpenPage(browser, server, width=width)

    for where in ("", "play/four-quadrants", "play/pegs?tab=values", "play/pawns?tab=document"):
        opened.open(where)
        expect(opened.page.locator("[data-spot]").first).to_be_visible()
        assert _overflow(opened.page) == 0, where
    opened.context.close()


def _overflow(page: Page) -> int:
    found: int = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    return max(found, 0)
