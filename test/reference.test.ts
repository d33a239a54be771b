import { expect, test } from "vitest";
import { api } from "#worker/api/app.ts";
import { type DescribedCall, describeCalls } from "#worker/api/kernel/describe.ts";
import { type JsonSchema, openApiOf } from "#worker/api/kernel/openapi.ts";
import { CALLS } from "./calls/calls.ts";
import { readAnswerTypes } from "./support/answer-types.ts";

const LINE_MAX = 160;
const calls = describeCalls(api.routes);
const nameOf = ({ method, path }: DescribedCall) => `${method} ${path}`;

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/** Checks that the access of a call includes. */
const IN_ACCESS = /^(?:signed in|ADMIN_Access)$|^Alumni_Read or /;
const PATTERNS: Record<string, string> = { "^[0-9a-f-]{36}$": "id", "^\\d{1,9}$": "number" };

function limitsOf({ minLength, maxLength, minimum, maximum, minItems, maxItems, format, pattern }: JsonSchema): string {
  const from = minLength ?? minimum ?? minItems;
  const to = maxLength ?? maximum ?? maxItems;
  const shown = (limit: number) => (Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit);
  const [low, high] = [from, to].map((limit) => (limit === undefined ? undefined : shown(limit)));
  const range = low === undefined && high === undefined ? "" : ` ${low ?? ""}–${high ?? ""}`;
  return `${range}${format ? ` ${format}` : ""}${!format && pattern && pattern.length <= 40 ? ` /${pattern}/` : ""}`;
}

/** The kind of a value, and the fields below it. */
interface Described {
  kind: string;
  fields: string[];
}

const alone = (kind: string): Described => ({ kind, fields: [] });

function describeSchema(schema: JsonSchema): Described {
  const options = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (options)
    return alone(
      options.length > 12 ? `one of ${options.length} codes` : options.map((each) => each || '""').join(" · "),
    );
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return describeEither(either as JsonSchema[]);
  if (schema.allOf) return describeEither(schema.allOf as JsonSchema[], "and");
  if (schema.type === "array") {
    const { kind, fields } = describeSchema((schema.items ?? {}) as JsonSchema);
    return { kind: `list${limitsOf(schema)} of ${kind}`, fields };
  }
  if (schema.properties) return { kind: "object", fields: fieldsOf(schema) };
  if (schema.type === "object") {
    const { kind, fields } = describeSchema((schema.additionalProperties ?? {}) as JsonSchema);
    return { kind: `map of ${kind}`, fields };
  }
  if (schema.pattern && PATTERNS[schema.pattern]) return alone(PATTERNS[schema.pattern] ?? "");
  return alone(`${schema.type === "string" ? "text" : (schema.type ?? "any")}${limitsOf(schema)}`);
}

function describeEither(schemas: readonly JsonSchema[], word = "or"): Described {
  const parts = schemas.map(describeSchema);
  const kinds = [...new Set(parts.map(({ kind }) => kind))];
  if (kinds.includes("boolean")) return alone("boolean");
  const fields = parts.flatMap((part, at) => [...(at > 0 && part.fields.length > 0 ? [word] : []), ...part.fields]);
  return { kind: kinds.join(` ${word} `), fields };
}

const fieldsOf = ({ properties = {}, required = [] }: JsonSchema): string[] =>
  Object.entries(properties).flatMap(([name, each]) =>
    fieldLines(`${name}${required.includes(name) ? "" : "?"}`, each as JsonSchema),
  );

function fieldLines(name: string, schema: JsonSchema): string[] {
  const { kind, fields } = describeSchema(schema);
  return [`${name}: ${kind}`, ...indent(fields)];
}

/** A text in quotes, what begins or ends a field, or anything between. */
const TOKENS = /"(?:[^"\\]|\\.)*"|`[^`]*`|\{\}|\{ |; |\}|[^"`{};]+|./g;

/** Breaks a type at its braces where it does not fit in a line. */
function wrapType(type: string): string[] {
  if (type.length <= LINE_MAX) return [type];
  const lines: string[] = [];
  let depth = 0;
  let line = "";
  const endLine = () => {
    if (line.trim()) lines.push(`${"  ".repeat(depth)}${line.trim()}`);
    line = "";
  };
  for (const token of type.match(TOKENS) ?? []) {
    if (token === "}") {
      endLine();
      depth -= 1;
    }
    line += token;
    if (token === "; " || token === "{ ") endLine();
    if (token === "{ ") depth += 1;
  }
  endLine();
  return lines.flatMap((each) => (each.length <= LINE_MAX ? [each] : wrapUnion(each)));
}

function wrapUnion(line: string): string[] {
  const [, margin = ""] = /^(\s*)/.exec(line) ?? [];
  const lines = [""];
  for (const part of line.trim().split(/(?<= \| )/)) {
    const last = lines.at(-1) ?? "";
    if (last.length + part.length > LINE_MAX - margin.length - 2) lines.push(part);
    else lines[lines.length - 1] = last + part;
  }
  return lines.map((each, at) => `${margin}${at > 0 ? "  " : ""}${each}`.trimEnd());
}

function inputLines(call: DescribedCall, { parameters = [], requestBody }: Operation): string[] {
  const query = parameters.filter((each) => each.in === "query");
  const body = requestBody?.content["application/json"].schema;
  const size = call.maxBytes ? `, at most ${Math.round(call.maxBytes / 1024)} kB` : "";
  return [
    ...(query.length > 0 ? ["query"] : []),
    ...indent(query.flatMap(({ name, required, schema }) => fieldLines(`${name}${required ? "" : "?"}`, schema))),
    ...(body ? fieldLines("body", body).map((line, at) => (at === 0 ? line + size : line)) : []),
  ];
}

const { paths } = openApiOf(api.routes);
const operationOf = ({ method, path }: DescribedCall) =>
  paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()] as Operation;
type Operation = NonNullable<NonNullable<(typeof paths)[string]>[string]>;

function describeCall(call: DescribedCall, answers: ReadonlyMap<string, string>): string[] {
  const who = [CALLS[nameOf(call)], ...call.asks.filter((each) => !IN_ACCESS.test(each))].join("; ");
  const key = call.isCreating ? "; takes an `Idempotency-Key`" : "";
  const [first = "", ...more] =
    call.answer === "data" ? wrapType(answers.get(nameOf(call)) ?? "") : [call.answer ?? "its own"];
  return [
    "",
    `### \`${nameOf(call)}\``,
    "",
    `${who}${key}`,
    "",
    "```",
    ...inputLines(call, operationOf(call)),
    `answer: ${first}`,
    ...more,
    "```",
  ];
}

const areaOf = (call: DescribedCall) =>
  `${call.path.startsWith("/api/admin/") ? "Console: " : ""}${operationOf(call).tags[0]}`;

const writeReference = (answers: ReadonlyMap<string, string>) =>
  [
    "# The calls of the API",
    "",
    "Written by `test/reference.test.ts`; administrators read the inputs at `/api/admin/openapi.json`. A body is JSON.",
    'An answer is `{ code: "SUCCESS", data }`; `answer` is the type of `data`. `?` is optional.',
    "Parts of a path are ids or codes. The route's checks follow the person; the function checks again.",
    ...[...new Set(calls.map(areaOf))]
      .toSorted()
      .flatMap((area) => [
        "",
        `## ${area}`,
        ...calls.filter((call) => areaOf(call) === area).flatMap((call) => describeCall(call, answers)),
      ]),
    "",
  ].join("\n");

test("the reference describes every call as its route declares it", { tags: "full" }, async () => {
  const answers = readAnswerTypes();
  expect(calls.filter((call) => call.answer === "data" && !answers.get(nameOf(call))).map(nameOf)).toEqual([]);
  const reference = writeReference(answers);
  expect(reference.split("\n").filter((line) => line.length > 400)).toEqual([]);
  await expect(reference).toMatchFileSnapshot("../worker/api/REFERENCE.md");
});
