import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callJson } from "../../support/api-client.ts";
import { createAdministratorSession, createUser } from "../../support/people.ts";

test("the search in sign-up fields matches their values", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const person = await createUser({ userName: "윤슬" });
  const other = await createUser();
  const profile = "UPDATE user SET profile = ? WHERE id = ?";
  await env.DB.batch([
    env.DB.prepare(profile).bind('{"affiliation":"다솜병원","interest":["유전","면역"],"wantsMail":true}', person.id),
    env.DB.prepare(profile).bind('{"affiliation":"한빛병원"}', other.id),
  ]);
  const found = async (query: Record<string, string>) => {
    const { data } = await callJson("GET", `/api/admin/member?${new URLSearchParams(query)}`, { token });
    return data.content.map((row: { id: string }) => row.id);
  };
  expect(await found({ profileValue: "다솜" })).toEqual([person.id]);
  expect(await found({ profileCode: "affiliation", profileValue: "다솜" })).toEqual([person.id]);
  expect(await found({ profileCode: "interest", profileValue: "면역" })).toEqual([person.id]);
  expect(await found({ profileCode: "interest", profileValue: "다솜" })).toEqual([]);
  expect(await found({ keyword: "면역" })).toEqual([person.id]);
  // A field name is no searchable text.
  expect(await found({ keyword: "affiliation" })).toEqual([]);
  expect(await found({ sort: "userName,DESC", profileValue: "병원" })).toEqual([other.id, person.id]);
});
