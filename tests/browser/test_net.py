"""Nets in the page: drawn, fired by clicking, and with a board where one is known."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.support.browser import served_page

# One token goes round, and `split` makes two of it in two ways.
NET = """
#place here lo(<.1.>) hi(<.2.>) mk(<.1.>+<.2.>)
#place there
#trans go
in { here : <.x.>; }
out { there : <..>; }
#endtr
#trans never
in { there : 5<..>; }
out { here : <.1.>; }
#endtr
"""


def test_a_net_is_drawn_and_fired_by_clicking(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "round.net"
    path.write_text(NET, "utf-8")
    with served_page(str(path)) as server:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(server.address)

        there = page.locator('[data-place="there"]')
        expect(there.locator(".token")).to_have_count(0)
        expect(page.locator('[data-place="here"] .token')).to_have_count(2)
        page.locator('[data-transition="go"]').click()
        # There are two ways to fire it.
        page.get_by_role("group", name="Ways to fire go").get_by_role("button").first.click()
        expect(there.locator(".token")).to_have_count(1)
        # Now there is one, and the keyboard fires it.
        go = page.get_by_role("button", name="go: can fire", exact=True)
        go.focus()
        page.keyboard.press("Enter")
        expect(there.locator(".token")).to_have_count(2)
        page.get_by_role("button", name="never: cannot fire", exact=True).click()
        expect(page.locator(".note")).to_contain_text("never")
        page.get_by_role("button", name="Undo").click()
        expect(there.locator(".token")).to_have_count(1)
        page.goto(f"{server.root}#/play/tic-tac-toe-net?moves=[]")
        page.locator("#board [data-spot]").first.click()
        page.get_by_text("The net", exact=True).click()
        expect(page.locator(".is-transition.can-fire")).to_have_count(8)
        context.close()
