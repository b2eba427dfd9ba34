"""The editor of the page, as tests use it."""

from playwright.sync_api import Page


def write(page: Page, text: str, *, label: str = "The document") -> None:
    """Paste *text* over all that stands in the editor."""
    editor = page.get_by_label(label, exact=True)
    editor.press("ControlOrMeta+a")
    editor.evaluate(
        """(place, text) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const given = { clipboardData, bubbles: true, cancelable: true };
            place.dispatchEvent(new ClipboardEvent("paste", given));
        }""",
        text,
    )
