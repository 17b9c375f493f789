"""Expressions for the conformance test: generated from a seed, broken on purpose, and picked by hand."""

import random
import re
from collections.abc import Callable

from bmadc.ghaw.expressions import CONTEXTS, FUNCTIONS, Status
from support.oracles import Case

WORLD: dict[str, object] = {
    "github": {
        "actor": "Octocat",
        "event_name": "pull_request",
        "ref": "refs/heads/main",
        "run_number": 42,
        "event": {
            "action": "labeled",
            "labels": [{"name": "bmad-dev", "id": 1}, {"name": "Bmad-Review", "id": 2}, {"id": 3}],
            "pull_request": {"draft": False, "number": 7, "head": {"ref": "story/1"}, "body": None},
        },
    },
    "env": {"NAME": "value", "EMPTY": "", "COUNT": "12", "Ratio": "0.5"},
    "vars": {"LEVEL": "high", "HEX": "0x10", "level": "shadowed"},
    "job": {"status": "success", "container": {"id": "abc"}},
    "jobs": {"build": {"result": "failure", "outputs": {"x": "1"}}},
    "steps": {"one": {"outputs": {"go": "true"}, "outcome": "success"}, "two": {"outputs": {}}},
    "runner": {"os": "Linux", "debug": None, "temp": "tmp"},
    "secrets": {"TOKEN": "hidden"},
    "strategy": {"fail-fast": True, "job-index": 0, "job-total": 4.0},
    "matrix": {"node": [14, 16, 18.5], "nested": [[1, 2], [3, [4, 5]], {"k": [6]}], "10": "ten", "9": "nine"},
    "needs": {
        "pre_activation": {"result": "success", "outputs": {"go": "true", "halt": "", "n": "-0"}},
        "agent": {"result": "skipped", "outputs": {"output_types": "add-comment,push"}},
    },
    "inputs": {"flag": True, "off": False, "amount": -3.25, "tiny": 1e-7, "zero": -0.0, "text": "Grüße, ΣΑΣ"},
}
SPARSE: dict[str, object] = {
    "github": None,
    "Needs": ["a", "B", 0, None, [], {}],
    "env": "text",
    "inputs": 0.1,
}
STATUSES = (
    Status(success=True, failure=False, cancelled=False),
    Status(success=False, failure=True, cancelled=False),
    Status(success=False, failure=False, cancelled=True),
    Status(success=False, failure=False, cancelled=False),
)

# fmt: off
_PATHS = (
    "github.actor", "github.event.labels", "github.event.labels.*.name", "github.event", "github.ref",
    "github.event.pull_request.draft", "github.run_number", "GitHub.Event_Name", "github['event'].action",
    "env.NAME", "env.name", "env['COUNT']", "env.EMPTY", "env.Ratio", "env", "env.missing", "env.*",
    "vars.LEVEL", "vars.level", "vars", "vars.hex", "vars[*]", "job.status", "job.container.id",
    "job.container", "job", "JOB.Status", "job.*", "jobs.build.result", "jobs.build.outputs.x",
    "jobs.*.result", "jobs", "jobs[*].outputs.X", "steps.one.outputs.go", "steps.*.outputs",
    "steps.*.outputs.go", "steps.two.outputs", "steps[*].outcome", "runner.os", "runner.debug",
    "runner.temp", "runner", "runner.arch", "secrets.TOKEN", "secrets.token", "secrets", "secrets.NONE",
    "secrets['token']", "strategy.fail-fast", "strategy.job-index", "strategy.job-total", "strategy",
    "matrix.node", "matrix.node[0]", "matrix.node[1.9]", "matrix.nested.*", "matrix.nested.*.*", "matrix.*",
    "matrix.nested[*][0]", "matrix.nested[*][*]", "matrix.nested.*.k", "matrix[9]", "matrix['10']",
    "matrix", "needs.pre_activation.outputs.go", "needs.*.result", "needs.agent.outputs.output_types",
    "needs", "needs.pre_activation.outputs['n']", "needs[*].outputs.go", "needs['agent'].result",
    "needs.*.outputs.*", "inputs.flag", "inputs.off", "inputs.amount", "inputs.tiny", "inputs.zero",
    "inputs.text", "inputs",
)
_NUMBERS = (
    "0", "1", "2", "-1", "+7", "42", "007", "3.5", ".5", "-.25", "5.", "1e3", "1E-7", "1e-6", "0.0000123",
    "1e21", "1e-16", "-0",
    "0xff", "0XfF", "0o17", "0O7", "0o777", "0b101", "0B1", "0b0", "0.1", "1.0000000000000002",
    "0.0000152587890625", "1e400", "-0.0000457763671875", "123456789012345680000", "-1e400", "Infinity",
    "-Infinity", "+Infinity", "NaN", "0xffffffffffffffffff", "1.7976931348623157e308", "5e-324",
    "123456.789e-3", "-12345678.9", "1e+5",
)
_STRINGS = (
    "", " ", "a", "A", "abc", "ABC", "main", "success", "bmad-dev", "true", "false", "null", "NaN",
    "Infinity", "0", "1", "-1", " 12 ", "0x10", "-0x10", "0o17", "0b11", "1e3", "1_000", "12px", ".5", ".",
    "\xa05\ufeff", "\x1f7", "it's", "a'b'c", "''", "'", "ß", "SS", "ı", "I", "i", "İ", "ΣΑΣ", "σας",
    "Grüße", "😀", "\uffff", "line\nbreak", "tab\there", '"', "\\", "\x00\x1f\x7f", "\ud800", "}}",
    "${{ x }}", "Array", "Object", "go",
)
_FORMATS = (
    "{0}", "{0} and {1}", "{{{0}}}", "{{}}", "no braces", "{1}{0}{1}", "{0:N2}", "{0{x}", "é{0}", "{00}",
    "{", "}", "{}", "{x}", "{-1}", "{9}", "{99999999999999999999}", "a}b", "{0", "{0}}", "",
)
_JSON = (
    "[]", "{}", "[1,2,3]", '["a","B",null]', '{"a":{"b":[1,{"c":true}]}}', '{"A":1,"a":2}', '{"a":1,"a":2}',
    '{"b":1,"10":2,"9":3,"01":4,"4294967295":5}', '"text"', "12.50", "-0", "1e400", "true", "null",
    " [ 1 ] ", '{"constructor":1,"__proto__":2,"ok":3}', '"\\u0041\\ud83d\\ude00\\ud800"', "[[],[[]],{}]",
    "1e-20", "{", "[1,]", "NaN", "Infinity", "'a'", "01", "\xa0[]", "\ufeff[]", "undefined", '{"a"}',
    "[1] 2", '"\t"',
)
_SYMBOLS = (
    "(", ")", "[", "]", ",", ".", "!", "=", "==", "!=", "&", "&&", "|", "||", "<", ">=", "*", "'", '"', "-",
    "+", "1", "x", "true", "github", "TRUE", "Null", "#", "$", "{{", "}}", "😀", "\xa0", "\x0b", "0x",
    "1.2.3", "é",
)
_KEYS = (
    "a", "A", "b", "name", "result", "outputs", "go", "k", "constructor", "true", "null", "NaN", "_x-1",
)
_EACH = (
    "null", "true", "false", "0", "-0", "1", "1.5", "-1", "NaN", "Infinity", "''", "' '", "'1'", "'a'",
    "'B'", "'true'", "'\uffff'", "'😀'", "github", "github.event.labels", "github.nothing",
    "github.event.labels.*",
)
_CORNERS = (
    "", " \n", "github", "'a''b''c''d'", "'''", "''''", "'a'''", "join(needs.*.result, ', ',)", "format(,)",
    "github == github", "github.event == github.event", "fromJSON('[]') == fromJSON('[]')",
    "contains(github.event.labels, github.event.labels[0])", "contains(matrix.nested, fromJSON('[1,2]'))",
    "case(true, 1, fromJSON('{'))", "false && fromJSON('{')", "1 || fromJSON('{')", "fromJSON('')",
    "github.true", "github.NaN", "github .actor", "github. actor", "github.'x'", "github.1", "1.github",
    "'ı' == 'I'", "'ı' == 'i'", "startsWith('ıI', 'ıi')", "'\x1f7' == 7", "'\ufeff7\xa0' == 7",
    "'\x857' == 7",
    "'a'[0]", "true[*]", "1[0]", "null['x']", "toJSON('\ud800')", "toJSON(fromJSON('\"\\udfff\\u2028\"'))",
    "fromJSON('{\"Array\":1,\"Object\":2}')[github]", "fromJSON('{\"Array\":1}')[github.event.labels]",
    "a = b", "1 & 1", "1 | 1", "a => b", '"x"', "1 2", "1 'x'", "()", "!", "1 ==", "== 1", "1,2", "[1]", "*",
)
# fmt: on
_UNKNOWN_FUNCTIONS = ("foo", "toString", "length")
_TOKENS = re.compile(r"'(?:[^']|'')*'|[\w.-]+|&&|\|\||[=!<>]=|\s+|.", re.DOTALL)


class _Generator:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._forms: tuple[tuple[int, Callable[[int], str]], ...] = (
            (5, lambda depth: self._literal()),
            (6, lambda depth: self._path()),
            (7, self._comparison),
            (3, self._logical),
            (2, lambda depth: f"!{self._space()}{self._operand(depth)}"),
            (8, self._call),
            (4, self._selection),
            (1, lambda depth: self.expression(depth - 1)),
        )

    def expression(self, depth: int = 3) -> str:
        forms = self._forms if depth > 0 else self._forms[:2]
        weights = [weight for weight, _ in forms]
        form = self._rng.choices([form for _, form in forms], weights)[0]
        return self._space() + form(depth) + self._space()

    def mutate(self, text: str) -> str:
        tokens = _TOKENS.findall(text)
        for _ in range(self._rng.choice((1, 1, 1, 2))):
            place = self._rng.randrange(len(tokens) + 1)
            change = self._rng.choice(("drop", "double", "replace", "insert", "cut", "rename", "char"))
            if change == "insert" or place == len(tokens):
                tokens.insert(place, self._rng.choice(_SYMBOLS))
            elif change == "drop":
                del tokens[place]
            elif change == "double":
                tokens.insert(place, tokens[place])
            elif change == "replace":
                tokens[place] = self._rng.choice(_SYMBOLS)
            elif change == "cut":
                del tokens[place:]
            elif change == "rename":
                tokens[place] = re.sub(
                    r"^[a-zA-Z]+", self._rng.choice(("foo", "tojson", "steps")), tokens[place]
                )
            else:
                tokens[place] = tokens[place][:-1]
        return "".join(tokens)

    def _space(self) -> str:
        return self._rng.choice(("", "", "", "", " ", " ", "\n", "\t ", "\r\n"))

    def _literal(self) -> str:
        kind = self._rng.choice(("number", "number", "string", "string", "format", "json", "word"))
        if kind == "number":
            return self._rng.choice(_NUMBERS)
        if kind == "word":
            return self._rng.choice(("true", "false", "null"))
        pool = {"string": _STRINGS, "format": _FORMATS, "json": _JSON}[kind]
        return self._quoted(self._rng.choice(pool))

    def _quoted(self, value: str) -> str:
        return "'" + value.replace("'", "''") + "'"

    def _path(self) -> str:
        return self._rng.choice(_PATHS)

    def _operand(self, depth: int) -> str:
        text = self.expression(depth - 1)
        return f"({text})" if self._rng.random() < 0.6 else text

    def _comparison(self, depth: int) -> str:
        operator = self._rng.choice(("==", "!=", "<", "<=", ">", ">="))
        left, right = self._operand(depth), self._operand(depth)
        # Two spellings of one value, so that equality is often true.
        if self._rng.random() < 0.15:
            right = left.swapcase() if left.strip().startswith("'") else left
        return f"{left}{operator}{right}"

    def _logical(self, depth: int) -> str:
        operator = self._rng.choice(("&&", "||"))
        return operator.join(self._operand(depth) for _ in range(self._rng.choice((2, 2, 3))))

    def _selection(self, depth: int) -> str:
        source = self._rng.choice(
            (
                self._path(),
                f"fromJSON({self._quoted(self._rng.choice(_JSON))})",
                f"({self.expression(depth - 1)})",
            )
        )
        for _ in range(self._rng.choice((1, 1, 2, 3))):
            source += self._rng.choice(
                (".*", "[*]", f".{self._rng.choice(_KEYS)}", f"[{self.expression(depth - 1)}]")
            )
        return source

    def _call(self, depth: int) -> str:
        name = self._rng.choice([function.name for function in FUNCTIONS.values()])
        arguments = self._arguments(name, depth)
        if self._rng.random() < 0.03:
            arguments = arguments[1:] if self._rng.random() < 0.5 else [*arguments, "1"]
        comma = "," if arguments and self._rng.random() < 0.03 else ""
        spelled = self._rng.choice((name, name, name.upper(), name.lower()))
        return f"{spelled}{self._space()}({','.join(arguments)}{comma})"

    def _arguments(self, name: str, depth: int) -> list[str]:
        def some(count: int) -> list[str]:
            return [self.expression(depth - 1) for _ in range(count)]

        match name:
            case "contains" | "startsWith" | "endsWith":
                if self._rng.random() < 0.3:
                    text = self._rng.choice(_STRINGS)
                    return [self._quoted(text + "x"), self._quoted(text.upper()[:2])]
                return some(2)
            case "format":
                return [self._quoted(self._rng.choice(_FORMATS)), *some(self._rng.randrange(3))]
            case "join":
                return [
                    self._rng.choice((self._path(), self.expression(depth - 1))),
                    *some(self._rng.randrange(2)),
                ]
            case "fromJSON":
                inner = self._quoted(self._rng.choice(_JSON))
                return [
                    self._rng.choice((inner, inner, f"toJSON({self._path()})", self.expression(depth - 1)))
                ]
            case "case":
                pairs = [
                    argument
                    for _ in range(self._rng.choice((1, 2)))
                    for argument in (
                        f"{self._operand(depth)} == {self._operand(depth)}",
                        self._operand(depth),
                    )
                ]
                return [*pairs, self.expression(depth - 1)]
            case "toJSON":
                return [self._rng.choice((self._path(), self.expression(depth - 1)))]
            case "hashFiles":
                return some(self._rng.choice((1, 2)))
        return []


def _edges() -> list[str]:
    """Return expressions at the limits and in the odd corners that chance would hardly meet."""
    texts = list(_CORNERS)
    for depth in (49, 50, 51):
        texts += ["(" * depth + "1" + ")" * depth, "!" * depth + "1", "matrix" + ".a" * depth]
        texts += ["matrix" + "[0]" * depth, "matrix" + "[*]" * depth, "fromJSON(" * depth + "1" + ")" * depth]
        texts += ["(1 || " * (depth // 2) + "1" + ")" * (depth // 2), "(1&&" * depth + "1" + ")" * depth]
    texts += ["1" + "<1" * 300, "1" + "||0" * 300, "true" + " == true" * 300, "!(" * 25 + "1" + ")" * 25]
    texts += ["'" + "x" * length + "'" for length in (20_998, 20_999)]
    texts += ["'" + "😀" * length + "'" for length in (10_499, 10_500)]
    texts += [f"format('{{0}}',{','.join(['1'] * count)})" for count in (253, 254, 255, 256)]
    texts += [f"case({','.join(['true'] * count)})" for count in range(6)]
    texts += [
        f"{name}({','.join(['1'] * count)})"
        for name in (*sorted(FUNCTIONS), *_UNKNOWN_FUNCTIONS)
        for count in range(4)
    ]
    texts += [
        f"{name}.x" for name in (*sorted(CONTEXTS), "GITHUB", "gitHub", "githubs", "true", "null", "'a'", "1")
    ]
    texts += [f"{left} {op} {right}" for left in _EACH for op in ("==", "<", ">=") for right in _EACH]
    texts += [f"fromJSON('[10,20,30]')[{key}]" for key in _EACH]
    texts += [f'fromJSON(\'{{"1":1,"true":2,"":3,"a":4}}\')[{key}]' for key in _EACH]
    texts += [f'fromJSON(\'[[1,2],{{"1":3,"a":4}},5]\').*[{key}]' for key in _EACH]
    texts += [f"toJSON({value})" for value in _NUMBERS] + [f"format('{{0}}', {value})" for value in _NUMBERS]
    texts += [
        f"'{value}' == 5" for value in ("5", " 5", "5 ", "+5", "05", "5.0", "0x5", "0o5", "0b101", "５")
    ]
    return texts


def corpus(seed: int = 5, generated: int = 3500, mutated: int = 1800) -> list[Case]:
    """Return the same cases for the same seed: generated, mutated and hand-picked expressions."""
    rng = random.Random(seed)
    generator = _Generator(rng)
    sound = [generator.expression() for _ in range(generated)]
    broken = [generator.mutate(rng.choice(sound)) for _ in range(mutated)]
    cases = []
    for text in (*sound, *broken):
        status = rng.choice(STATUSES) if rng.random() < 0.95 else None
        cases.append(Case(text, WORLD if rng.random() < 0.9 else SPARSE, status))
    return cases + [Case(text, WORLD, STATUSES[0]) for text in _edges()]
