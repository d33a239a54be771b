import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { callAs } from "../../support/api-client.ts";
import type { TestSession } from "../../support/people.ts";

export const PATH = "/api/admin/setting/alumni/field";
export const FIELD = { name: "생년월일", kind: "date", access: "office" };

export const make = async (admin: TestSession, field: object): Promise<string> => {
  const answer = await callAs(admin, "PUT", PATH, { ...FIELD, ...field });
  expect(answer.code).toBe("SUCCESS");
  return answer.data.code;
};
export const add = async (admin: TestSession, name: string, own: object = {}, more: object = {}): Promise<string> => {
  const answer = await callAs(admin, "PUT", "/api/alumni", { name, own, ...more });
  expect(answer.code).toBe("SUCCESS");
  return answer.data.id;
};
export const list = async (session: TestSession, query = "") =>
  (await callAs(session, "GET", `/api/alumni${query}`)).data.content as { name: string; own: object; id: string }[];
export const names = async (session: TestSession, query: string) =>
  (await list(session, query)).map(({ name }) => name).join("");
export const edit = (session: TestSession, id: string, body: object) =>
  callAs(session, "PATCH", `/api/alumni/${id}`, { version: 1, ...body });
export const indexed = async () =>
  (await env.DB.prepare("SELECT field, value, name FROM alumni_value ORDER BY name, field, value").raw()).map((row) =>
    row.join(" "),
  );

export async function makeAll(admin: TestSession) {
  const kinds = {
    date: { name: "생년월일", kind: "date" },
    fee: { name: "회비", kind: "number" },
    group: { name: "구분", kind: "choice", choices: ["정회원", "준회원"] },
    topics: { name: "관심 분야", kind: "choices", choices: ["면역", "감염", "유전"] },
    fax: { name: "팩스", kind: "phone" },
    other: { name: "보조 이메일", kind: "email" },
    home: { name: "본가", kind: "address" },
    paid: { name: "납부", kind: "yesNo" },
    hanja: { name: "한자명", kind: "text" },
  };
  const codes: Record<string, string> = {};
  for (const [key, field] of Object.entries(kinds)) codes[key] = await make(admin, field);
  return codes as Record<keyof typeof kinds, string>;
}
