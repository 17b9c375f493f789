// A module loader hook: the workflow parser imports its schema as bare JSON, as bundlers allow and
// node does not.

import {readFile} from "node:fs/promises";

export async function load(url, context, nextLoad) {
  if (!url.endsWith(".json")) {
    return nextLoad(url, context);
  }
  const source = `export default ${await readFile(new URL(url), "utf8")};`;
  return {format: "module", source, shortCircuit: true};
}
