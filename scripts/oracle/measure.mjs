// Measures the real pi on a store. Prints the seconds that the work took, without the start of Node.js and the
// loading of pi, and a count of what was done, as JSON.
//
//   run measure list           SessionManager.listAll() of the agent directory in PI_CODING_AGENT_DIR
//   run measure contexts DIR   open and buildSessionContext of every DIR/*/*.jsonl
//
// pi opens the files themselves: it would migrate those of old versions, and end a last line that is not ended.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = process.env.PI_ORACLE_MODULES ?? join(here, "node_modules");
const { SessionManager } = await import(
  pathToFileURL(join(modules, "@earendil-works/pi-coding-agent/dist/core/session-manager.js")).href
);

const commands = {
  list: async () => ({ sessions: (await SessionManager.listAll()).length }),
  contexts(dir) {
    const done = { sessions: 0, messages: 0 };
    for (const file of sessionFiles(dir)) {
      done.messages += SessionManager.open(file).buildSessionContext().messages.length;
      done.sessions++;
    }
    return done;
  },
};

function sessionFiles(dir) {
  return readdirSync(dir).flatMap((project) =>
    readdirSync(join(dir, project))
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(dir, project, name)),
  );
}

const [command, dir] = process.argv.slice(2);
if (!Object.hasOwn(commands, command ?? "")) {
  console.error("run measure list | contexts DIR");
  process.exit(2);
}
const begin = performance.now();
const done = await commands[command](dir);
console.log(JSON.stringify({ seconds: (performance.now() - begin) / 1000, ...done }));
