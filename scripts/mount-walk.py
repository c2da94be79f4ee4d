#!/usr/bin/env python3
"""Walks a mount and prints a line for each path: kind, mode, size, time, inode, and
the content's SHA-256 or the link's target.

It fails, and says why on standard error, if a size is not the number of bytes that
can be read, if mmap shows other bytes than read, if a link leads nowhere, or if two
paths have one inode."""

import hashlib
import mmap
import os
import stat
import sys

problems = 0


def problem(path, text):
    global problems
    problems += 1
    print(f"{path}: {text}", file=sys.stderr)


def content(path, size):
    with open(path, "rb") as file:
        data = file.read()
        if len(data) != size:
            problem(path, f"size {size}, but {len(data)} bytes to read")
        if data:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
                if view[:] != data:
                    problem(path, "mmap shows other bytes than read")
    return hashlib.sha256(data).hexdigest()


def line(path, name):
    info = os.lstat(path)
    if stat.S_ISLNK(info.st_mode):
        kind, what = "l", os.readlink(path)
        if not os.path.exists(path):
            problem(path, f"leads nowhere: {what}")
    elif stat.S_ISDIR(info.st_mode):
        kind, what = "d", ""
    else:
        kind, what = "f", content(path, info.st_size)
        if info.st_size and not info.st_blocks:
            problem(path, "has a size and no blocks")
    return info.st_ino, f"{kind} {info.st_mode & 0o7777:04o} {info.st_size} {info.st_mtime_ns} {info.st_ino} {what} {name}"


def main(root):
    inodes = {}
    for directory, folders, files in os.walk(root, onerror=lambda error: problem(error.filename, error)):
        folders.sort()
        for name in sorted(folders + files, key=os.fsencode):
            path = os.path.join(directory, name)
            inode, text = line(path, os.path.relpath(path, root))
            if inode in inodes:
                problem(path, f"has the inode of {inodes[inode]}")
            inodes[inode] = path
            sys.stdout.buffer.write(os.fsencode(text) + b"\n")
    if not inodes:
        problem(root, "is empty")
    return 1 if problems else 0


sys.exit(main(sys.argv[1]))
