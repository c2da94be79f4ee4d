// Writes the store that `pifs mount --sample` shows, with the real pi's SessionManager: four small
// sessions in two projects. Clock and ids are drawn from a fixed seed, so the same bytes come out
// each time.
//
//   PI_ORACLE_MODULES=DIR node sample.mjs OUT     DIR: a node_modules with @earendil-works/pi-coding-agent
//
// scripts/sample/run does that for cmd/pifs/sample/sessions.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";

const out = process.argv[2];
if (!out || !process.env.PI_ORACLE_MODULES) {
  console.error("usage: PI_ORACLE_MODULES=DIR node sample.mjs OUT");
  process.exit(2);
}

let state = 20251103;
function random() { // mulberry32
  let t = (state = (state + 0x6d2b79f5) >>> 0);
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const hex = (digits) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");
crypto.randomUUID = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
syncBuiltinESMExports();
globalThis.crypto.getRandomValues = (bytes) => bytes.map((_, n) => (bytes[n] = Math.floor(random() * 256)));

const RealDate = Date;
let now = 0;
globalThis.Date = class extends RealDate {
  constructor(...args) { if (args.length) super(...args); else super((now += 40 + Math.floor(random() * 900))); }
  static now() { return now; }
};
const clock = (...utc) => { now = RealDate.UTC(...utc); };
const pause = (seconds) => { now += Math.floor(seconds * 1000 * (0.7 + 0.6 * random())); };
const { SessionManager } = await import(
  pathToFileURL(join(process.env.PI_ORACLE_MODULES, "@earendil-works/pi-coding-agent/dist/core/session-manager.js")).href);

// What a session at home would have as its store.
const home = "/home/ada/.pi/agent/sessions";
const folder = (cwd) => join(out, `--${cwd.slice(1).replaceAll("/", "-")}--`);

const prices = { "claude-sonnet-4-5": [3, 15, 0.3, 3.75], "gpt-5.1-codex": [1.25, 10, 0.125, 0] };
let context = 1800;
function usage(model, written) {
  const output = 40 + Math.ceil(written / 3.6);
  const cacheRead = context, input = 3 + Math.floor(random() * 9), cacheWrite = 180 + Math.floor(random() * 700);
  context += cacheWrite + output;
  const [i, o, r, w] = prices[model].map((price, n) => Number(([input, output, cacheRead, cacheWrite][n] * price / 1e6).toFixed(8)));
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite,
    cost: { input: i, output: o, cacheRead: r, cacheWrite: w, total: Number((i + o + r + w).toFixed(8)) } };
}

// Talk drives one SessionManager with the turns of a conversation.
class Talk {
  constructor(session) { this.session = session; this.calls = 0; }
  model(provider, model) { [this.provider, this.modelId] = [provider, model]; return this.session.appendModelChange(provider, model); }
  resume(provider, model) { [this.provider, this.modelId] = [provider, model]; return this; }
  user(text, ...images) {
    pause(70);
    return this.session.appendMessage({ role: "user", content: [{ type: "text", text }, ...images], timestamp: Date.now() });
  }
  says(content, extra = {}) {
    pause(9);
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const written = JSON.stringify(blocks).length;
    return this.session.appendMessage({ role: "assistant", content: blocks,
      api: this.provider === "openai" ? "openai-responses" : "anthropic-messages", provider: this.provider, model: this.modelId,
      usage: usage(this.modelId, written), stopReason: "stop", timestamp: Date.now(), ...extra });
  }
  // does says something, calls a tool and has its result.
  does(words, name, args, result, { thinking, error = false, details } = {}) {
    const id = `toolu_01${hex(20)}`;
    this.says([
      ...(thinking ? [{ type: "thinking", thinking, thinkingSignature: `Eo${hex(60)}` }] : []),
      ...(words ? [{ type: "text", text: words }] : []),
      { type: "toolCall", id, name, arguments: args },
    ], { stopReason: "toolUse" });
    pause(1.5);
    const content = typeof result === "string" ? [{ type: "text", text: result }] : result;
    return this.session.appendMessage({ role: "toolResult", toolCallId: id, toolName: name, content,
      ...(details ? { details } : {}), isError: error, timestamp: Date.now() });
  }
  shell(command, output, { exitCode = 0, excludeFromContext } = {}) {
    pause(20);
    return this.session.appendMessage({ role: "bashExecution", command, output, exitCode, cancelled: false, truncated: false,
      timestamp: Date.now(), ...(excludeFromContext ? { excludeFromContext } : {}) });
  }
}

function begin(cwd) {
  context = 1800;
  return new Talk(SessionManager.create(cwd, folder(cwd)));
}

// chart draws bars as a PNG, so that the sample has an image that is really one.
function chart(bars, width = 96, height = 64) {
  const rows = Buffer.alloc((width * 3 + 1) * height, 0xff);
  for (let y = 0; y < height; y++) {
    rows[y * (width * 3 + 1)] = 0;
    for (let x = 0; x < width; x++) {
      const bar = bars[Math.floor((x * bars.length) / width)];
      const inside = x % Math.floor(width / bars.length) > 1 && height - y <= bar;
      if (inside) rows.set(bar < 16 ? [214, 84, 56] : [64, 132, 196], y * (width * 3 + 1) + 1 + x * 3);
    }
  }
  const table = Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n >>> 0; });
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const sum = body.reduce((crc, byte) => table[(crc ^ byte) & 255] ^ (crc >>> 8), 0xffffffff) ^ 0xffffffff;
    const head = Buffer.alloc(4), tail = Buffer.alloc(4);
    head.writeUInt32BE(data.length); tail.writeUInt32BE(sum >>> 0);
    return Buffer.concat([head, body, tail]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0); head.writeUInt32BE(height, 4); head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

// ---------------------------------------------------------------------------------------------
// A question with two answers tried: two branches, and a third that takes the better one further.
clock(2025, 10, 3, 8, 12, 0);
const weather = "/home/ada/weather";
const cache = begin(weather);
{
  const t = cache, s = t.session;
  t.model("anthropic", "claude-sonnet-4-5");
  s.appendThinkingLevelChange("medium");
  t.user("Each `weather` call asks the API again and after twenty calls I get 429 Too Many Requests. Can we keep the forecast for a while?");
  t.does("I'll look at how the client asks for it.", "read", { path: "weather/client.py" },
    'import json\nimport urllib.request\n\nURL = "https://api.example.org/v1/forecast?q={}"\n\n\ndef forecast(city):\n    with urllib.request.urlopen(URL.format(city)) as answer:\n        return json.load(answer)\n',
    { thinking: "The user is rate limited. Let me see whether there is any caching now, and how the client is structured, before I propose something." });
  t.does("Nothing is kept. Is there a test that I must not break?", "bash", { command: "ls tests && python3 -m pytest -q" },
    "test_client.py\n..                                                                       [100%]\n2 passed in 0.04s");
  const fork = t.says("Two ways:\n\n1. **SQLite**: one table `forecast(city, fetched, body)`. Survives restarts, safe with several processes.\n2. **A JSON file per city** under `$XDG_CACHE_HOME/weather/`. Simpler, and you can look at it with `cat`.\n\nA forecast changes about every 30 minutes, so either should drop what is older. Which one?");
  s.appendLabelChange(fork, "two ways");

  t.user("SQLite, please.");
  t.does("", "write", { path: "weather/cache.py", content: 'import sqlite3\nimport time\n\n\nclass Cache:\n    def __init__(self, path, max_age=1800):\n        self.db = sqlite3.connect(path)\n        self.db.execute("create table if not exists forecast (city text primary key, fetched real, body text)")\n        self.max_age = max_age\n\n    def get(self, city):\n        row = self.db.execute("select fetched, body from forecast where city = ?", (city,)).fetchone()\n        if row and time.time() - row[0] < self.max_age:\n            return row[1]\n' },
    "Successfully wrote to weather/cache.py");
  t.does("Now a run with two processes at once.", "bash", { command: "for i in 1 2; do python3 -m weather Oslo & done; wait", timeout: 30 },
    'Traceback (most recent call last):\n  File "/home/ada/weather/weather/cache.py", line 8, in __init__\n    self.db.execute("create table if not exists forecast (city text primary key, fetched real, body text)")\nsqlite3.OperationalError: database is locked\n\n\nCommand exited with code 1', { error: true });
  const locked = t.says("`database is locked`: both processes create the table at the same moment. A `timeout=` and WAL mode would fix it, but for one small document a city this is more machinery than the job needs.");
  s.appendLabelChange(locked, "dead end");

  pause(200);
  s.branchWithSummary(fork, "The SQLite cache worked for one process, but two at once failed with `sqlite3.OperationalError: database is locked`. Left in `weather/cache.py`; nothing else uses it yet.",
    { readFiles: ["weather/client.py"], modifiedFiles: ["weather/cache.py"] }, undefined, usage("claude-sonnet-4-5", 260));
  t.user("Let's take the JSON files then. Write them so that a half written one is never read.");
  t.does("A temporary file beside it and `os.replace`, which is atomic.", "write", { path: "weather/cache.py", content: 'import json\nimport os\nimport tempfile\nimport time\nfrom pathlib import Path\n\n\ndef folder():\n    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"\n    return Path(base) / "weather"\n\n\ndef get(city, max_age=1800):\n    try:\n        path = folder() / f"{city}.json"\n        if time.time() - path.stat().st_mtime < max_age:\n            return json.loads(path.read_text())\n    except (OSError, ValueError):\n        pass\n    return None\n\n\ndef put(city, forecast):\n    folder().mkdir(parents=True, exist_ok=True)\n    with tempfile.NamedTemporaryFile("w", dir=folder(), delete=False) as new:\n        json.dump(forecast, new)\n    os.replace(new.name, folder() / f"{city}.json")\n' },
    "Successfully wrote to weather/cache.py",
    { thinking: "rename(2) within one directory is atomic. tempfile in the same directory, then os.replace. The name of the city comes from the user, so \"../x\" must be thought of; I'll mention it." });
  t.does("", "edit", { path: "weather/client.py", edits: [{ oldText: "def forecast(city):\n    with urllib.request.urlopen(URL.format(city)) as answer:\n        return json.load(answer)\n", newText: "def forecast(city):\n    known = cache.get(city)\n    if known is None:\n        with urllib.request.urlopen(URL.format(city)) as answer:\n            known = json.load(answer)\n        cache.put(city, known)\n    return known\n" }, { oldText: "import urllib.request\n", newText: "import urllib.request\n\nfrom weather import cache\n" }] },
    "Successfully replaced 2 block(s) in weather/client.py.",
    { details: { diff: " 1 import json\n 2 import urllib.request\n 3 \n+4 from weather import cache\n", firstChangedLine: 4 } });
  t.does("", "bash", { command: "for i in 1 2 3 4; do python3 -m weather Oslo & done; wait\nls -l ~/.cache/weather" },
    "Oslo  4°C  light rain\nOslo  4°C  light rain\nOslo  4°C  light rain\nOslo  4°C  light rain\n\ntotal 4\n-rw------- 1 ada ada 1218 Nov  3 09:31 Oslo.json");
  const works = t.says("Four at once, one request. Forecasts are kept for 30 minutes in `~/.cache/weather`. One thing left: a city called `../x` would leave the folder, so the name should be quoted before it becomes a path.");
  s.appendLabelChange(works, "works");
  s.appendSessionInfo("Cache the forecast");
  t.user("Good catch. Quote it.");
  t.does("", "edit", { path: "weather/cache.py", edits: [{ oldText: "import time\nfrom pathlib import Path\n", newText: "import time\nfrom pathlib import Path\nfrom urllib.parse import quote\n" }, { oldText: 'folder() / f"{city}.json"\n        if', newText: 'folder() / f"{quote(city, safe=\'\')}.json"\n        if' }] },
    "Successfully replaced 2 block(s) in weather/cache.py.");
  t.says("Done: `../x` is now kept as `..%2Fx.json`.");
  cache.works = works;

  // Later the same day: from the point that works, another question.
  clock(2025, 10, 3, 15, 40, 0);
  s.branch(works);
  t.user("Before that: can stale forecasts be shown when the network is down?");
  t.says("Yes: when the request fails, ask the cache once more with `max_age=float(\"inf\")` and print the age beside the temperature. I would not do it silently, an old forecast that looks new is worse than none.");
}

// ---------------------------------------------------------------------------------------------
// Another session forked from the first one where it works.
clock(2025, 10, 4, 9, 5, 0);
{
  const s = SessionManager.open(cache.session.getSessionFile());
  s.createBranchedSession(cache.works);
  const t = new Talk(s).resume("anthropic", "claude-sonnet-4-5");
  t.user("The API still answers 429 now and then when ten cities are asked in a row. Wait and try again.");
  t.does("It sends `Retry-After`; better to believe that than to guess.", "bash", { command: "curl -sI 'https://api.example.org/v1/forecast?q=Oslo' | grep -i retry" }, "retry-after: 7");
  t.does("", "write", { path: "weather/retry.py", content: 'import time\nimport urllib.error\n\n\ndef patiently(ask, tries=4):\n    for left in range(tries - 1, -1, -1):\n        try:\n            return ask()\n        except urllib.error.HTTPError as error:\n            if error.code != 429 or not left:\n                raise\n            time.sleep(float(error.headers.get("Retry-After", 1)))\n' },
    "Successfully wrote to weather/retry.py");
  t.says("", { stopReason: "error", errorMessage: "529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}" });
  t.model("openai", "gpt-5.1-codex");
  t.user("Go on.");
  t.does("", "edit", { path: "weather/client.py", edits: [{ oldText: "        with urllib.request.urlopen(URL.format(city)) as answer:\n            known = json.load(answer)\n", newText: "        with patiently(lambda: urllib.request.urlopen(URL.format(city))) as answer:\n            known = json.load(answer)\n" }] },
    "Successfully replaced 1 block(s) in weather/client.py.");
  t.shell("python3 -m pytest -q", "....                                                                     [100%]\n4 passed in 0.06s\n");
  t.says("Ten cities in a row now take as long as the server asks for, at most four tries each.");
  s.appendSessionInfo("Believe Retry-After");
}

// ---------------------------------------------------------------------------------------------
// A longer one with a chart, an extension's notes and a compaction.
clock(2025, 10, 5, 18, 20, 0);
const garden = "/home/ada/garden";
{
  const t = begin(garden), s = t.session;
  t.model("anthropic", "claude-sonnet-4-5");
  t.user("moisture.csv has a week of readings from five beds. Which beds dry out, and when should the valves open?");
  t.does("", "bash", { command: "head -4 moisture.csv; wc -l moisture.csv" }, "time,bed,percent\n2025-10-27T00:00,1,41\n2025-10-27T00:00,2,38\n2025-10-27T00:00,3,17\n\n841 moisture.csv");
  t.does("A chart says more than a table.", "bash", { command: "python3 plot.py moisture.csv week.png" }, "wrote week.png");
  t.does("", "read", { path: "week.png" }, [{ type: "text", text: "Read image file [image/png]" }, { type: "image", data: chart([41, 38, 12, 47, 15]).toString("base64"), mimeType: "image/png" }]);
  t.says("Beds 3 and 5 fall under 16 %, both in the afternoon; the others never go below 35 %. So:\n\n| bed | open | minutes |\n|---|---|---|\n| 3 | 06:00 | 12 |\n| 5 | 06:15 | 9 |\n\nMorning is better than noon: less of it evaporates.");
  s.appendCustomEntry("todo", { items: [{ text: "valve 5 sticks", done: false }] });
  s.appendCustomMessageEntry("weather-note", "Forecast for tomorrow: 9 mm of rain from 04:00.", true, { source: "weather" });
  const rain = t.user("It will rain tomorrow. Don't water a bed on a day with more than 5 mm.");
  t.does("", "write", { path: "schedule.py", content: 'RAIN_ENOUGH_MM = 5\nBEDS = {3: ("06:00", 12), 5: ("06:15", 9)}\n\n\ndef plan(rain_mm):\n    """The valves to open today: [(time, bed, minutes)]."""\n    if rain_mm > RAIN_ENOUGH_MM:\n        return []\n    return sorted((start, bed, minutes) for bed, (start, minutes) in BEDS.items())\n' }, "Successfully wrote to schedule.py");
  t.does("", "bash", { command: "python3 - <<'END'\nfrom schedule import plan\nprint(plan(0))\nprint(plan(9))\nEND" }, "[('06:00', 3, 12), ('06:15', 5, 9)]\n[]");
  const kept = t.says("With 9 mm nothing opens. `plan` takes the rain as a number, so it does not care where the forecast comes from.");
  s.appendLabelChange(kept, "schedule done");
  pause(30);
  s.appendCompaction("## Goal\nWater the beds that dry out, and only on dry days.\n\n## Progress\n### Done\n- [x] Readings of a week: beds 3 and 5 fall under 16 % in the afternoon\n- [x] `schedule.py`: `plan(rain_mm)` opens valve 3 at 06:00 for 12 minutes and valve 5 at 06:15 for 9, none above 5 mm of rain\n\n## Next Steps\n1. Run it every morning\n\n## Critical Context\n- valve 5 sticks sometimes",
    rain, 48211, { readFiles: ["week.png"], modifiedFiles: ["schedule.py"] }, undefined, usage("claude-sonnet-4-5", 900));
  context = 3100;
  s.appendThinkingLevelChange("low");
  t.user("Run it each morning at 5:50.");
  t.does("", "bash", { command: "(crontab -l; echo '50 5 * * * cd ~/garden && python3 run.py') | crontab - && crontab -l" }, "50 5 * * * cd ~/garden && python3 run.py",
    { thinking: "cron is enough here, the machine is always on." });
  t.shell("git add -A && git commit -qm 'Water beds 3 and 5' && git log --oneline | head -1", "4be71c2 Water beds 3 and 5\n");
  t.shell("history | tail -3", "  501  ls\n  502  pi\n  503  history | tail -3\n", { excludeFromContext: true });
  t.says("It runs at 05:50, ten minutes before the first valve. If valve 5 sticks again, `run.py` should say so; shall I add a check of the flow meter?");
  s.appendUsage("cache_warm", "anthropic", "claude-sonnet-4-5", usage("claude-sonnet-4-5", 0));
  s.appendSessionInfo("Watering schedule");
}

// ---------------------------------------------------------------------------------------------
// A short one without a name: its title is its first message.
clock(2025, 10, 6, 7, 30, 0);
{
  const t = begin(garden), s = t.session;
  t.model("openai", "gpt-5.1-codex");
  t.user("What does `sorted` in schedule.py sort by when two beds open at the same time?");
  const long = t.says("By the bed's number: the tuples are compared element by element, first the time, then the bed, then the minutes.");
  t.user("And if I add names?");
  t.says([{ type: "text", text: "Then the third element would" }], { stopReason: "aborted", errorMessage: "Request was aborted" });
  s.appendContextEdit(long, { content: [{ type: "text", text: "By time, then bed, then minutes." }] });
  t.user("Never mind.");
  t.says("All right. The order only matters for the log anyway.");
}

for (const project of readdirSync(out)) {
  for (const name of readdirSync(join(out, project))) {
    const file = join(out, project, name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(`${out}/`, `${home}/`));
  }
}
