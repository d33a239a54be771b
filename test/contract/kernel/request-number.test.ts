import { expect, test } from "vitest";
import { callApi } from "#app/lib/api.ts";

const answer = (status: number, body: object) => Promise.resolve(Response.json(body, { status })) as never;

test("a server error shows the request number of its log entry", async () => {
  const body = { code: "INTERNAL_ERROR", message: "일시적인 오류가 발생했습니다.", requestId: "3f2a" };
  await expect(callApi(answer(500, body))).rejects.toThrow("일시적인 오류가 발생했습니다. (문의 번호 3f2a)");
});

test("a refusal has no request number and keeps its message", async () => {
  const body = { code: "FORBIDDEN", message: "접근 권한이 없습니다.", requestId: "3f2a" };
  await expect(callApi(answer(403, body))).rejects.toThrow(/^접근 권한이 없습니다\.$/);
});
