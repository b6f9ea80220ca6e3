"""docs/frontier.svg: energy over error, a field a life."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, COLUMNS = 340, 250, 3
LEFT, TOP, RIGHT, BOTTOM = 46, 30, 12, 34
COLOURS = {"policy": "#c22", "published": "#246", "strengthened": "#999"}
LETTERS = "ABCDEFGHIJ"


def ends(values):
    """Whole decades around the values."""
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def marks(rows):
    """Each row with its letter or number, the same in every field."""
    ours = [row for row in rows if row["kind"] == "policy"]
    others = [row for row in rows if row["kind"] != "policy"]
    return [(row, LETTERS[index]) for index, row in enumerate(ours)] + [
        (row, str(index + 1)) for index, row in enumerate(others)]


def field(life, rows, x0, y0, decades):
    (x_low, x_high), (y_low, y_high) = decades
    inner_w, inner_h = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(row):
        x = (math.log10(max(1, row["lineAtTimeCM"]) / 100) - x_low) / (x_high - x_low)
        y = (math.log10(row["totalMj"] / 3_600_000) - y_low) / (y_high - y_low)
        return x0 + LEFT + x * inner_w, y0 + TOP + (1 - y) * inner_h

    out = [f'<text x="{x0 + LEFT}" y="{y0 + 18}" class="name">{escape(life["life"])}</text>']
    for decade in range(x_low, x_high + 1):
        x = x0 + LEFT + (decade - x_low) / (x_high - x_low) * inner_w
        out.append(f'<path d="M{x:.1f} {y0 + TOP}V{y0 + TOP + inner_h}" class="grid"/>')
        out.append(f'<text x="{x:.1f}" y="{y0 + HEIGHT - 18}" text-anchor="middle">{10 ** decade:g}</text>')
    for decade in range(y_low, y_high + 1):
        y = y0 + TOP + (1 - (decade - y_low) / (y_high - y_low)) * inner_h
        out.append(f'<path d="M{x0 + LEFT} {y:.1f}H{x0 + LEFT + inner_w}" class="grid"/>')
        out.append(f'<text x="{x0 + LEFT - 5}" y="{y + 3:.1f}" text-anchor="end">{10 ** decade:g}</text>')
    for row, letter in marks(rows):
        x, y = place(row)
        colour = COLOURS[row["kind"]]
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="{colour}" fill-opacity="0.85"/>')
        out.append(f'<text x="{x:.1f}" y="{y + 3.2:.1f}" class="mark" text-anchor="middle">{letter}</text>')
    return out


def svg(found):
    rows = [row for _, life_rows in found for row in life_rows]
    decades = (ends([max(1, row["lineAtTimeCM"]) / 100 for row in rows]),
               ends([row["totalMj"] / 3_600_000 for row in rows]))
    lines = -(-len(found) // COLUMNS)
    # The last number of the last scale reaches beyond its field.
    width, height = COLUMNS * WIDTH + RIGHT, lines * HEIGHT + 74
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="10">',
        "<style>.grid{stroke:#ddd;fill:none}.name{font-size:13px;font-weight:bold}.mark{fill:#fff;font-size:9px}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for index, (life, life_rows) in enumerate(found):
        out += field(life, life_rows, index % COLUMNS * WIDTH, index // COLUMNS * HEIGHT, decades)
    y = lines * HEIGHT + 12
    out.append(f'<text x="{LEFT}" y="{y}">Up: Wh without board and idle modem. Right: metres from the truth to the line '
               "at the time, 95 %. Down and left is better.</text>")
    for index, (row, letter) in enumerate(marks(found[0][1])):
        x, line_y = LEFT + index % 5 * 190, y + 20 + index // 5 * 18
        out.append(f'<circle cx="{x}" cy="{line_y - 3}" r="7" fill="{COLOURS[row["kind"]]}" fill-opacity="0.85"/>')
        out.append(f'<text x="{x}" y="{line_y + 0.2:.1f}" class="mark" text-anchor="middle">{letter}</text>')
        out.append(f'<text x="{x + 12}" y="{line_y}">{escape(row["name"])}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
