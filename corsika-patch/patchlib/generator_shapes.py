"""The shapes of RANMAR in CORSIKA and in programs derived from it.

A shape is a list of statements in canonical form (whichlib/fortran.py) with variables in braces. A
variable stands for the same text throughout a shape, and no two variables stand for the same name;
{k} is the sequence, a literal or JSEQ. A number in braces, such as {0.5}, matches each of its
spellings, such as .5D0. ENDDO matches the end of the innermost open DO, that is ENDDO or the
CONTINUE at the loop's label; further on, the loop's index variable may stand for another name.
"""

import re

VARIABLES = {
    "k": r"[A-Z]\w*|\d+",
    "n": r"[A-Z]\w*|\d+",
    "label": r"\d*",
    "billion": r"MODCNS|1\.?0*[DE]\+?0*9",
    "dest": r"[A-Z]\w*(?:\(.*\))?",
    **dict.fromkeys("xyz", r"(?:(?!END=|ERR=|EOR=|IOSTAT=).)+"),
}
NAME = r"[A-Z]\w*"  # what any other variable stands for

STATE = ("C", "U", "IJKL", "I97", "J97", "NTOT", "NTOT2", "JSEQ")
CONSTANTS = ("CD", "CINT", "CM", "TWOM24", "TWOM48", "MODCNS")

# A draw: the next number of sequence k.

VECTOR_LOOP = ["DO{label}{i}=1,{n}"]
RECURRENCE = [
    "{uni}=U(I97({k}),{k})-U(J97({k}),{k})",
    "IF({uni}<{0.}){uni}={uni}+{1.}",
    "U(I97({k}),{k})={uni}",
    "I97({k})=I97({k})-1",
    "IF(I97({k})==0)I97({k})=97",
    "J97({k})=J97({k})-1",
    "IF(J97({k})==0)J97({k})=97",
    "C({k})=C({k})-CD",
    "IF(C({k})<{0.})C({k})=C({k})+CM",
    "{uni}={uni}-C({k})",
    "IF({uni}<{0.}){uni}={uni}+{1.}",
]
AVOID_ZERO = ["IF({uni}=={0.}){uni}=TWOM48"]
VECTOR_DELIVERY = ["{vec}({i})={uni}", "ENDDO"]
DELIVERIES = ["{dest}={uni}", "{dest}=SNGL({uni})", "{dest}=REAL({uni})"]
COUNT = [
    "NTOT({k})=NTOT({k})+{n}",
    "IF(NTOT({k})>=MODCNS)THEN",
    "NTOT2({k})=NTOT2({k})+1",
    "NTOT({k})=NTOT({k})-MODCNS",
    "ENDIF",
]

# Draws can replace the calls of RMMARD if it has only this guard and the shapes above.

RMMARD = ["SUBROUTINERMMARD({vec},{n},{seq})", "IF({seq}>0.AND.{seq}<=KSEQ)JSEQ={seq}"]
RETURN = ["RETURN", "END"]

# The seeding, in RMMAQD: four small seeds make the words bit by bit. Then numbers are made and
# dropped for the skip, and the new state is stored.

SEED = ["IJKL({k})={seed}(1)", "NTOT({k})={seed}(2)", "NTOT2({k})={seed}(3)"]
SMALL_SEEDS = [
    "{ij}={ijkl}/30082",
    "{kl}={ijkl}-30082*{ij}",
    "{si}=MOD({ij}/177,177)+2",
    "{sj}=MOD({ij},177)+2",
    "{sk}=MOD({kl}/169,178)+1",
    "{sl}=MOD({kl},169)",
]
WORDS = SMALL_SEEDS + [
    "DO{label}{word}=1,97",
    "{s}={0.}",
    "{t}={0.5}",
    "DO{label}{bit}=1,48",
    "{m}=MOD(MOD({si}*{sj},179)*{sk},179)",
    "{si}={sj}",
    "{sj}={sk}",
    "{sk}={m}",
    "{sl}=MOD(53*{sl}+1,169)",
    "IF(MOD({sl}*{m},64)>=32){s}={s}+{t}",
    "{t}={0.5}*{t}",
    "ENDDO",
    "{w}({word})={s}",
    "ENDDO",
]
START = ["{cc}=CINT", "{ii}=97", "{jj}=33"]
SKIP = ["{niter}=MODCNS", "DO{label}{lap}=1,NTOT2({k})+1", "IF({lap}>NTOT2({k})){niter}=NTOT({k})"]
SKIP_ONE = [
    "DO{label}{i}=1,{niter}",
    "{uni}={w}({ii})-{w}({jj})",
    "IF({uni}<{0.}){uni}={uni}+{1.}",
    "{w}({ii})={uni}",
    "{ii}={ii}-1",
    "IF({ii}==0){ii}=97",
    "{jj}={jj}-1",
    "IF({jj}==0){jj}=97",
    "{cc}={cc}-CD",
    "IF({cc}<{0.}){cc}={cc}+CM",
    "ENDDO",
    "ENDDO",
]
HAND_OVER = [
    "I97({k})={ii}",
    "J97({k})={jj}",
    "C({k})={cc}",
    "DO{label}{i}=1,97",
    "U({i},{k})={w}({i})",
    "ENDDO",
]

# The first call sets the constants. CD and CM may be set again elsewhere.

SET_CONSTANTS = [
    "IF({first})THEN",
    "TWOM24={2.}**(-24)",
    "TWOM48={2.}**(-48)",
    "CD={7654321.}*TWOM24",
    "CM={16777213.}*TWOM24",
    "CINT={362436.}*TWOM24",
    "MODCNS=1000000000",
    "{first}=.FALSE.",
]
SET_SEQUENCE = ["JSEQ=1"]
CONSTANTS_SET = ["ENDIF"]
SET_AGAIN = [SET_CONSTANTS[3], SET_CONSTANTS[4]]

# Writing, reading, reporting and copying the state. After READ, CORSIKA computes the small seeds
# again.

READ = [
    "READ({x})IJKL({k}),NTOT({k}),NTOT2({k})",
    "READ({y})I97({k}),J97({k}),C({k})",
    "READ({z})U",
]
WRITE = [statement.replace("READ", "WRITE") for statement in READ]
REPORT = ["{seed}(1)=IJKL({k})", "{seed}(2)=NTOT({k})", "{seed}(3)=NTOT2({k})"]
POSITION = ["{x}=NTOT({k})+{billion}*NTOT2({k})"]
COPY_OUT = [
    ["{x}=IJKL({k})"],
    ["{x}=NTOT({k})"],
    ["{x}=NTOT2({k})"],
    ["{x}=C({k})"],
    ["DO{label}{i}=2,98", "{x}=U({i}-1,{k})", "ENDDO"],
    ["{x}=DBLE(I97({k}))"],
    ["{x}=DBLE(J97({k}))"],
]
COPY_IN = [
    ["IJKL({k})={x}"],
    ["NTOT({k})={x}"],
    ["NTOT2({k})={x}"],
    ["C({k})={x}"],
    ["DO{label}{i}=2,98", "U({i}-1,{k})={x}", "ENDDO"],
    ["I97({k})=NINT({x})"],
    ["J97({k})=NINT({x})"],
]

# A use of the state in a statement, and a statement that may change a constant.
STATE_USE = re.compile(rf'(?:(?<!\w)|^DATA(?=[^=]*/))(?:{"|".join(STATE[:-1])})(?!\w)')
STATE_WITHIN = re.compile(rf"\([^()]*{STATE_USE.pattern}\(")  # in an array's size
_ANY = f'(?:{"|".join(CONSTANTS)})'
CONSTANT_SET = re.compile(rf"(?:^|\)){_ANY}=|^DATA{_ANY}/|^(?:CALL|READ|DATA).*(?<!\w){_ANY}(?!\w)")
