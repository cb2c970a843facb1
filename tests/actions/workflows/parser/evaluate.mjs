// Evaluates expressions as GitHub does: reads [[text, contexts], ...] as json and prints the results as json. A text is a value of
// a workflow, with ${{ }} anywhere in it. `cancelled()` and its like are read from the context "status".
import {data, Evaluator, Lexer, Parser} from "@actions/expressions";

const status = (name, wanted) => ({
  name, minArgs: 0, maxArgs: 0,
  call: () => new data.BooleanData(wanted === undefined || wanted === current),
});
let current = "success";
const functions = [status("always"), status("success", "success"), status("failure", "failure"), status("cancelled", "cancelled")];

function dictionary(value) {
  return JSON.parse(JSON.stringify(value), data.reviver);
}

function evaluate(expression, contexts) {
  const names = Object.keys(contexts);
  const parsed = new Parser(new Lexer(expression).lex().tokens, names, functions).parse();
  const called = new Map(functions.map((item) => [item.name, item]));
  return new Evaluator(parsed, dictionary(contexts), called).evaluate();
}

const asked = JSON.parse(process.argv[2]);
console.log(JSON.stringify(asked.map(([text, contexts]) => {
  current = contexts.status ?? "success";
  const whole = /^\$\{\{((?:(?!\}\}).)*)\}\}$/s.exec(text.trim());
  if (whole) {
    return JSON.parse(JSON.stringify(evaluate(whole[1].trim(), contexts), data.replacer));
  }
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression) => evaluate(expression.trim(), contexts).coerceString());
})));
