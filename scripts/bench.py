#!/usr/bin/env python3
"""The timing and the arithmetic of bench.sh, which runs it.

Samples are lines NAME VALUE RSS of a file: seconds (or what a command printed), and the most memory in bytes
that the process held. Rows are lines of fields separated by tabs, as the table shows them.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 1800  # seconds after which a command that hangs is ended


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for function, arguments in COMMANDS.items():
        command = commands.add_parser(function.__name__.replace("_", "-"), help=function.__doc__)
        command.set_defaults(function=function)
        for name, options in arguments:
            command.add_argument(name, **options)
    given = vars(parser.parse_args())
    given.pop("function")(**given)


# ---- taking samples -----------------------------------------------------------------------------


def run(samples, name, folder, command, find, before):
    """run COMMAND in FOLDER and take its time; @FILE in it stands for the lines of FILE, BEFORE is run at once before"""
    argv = [word for argument in command for word in expand(argument)]
    if before:
        subprocess.run(before, shell=True, check=True, stdout=subprocess.DEVNULL)
    # Not /dev/null: grep takes that as leave to stop at the first match.
    with tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        process = subprocess.Popen(argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=output)
        hung = threading.Timer(PATIENCE, process.kill)
        hung.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        hung.cancel()
        output.seek(0)
        text = output.read()
    code = os.waitstatus_to_exitcode(status)
    if code != 0 and not (code == 1 and os.path.basename(argv[0]) in ("grep", "rg")):  # 1: nothing found
        sys.stderr.buffer.write(text[-4000:])
        sys.exit(f"bench: exit code {code}: {' '.join(argv[:8])}")
    take(samples, name, seconds, usage.ru_maxrss * 1024)
    for other, scale, pattern in find or []:
        found = re.search(pattern.encode(), text)
        if not found:
            sys.exit(f"bench: {pattern} is not in the output of {' '.join(argv[:8])}")
        take(samples, other, float(found[1]) * float(scale), 0)


def expand(argument):
    if not argument.startswith("@"):
        return [argument]
    with open(argument[1:], encoding="utf-8") as file:
        return file.read().splitlines()


def take(samples, name, value, rss=0):
    with open(samples, "a", encoding="utf-8") as file:
        print(name, repr(float(value)), rss, file=file)


def take_value(samples, name, value):
    """take a sample that is known"""
    take(samples, name, value)


def daemon_memory(samples, name, pid):
    """take the memory that a process holds now, and the most it held"""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        status = dict(line.split(":", 1) for line in file)
    take(samples, name, int(status["VmRSS"].split()[0]) * 1024)
    take(samples, name + "_most", int(status["VmHWM"].split()[0]) * 1024)


def follow_appends(samples, name, session, folder, pid, count):
    """append entries to a session, and wait for each to stand in the context.md of its folder in a mount"""
    context = os.path.join(folder, "current/context.md")
    mount = os.path.dirname(os.path.dirname(folder))
    with open(session, "rb") as file:
        file.seek(max(0, os.path.getsize(session) - (1 << 20)))
        leaf = json.loads(file.read().splitlines()[-1])["id"]
    out = os.open(session, os.O_WRONLY | os.O_APPEND)
    stats, appended = read_stats(mount), 0
    for i in range(count):
        line, leaf = message(f"seen{i:04x}", leaf, 300)
        begin = time.perf_counter()
        appended += os.write(out, line)
        while leaf.encode() not in tail(context):
            if time.perf_counter() - begin > 10:
                sys.exit(f"bench: entry {leaf} has not been shown")
            time.sleep(0.0002)
        take(samples, name, time.perf_counter() - begin)
        time.sleep(0.02)
    now = read_stats(mount)
    take(samples, name + "_line", appended / count)
    for count_name in ("scanBytes", "comparedBytes", "bodyBytes"):
        take(samples, f"{name}_{count_name}", (now[count_name] - stats[count_name]) / count)

    # Nobody looks: what the process reads is then all for the file.
    before, unseen = read_by(pid), 0
    for i in range(count):
        line, leaf = message(f"blind{i:03x}", leaf, 300)
        unseen += os.write(out, line)
        time.sleep(0.005)
    time.sleep(0.5)
    take(samples, name + "_rchar", (read_by(pid) - before) / count)
    if leaf.encode() not in tail(context):
        sys.exit(f"bench: entry {leaf} is not shown")


def message(entry_id, parent, size):
    text = f"This is {entry_id}. " + "More text. " * (size // 11)
    now = time.time_ns() // 1_000_000
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now // 1000)) + f".{now % 1000:03d}Z"
    entry = {"type": "message", "id": entry_id, "parentId": parent, "timestamp": stamp,
             "message": {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": now}}
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n", entry_id


def tail(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.pread(fd, 4096, max(0, os.fstat(fd).st_size - 4096))
    finally:
        os.close(fd)


def read_stats(mount):
    with open(os.path.join(mount, ".pifs/stats.json"), encoding="utf-8") as file:
        return json.load(file)


def read_by(pid):
    with open(f"/proc/{pid}/io", encoding="ascii") as file:
        return int(file.readline().split()[1])


def write_branches(path, trunk, branches, size):
    """write a session: branches of one entry each at the end of a trunk of entries"""
    with open(path, "wb") as file:
        file.write(b'{"type":"session","version":3,"id":"branchy","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/dev/branchy"}\n')
        parent = None
        for i in range(trunk):
            line, parent = message(f"{i:08x}", parent, size)
            file.write(line)
        for i in range(branches):
            file.write(message(f"b{i:07x}", parent, size)[0])


# ---- tables -------------------------------------------------------------------------------------


def row(samples, rows, figure, value, target):
    """add a row: VALUE is A, A/B or A-B of samples' medians (A.rss: their memory; A@99: a percentile), then :UNIT"""
    value, _, unit = value.partition(":")
    if ".rss" in value:
        unit = "MiB"
    names = re.split("([/-])", value)
    terms = [term(load(samples), name) for name in names[::2]]
    of, shown, result = "", in_unit(terms[0], unit), terms[0]
    if "/" in names:
        result = terms[0] / terms[1]
        of, shown = " ÷ ".join(in_unit(t, unit) for t in terms), f"{result:.3g}"
    elif "-" in names:
        result = terms[0] - terms[1]
        of, shown = " − ".join(in_unit(t, unit) for t in terms), in_unit(result, unit)
    with open(rows, "a", encoding="utf-8") as file:
        print(figure, of, shown, target.replace("<=", "≤").replace(">=", "≥"), verdict(result, target), sep="\t", file=file)


def verdict(result, target):
    if not target:
        return ""
    sign, limit, *unit = target.split()
    bound = float(limit) * {"": 1, "ms": 1e-3, "MiB": 1 << 20, "B": 1}["".join(unit)]
    return "met" if (result <= bound if sign == "<=" else result >= bound) else "missed"


def load(samples):
    by_name = {}
    with open(samples, encoding="utf-8") as file:
        for line in file:
            name, value, rss = line.split()
            by_name.setdefault(name, []).append(float(value))
            by_name.setdefault(name + ".rss", []).append(float(rss))
    return by_name


def term(by_name, name):
    name, _, percent = name.partition("@")
    values = by_name[name]
    if percent:
        return statistics.quantiles(values, n=100, method="inclusive")[int(percent) - 1]
    return statistics.median(values)


def in_unit(value, unit):
    if unit == "MiB":
        return f"{value / (1 << 20):.1f} MiB"
    if unit:
        return f"{value:,.4g} {unit}" if value < 1000 else f"{value:,.0f} {unit}"
    return f"{value * 1000:.3g} ms" if value < 1 else f"{value:.3g} s"


def table(rows):
    """print the rows as a table of Markdown"""
    with open(rows, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    show(["figure", "medians", "value", "target", ""], lines)


def growth(figures, sizes):
    """print how samples grow: FIGURES are TITLE=NAME, SIZES are SESSIONS=BYTES=SAMPLES"""
    stores = []
    for size in sizes:
        sessions, size_bytes, samples = size.split("=", 2)
        stores.append((int(sessions), int(size_bytes), load(samples)))
    lines = []
    for figure in figures:
        title, name = figure.split("=", 1)
        each = [term(by_name, name) / (1 if name == "index" else size_bytes / 1e6) for _, size_bytes, by_name in stores]
        shown = [f"{value:.1f} B" if name == "index" else f"{value * 1000:.3g} ms" for value in each]
        lines.append([title, *shown, f"{each[-1] / each[-2]:.2f}", "met" if each[-1] <= 1.1 * each[-2] else "missed"])
    show(["median a MB of session files (index: an entry)", *(f"{s:,} sessions, {b / 1e6:,.0f} MB" for s, b, _ in stores),
          "last ÷ the one before, ≤ 1.1", ""], lines)


def show(head, lines):
    widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
    for line in [head, ["-" * width for width in widths], *lines]:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |")


def argument(name, **options):
    return name, options


COMMANDS = {
    run: [
        argument("--find", nargs=3, action="append", metavar=("NAME", "SCALE", "REGEX")),
        argument("--before", metavar="COMMAND"),
        argument("samples"), argument("name"), argument("folder"),
        argument("command", nargs=argparse.REMAINDER),
    ],
    take_value: [argument("samples"), argument("name"), argument("value", type=float)],
    daemon_memory: [argument("samples"), argument("name"), argument("pid")],
    follow_appends: [argument("samples"), argument("name"), argument("session"), argument("folder"), argument("pid"), argument("count", type=int)],
    write_branches: [argument("path"), argument("trunk", type=int), argument("branches", type=int), argument("size", type=int)],
    row: [argument("samples"), argument("rows"), argument("figure"), argument("value"), argument("target", nargs="?", default="")],
    table: [argument("rows")],
    growth: [argument("--figures", nargs="+"), argument("--sizes", nargs="+")],
}

if __name__ == "__main__":
    main()
