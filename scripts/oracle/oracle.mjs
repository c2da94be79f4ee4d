// Asks the real pi what it makes of a session file, so that pifs can be compared with it.
// Every command reads a private copy: pi migrates and repairs the file that it opens.
//
//   run session FILE           header, name, leaf, labels, roots, leaves, totals
//   run context FILE [LEAF]    {messages, thinkingLevel, model} at LEAF (default: pi's own leaf)
//   run contexts FILE          the same for every entry id: {id: {...}}
//   run retained FILE [LEAF]   like context, by the code that honours retainedTail (agent core 0.82.1)
//   run llm FILE [LEAF]        the context's messages as pi hands them to a model
//   run list DIR               pi's session picker: one row a session, newest first
//   run views                  reads paths of session files from standard input and answers each with a
//                              JSON line: all of the above for every entry, contexts as hashes
//   run append FILE            opens FILE itself (no copy) as a live pi would, then reads commands
//                              from standard input, a JSON array a line: ["appendMessage", {...}]
//                              and answers each with a JSON line
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = process.env.PI_ORACLE_MODULES ?? join(here, "node_modules");
const load = (path) => import(pathToFileURL(join(modules, path)).href);

const manager = await load("@earendil-works/pi-coding-agent/dist/core/session-manager.js");
const messages = await load("@earendil-works/pi-coding-agent/dist/core/messages.js");
const usage = await load("@earendil-works/pi-coding-agent/dist/core/usage-totals.js");
const core = await load("pi-agent-core-0.82/dist/harness/session/session.js");

const scratch = mkdtempSync(join(tmpdir(), "pi-oracle-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

function open(file) {
  const copy = join(scratch, basename(file));
  copyFileSync(file, copy);
  return manager.SessionManager.open(copy);
}

function contextAt(session, leaf) {
  const entries = session.getEntries();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return manager.buildSessionContext(entries, leaf ?? session.getLeafId(), byId);
}

function totals(entries) {
  const sum = usage.createUsageTotals();
  try {
    for (const entry of entries) {
      const spent =
        entry.type === "message" && (entry.message.role === "assistant" || entry.message.role === "toolResult")
          ? entry.message.usage
          : ["usage", "compaction", "branch_summary"].includes(entry.type)
            ? entry.usage
            : undefined;
      if (spent) usage.addUsageToTotals(sum, spent);
    }
  } catch (error) {
    return { throws: error.message }; // as pi does on such a file
  }
  return sum;
}

// The context at an entry by the agent core's rules, which are those for retainedTail.
function coreContext(byId, leaf) {
  const path = [];
  for (let at = leaf; at; at = byId.get(at.parentId)) path.push(at);
  return core.buildSessionContext(path.reverse());
}

function leavesOf(entries) {
  const parents = new Set(entries.map((entry) => entry.parentId));
  return entries.filter((entry) => !parents.has(entry.id));
}

// A text that is the same for two values if and only if they are the same as JSON: keys in any order,
// numbers in any spelling. Lone surrogates are the same as U+FFFD.
function canonical(value) {
  if (value === undefined) return "u";
  if (value === null || (typeof value === "number" && !Number.isFinite(value))) return "n";
  if (typeof value === "boolean") return value ? "t" : "f";
  if (typeof value === "number") {
    const bits = Buffer.alloc(8);
    bits.writeDoubleBE(value + 0);
    return "d" + bits.toString("hex");
  }
  if (typeof value === "string") {
    const text = value.toWellFormed();
    return `s${Buffer.byteLength(text)}:${text}`;
  }
  if (Array.isArray(value)) return `[${value.map((item) => (item === undefined ? "n" : canonical(item))).join("")}]`;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys.sort().map((key) => canonical(key) + canonical(value[key])).join("")}}`;
}

const hashOf = (text) => createHash("sha256").update(text).digest("hex").slice(0, 24);

// Messages are the same objects in many contexts, so each is hashed once.
const hashes = new WeakMap();
function messageHash(message) {
  if (message === null || typeof message !== "object") return hashOf(canonical(message));
  if (!hashes.has(message)) hashes.set(message, hashOf(canonical(message)));
  return hashes.get(message);
}
const messagesHash = (list) => hashOf(list.map(messageHash).join(""));
const contextHash = (context) =>
  hashOf(messagesHash(context.messages) + canonical(context.thinkingLevel) + canonical(context.model));

// An entry without what pi draws at random when it migrates version 1.
function body(entry, version) {
  if (version !== 1) return entry;
  const { id, parentId, firstKeptEntryId, ...rest } = entry;
  return rest;
}

// All that pi tells of a session. Entries are named by their index, since pi gives version 1 new ids at each
// opening; contexts of entries that no id leads to are null. Lines that are JSON but no object, which pi
// counts as entries, are passed over.
function view(file) {
  const version = manager.parseSessionEntries(readFileSync(file, "utf8"))[0]?.version ?? 1;
  const session = open(file);
  const all = session.getEntries();
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  const entries = all.filter((entry) => typeof entry === "object" && !Array.isArray(entry));
  const index = new Map(entries.map((entry, i) => [entry, i]));
  const indexes = (list) => list.filter((entry) => index.has(entry)).map((entry) => index.get(entry));
  const eachReachable = (f) => entries.map((entry) => (entry.id && byId.get(entry.id) === entry ? f(entry) : null));

  const roots = session.getTree();
  const children = entries.map(() => []);
  for (const stack = [...roots]; stack.length; ) {
    const node = stack.pop();
    if (index.has(node.entry)) children[index.get(node.entry)] = indexes(node.children.map((child) => child.entry));
    stack.push(...node.children);
  }
  const at = (entry) => manager.buildSessionContext(all, entry.id, byId);
  return {
    version,
    header: hashOf(canonical(session.getHeader())),
    name: session.getSessionName() ?? null,
    leaf: entries.length ? index.get(session.getLeafEntry()) ?? null : null,
    labels: entries.map((entry) => session.getLabel(entry.id) || null),
    roots: indexes(roots.map((node) => node.entry)),
    leaves: indexes(leavesOf(entries)),
    children,
    totals: totals(entries),
    bodies: entries.map((entry) => hashOf(canonical(body(entry, version)))),
    contexts: eachReachable((entry) => contextHash(at(entry))),
    llm: eachReachable((entry) => messagesHash(messages.convertToLlm(at(entry).messages))),
    retained: entries.some((entry) => entry.retainedTail) ? eachReachable((entry) => contextHash(coreContext(byId, entry))) : null,
  };
}

const lines = (input) => createInterface({ input, crlfDelay: Infinity });

const commands = {
  session(file) {
    const session = open(file);
    const entries = session.getEntries();
    return {
      header: session.getHeader(),
      name: session.getSessionName() ?? null,
      leafId: session.getLeafId(),
      labels: Object.fromEntries(entries.map((e) => [e.id, session.getLabel(e.id)]).filter(([, label]) => label)),
      roots: session.getTree().map((node) => node.entry.id),
      leaves: leavesOf(entries).map((entry) => entry.id),
      entries: entries.length,
      totals: totals(entries),
    };
  },
  context: (file, leaf) => contextAt(open(file), leaf),
  contexts(file) {
    const session = open(file);
    return Object.fromEntries(session.getEntries().map((entry) => [entry.id, contextAt(session, entry.id)]));
  },
  llm: (file, leaf) => messages.convertToLlm(contextAt(open(file), leaf).messages),
  retained(file, leaf) {
    const [head, ...rest] = readFileSync(file, "utf8").split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
    if (head.version !== 3) throw new Error("the agent core reads version 3 only");
    const byId = new Map(rest.map((entry) => [entry.id, entry]));
    return coreContext(byId, byId.get(leaf ?? rest.at(-1)?.id));
  },
  list: (dir) => manager.SessionManager.listAll(dir),
  async views() {
    for await (const file of lines(process.stdin)) {
      let answer;
      try {
        answer = view(file);
      } catch (error) {
        answer = { error: error.message };
      }
      console.log(JSON.stringify({ file, ...answer }));
    }
    return undefined;
  },
  async append(file) {
    const session = manager.SessionManager.open(file);
    for await (const line of lines(process.stdin)) {
      if (!line.trim()) continue;
      const [method, ...args] = JSON.parse(line);
      try {
        console.log(JSON.stringify({ ok: session[method](...args) ?? null }));
      } catch (error) {
        console.log(JSON.stringify({ error: error.message }));
      }
    }
    return undefined;
  },
};

const [command, ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, command ?? "")) {
  const [comment] = readFileSync(fileURLToPath(import.meta.url), "utf8").split("\nimport");
  console.error(comment.replace(/^\/\/ ?/gm, ""));
  process.exit(2);
}
const answer = await commands[command](...args);
if (answer !== undefined) console.log(JSON.stringify(answer, null, 1));
