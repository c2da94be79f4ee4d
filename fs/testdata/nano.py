# Writes "by nano" into the file name with nano, as a person at a terminal would: it waits for what nano shows
# before each key, since nano throws away what was typed before it was ready.
import os, pty, sys
pid, tty = pty.fork()
if pid == 0:
    os.execvp("nano", ["nano", "-I", "name"])
def until(text):
    seen = b""
    while text not in seen:
        seen += os.read(tty, 4096)
until(b"Help")
os.write(tty, b"\x0bby nano\x0f")
until(b"Write")
os.write(tty, b"\r")
until(b"Wrote")
os.write(tty, b"\x18")
try:
    while os.read(tty, 4096):
        pass
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
