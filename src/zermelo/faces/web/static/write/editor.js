// An editor for one document. What it knows of the language comes from outside: tokens to colour,
// diagnostics with fixes, symbols to type. It keeps no grammar of its own.
//
// It lives in a shadow root, where its styles are constructed and adopted. So a content security
// policy with `script-src 'self'` and `style-src 'self'` is enough: there is no style element that
// would need a nonce, no inline style, and no image.

import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "../vendor/codemirror-autocomplete.js";
import { defaultKeymap, history, historyKeymap } from "../vendor/codemirror-commands.js";
import { bracketMatching } from "../vendor/codemirror-language.js";
import { lintGutter, lintKeymap, setDiagnostics } from "../vendor/codemirror-lint.js";
import { highlightSelectionMatches, searchKeymap } from "../vendor/codemirror-search.js";
import { Compartment, EditorState, RangeSet, StateEffect, StateField } from "../vendor/codemirror-state.js";
import { Decoration, EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "../vendor/codemirror-view.js";
import { offsetsOf } from "./offsets.js";
import { mountPalette } from "./palette.js";
import { theme } from "./theme.js";

const COMMAND = /\\[A-Za-z]*$/;
const LATEX = /\$|\\[A-Za-z]/;

// Decorations that an effect replaces, and that move along with what is typed.
const decorations = () => {
  const effect = StateEffect.define();
  const field = StateField.define({
    create: () => Decoration.none,
    update(shown, transaction) {
      let next = shown.map(transaction.changes);
      for (const each of transaction.effects) if (each.is(effect)) next = each.value;
      return next;
    },
    provide: (self) => EditorView.decorations.from(self),
  });
  return { effect, field };
};

const element = (tag, className, ...inside) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...inside);
  return made;
};

// Messages put what they quote between backquotes.
const quoting = (words) => words.split("`").map((part, at) => (at % 2 ? element("code", "", part) : part));

// What a diagnostic says, in full.
const explained = (diagnostic, onExplain) => {
  const said = element("div", "said", element("p", "message", ...quoting(diagnostic.message)));
  if (diagnostic.label) said.append(element("p", "label", ...quoting(diagnostic.label)));
  for (const note of diagnostic.notes ?? []) said.append(element("p", "note", ...quoting(note)));
  if (diagnostic.help) said.append(element("p", "help", ...quoting(diagnostic.help)));
  if (onExplain) {
    const more = element("button", "explain", `More about ${diagnostic.code}`);
    more.type = "button";
    more.addEventListener("click", () => onExplain(diagnostic.code));
    said.append(more);
  } else said.append(element("p", "code", diagnostic.code));
  return said;
};

const SEVERITIES = { error: "error", warning: "warning", note: "info" };

// Symbols by their commands, and by nothing else: names are the author's own.
const completions = (symbols) => (context) => {
  const typed = context.matchBefore(COMMAND);
  if (!typed || (typed.from === typed.to && !context.explicit)) return null;
  const options = symbols.flatMap((symbol) =>
    symbol.commands.map((command, at) => ({
      label: `\\${command}`,
      detail: symbol.text,
      apply: symbol.text,
      boost: -at,
    })),
  );
  return { from: typed.from, options, validFor: /^\\[A-Za-z]*$/ };
};

// Puts the sign in the place of the command that stands before the cursor, if there is one.
const replaced = (view, known, behind, isKept) => {
  const { from, to } = view.state.selection.main;
  const line = view.state.doc.lineAt(from);
  const before = line.text.slice(0, from - line.from);
  const typed = COMMAND.exec(before);
  const sign = typed && known.get(typed[0]);
  if (from !== to || !sign || isKept(before.slice(0, typed.index) + line.text.slice(from - line.from))) return false;
  const start = from - typed[0].length;
  view.dispatch({
    changes: { from: start, to, insert: sign + behind },
    selection: { anchor: start + sign.length + behind.length },
    userEvent: "input.complete",
  });
  return true;
};

// `\in` and the Tab key give `∈`; so does a blank, unless the line is written in LaTeX anyway.
const replacing = (symbols) => {
  const known = new Map(symbols.flatMap((each) => each.commands.map((command) => [`\\${command}`, each.text])));
  return [
    keymap.of([{ key: "Tab", run: (view) => acceptCompletion(view) || replaced(view, known, "", () => false) }]),
    EditorView.inputHandler.of(
      (view, from, to, text) => /^[\s(){},.]$/.test(text) && replaced(view, known, text, (line) => LATEX.test(line)),
    ),
  ];
};

const shownValue = (found) => {
  const box = element("div", "value");
  box.append(element("p", "what", found.text));
  if (found.value !== null) box.append(element("p", "is", found.value));
  if (found.note) box.append(element("p", "note", found.note));
  return box;
};

/**
 * Mounts an editor in the element.
 *
 * Spans are pairs of offsets in characters, as the server counts them. The options:
 *   text                the document
 *   label               what a screen reader calls it
 *   symbols             [{text, commands}]: what can be typed by a name or picked
 *   readOnly            whether it only shows
 *   onChange(text)      after every change that somebody makes
 *   onCursor(span)      where the cursor or the selection is
 *   onHover(span)       gives, or promises, {text, span, value, note} or null
 *   onExplain(code)     somebody wants to read more about a diagnostic
 */
export const mountEditor = (
  place,
  { text = "", label = "Document", symbols = [], readOnly = false, onChange, onCursor, onHover, onExplain } = {},
) => {
  const tokens = decorations();
  const revealed = decorations();
  const typing = new Compartment();
  let offsets = offsetsOf(text);
  let isQuiet = false;

  const span = (from, to) => [offsets.toCharacters(from), offsets.toCharacters(to)];
  const range = ([start, end], length) => {
    const from = Math.min(offsets.toUnits(start), length);
    return { from, to: Math.min(Math.max(offsets.toUnits(end), from), length) };
  };

  const typed = (list) => [
    autocompletion({ override: [completions(list)], icons: false, interactionDelay: 0 }),
    replacing(list),
  ];

  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged) {
      const now = update.state.doc.toString();
      offsets = offsetsOf(now);
      if (!isQuiet) onChange?.(now);
    }
    if (update.selectionSet && !isQuiet) {
      const { from, to } = update.state.selection.main;
      onCursor?.(span(from, to));
    }
  });

  const hover = hoverTooltip(async (view, at) => {
    const word = view.state.wordAt(at) ?? { from: at, to: Math.min(at + 1, view.state.doc.length) };
    const found = await onHover?.(span(word.from, word.to));
    if (!found) return null;
    return { pos: word.from, end: word.to, above: true, create: () => ({ dom: shownValue(found) }) };
  });

  const host = element("div", "write-editor");
  const root = host.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        highlightSelectionMatches(),
        lintGutter(),
        hover,
        tokens.field,
        revealed.field,
        typing.of(typed(symbols)),
        // Tab leaves the editor, as everywhere else on the page, unless a symbol is being chosen.
        keymap.of([
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...completionKeymap,
          ...lintKeymap,
        ]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        EditorState.readOnly.of(readOnly),
        EditorState.tabSize.of(4),
        theme,
        listener,
      ],
    }),
  });

  // The fix moves along with its diagnostic when somebody types before it.
  const mend = ({ from, to }, insert, shift) => {
    view.dispatch({ changes: { from: from + shift, to: to + shift, insert }, userEvent: "input.complete" });
    view.focus();
  };

  const insert = (sign) => {
    view.dispatch(view.state.replaceSelection(sign), { userEvent: "input.complete", scrollIntoView: true });
    view.focus();
  };
  const palette = readOnly ? null : mountPalette(symbols, insert);
  if (palette) place.append(palette.element);
  place.append(host);

  // An answer about a text that has changed meanwhile is of no use.
  const isAbout = (about) => about === undefined || about === view.state.doc.toString();

  return {
    getText: () => view.state.doc.toString(),
    setText(next) {
      isQuiet = true;
      const changes = { from: 0, to: view.state.doc.length, insert: next };
      view.dispatch({ changes, effects: [tokens.effect.of(Decoration.none), revealed.effect.of(Decoration.none)] });
      view.dispatch(setDiagnostics(view.state, []));
      isQuiet = false;
    },
    setTokens(list, about) {
      if (!isAbout(about)) return;
      const length = view.state.doc.length;
      const marks = [];
      for (const [start, end, kind] of list) {
        const { from, to } = range([start, end], length);
        if (from < to) marks.push(Decoration.mark({ class: `tok-${kind}` }).range(from, to));
      }
      view.dispatch({ effects: tokens.effect.of(RangeSet.of(marks, true)) });
    },
    setDiagnostics(list, about) {
      if (!isAbout(about)) return;
      const length = view.state.doc.length;
      const shown = list.map((each) => {
        const { from, to } = range(each.span ?? [0, 0], length);
        const fix = each.fix && range(each.fix.span, length);
        const was = fix && view.state.sliceDoc(fix.from, fix.to);
        return {
          from,
          to,
          severity: SEVERITIES[each.severity] ?? "info",
          message: each.message,
          renderMessage: () => explained(each, onExplain),
          actions: fix
            ? [{ name: fixName(was, each.fix.replacement), apply: (_, now) => mend(fix, each.fix.replacement, now - from) }]
            : [],
        };
      });
      view.dispatch(setDiagnostics(view.state, shown));
    },
    setSymbols(list) {
      view.dispatch({ effects: typing.reconfigure(typed(list)) });
      palette?.show(list);
    },
    reveal(where, { focus = false } = {}) {
      const { from, to } = range(where, view.state.doc.length);
      isQuiet = true;
      const mark = from < to ? RangeSet.of([Decoration.mark({ class: "revealed" }).range(from, to)]) : Decoration.none;
      view.dispatch({
        selection: focus ? { anchor: from, head: to } : undefined,
        effects: [revealed.effect.of(mark), EditorView.scrollIntoView(from, { y: "center" })],
      });
      isQuiet = false;
      if (focus) view.focus();
    },
    // The words of the button that applies the fix of a diagnostic about the present text, and the fix.
    fixName: ({ span: where, replacement }) => {
      const { from, to } = range(where, view.state.doc.length);
      return fixName(view.state.sliceDoc(from, to), replacement);
    },
    mend: ({ span: where, replacement }) => mend(range(where, view.state.doc.length), replacement, 0),
    insert,
    focus: () => view.focus(),
    destroy() {
      view.destroy();
      host.remove();
      palette?.element.remove();
    },
  };
};

const fixName = (was, becomes) => {
  const short = (words) => (words.length > 24 ? `${words.slice(0, 23)}…` : words);
  if (!becomes) return `Remove ${short(was)}`;
  return was ? `Replace by ${short(becomes.trim() || "a blank")}` : `Insert ${short(becomes.trim() || "a blank")}`;
};
