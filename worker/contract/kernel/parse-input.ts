import { z } from "zod";
import { type AppError, invalidInput } from "./errors.ts";
import { fieldName } from "./field-names.ts";
import { profileMissingMessage } from "./messages.ts";

export const REQUIRED_MESSAGE = "필수 항목입니다.";

/** zod's own messages are written for programmers; these are for users. */
export const koreanIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined || issue.input === null ? REQUIRED_MESSAGE : "형식이 올바르지 않습니다.";
    case "too_small":
      if (issue.origin === "string") {
        return Number(issue.minimum) <= 1 ? REQUIRED_MESSAGE : `${issue.minimum}자 이상 입력해 주십시오.`;
      }
      if (issue.origin === "array") return `${issue.minimum}개 이상 선택해 주십시오.`;
      return `${issue.minimum} 이상이어야 합니다.`;
    case "too_big":
      if (issue.origin === "string") return `${issue.maximum}자 이하로 입력해 주십시오.`;
      if (issue.origin === "array") return `${issue.maximum}개 이하로 선택해 주십시오.`;
      return `${issue.maximum} 이하여야 합니다.`;
    case "invalid_value":
      return "선택할 수 없는 값입니다.";
    default:
      return "형식이 올바르지 않습니다.";
  }
};

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
