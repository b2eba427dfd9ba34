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
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Severity(Enum):
    """How much a diagnostic matters."""

    ERROR = "error"
    """Something that cannot be used."""
    WARNING = "warning"
    """Something that could be assumed; the assumption is said."""
    NOTE = "note"
    """Something worth knowing."""


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of diagnostic; its page explains it."""

    id: str
    title: str
    severity: Severity

    def __str__(self) -> str:
        return self.id


_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_NOTE: Final = Severity.NOTE

EMPTY_DOCUMENT: Final = Code("Z100", "a document with nothing in it", _ERROR)
NOT_A_TEXT: Final = Code("Z101", "a file that is not a text", _ERROR)
OTHER_ENCODING: Final = Code("Z102", "a text that is not in UTF-8", _ERROR)
TOO_LARGE: Final = Code("Z103", "a document that is too large", _ERROR)
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
HIDDEN_CHARACTER: Final = Code("Z124", "a character that is not seen", _WARNING)
TOO_MUCH_WORK: Final = Code("Z125", "a document that takes too many steps", _ERROR)
UNKNOWN_HEADING: Final = Code("Z126", "a heading that is none of the usual ones", _NOTE)
NOT_USED: Final = Code("Z128", "a sentence about a name, taken as prose", _WARNING)
HEAD_WITHOUT_BRACKETS: Final = Code("Z129", "a head without its brackets", _WARNING)

LATEX_REMNANT: Final = Code("Z130", "what is left of a LaTeX command", _WARNING)
FORMULA_NUMBER_LOST: Final = Code("Z131", "a formula that lost its number", _NOTE)
FORMULA_NUMBER_DAMAGED: Final = Code("Z132", "a formula number that is damaged", _WARNING)
GAME_SWITCH_UNSEEN: Final = Code("Z133", "a game switch that print does not show", _NOTE)
STRAY_QUOTE: Final = Code("Z134", "a stray quotation mark in an answer", _WARNING)
PRINTED_TWICE: Final = Code("Z135", "a formula that is printed twice", _WARNING)
EQUATION_NOT_WHOLE: Final = Code("Z136", "equations that run off the page", _WARNING)
LOST_BACKQUOTE: Final = Code("Z137", "an atom that lost its backquote", _WARNING)
SAME_OPERAND_PRINTED: Final = Code("Z138", "one operand printed in place of another", _WARNING)
LOST_BRACKETS: Final = Code("Z139", "brackets that were lost in print", _WARNING)
BARS_FOR_BRACKETS: Final = Code("Z140", "bars that stand for other brackets", _WARNING)
LOST_BLANKS: Final = Code("Z141", "a string that lost its blanks", _WARNING)
EQUATION_LOST: Final = Code("Z142", "a name whose equation was lost", _WARNING)
FORMULA_CUT_OFF: Final = Code("Z143", "a formula that is cut off", _WARNING)
BRACKETS_UNDECIDED: Final = Code("Z144", "brackets that may have been lost", _WARNING)
FORMULA_LOST: Final = Code("Z145", "a formula that was lost", _WARNING)

FILE_NOT_INCLUDED: Final = Code("Z150", "a file that cannot be included", _ERROR)
FILE_OUTSIDE: Final = Code("Z151", "a file outside the document's folder", _ERROR)
INCLUDED_TOO_DEEPLY: Final = Code("Z152", "files that include each other without end", _ERROR)
UNKNOWN_DIRECTIVE: Final = Code("Z153", "a directive that is not known", _ERROR)
FORM_NOT_KNOWN: Final = Code("Z154", "a directive of PROD whose form is not known", _ERROR)
MACRO_NOT_USABLE: Final = Code("Z155", "a macro that cannot be used", _ERROR)
MACROS_WITHOUT_BOUND: Final = Code("Z156", "macros that expand without bound", _ERROR)
CONDITION_WITHOUT_VALUE: Final = Code("Z157", "an `#if` whose condition has no value", _ERROR)
CONDITION_NOT_CLOSED: Final = Code("Z158", "conditions that do not match", _ERROR)
MACRO_TWICE: Final = Code("Z159", "a macro defined twice", _WARNING)
COMMENT_NOT_CLOSED: Final = Code("Z160", "a comment that is not closed", _ERROR)
NO_NET: Final = Code("Z161", "a net with nothing in it", _ERROR)
OUTSIDE_C_SUBSET: Final = Code("Z162", "C outside the part that is read", _ERROR)
C_NOT_UNDERSTOOD: Final = Code("Z163", "C that is not understood", _ERROR)
UNSIGNED_AS_SIGNED: Final = Code("Z164", "unsigned numbers, read as signed", _NOTE)

XML_NOT_WELL_FORMED: Final = Code("Z170", "XML that is not well-formed", _ERROR)
XML_DOCTYPE: Final = Code("Z171", "a document type in a net", _ERROR)
PNML_NOT_A_NET: Final = Code("Z172", "an XML document that holds no net", _ERROR)
PNML_OTHER_KIND: Final = Code("Z173", "a net of a kind that is not read", _ERROR)
PNML_SECOND_NET: Final = Code("Z174", "more than one net in a document", _WARNING)
NET_NOT_UNDERSTOOD: Final = Code("Z250", "a part of a net that is not understood", _ERROR)
OTHER_EXTENSION: Final = Code("Z251", "an extension of PROD's language that is not read", _ERROR)
LEVEL_IGNORED: Final = Code("Z252", "the level of a place, which is passed over", _NOTE)
STRAY_CHARACTER: Final = Code("Z253", "a character that nets do not use", _ERROR)
NUMBER_NOT_WHOLE: Final = Code("Z254", "a number that nets do not have", _ERROR)
TRANSITION_NOT_CLOSED: Final = Code("Z255", "a transition that is not closed", _ERROR)

PNML_MISSING: Final = Code("Z270", "something that a net must say and does not", _ERROR)
PNML_UNKNOWN: Final = Code("Z271", "a part of a net that is not understood", _ERROR)
PNML_NOTHING_THERE: Final = Code("Z272", "a reference to nothing", _ERROR)
PNML_DECLARED_TWICE: Final = Code("Z273", "two parts of a net with one name", _ERROR)
PNML_SORTS: Final = Code("Z274", "a term of another sort than its place", _ERROR)
PNML_NUMBER: Final = Code("Z275", "a number of tokens that is none", _ERROR)
PNML_PASSED_OVER: Final = Code("Z276", "an element that has no meaning where it stands", _WARNING)

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
LIST_WITH_STEPS: Final = Code("Z213", "a list with dots whose steps are not equal", _ERROR)
SUBSCRIPT_NOT_A_NAME: Final = Code("Z214", "a subscript that is no name and no number", _ERROR)
NUMBER_TOO_LONG: Final = Code("Z215", "a number that is too long", _ERROR)
PROPER_SUBSET_DECLARED: Final = Code("Z216", "a declaration with a proper subset", _WARNING)
RULE_WITHOUT_BRACKETS: Final = Code("Z217", "a rule inside a rule, without brackets", _WARNING)

REGION_NOT_CLOSED: Final = Code("Z230", "code that is not closed", _ERROR)
NO_DEFINITION: Final = Code("Z231", "code that is no definition", _ERROR)
HEAD_NOT_UNDERSTOOD: Final = Code("Z232", "the head of a definition, not understood", _ERROR)
CHAINED_RELATIONS: Final = Code("Z233", "relations in a chain", _ERROR)
CASES_NOT_UNDERSTOOD: Final = Code("Z234", "a case without its condition", _ERROR)
OTHER_SPELLING: Final = Code("Z235", "a spelling of another dialect of LED", _NOTE)
CODE_WITHOUT_MARKS: Final = Code("Z236", "a program without marks around its code", _NOTE)
WIDER_THAN_LED: Final = Code("Z237", "a form that the dialect D3 of LED does not read", _NOTE)
NO_CODE: Final = Code("Z238", "a program without any code", _ERROR)

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

LED_UNKNOWN_NAME: Final = Code("Z330", "a name that no definition explains", _ERROR)
LED_UNKNOWN_FUNCTION: Final = Code("Z331", "a function that is not defined", _ERROR)
LED_WRONG_NUMBER: Final = Code("Z332", "a call that does not fit its definition", _ERROR)
LED_DEFINED_TWICE: Final = Code("Z333", "a name with two definitions", _ERROR)
LED_ENGINE_NAME: Final = Code("Z334", "a name of the engine with a definition", _NOTE)
LED_PARAMETER_TWICE: Final = Code("Z335", "a parameter that is named twice", _ERROR)
LED_ONLY_IN_GAMES: Final = Code("Z336", "a name that has a value only in games", _WARNING)

UNKNOWN_PLACE: Final = Code("Z350", "a place that does not exist", _ERROR)
NET_NAME_TWICE: Final = Code("Z351", "a name of a net given twice", _ERROR)
UNKNOWN_C_FUNCTION: Final = Code("Z352", "a function that is defined nowhere", _ERROR)
UNKNOWN_TABLE: Final = Code("Z353", "a global that is defined nowhere", _ERROR)
USED_AS_ANOTHER: Final = Code("Z354", "a name used as what it is not", _ERROR)

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
UNLIKE_KINDS: Final = Code("Z415", "values of unlike kinds in one formula", _WARNING)
EMPTY_AS_UNSET: Final = Code("Z416", "`∅` for a value that is not there yet", _WARNING)
SIDES_UNDECIDED: Final = Code("Z417", "a formula that can be meant in two ways", _WARNING)
LETTER_AS_TRUTH: Final = Code("Z418", "`T` and `F` as truth values", _NOTE)
TAKEN_BEYOND: Final = Code("Z420", "a variable taken beyond its set", _WARNING)
EMPTY_AS_WORD: Final = Code("Z421", "`∅` for a word that is taken away again", _WARNING)
NUMBER_WITH_NOUN: Final = Code("Z422", "a noun behind a number", _NOTE)
ORDER_OF_SETS: Final = Code("Z428", "an order between sets, read as inclusion", _NOTE)
WITNESS: Final = Code("Z429", "what a guard only says to exist, used in the conclusion", _WARNING)
BRACKET_PUT_BACK: Final = Code("Z430", "a bracket that was lost", _WARNING)

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
TOLD_BY_RULES: Final = Code("Z544", "players that only rules tell apart", _WARNING)
ALL_TOGETHER: Final = Code("Z545", "players who win and lose together", _NOTE)
NEVER_GIVEN: Final = Code("Z546", "a variable that nothing gives a value", _WARNING)
RESULT_TELLS_STATES_APART: Final = Code("Z547", "states that differ in an early result only", _NOTE)
TOLD_RESULT: Final = Code("Z548", "a result that a variable tells", _NOTE)
UNKNOWN_VIEW: Final = Code("Z550", "a line of the view that is not understood", _WARNING)
VIEW_NOT_USABLE: Final = Code("Z551", "a part of the view that cannot be drawn", _WARNING)
VIEW_OF_NOTHING: Final = Code("Z552", "a view of a name that does not exist", _WARNING)

PROPERTY_NOT_UNDERSTOOD: Final = Code("Z555", "a property that is not understood", _ERROR)
ANSWER_LAPSED: Final = Code("Z556", "an answer to a finding that has lapsed", _NOTE)

NO_PLAYABLE_READING: Final = Code("Z570", "no order of the rules is playable", _WARNING)
ORDER_BY_PLAYING: Final = Code("Z571", "an order of the rules found by playing", _WARNING)
FLAG_BY_PLAYING: Final = Code("Z572", "a variable that lives for one turn", _NOTE)
READING_BY_PLAYING: Final = Code("Z573", "a reading found by playing", _WARNING)
LINES_BY_EVIDENCE: Final = Code("Z574", "lines of a conclusion that read each other", _NOTE)
LINES_UNDECIDED: Final = Code("Z576", "lines that can be read in two ways", _WARNING)
STARTS_OVER: Final = Code("Z575", "a play that is over before it starts", _WARNING)

LED_NOT_SOLVABLE: Final = Code("Z580", "a sentence that cannot be solved", _ERROR)
LED_GAME_INCOMPLETE: Final = Code("Z581", "a game without what the engine asks for", _ERROR)
LED_ONE_TUPLE: Final = Code("Z582", "brackets that D3 takes for a tuple", _NOTE)
LED_EQUAL_STRINGS: Final = Code("Z583", "strings that are compared", _NOTE)
LED_DEFINED_LATER: Final = Code("Z584", "a definition that D3 wants earlier", _NOTE)
LED_HIDDEN_PARAMETER: Final = Code("Z585", "a parameter with a name that D3 uses itself", _NOTE)
LED_IMAGES_BY_MOUSE: Final = Code("Z586", "images that depend on the mouse", _NOTE)
LED_SOLVED_FURTHER: Final = Code("Z587", "a sentence that D3 does not solve", _NOTE)
LED_BEYOND_D3: Final = Code("Z588", "a name of the engine that D3 does not reach", _NOTE)
LED_COORDINATES: Final = Code("Z589", "coordinates that are not whole", _NOTE)

OTHER_ARITY: Final = Code("Z590", "tuples of different lengths in one place", _ERROR)
VARIABLE_WITHOUT_VALUE: Final = Code("Z591", "a variable that gets no value", _ERROR)
NOT_CONSTANT: Final = Code("Z592", "a number that is not known from the start", _ERROR)
TOKEN_OUTSIDE_AT_FIRST: Final = Code("Z593", "a first token outside its bounds", _ERROR)
EMPTY_BOUNDS: Final = Code("Z594", "bounds with nothing between them", _WARNING)
LET_NOT_UNDERSTOOD: Final = Code("Z595", "a `let` that gives nothing a value", _ERROR)

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
OVER_WITHOUT_RESULT: Final = Code("Z616", "a play that is over without a result", _WARNING)
NO_WAY_TO_AN_END: Final = Code("Z617", "a state after which no play ends", _WARNING)
RESULT_CHANGES: Final = Code("Z618", "a result that changes while play goes on", _NOTE)
TOO_EXACT: Final = Code("Z621", "a test that one more piece makes fail", _WARNING)
TWO_RESULTS: Final = Code("Z622", "two results at once", _WARNING)
GROUPING: Final = Code("Z623", "∧ and ∨ without brackets, where these matter", _NOTE)
JUMPED_OVER: Final = Code("Z624", "a number tested by = that a move jumps over", _WARNING)
LATE: Final = Code("Z625", "a win that is noticed one turn late", _WARNING)
LIMIT_OUTSIDE: Final = Code("Z626", "a limit outside the set of a number", _WARNING)

INPUTS_ON_GRID: Final = Code("Z630", "inputs that are not told apart one by one", _WARNING)
NO_FIRST_STATE: Final = Code("Z631", "a game whose first state has no value", _ERROR)
CASES_AT_ONCE: Final = Code("Z632", "two cases that hold at once", _WARNING)
CASE_NEVER_TAKEN: Final = Code("Z633", "a case that is never taken", _NOTE)
IMAGE_WITHOUT_SENSE: Final = Code("Z635", "an image that cannot be drawn", _ERROR)
FRAME_WITHOUT_VALUE: Final = Code("Z636", "a frame of which a part has no value", _ERROR)
PICTURE_NOT_SHOWN: Final = Code("Z638", "a picture file that cannot be shown", _WARNING)
OTHER_ANSWER: Final = Code("Z639", "an answer that is not the one the document shows", _ERROR)
TEXT_NOT_JUDGED: Final = Code("Z640", "a text at the end that does not say who wins", _WARNING)
KEYS_ONE_AT_A_TIME: Final = Code("Z641", "keys that are not tried together", _WARNING)
END_GOES_ON: Final = Code("Z642", "a text that tells of an end where play goes on", _WARNING)

TOKEN_OUTSIDE: Final = Code("Z650", "a token that leaves its bounds", _ERROR)
FIRING_WITHOUT_VALUE: Final = Code("Z651", "a firing that cannot be computed", _ERROR)
NET_UNBOUNDED: Final = Code("Z652", "a net without bound", _WARNING)
TRANSITION_NEVER_FIRES: Final = Code("Z653", "a transition that never fires", _WARNING)
PLACE_NEVER_MARKED: Final = Code("Z654", "a place that is always empty", _NOTE)

CONDITION_NOT_UNDERSTOOD: Final = Code(
    "Z665", "a condition on markings that is not understood", _ERROR
)
NOT_ONE_IN_TURN: Final = Code("Z666", "a marking that is not the turn of one player", _WARNING)
ENDS_CLASH: Final = Code("Z667", "a marking with two results", _WARNING)
READING_FILE_NOT_USED: Final = Code("Z668", "a file beside the document that is not used", _WARNING)

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

LED_UNUSED: Final = Code("Z740", "a definition that the game never uses", _WARNING)
LED_CASE_NOT_REACHED: Final = Code("Z741", "a case behind one that is always taken", _WARNING)
LED_BEHIND_BINDER: Final = Code("Z742", "a bound name behind what binds it", _WARNING)
LED_NOT_NEW: Final = Code("Z743", "a constant where a new name may be meant", _WARNING)
LED_NEVER_A_VALUE: Final = Code("Z744", "an operator with a value that never fits", _WARNING)

PLACE_NOT_USED: Final = Code("Z760", "a place that no transition uses", _WARNING)
TRANSITION_WITHOUT_ARCS: Final = Code("Z761", "a transition without arcs", _WARNING)
NEVER_MARKED: Final = Code("Z762", "a transition whose input is always empty", _WARNING)
GATE_NEVER_HOLDS: Final = Code("Z763", "a gate that never holds", _WARNING)
NEARLY_A_CONSTANT: Final = Code("Z764", "a variable with nearly the name of a constant", _WARNING)
LOCAL_NOT_SET: Final = Code("Z765", "a local that is read before it has a value", _WARNING)

OUR_FAULT: Final = Code("Z901", "our fault", _ERROR)

ALL: Final[Mapping[str, Code]] = {
    code.id: code for code in tuple(globals().values()) if isinstance(code, Code)
}
