import type { RouterRoute } from "hono/types";
import { z } from "zod";
import { ERRORS } from "#worker/contract/kernel/errors.ts";
import { type DescribedCall, describeCalls } from "./describe.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Describes a value as it is sent, with the limits that hold after its text is cleaned. */
function schemaOf(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _draft, ...described } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ zodSchema: { _zod }, jsonSchema }) {
      if (_zod.def.type !== "pipe") return;
      const { out } = _zod.def as z.core.$ZodPipeDef;
      if (!(out instanceof z.ZodString)) return;
      if (out.minLength !== null) jsonSchema.minLength = out.minLength;
      if (out.maxLength !== null) jsonSchema.maxLength = out.maxLength;
    },
  });
  return described;
}

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: JsonSchema;
}

function parametersOf(place: "path" | "query", schema: z.ZodType | undefined): Parameter[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema);
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: each as JsonSchema,
  }));
}

const FAILURE = { $ref: "#/components/responses/Failure" } as const;

const jsonContent = (schema: JsonSchema) => ({ "application/json": { schema } });

const ANSWERS = {
  data: {
    description: "Answer",
    content: jsonContent({
      type: "object",
      properties: { code: { const: "SUCCESS" }, data: {} },
      required: ["code", "data"],
    }),
  },
  file: { description: "File", content: { "application/octet-stream": {} } },
  own: { description: "File, redirect or answer" },
} as const;

const KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", pattern: "^[\\w-]{8,100}$" },
};

/** Each handler without a schema of its path still has the parts of the path. */
const namesOf = (path: string): Parameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

function operationOf(call: DescribedCall) {
  const words = call.path.split(/[^a-zA-Z]/).filter(Boolean);
  const path = parametersOf("path", call.param);
  const named = namesOf(call.path).map((each) => path.find(({ name }) => name === each.name) ?? each);
  const parameters = [...named, ...parametersOf("query", call.query), ...(call.isCreating ? [KEY] : [])];
  return {
    operationId: [call.method.toLowerCase(), ...words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)].join(
      "",
    ),
    tags: [call.path.split("/")[call.path.startsWith("/api/admin/") ? 3 : 2] ?? ""],
    ...(call.asks.length > 0 ? { security: [{ bearer: [] }], "x-asks": call.asks } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(call.json ? { requestBody: { content: jsonContent(schemaOf(call.json)) } } : {}),
    responses: { 200: ANSWERS[call.answer ?? "own"], default: FAILURE },
  };
}

/** OpenAPI 3.1 of the registered calls. */
export function openApiOf(routes: readonly RouterRoute[]) {
  const paths = new Map<string, Record<string, ReturnType<typeof operationOf>>>();
  for (const call of describeCalls(routes)) {
    const path = call.path.replaceAll(/:(\w+)/g, "{$1}");
    paths.set(path, { ...paths.get(path), [call.method.toLowerCase()]: operationOf(call) });
  }
  return {
    openapi: "3.1.0",
    info: { title: "Member site", version: "1" },
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      responses: {
        Failure: {
          description: "Error",
          content: jsonContent({
            type: "object",
            properties: {
              code: { enum: Object.keys(ERRORS) },
              message: { type: "string" },
              fields: { type: "object", additionalProperties: { type: "string" } },
              data: { type: "object" },
              requestId: { type: "string" },
            },
            required: ["code", "message", "requestId"],
          }),
        },
      },
    },
  };
}
