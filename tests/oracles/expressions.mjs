// GitHub's own expression evaluator behind JSON lines. A line on stdin is one case:
//   {expression, contexts, status}   an expression, or
//   {condition, contexts, status}    the text of a job's `if`, which GitHub's workflow parser makes an expression of.
// with the contexts as JSON text, so that they are read once only and a -0 survives.
// The answer, one line each, in order:
//   {parsed, evaluated, value, string, truthy, message}
// where value carries its kind, since JSON has no NaN, no -0 and no order of keys.

import {readFileSync} from "node:fs";
import {register} from "node:module";

register("./json_modules.mjs", import.meta.url);

const oracles = new URL("../../tools/oracles/node_modules/@actions/", import.meta.url);
const load = path => import(new URL(path, oracles));
const {data, Evaluator, Lexer, Parser} = await load("expressions/dist/index.js");
const {truthy} = await load("expressions/dist/result.js");
const {splitAllowedContext} = await load("workflow-parser/dist/templates/allowed-context.js");
const {convertWorkflowTemplate, parseWorkflow, NoOperationTraceWriter} = await load("workflow-parser/dist/index.js");

const names = allowedNames();

// The names that GitHub's schema allows anywhere in a workflow; of two ranges of arguments, the wider.
function allowedNames() {
  const schema = JSON.parse(readFileSync(new URL("workflow-parser/dist/workflow-v1.0.min.json", oracles), "utf8"));
  const allowed = Object.values(schema.definitions).flatMap(definition => definition.context ?? []);
  const {namedContexts, functions} = splitAllowedContext(allowed);
  functions.sort((left, right) => left.maxArgs - right.maxArgs);
  return {contexts: [...new Set(namedContexts)], functions};
}

function contextsOf(given) {
  const contexts = JSON.parse(given, data.reviver);
  for (const name of names.contexts) {
    contexts.add(name, new data.Null());
  }
  return contexts;
}

function functionsOf(status) {
  const answer = value => (...args) => {
    if (args.length > 0 || value === undefined) {
      throw new Error("no status");
    }
    return new data.BooleanData(value);
  };
  const calls = {
    always: answer(status ? true : undefined),
    cancelled: answer(status?.cancelled),
    failure: answer(status?.failure),
    success: answer(status?.success),
    hashfiles: (...patterns) => new data.StringData(patterns.map(pattern => pattern.coerceString()).join("+"))
  };
  return new Map(Object.entries(calls).map(([name, call]) => [name, {name, call}]));
}

function tagged(value) {
  switch (value.kind) {
    case data.Kind.Null:
      return ["Null"];
    case data.Kind.Number:
      return ["Number", Number.isFinite(value.value) && !Object.is(value.value, -0) ? value.value : signed(value.value)];
    case data.Kind.Array:
      return ["Array", value.values().map(tagged)];
    case data.Kind.Dictionary:
      return ["Object", value.pairs().map(({key, value}) => [key, tagged(value)])];
    case data.Kind.Boolean:
      return ["Boolean", value.value];
    case data.Kind.String:
      return ["String", value.value];
  }
  throw new Error("the evaluator gave something that is no value");
}

function signed(number) {
  return Object.is(number, -0) ? "-0" : String(number);
}

async function expressionOf(condition) {
  const job = {needs: "first", if: condition, "runs-on": "any", steps: [{run: "true"}]};
  const first = {"runs-on": "any", steps: [{run: "true"}]};
  const content = JSON.stringify({on: "push", jobs: {first, second: job}});
  const {context, value} = parseWorkflow({name: "condition.yml", content}, new NoOperationTraceWriter());
  const template = value && (await convertWorkflowTemplate(context, value));
  const errors = context.errors.getErrors();
  if (errors.length > 0) {
    throw new Error(errors[0].message);
  }
  return template.jobs.find(job => job.id.value === "second").if.expression;
}

async function answer({expression, condition, contexts, status}) {
  let node;
  try {
    const text = condition === undefined ? expression : await expressionOf(condition);
    node = new Parser(new Lexer(text).lex().tokens, names.contexts, names.functions).parse();
  } catch (error) {
    return {parsed: false, evaluated: false, message: error.message};
  }
  if (node === undefined) {
    return {parsed: false, evaluated: false, message: "no tokens give no node"};
  }
  try {
    const value = new Evaluator(node, contextsOf(contexts), functionsOf(status)).evaluate();
    return {parsed: true, evaluated: true, value: tagged(value), string: value.coerceString(), truthy: truthy(value)};
  } catch (error) {
    return {parsed: true, evaluated: false, message: error.message};
  }
}

const cases = readFileSync(0, "utf8").split("\n").filter(line => line !== "");
for (const line of cases) {
  console.log(JSON.stringify(await answer(JSON.parse(line))));
}
