import { expect, test } from "vitest";
import { api } from "#worker/api/app.ts";
import { type DescribedCall, describeCalls } from "#worker/api/kernel/describe.ts";
import { type JsonSchema, openApiOf } from "#worker/api/kernel/openapi.ts";
import { CALLS } from "../calls/calls.ts";
import { CREATING_CALLS } from "../calls/creating-calls.ts";
import { RECENT_SECOND_FACTOR_CALLS } from "../calls/second-factor-calls.ts";
import { callJson, fetchApi } from "../support/api-client.ts";
import { createAdministratorSession, createMemberSession } from "../support/people.ts";

const calls = describeCalls(api.routes);
const nameOf = ({ method, path }: DescribedCall) => `${method} ${path}`;

test("a guest and a member cannot read the document of the calls, and an administrator can", async () => {
  const path = "/api/admin/openapi.json";
  expect((await callJson("GET", path)).code).toBe("UNAUTHORIZED");
  const member = await createMemberSession();
  expect((await callJson("GET", path, { token: member.accessToken })).code).toBe("FORBIDDEN");
  const admin = await createAdministratorSession();
  const answer = await fetchApi("GET", path, { cookie: admin.accessToken });
  expect(answer.status).toBe(200);
  const document = (await answer.json()) as ReturnType<typeof openApiOf>;
  expect(document.openapi).toBe("3.1.0");
  const described = Object.entries(document.paths).flatMap(([at, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${at.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  expect(described.toSorted()).toEqual(Object.keys(CALLS).toSorted());
});

test("each operation has its own id, and its schemas need no definitions of their own", () => {
  const { paths } = openApiOf(api.routes);
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(JSON.stringify(paths).match(/"\$ref":"#(?!\/components\/responses\/Failure")[^"]*"|"\$defs"/g)).toBeNull();
});

test("the routes declare the checks that the table of calls requires", () => {
  for (const call of calls) {
    const access = CALLS[nameOf(call)];
    const named = nameOf(call);
    if (call.asks.includes("ADMIN_Access")) expect.soft([named, access]).toEqual([named, "administrator"]);
    if (call.asks.includes("signed in")) expect.soft([named, access === "everyone"]).toEqual([named, false]);
    expect.soft([named, call.isCreating ?? false]).toEqual([named, named in CREATING_CALLS]);
    expect
      .soft([named, call.asks.includes("second factor")])
      .toEqual([named, RECENT_SECOND_FACTOR_CALLS.includes(named)]);
  }
});

const sources = import.meta.glob<string>("../../worker/domain/**/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});
const domain = Object.values(sources).join("\n");

/** The type that a function of the domain declares as its answer. */
function answerOf({ act, answer }: DescribedCall): string {
  if (answer !== "data") return answer ?? "its own";
  const name = act?.name || (/(\w+)\)?\((?:ctx|scope)\b/.exec(String(act))?.[1] ?? "");
  const [, view, part] = new RegExp(`export type (\\w+) = View<typeof ${name}>([^;]*);`).exec(domain) ?? [];
  const whole = view && (part === "[number]" ? `${view}[]` : part ? `Page<${view}>` : view);
  const head = `\\n(?:export )?(?:async )?(?:function |const )${name}\\b`;
  const written = new RegExp(
    `${head}(?:(?!\\n(?:\\}|export|const))[^]){0,600}?\\): Promise<([^]{1,300}?)>(?: \\{\n| =>)`,
  );
  const declared = name ? written.exec(domain)?.[1]?.replaceAll(/\s+/g, " ") : undefined;
  return [whole ?? declared, name && `(${name})`].filter(Boolean).join(" ");
}

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

function kindOf(schema: JsonSchema): string {
  const options = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (options)
    return options.length > 12 ? `one of ${options.length} codes` : options.map((each) => each || '""').join(" · ");
  const either = schema.anyOf ?? schema.oneOf;
  if (either) {
    const kinds = [...new Set(either.map((each) => kindOf(each as JsonSchema)))];
    return kinds.includes("boolean") ? "boolean" : kinds.join(" or ");
  }
  if (schema.allOf) return schema.allOf.map((each) => kindOf(each as JsonSchema)).join(" and ");
  if (schema.type === "array") return `list${limitsOf(schema)} of ${kindOf((schema.items ?? {}) as JsonSchema)}`;
  if (schema.properties) return `{ ${fieldsOf(schema)} }`;
  if (schema.type === "object") return `map of ${kindOf((schema.additionalProperties ?? {}) as JsonSchema)}`;
  if (schema.pattern && PATTERNS[schema.pattern]) return PATTERNS[schema.pattern] ?? "";
  return `${schema.type === "string" ? "text" : (schema.type ?? "any")}${limitsOf(schema)}`;
}

const fieldsOf = ({ properties = {}, required = [] }: JsonSchema): string =>
  Object.entries(properties)
    .map(([name, each]) => `${name}${required.includes(name) ? "" : "?"}: ${kindOf(each as JsonSchema)}`)
    .join(", ");

function published(): string {
  const { paths } = openApiOf(api.routes);
  const operationOf = ({ method, path }: DescribedCall) =>
    paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
  const rowOf = (call: DescribedCall) => {
    const operation = operationOf(call);
    const query = (operation?.parameters ?? []).filter((each) => each.in === "query");
    const body = operation?.requestBody?.content["application/json"].schema;
    const bodyFields = body ? (body.properties ? fieldsOf(body) : kindOf(body)) : "";
    const input = [
      query.length > 0 &&
        `query: ${query.map(({ name, required, schema }) => `${name}${required ? "" : "?"}: ${kindOf(schema)}`).join(", ")}`,
      bodyFields && `body${call.maxBytes ? ` up to ${Math.round(call.maxBytes / 1024)} kB` : ""}: ${bodyFields}`,
      call.isCreating && "`Idempotency-Key`",
    ].filter(Boolean);
    const who = [CALLS[nameOf(call)], ...call.asks.filter((each) => !IN_ACCESS.test(each))].join("; ");
    const cells = [`\`${nameOf(call)}\``, who, input.join("<br>"), answerOf(call)];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  };
  const areaOf = (call: DescribedCall) =>
    `${call.path.startsWith("/api/admin/") ? "Console: " : ""}${operationOf(call)?.tags[0]}`;
  return [
    "# The calls of the API",
    "",
    "Written by `test/api/reference.test.ts`; administrators read the same at `/api/admin/openapi.json`. A body is JSON.",
    'An answer is `{ code: "SUCCESS", data }`; the type of `data` and its function are in the last column. `?` is optional.',
    "Parts of a path are ids or codes. Checks of the route follow the person; the function checks again.",
    ...[...new Set(calls.map(areaOf))]
      .toSorted()
      .flatMap((area) => [
        "",
        `## ${area}`,
        "",
        "| call | who may; checks | input | answer |",
        "|---|---|---|---|",
        ...calls.filter((call) => areaOf(call) === area).map(rowOf),
      ]),
    "",
  ].join("\n");
}

test("the reference describes every call as its route declares it", async () => {
  await expect(published()).toMatchFileSnapshot("../../worker/api/REFERENCE.md");
});
