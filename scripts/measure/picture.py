"""Pictures of bars that begin at 0, as SVG: with an interval where one is known, and the bound of
each group as a line that is always within the picture."""
from html import escape
from typing import NamedTuple

COLOURS = ("#4c78a8", "#f58518")
WIDTH, LEFT, BAR, GAP, TOP = 900, 190, 22, 8, 64
LETTERS = 'font-family="sans-serif" font-size="14"'


class Bar(NamedTuple):
    """A bar of parts, which stand one after the other, and perhaps the interval of their sum."""

    label: str
    parts: list
    low: float = None
    high: float = None
    note: str = ""


class Group(NamedTuple):
    """Bars with a title and a bound."""

    title: str
    bars: list
    bound: float = None
    bound_name: str = ""


def texts(x, y, text, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(text, quote=False)}</text>'


def draw(path, title, groups, legend=()):
    """Writes the picture; `legend` names the parts of bars."""
    most = max(
        [b.high or sum(b.parts) for g in groups for b in g.bars] + [g.bound or 0 for g in groups]
    )
    notes = max(len(bar.note) for group in groups for bar in group.bars)
    scale = (WIDTH - LEFT - max(60, 8 * notes)) / most
    lines, y = [texts(20, 26, title, 'font-size="17"')], TOP
    for i, name in enumerate(legend):
        lines.append(
            f'<rect x="{20 + 170 * i}" y="38" width="14" height="14" fill="{COLOURS[i]}"/>'
        )
        lines.append(texts(40 + 170 * i, 50, name))
    for group in groups:
        if group.title:
            lines.append(texts(20, y + 16, group.title, 'font-weight="bold"'))
            y += BAR
        begun = y
        for bar in group.bars:
            lines.append(texts(LEFT - 8, y + 16, bar.label, 'text-anchor="end"'))
            at = LEFT
            for part, colour in zip(bar.parts, COLOURS):
                lines.append(
                    f'<rect x="{at:.1f}" y="{y}" width="{part * scale:.1f}" height="{BAR}" '
                    f'fill="{colour}"/>'
                )
                at += part * scale
            if bar.low is not None:
                low, high = LEFT + bar.low * scale, LEFT + bar.high * scale
                lines.append(
                    f'<path d="M{low:.1f} {y + 5}v12m0 -6H{high:.1f}m0 -6v12" stroke="black" '
                    'fill="none"/>'
                )
                at = max(at, high)
            lines.append(texts(at + 6, y + 16, bar.note or f"{sum(bar.parts):.3g}"))
            y += BAR + GAP
        if group.bound:
            x = LEFT + group.bound * scale
            lines.append(
                f'<path d="M{x:.1f} {begun - 4}V{y}" stroke="#c00" stroke-dasharray="5 3"/>'
            )
            lines.append(texts(x, y + 12, group.bound_name, 'text-anchor="middle" fill="#c00"'))
            y += BAR
    lines.append(f'<path d="M{LEFT} {TOP - 6}V{y}" stroke="black"/>')
    with open(path, "w", encoding="utf-8") as file:
        size = f'width="{WIDTH}" height="{y + 12}"'
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" {size} {LETTERS}>\n')
        file.write('<rect width="100%" height="100%" fill="white"/>\n')
        file.write("\n".join(lines) + "\n</svg>\n")
