// Grows a session store by random walks over the real pi's own SessionManager: branches, summaries,
// compactions, labels, names, forks, clones, images, odd text. What it writes is what pi writes.
//
//   run generate OUT [SEED] [SESSIONS] [ENTRIES]    (defaults: seed 1, 12 sessions, about 60 entries each)
//
// OUT gets sessions/--project--/*.jsonl, and expected.json: for each file (path below sessions/) the name,
// leaf, labels, roots, leaves, and for every leaf and labelled entry its {messages, thinkingLevel, model}.
// Every third session is then turned back into version 1 or 2; expected.json has the legacy file's own
// migrated view without ids, since pi draws new ids at random (so there "contexts" has only "leaf").
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";

const modules = process.env.PI_ORACLE_MODULES;
const pi = await import(pathToFileURL(join(modules, "@earendil-works/pi-coding-agent/dist/core/session-manager.js")).href);

const [out, seedText = "1", sessionsText = "12", entriesText = "60"] = process.argv.slice(2);
if (!out) { console.error("usage: run generate OUT [SEED] [SESSIONS] [ENTRIES]"); process.exit(2); }

let state = Number(seedText) >>> 0;
function random() { // mulberry32
  let t = (state = (state + 0x6d2b79f5) >>> 0);
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const int = (n) => Math.floor(random() * n);
const pick = (list) => list[int(list.length)];
const chance = (p) => random() < p;

// A clock of our own: pi stamps entries with it, so sessions spread over weeks.
const RealDate = Date;
let now = RealDate.UTC(2025, 10, 1, 8, 0, 0);
globalThis.Date = class extends RealDate {
  constructor(...args) { if (args.length) super(...args); else super((now += 1 + int(90000))); }
  static now() { return (now += 1 + int(500)); }
};

const words = "parse the tree branch leaf label context token cache mount inode rope needle buffer rename append flush fsync race deadlock retry budget summary prompt image diff patch build test naïve façade 日本語 данные 🙂 e\u0301 𝔘𝔫𝔦".split(" ");
const sentence = (n = 4 + int(14)) => Array.from({ length: n }, () => pick(words)).join(" ");
const odd = [
  "# a heading in a message\n\n```go\nfunc main() { fmt.Println(\"```\") }\n```\n\n````md\nnested ```\n````",
  "tabs\tand\r\nCRLF lines\r\n", "NUL \u0000 BEL \u0007 ESC \u001b[31mred\u001b[0m DEL \u007f", "lone surrogate \ud83d end",
  "---\nfront: matter\n---\n", "<script>alert(1)</script> <!-- comment -->", "line separators \u2028 and \u2029, BOM \ufeff, RTL \u202e abc",
  "trailing spaces   \n\n\n\nmany blank lines", "x".repeat(5000), "", " ", "\n",
];
const text = () => (chance(0.12) ? pick(odd) : Array.from({ length: 1 + int(4) }, () => sentence()).join(pick([" ", "\n", "\n\n"])));
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = () => ({ type: "image", data: png, mimeType: "image/png" });
const usage = () => {
  const [input, output, cacheRead, cacheWrite] = [int(3000), int(900), int(40000), int(2000)];
  const cost = { input: input * 3e-6, output: output * 1.5e-5, cacheRead: cacheRead * 3e-7, cacheWrite: cacheWrite * 3.75e-6 };
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite, cost: { ...cost, total: cost.input + cost.output + cost.cacheRead + cost.cacheWrite } };
};
const models = [["anthropic", "claude-sonnet-4-5"], ["openai", "gpt-5.1-codex"], ["google", "gemini-3-pro"]];
let call = 0;

const message = {
  user: () => ({ role: "user", content: chance(0.3) ? text() : [{ type: "text", text: text() }, ...(chance(0.15) ? [image()] : [])], timestamp: Date.now() }),
  assistant() {
    const [provider, model] = pick(models);
    const content = [];
    if (chance(0.4)) content.push({ type: "thinking", thinking: text(), thinkingSignature: "sig" + int(1e6) });
    if (chance(0.8)) content.push({ type: "text", text: text() });
    if (chance(0.6)) content.push({ type: "toolCall", id: `call_${++call}`, name: pick(["bash", "read", "edit", "write", "grep"]), arguments: pick([{ command: "ls -la\nrg needle", timeout: 30 }, { path: "src/a b.ts", offset: 3 }, { path: "x", edits: [{ oldText: "a", newText: "b\n```\n" }] }, {}]) });
    const stopReason = pick(["stop", "toolUse", "length", "error", "aborted"]);
    return { role: "assistant", content, api: "anthropic-messages", provider, model, usage: usage(), stopReason, ...(stopReason === "error" ? { errorMessage: "529 overloaded" } : {}), timestamp: Date.now() };
  },
  toolResult: () => ({ role: "toolResult", toolCallId: `call_${call}`, toolName: pick(["bash", "read", "edit"]), content: [{ type: "text", text: text() }, ...(chance(0.1) ? [image()] : [])], isError: chance(0.15), ...(chance(0.2) ? { details: { lines: int(99) } } : {}), ...(chance(0.1) ? { usage: usage() } : {}), timestamp: Date.now() }),
  bashExecution: () => ({ role: "bashExecution", command: pick(["make test", "git status", "echo `date`"]), output: chance(0.2) ? "" : text(), exitCode: pick([0, 0, 1, 127, undefined]), cancelled: chance(0.1), truncated: chance(0.2), ...(chance(0.5) ? { fullOutputPath: "/tmp/out.log" } : {}), ...(chance(0.3) ? { excludeFromContext: true } : {}), timestamp: Date.now() }),
};
const labels = ["checkpoint-1", "before refactor", "a/b", "..", "naïve ☂", "dup", "dup", "x".repeat(300), "two\nlines", " padded ", "100%25"];

// What extensions, embedders and editing by hand leave: roles that pi knows but seldom writes, roles that it
// does not know, contents that are null or missing.
const oddMessage = [
  () => ({ role: "system", content: chance(0.3) ? null : text(), ...(chance(0.5) ? { sections: [{ name: "rules", text: text() }], toolsAdded: ["bash"] } : {}), timestamp: Date.now() }),
  () => ({ role: "custom", customType: "note", content: chance(0.5) ? text() : [{ type: "text", text: text() }], display: true, timestamp: Date.now() }),
  () => ({ role: "user", content: null, timestamp: Date.now() }),
  () => ({ role: "assistant", api: "x", provider: "p", model: "m", usage: usage(), stopReason: "aborted", timestamp: Date.now() }),
  () => ({ role: "branchSummary", summary: text(), fromId: "root", timestamp: Date.now() }),
  () => ({ role: "robot", beep: [1.5, 1e21, 1e-7, -0, { deep: [[], {}] }] }),
];

function oddStep(session) {
  const roll = random();
  if (roll < 0.6) return session.appendMessage(pick(oddMessage)());
  if (roll < 0.8) return session.appendUsage("compaction", ...pick(models), usage(), chance(0.5) ? text() : undefined);
  return session.appendCustomMessageEntry("bare", chance(0.5) ? null : undefined, undefined, undefined);
}

function step(session) {
  if (chance(0.06)) return oddStep(session);
  const ids = session.getEntries().map((entry) => entry.id);
  const roll = random();
  if (roll < 0.28) return session.appendMessage(message.user());
  if (roll < 0.55) return session.appendMessage(message.assistant());
  if (roll < 0.68) return session.appendMessage(message.toolResult());
  if (roll < 0.72) return session.appendMessage(message.bashExecution());
  if (roll < 0.75) return session.appendModelChange(...pick(models));
  if (roll < 0.78) return session.appendThinkingLevelChange(pick(["off", "low", "high"]));
  if (roll < 0.80) return session.appendCustomEntry("todo", { count: int(50), note: text() });
  if (roll < 0.83) return session.appendCustomMessageEntry("inject", chance(0.5) ? text() : [{ type: "text", text: text() }, image()], chance(0.5), { k: 1 });
  if (!ids.length) return undefined;
  if (roll < 0.87) return session.appendLabelChange(pick(ids), chance(0.2) ? undefined : pick(labels));
  if (roll < 0.89) return session.appendSessionInfo(pick(["Refactor auth module", "  spaced  name ", "multi\nline", "", "naïve/slash ☂"]));
  if (roll < 0.93) return session.branch(pick(ids));
  if (roll < 0.95) return session.branchWithSummary(chance(0.1) ? null : pick(ids), chance(0.1) ? "" : text(), chance(0.5) ? { readFiles: ["a.go"], modifiedFiles: [] } : undefined, chance(0.3), chance(0.4) ? usage() : undefined);
  if (roll < 0.98) { const path = session.getBranch(); return path.length ? session.appendCompaction(text() || "summary", chance(0.1) ? undefined : pick(path).id, 1000 + int(90000), undefined, undefined, chance(0.5) ? usage() : undefined) : undefined; }
  if (roll < 0.985) return session.resetLeaf();
  return edit(session);
}

function edit(session) {
  const editable = session.getBranch().filter((e) => e.type === "custom_message" || (e.type === "message" && ["user", "assistant", "toolResult"].includes(e.message.role)));
  if (!editable.length) return undefined;
  const target = pick(editable).id;
  do session.appendContextEdit(target, chance(0.5) ? null : { content: chance(0.5) ? text() : [{ type: "text", text: text() }] });
  while (chance(0.5)); // the last edit counts
}

const plain = (value) => JSON.parse(JSON.stringify(value));
function view(session, everyLeaf) {
  const entries = session.getEntries();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const parents = new Set(entries.map((entry) => entry.parentId));
  const leaves = entries.filter((entry) => !parents.has(entry.id)).map((entry) => entry.id);
  const labelled = entries.filter((entry) => session.getLabel(entry.id)).map((entry) => entry.id);
  const at = (id) => plain(pi.buildSessionContext(entries, id, byId));
  return everyLeaf
    ? { name: session.getSessionName() ?? null, leaf: session.getLeafId(), labels: Object.fromEntries(labelled.map((id) => [id, session.getLabel(id)])), roots: session.getTree().map((node) => node.entry.id), leaves, entries: entries.length, contexts: Object.fromEntries([...new Set([...leaves, ...labelled])].map((id) => [id, at(id)])) }
    : { name: session.getSessionName() ?? null, entries: entries.length, contexts: { leaf: at(session.getLeafId()) } };
}

function legacy(file, version) {
  const lines = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const index = new Map(lines.map((entry, at) => [entry.id, at]));
  for (const entry of lines) {
    if (entry.type === "session") { if (version === 1) delete entry.version; else entry.version = 2; continue; }
    if (entry.message?.role === "custom") entry.message.role = "hookMessage";
    if (version === 1) {
      if (entry.type === "compaction") { entry.firstKeptEntryIndex = index.get(entry.firstKeptEntryId); delete entry.firstKeptEntryId; }
      delete entry.id; delete entry.parentId;
    }
  }
  writeFileSync(file, lines.map((entry) => JSON.stringify(entry)).join("\n") + "\n");
}

const root = join(out, "sessions");
mkdirSync(root, { recursive: true });
const expected = {};
const files = [];
for (let n = 0; n < Number(sessionsText); n++) {
  const cwd = pick(["/home/dev/alpha", "/home/dev/beta-two", "/srv/naïve project", "/home/dev/alpha/sub-dir"]);
  const dir = join(root, `--${cwd.replace(/^\//, "").replace(/[/:]/g, "-")}--`);
  const parent = files.length && chance(0.25) ? pick(files) : undefined;
  const session = parent ? pi.SessionManager.forkFrom(parent, cwd, dir) : pi.SessionManager.create(cwd, dir);
  session.appendMessage(message.user());
  const length = Math.max(3, Math.floor(Number(entriesText) * (0.3 + 1.4 * random())));
  for (let i = 0; i < length; i++) step(session);
  session.appendMessage(message.assistant());
  if (chance(0.2)) { session.createBranchedSession(pick(session.getEntries()).id); session.appendMessage(message.user()); session.appendMessage(message.assistant()); }
  const file = session.getSessionFile();
  const version = n % 3 === 2 ? 1 + ((n / 3) & 1) : 3;
  if (version < 3) {
    legacy(file, version);
    const text = readFileSync(file, "utf8");
    const copy = pi.SessionManager.open(file);
    expected[relative(root, file)] = { version, ...view(copy, version === 2) };
    writeFileSync(file, text);
  } else {
    files.push(file);
    expected[relative(root, file)] = { version, ...view(session, true) };
  }
}
writeFileSync(join(out, "expected.json"), JSON.stringify(expected, null, 1));
console.log(`${Object.keys(expected).length} sessions in ${root}`);
