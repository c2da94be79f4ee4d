// Makes the calls that it is told to on the real pi's SessionManager, so that the same calls on pifs'
// library can be compared with it.
//
//   run walk ROOT     reads a JSON array a line from standard input, ["method", arg, ...], and answers each
//                     with {"ok": value} or {"error": message}
//
// The first calls make the session that the later ones are made on: create, open, continueRecent, inMemory,
// forkFrom. Arguments: {"$entry": n} stands for the id of the n-th entry of the session (modulo their
// number), {"$file": n} for the n-th session file that the walk has seen; a string that begins with "@/" is
// a path below ROOT; {"$undefined": true} is undefined.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const modules = process.env.PI_ORACLE_MODULES;
const { SessionManager } = await import(
  pathToFileURL(join(modules, "@earendil-works/pi-coding-agent/dist/core/session-manager.js")).href
);

const root = process.argv[2];
if (!root) {
  console.error("usage: run walk ROOT");
  process.exit(2);
}

const makers = ["create", "open", "continueRecent", "inMemory", "forkFrom"];
const lists = ["list", "listAll", "findById"];
const files = [];
let session;

function resolve(arg) {
  if (typeof arg === "string") return arg.startsWith("@/") ? join(root, arg.slice(2)) : arg;
  if (arg === null || typeof arg !== "object") return arg;
  if (arg.$undefined) return undefined;
  if (arg.$file !== undefined) return files.length ? files[arg.$file % files.length] : "none";
  if (arg.$entry !== undefined) {
    const entries = session.getEntries();
    return entries.length ? entries[arg.$entry % entries.length].id : "none";
  }
  return arg;
}

// Everything that the getters tell.
function snapshot() {
  const entries = session.getEntries();
  const tree = [];
  const stack = session.getTree().reverse().map((node) => [node, 0]);
  while (stack.length) {
    const [node, depth] = stack.pop();
    tree.push([node.entry.id, depth, node.label ?? null, node.labelTimestamp ?? null]);
    for (const child of [...node.children].reverse()) stack.push([child, depth + 1]);
  }
  const projection = session.buildSessionProjection();
  return {
    persisted: session.isPersisted(),
    cwd: session.getCwd(),
    dir: session.getSessionDir(),
    default: session.usesDefaultSessionDir(),
    id: session.getSessionId(),
    file: session.getSessionFile() ?? null,
    header: session.getHeader(),
    name: session.getSessionName() ?? null,
    leaf: session.getLeafId(),
    leafEntry: session.getLeafEntry() ?? null,
    count: session.getEntryCount(),
    entries,
    labels: entries.map((entry) => session.getLabel(entry.id) ?? null),
    children: entries.map((entry) => session.getChildren(entry.id).map((child) => child.id)),
    branch: session.getBranch().map((entry) => entry.id),
    branches: entries.map((entry) => session.getBranch(entry.id).length),
    tree,
    contextEntries: session.buildContextEntries().map((entry) => entry.id),
    projection: projection.entries.map((entry) => [entry.sourceEntry.id, entry.messages.length]),
    context: session.buildSessionContext(),
  };
}

async function call(method, args) {
  if (method === "snapshot") return snapshot();
  if (makers.includes(method)) {
    session = SessionManager[method](...args);
    return session.getSessionFile();
  }
  if (lists.includes(method)) return SessionManager[method](...args);
  const value = session[method](...args);
  return method === "appendUsage" ? value.id : value;
}

for await (const line of createInterface({ input: process.stdin })) {
  const [method, ...args] = JSON.parse(line);
  let answer;
  try {
    answer = { ok: (await call(method, args.map(resolve))) ?? null };
    const file = session?.getSessionFile();
    if (file && !files.includes(file)) files.push(file);
  } catch (error) {
    answer = { error: error.message }; // A setSessionFile that fails leaves its path in the manager.
  }
  console.log(JSON.stringify(answer));
}
