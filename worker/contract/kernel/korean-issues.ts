import type { z } from "zod";

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

/** The message of a value that is there. */
export const orRequired =
  (message: string) =>
  ({ input }: { input?: unknown }) =>
    input === undefined || input === null || input === "" ? REQUIRED_MESSAGE : message;
