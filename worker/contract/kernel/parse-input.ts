import { z } from "zod";
import { type AppError, invalidInput } from "./errors.ts";
import { fieldName } from "./field-names.ts";
import { koreanIssue, REQUIRED_MESSAGE } from "./korean-issues.ts";
import { profileMissingMessage } from "./messages.ts";

z.config({ customError: koreanIssue });

export function fieldErrors(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    const path = issue.path.join(".") || "_";
    fields[path] ??= issue.message;
  }
  return fields;
}

function invalidInputOf(error: z.ZodError): AppError {
  const fields = fieldErrors(error);
  const [path, message] = Object.entries(fields)[0] ?? [];
  const named = message === REQUIRED_MESSAGE && path && path !== "_" ? profileMissingMessage(fieldName(path)) : message;
  return invalidInput(fields, named);
}

/** @throws AppError INVALID_INPUT with one message a field */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidInputOf(result.error);
  return result.data;
}
