// Parses the workflow files named on the command line with GitHub's own workflow parser and
// prints one JSON document per file: {file, errors: [{message, line, col}]}.

import {readFileSync} from "node:fs";
import {register} from "node:module";

register("./json_modules.mjs", import.meta.url);

const oracles = new URL("../../tools/oracles/node_modules/@actions/", import.meta.url);
const {parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter} = await import(
  new URL("workflow-parser/dist/index.js", oracles)
);
const {ErrorPolicy} = await import(new URL("workflow-parser/dist/model/convert.js", oracles));

async function errorsOf(file) {
  const {context, value} = parseWorkflow({name: file, content: readFileSync(file, "utf8")}, new NoOperationTraceWriter());
  // An unreadable document has no tree to convert; its errors are already in the context.
  if (value !== undefined) {
    await convertWorkflowTemplate(context, value, undefined, {errorPolicy: ErrorPolicy.TryConversion});
  }
  return context.errors.getErrors().map(error => ({
    message: error.rawMessage,
    line: error.range?.start.line ?? null,
    col: error.range?.start.column ?? null
  }));
}

for (const file of process.argv.slice(2)) {
  console.log(JSON.stringify({file, errors: await errorsOf(file)}));
}
