"""Every kind of diagnostic, in one list.

A code is never reused, renumbered or given two meanings, and there is no code
for "other". Each has a golden case and a page.

    Z1xx  reading the document: its form, its sections, damage
    Z2xx  symbols and grammar
    Z3xx  names
    Z4xx  types and sets
    Z5xx  facts, initialisation, rules, roles, readings
    Z6xx  while running
    Z7xx  lints
    Z9xx  our fault
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zermelo.text.diagnostic import Code, Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_NOTE: Final = Severity.NOTE

EMPTY_DOCUMENT: Final = Code("Z100", "a document with nothing in it", _ERROR)
NOT_A_TEXT: Final = Code("Z101", "a file that is not a text", _ERROR)
OTHER_ENCODING: Final = Code("Z102", "a text that is not in UTF-8", _ERROR)
TOO_LARGE: Final = Code("Z103", "a document that is too large", _ERROR)
DIALECT_NOT_READABLE: Final = Code("Z104", "a dialect that is not read yet", _ERROR)
NO_SECTIONS: Final = Code("Z105", "a document without sections", _ERROR)
MISSING_SECTION: Final = Code("Z106", "a section that is missing", _WARNING)
NEARLY_A_HEADING: Final = Code("Z107", "a heading that is misspelt", _WARNING)
DAMAGED_SIGN: Final = Code("Z108", "a sign damaged by copying", _WARNING)
SPLIT_WORD: Final = Code("Z109", "a name split by copying", _WARNING)
BRACES_LOST: Final = Code("Z110", "a set of sets without its outer braces", _WARNING)
MISPLACED: Final = Code("Z111", "an item in the wrong section", _WARNING)
NO_PLACE_HERE: Final = Code("Z112", "a formula that has no place in its section", _ERROR)
GUARD_WITHOUT_CONCLUSION: Final = Code("Z113", "a guard without a conclusion", _ERROR)
CONCLUSION_WITHOUT_GUARD: Final = Code("Z114", "a conclusion without a guard", _ERROR)
DOUBTFUL_GUARD: Final = Code("Z115", "a conclusion that may belong to another guard", _WARNING)
LOST_BAR: Final = Code("Z116", "a bar that was lost", _WARNING)
TORN_WORD: Final = Code("Z117", "a word that was torn apart", _ERROR)
STATEMENT_WITHOUT_HEAD: Final = Code("Z118", "a statement that is in no procedure", _ERROR)
SET_NOT_UNDERSTOOD: Final = Code(
    "Z119", "a set described in words that are not understood", _WARNING
)
SETTING_NOT_UNDERSTOOD: Final = Code("Z120", "a setting that is not understood", _ERROR)
ERRATUM_WITHOUT_PLACE: Final = Code("Z121", "an erratum whose words do not occur", _WARNING)
COLON: Final = Code("Z122", "a colon where another sign belongs", _WARNING)
FORMULA_IN_PROSE: Final = Code("Z123", "a formula among words, taken as prose", _WARNING)

FORMULA_NOT_UNDERSTOOD: Final = Code("Z201", "a formula that is not understood", _ERROR)
UNKNOWN_COMMAND: Final = Code("Z202", "a command that is not known", _WARNING)
UNKNOWN_CHARACTER: Final = Code("Z203", "a character that formulas do not use", _ERROR)
BRACKET_NOT_CLOSED: Final = Code("Z204", "a bracket that is not closed", _ERROR)
BRACKET_NOT_OPENED: Final = Code("Z205", "a bracket that was not opened", _ERROR)
BAR_NOT_CLOSED: Final = Code("Z206", "a bar that is not closed", _ERROR)
OPERAND_MISSING: Final = Code("Z207", "a sign with nothing behind it or before it", _ERROR)
TOO_DEEP: Final = Code("Z208", "a formula that is nested too deeply", _ERROR)
QUOTE_NOT_CLOSED: Final = Code("Z209", "a quotation mark that is not closed", _WARNING)
CONDITION_IN_CONCLUSION: Final = Code("Z210", "a condition in a conclusion", _WARNING)
NOTHING_ASSIGNED: Final = Code("Z211", "a conclusion that assigns nothing", _ERROR)
SECOND_ARROW: Final = Code("Z212", "a second arrow in a rule", _ERROR)
LIST_WITH_STEPS: Final = Code("Z213", "a list with dots whose steps are not one", _ERROR)
SUBSCRIPT_NOT_A_NAME: Final = Code("Z214", "a subscript that is no name and no number", _ERROR)
NUMBER_TOO_LONG: Final = Code("Z215", "a number that is too long", _ERROR)
PROPER_SUBSET_DECLARED: Final = Code("Z216", "a declaration with a proper subset", _WARNING)
RULE_WITHOUT_BRACKETS: Final = Code("Z217", "a rule inside a rule, without brackets", _WARNING)

UNKNOWN_NAME: Final = Code("Z301", "a name that is not declared", _WARNING)
OTHER_CAPITALS: Final = Code("Z302", "a name or value written in another way elsewhere", _WARNING)
TWO_MEANINGS: Final = Code("Z304", "one name for two things", _WARNING)
POWER_SET_LETTER: Final = Code("Z305", "`P` as a set and as the power set", _NOTE)
LOST_OPERATOR: Final = Code("Z306", "a lost operator between two sets", _WARNING)
POWER_SET_OR_MINUS: Final = Code("Z307", "power set or lost minus", _WARNING)
UNKNOWN_FUNCTION: Final = Code("Z308", "a function or procedure that is not defined", _ERROR)
NEW_WORD: Final = Code("Z309", "a value that no set lists", _WARNING)
DECLARED_TWICE: Final = Code("Z310", "a name declared twice", _WARNING)
ASSIGNED_CONSTANT: Final = Code("Z311", "a value given to something that does not change", _ERROR)
ASSUMED_SET: Final = Code("Z312", "a set that is not defined and could be guessed", _WARNING)
MEMBERSHIP_AS_CALL: Final = Code("Z313", "a set written like a function", _WARNING)

KINDS_CLASH: Final = Code("Z401", "values of kinds that do not go together", _ERROR)
STARTS_OUTSIDE: Final = Code("Z402", "an initial value outside its set", _WARNING)
SET_TOO_LARGE: Final = Code("Z403", "a set too large to be listed", _ERROR)
NO_DOMAIN: Final = Code("Z404", "a bound name without a set to range over", _ERROR)
INFINITE_LISTED: Final = Code("Z405", "an infinite set that would have to be listed", _ERROR)
WRONG_NUMBER: Final = Code("Z406", "a number of arguments or components that does not fit", _ERROR)
MEMBER_OR_SET: Final = Code(
    "Z407", "a member where a set was looked for, or the other way round", _WARNING
)
NUMBER_AS_TRUTH: Final = Code("Z408", "0 and 1 as truth values", _WARNING)
SUM_WITHOUT_LIMIT: Final = Code("Z409", "a sum without its limit", _WARNING)
FALSE_AS_WRITTEN: Final = Code("Z410", "a quantifier over everything", _WARNING)
CYCLIC_SETS: Final = Code("Z411", "sets defined by each other", _ERROR)
PARAMETER_WITHOUT_SET: Final = Code("Z412", "a parameter without a set", _WARNING)
IFF_OF_VALUES: Final = Code("Z413", "`↔` between values", _WARNING)
INDEX_WITHOUT_SET: Final = Code("Z414", "an index without a set", _WARNING)

SECOND_DEFINITION: Final = Code("Z501", "a second definition of a variable", _NOTE)
CYCLIC_FACTS: Final = Code("Z502", "facts that define each other", _ERROR)
INITIAL_REPEATED: Final = Code("Z503", "an initial value that its fact already gives", _NOTE)
INITIAL_CONTRADICTED: Final = Code("Z504", "an initial value that its fact contradicts", _WARNING)
NOT_INITIALISED: Final = Code("Z505", "a variable without an initial value", _WARNING)
INITIALISED_TWICE: Final = Code("Z506", "a variable with two initial values", _WARNING)
EFFECTLESS_FORMULA: Final = Code("Z507", "a formula in a conclusion that assigns nothing", _WARNING)
FACT_ON_UNKNOWN: Final = Code(
    "Z508", "a fact that defines a variable that is not declared", _WARNING
)
PROCEDURE_TWICE: Final = Code("Z509", "two procedures or functions of one name", _WARNING)
LOCAL_WITHOUT_VALUE: Final = Code("Z510", "a local that is never given a value", _ERROR)

UNKNOWN_READING: Final = Code("Z530", "a reading that does not exist", _ERROR)
UNKNOWN_CHOICE: Final = Code("Z531", "a choice that the reading does not have", _ERROR)
READING_TWICE: Final = Code("Z532", "a reading chosen twice", _WARNING)
READING_OF_NOTHING: Final = Code("Z533", "a reading about a name that does not exist", _WARNING)
NO_MOVE: Final = Code("Z535", "no move", _ERROR)
NO_END: Final = Code("Z536", "no end", _NOTE)
CIRCLE_OF_CALLS: Final = Code("Z537", "procedures that only call each other", _WARNING)
SECOND_END: Final = Code("Z538", "a second procedure that decides the end", _WARNING)
WHO_IS_WHO: Final = Code("Z540", "players or results that could not be told apart", _WARNING)
PLAYERS_NOT_UNDERSTOOD: Final = Code("Z541", "players that are not understood", _ERROR)
RESULT_NOT_UNDERSTOOD: Final = Code("Z542", "a result that is not understood", _ERROR)
WHOSE_TURN: Final = Code("Z543", "a first state that is not the turn of one player", _WARNING)
UNKNOWN_VIEW: Final = Code("Z550", "a line of the view that is not understood", _WARNING)
VIEW_NOT_USABLE: Final = Code("Z551", "a part of the view that cannot be drawn", _WARNING)
VIEW_OF_NOTHING: Final = Code("Z552", "a view of a name that does not exist", _WARNING)

NO_PLAYABLE_READING: Final = Code("Z570", "no order of the rules is playable", _WARNING)
ORDER_BY_PLAYING: Final = Code("Z571", "an order of the rules found by playing", _WARNING)
FLAG_BY_PLAYING: Final = Code("Z572", "a variable that lives for one turn", _NOTE)
READING_BY_PLAYING: Final = Code("Z573", "a reading found by playing", _WARNING)
STARTS_OVER: Final = Code("Z575", "a play that is over before it starts", _WARNING)

CONFLICT: Final = Code("Z601", "two rules that assign different values", _ERROR)
LEFT_ITS_SET: Final = Code("Z602", "a value that leaves its set", _ERROR)
UNDEFINED: Final = Code("Z603", "an expression without a value", _ERROR)
ENDLESS: Final = Code("Z604", "a recursion or a set without bound", _ERROR)
INVARIANT_BROKEN: Final = Code("Z605", "a fact that does not hold", _ERROR)
STUCK: Final = Code("Z611", "a player who is stuck, and no result", _WARNING)
FLAG_STAYS: Final = Code("Z612", "a flag that stays set", _WARNING)
NEVER_FIRED: Final = Code("Z613", "a rule that never fired", _WARNING)
NEVER_REACHED: Final = Code("Z614", "a result that is never reached", _WARNING)
NO_END_REACHED: Final = Code("Z615", "plays that do not end", _WARNING)

UNUSED_SET: Final = Code("Z701", "a set that is never used", _WARNING)
UNUSED_VARIABLE: Final = Code("Z702", "a variable that is never used", _WARNING)
SAME_OPERANDS: Final = Code("Z711", "both sides of an operator are the same", _WARNING)
NEVER_FIRES: Final = Code("Z712", "a guard that never holds", _WARNING)
SAME_GUARD: Final = Code("Z713", "one guard with two conclusions that differ", _WARNING)
CHANGES_NOTHING: Final = Code("Z714", "a conclusion that changes nothing", _WARNING)
RESULT_NEVER_SET: Final = Code("Z715", "a result that no rule sets", _WARNING)
RESULT_SET_TWICE: Final = Code("Z716", "rules of the end that may both set the result", _NOTE)
END_MOVES_ON: Final = Code("Z717", "an end that changes more than the result", _WARNING)
ASSIGNED_TWICE: Final = Code("Z718", "a variable given two values in one conclusion", _WARNING)
EQUAL_SETS_MERGE: Final = Code("Z721", "a set of sets in which equal ones merge", _WARNING)
SET_OR_PLAYER: Final = Code("Z722", "a name for a set and for a player", _WARNING)
LOPSIDED: Final = Code("Z723", "a set that breaks the symmetry of the board", _WARNING)

OUR_FAULT: Final = Code("Z901", "our fault", _ERROR)

ALL: Final[Mapping[str, Code]] = {
    code.id: code for code in tuple(globals().values()) if isinstance(code, Code)
}
