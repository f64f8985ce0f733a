"""The hooked code: how each shape of generator_shapes.py draws from libgpuranmar.

All functions return lines without line ending. k is the sequence as the original writes it, a
literal or JSEQ; indent is the number of columns before the statement.
"""

import re

INCLUDE = "gpuranmar.inc"
LAST_COLUMN = 72  # of the lines that this tool writes; the user's may be longer

# The COMMON of the hooked routines that handle whole states, and of no others.
COMMON = "GRNRM4"
# Macros by which a hooked routine tells an include file which declaration of the state it wants.
STATE, DRAWS = "__GRNSTATE__", "__GRNDRAWS__"


# Names that hooks declare or call. Hooks would not compile in a unit that uses one as a variable.
NAMES = rf"GRN(?:WIN|MAX|BUF|POS|SEQ|K|COM|CUR|FL1|VEC|SET|CNT|STA|PUT)|{COMMON}"
NAMES = re.compile(rf"(?<!CALL)({NAMES}|DOUBLE_HAS_MORE_THAN_8_BYTES)(?!\w)")


def indent_of(line):
    """The columns before a line's statement, within bounds that leave room for a statement."""
    return min(max(len(line) - len(line[6:].lstrip()), 6), 24)


def statement(text, indent=6, label=""):
    """A fixed-form statement, broken at blanks where it is too long for a line."""
    line, lines = label.ljust(5) + " " * (indent - 5), []
    for word in re.findall(r"[^ ]+ *", text):
        if len((line + word).rstrip()) > LAST_COLUMN:
            lines.append(line.rstrip())
            line = "     *" + " " * (indent - 2)
        line += word
    return lines + [line.rstrip()]


def draw(target, k, indent, label=""):
    """target = the next number."""
    return (
        statement(f"IF ( GRNPOS({k}) .EQ. 0 ) CALL GRNFL1( {k}, GRNPOS )", indent, label)
        + statement(f"{target} = GRNBUF(GRNPOS({k}),{k})", indent)
        + statement(f"GRNPOS({k}) = GRNPOS({k}) + 1", indent)
    )


def restore_zero(uni, k, indent):
    """Sets uni to 0 again if the library replaced 0 by 2**-48, for a copy that keeps zeros."""
    return (
        statement(f"IF ( {uni} .EQ. TWOM48 ) THEN", indent)
        + state("STA", k, indent + 2)
        + statement(f"IF ( U(MOD(I97({k}),97)+1,{k}) .EQ. C({k}) ) {uni} = 0.D0", indent + 2)
        + statement("ENDIF", indent)
    )


def draw_vector(vector, n, k, indent, label=""):
    """vector(1:n) = the next numbers, with a fast path for n = 1."""
    return (
        statement(f"IF ( {n} .EQ. 1 ) THEN", indent, label)
        + draw(f"{vector}(1)", k, indent + 2)
        + statement("ELSE", indent)
        + statement(f"CALL GRNVEC( {vector}(1:{n}), {n}, {k} )", indent + 2)
        + statement("ENDIF", indent)
    )


def draw_inline(target, k, indent):
    """The same as CALL RMMARD( target,1,k ). The type of the target may depend on macros, so the
    compiler decides between the draw and the call: the sum of the target and a REAL*4 has the kind
    8 only if the target is DOUBLE PRECISION."""
    return (
        statement(f"IF ( KIND({target}+1._4) .NE. 8 ) THEN", indent)
        + statement(f"CALL RMMARD( {target},1,{k} )", indent + 2)
        + statement("ELSE", indent)
        + draw(target, k, indent + 2)
        + statement(f"GRNSEQ = {k}", indent + 2)
        + statement("ENDIF", indent)
    )


def seed(k, indent):
    """Seeds the library's sequence, in place of making a state. I97 is set because 0 means a
    sequence that is not set."""
    call = statement(f"CALL GRNSET( IJKL({k}), NTOT({k}), NTOT2({k}), {k} )", indent)
    return call + statement(f"I97({k}) = 97", indent)


def counters(k, indent):
    """The counters of sequence k, into CORSIKA's COMMON."""
    return statement(f"IF ( I97({k}) .NE. 0 ) CALL GRNCNT( {k}, NTOT({k}), NTOT2({k}) )", indent)


def state(verb, k, indent):
    """The whole state of sequence k, into CORSIKA's COMMON (STA) or from there (PUT)."""
    members = f"IJKL({k}), NTOT({k}), NTOT2({k}), I97({k}), J97({k}), C({k}), U(1,{k})"
    return statement(f"IF ( I97({k}) .NE. 0 ) CALL GRN{verb}( {k}, {members} )", indent)


def all_states(verb, indent):
    loop, end = statement("DO  GRNK = 1, KSEQ", indent), statement("ENDDO", indent)
    return loop + state(verb, "GRNK", indent + 2) + end


def include():
    return [f'#include "{INCLUDE}"']


def state_common(members):
    """The COMMON of the state under the hooked routines' name. JSEQ, the current sequence, is in
    the COMMON of gpuranmar.inc instead, where inline draws can set it too."""
    others = ", ".join(member for member in members if member != "JSEQ")
    common, equivalence = f"COMMON /{COMMON}/ {others}", "EQUIVALENCE (JSEQ,GRNSEQ)"
    return statement(common) + include() + statement(equivalence)


def no_state(members):
    """Declarations for a routine that only draws. The names of the state become external routines
    that do not exist: a macro or included file that uses one does not compile or link."""
    others = ", ".join(member.split("(")[0] for member in members if member != "JSEQ")
    return include() + statement(f"EXTERNAL {others}") + statement("EQUIVALENCE (JSEQ,GRNSEQ)")


def on_demand(state, draws, others):
    """The declarations of an include file, for each of the three kinds of units that may include
    it."""
    inner = [f"#ifdef {DRAWS}", *draws, "#else", *others, "#endif"]
    return [f"#ifdef {STATE}", *state, "#else", *inner, "#endif"]


def include_for(macro, line):
    """The lines that include a file of on_demand() with the macro defined."""
    return [f"#define {macro}", line, f"#undef {macro}"]
