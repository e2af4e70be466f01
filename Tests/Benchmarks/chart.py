"""Small line charts beside each other, as one SVG picture."""
import dataclasses
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, GAP = 330, 316, 20
LEFT, RIGHT, TOP, BOTTOM = 46, 18, 78, 74  # a panel's margins around its plot
PAPER, INK, FAINT, GRID = "#ffffff", "#1f2328", "#656d76", "#e4e7eb"
COLOURS = ["#2563c9", "#c2590c", "#2f855a"]
FONT = "-apple-system, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"


@dataclasses.dataclass
class Series:
    points: list  # (x, y)
    label: str = ""
    is_ideal: bool = False


@dataclasses.dataclass
class Panel:
    title: str
    subtitle: str
    x_label: str
    series: list
    x_ticks: list  # (x, text, text below it)
    is_log: bool = False


def nice_ticks(least, most, is_log):
    """Round values for the y axis."""
    if is_log:
        ticks = [base * 10 ** power for power in range(-3, 5) for base in (1, 2, 5)]
        inside = [tick for tick in ticks if least * 0.7 <= tick <= most * 1.4]
        return inside if len(inside) <= 7 else [tick for tick in inside if str(tick).strip("0.").startswith("1")]
    step = next(base * 10 ** power for power in range(-3, 5) for base in (1, 2, 5) if most / (base * 10 ** power) <= 5)
    return [round(step * number, 6) for number in range(math.floor(most / step) + 2)]


class Scale:
    """A value's place between two pixels."""

    def __init__(self, least, most, first, last, is_log):
        self.convert = math.log if is_log else float
        self.least, self.most = self.convert(least), self.convert(most)
        self.first, self.last = first, last

    def __call__(self, value):
        if self.most == self.least:
            return (self.first + self.last) / 2
        share = (self.convert(value) - self.least) / (self.most - self.least)
        return self.first + share * (self.last - self.first)


def text(x, y, words, size=11, colour=FAINT, anchor="start", weight="400"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" '
            f'font-weight="{weight}">{escape(words)}</text>')


def line(points, colour, width=2.0, dash=""):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
            f'stroke-linejoin="round" stroke-linecap="round"{dashes}/>')


def draw_panel(panel, left):
    xs = [tick[0] for tick in panel.x_ticks]
    ys = [y for series in panel.series for _, y in series.points]
    ticks = nice_ticks(min(ys), max(ys), panel.is_log)
    x_scale = Scale(min(xs), max(xs), left + LEFT + 12, left + WIDTH - RIGHT - 12, panel.is_log)
    low, high = (min(ticks + ys), max(ticks + ys)) if panel.is_log else (0, ticks[-1])
    y_scale = Scale(low, high, HEIGHT - BOTTOM, TOP, panel.is_log)
    parts = [
        text(left + 12, 24, panel.title, 14, INK, weight="600"),
        text(left + 12, 41, panel.subtitle, 11)]
    for tick in ticks:
        parts.append(line([(left + LEFT, y_scale(tick)), (left + WIDTH - RIGHT, y_scale(tick))], GRID, 1))
        parts.append(text(left + LEFT - 7, y_scale(tick) + 4, f"{tick:g} s", anchor="end"))
    for x, words, below in panel.x_ticks:
        parts.append(text(x_scale(x), HEIGHT - BOTTOM + 18, words, colour=INK, anchor="middle"))
        parts.append(text(x_scale(x), HEIGHT - BOTTOM + 33, below, 9.5, anchor="middle"))
    parts.append(text(left + (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, panel.x_label, anchor="middle"))
    for series in (series for series in panel.series if series.is_ideal):
        parts.append(line([(x_scale(x), y_scale(y)) for x, y in series.points], FAINT, 1.5, "2 5"))
    measured = [series for series in panel.series if not series.is_ideal]
    for colour, series in zip(COLOURS, measured):
        points = [(x_scale(x), y_scale(y)) for x, y in series.points]
        parts.append(line(points, colour))
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="{colour}" stroke="{PAPER}" stroke-width="1.4"/>'
            for x, y in points]
    parts += draw_legend(panel.series, left)
    return parts


def draw_legend(all_series, left):
    """The labels of the series in a row under the subtitle."""
    colours = iter(COLOURS)
    parts, x = [], left + 12
    for series in all_series:
        colour = FAINT if series.is_ideal else next(colours)
        if series.label:
            parts.append(line([(x, 57), (x + 16, 57)], colour, 2, "2 4" if series.is_ideal else ""))
            parts.append(text(x + 21, 60.5, series.label, 10.5))
            x += 36 + 6 * len(series.label)
    return parts


def draw(panels, note):
    """The panels side by side, over a line of text."""
    width = GAP + sum(WIDTH + GAP for _ in panels)
    height = HEIGHT + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="{escape(FONT)}" role="img">',
        f"<title>{escape('; '.join(panel.title for panel in panels))}</title>",
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="{PAPER}" stroke="{GRID}"/>']
    for number, panel in enumerate(panels):
        parts += draw_panel(panel, GAP + number * (WIDTH + GAP))
    parts += [text(GAP + 12, height - 18, note, 10.5), "</svg>"]
    return "\n".join(parts) + "\n"
