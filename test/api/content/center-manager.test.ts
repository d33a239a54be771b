import { expect, test } from "vitest";
import { ADMIN_CALLS } from "../../calls/calls.ts";
import { getCenterPage } from "#worker/domain/content/center.server.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { scopeOfToken } from "../../support/request-scope.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readValue } from "../../support/test-database.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

const center = (regionCode: string) => `/api/admin/center/${regionCode}`;
const value = { regionName: "서울", centerName: "서울권역센터", phone: "02-000-0111" };
const createCenterManager = async () => createSessionWith(["Center_seoul_Manage"]);
const page = (token: string | undefined, regionCode: string, preview = false) =>
  getCenterPage(scopeOfToken(token), { product: "pid", regionCode, preview });

async function publish(admin: TestSession, regionCode: string, fields: object = {}) {
  const token = admin.accessToken;
  await callJson("PUT", `${center(regionCode)}/draft`, { token, body: { ...value, ...fields, version: 0 } });
  await callJson("POST", `${center(regionCode)}/publish`, { token, body: { version: 1 } });
}

test("a centre manager can publish only their own region", async () => {
  const admin = await createAdministratorSession();
  await publish(admin, "seoul");
  const { accessToken: token } = await createCenterManager();
  expect((await callJson("GET", center("seoul"), { token })).data).toMatchObject({
    centerName: "서울권역센터",
    version: 2,
  });
  const body = { ...value, regionName: "다른 이름", phone: "02-000-0222", version: 2 };
  expect((await callJson("PUT", `${center("seoul")}/draft`, { token, body })).data).toEqual({ version: 3 });
  expect((await page(undefined, "seoul")).center.phone).toBe("02-000-0111");
  expect((await page(token, "seoul", true)).center.phone).toBe("02-000-0222");
  expect((await callJson("POST", `${center("seoul")}/publish`, { token, body: { version: 3 } })).code).toBe("SUCCESS");
  // The region name on the map is not editable for a manager.
  expect((await page(undefined, "seoul")).center).toMatchObject({ phone: "02-000-0222", regionName: "서울" });
  expect((await callJson("GET", `${center("seoul")}/history`, { token })).data).toHaveLength(2);
  const log = await readValue("SELECT count(*) AS n FROM audit_log WHERE action = 'center.publish'");
  expect(log).toBe(2);
});

test("a centre manager cannot change other regions", async () => {
  const admin = await createAdministratorSession();
  await publish(admin, "seoul");
  await publish(admin, "pusan", { regionName: "부산", centerName: "부산권역센터" });
  const { accessToken: token } = await createCenterManager();
  const refused = [
    ["GET", "/api/admin/center", undefined],
    ["POST", "/api/admin/center/order", { codes: ["seoul"] }],
    ["POST", `${center("seoul")}/withdraw`, { version: 2 }],
    ["GET", center("pusan"), undefined],
    ["PUT", `${center("pusan")}/draft`, { ...value, version: 2 }],
    ["POST", `${center("pusan")}/publish`, { version: 2 }],
    ["GET", `${center("pusan")}/history`, undefined],
    ["POST", `${center("pusan")}/restore`, { version: 2, versionNo: 1 }],
    ["DELETE", `${center("pusan")}/draft`, { version: 2 }],
  ] as const;
  for (const [method, path, body] of refused)
    expect([path, (await callJson(method, path, { token, body })).code]).toEqual([path, "FORBIDDEN"]);
  await expect(page(token, "pusan", true)).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("a centre manager cannot create a region", async () => {
  const { accessToken: token } = await createCenterManager();
  const answer = await callJson("PUT", `${center("seoul")}/draft`, { token, body: { ...value, version: 0 } });
  expect(answer.code).toBe("NOT_FOUND");
  expect(await readValue("SELECT count(*) AS n FROM content")).toBe(0);
});

test(`every other console call refuses a centre manager (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  await publish(await createAdministratorSession(), "seoul");
  const { accessToken: token } = await createCenterManager();
  const own = /^(GET|PUT|DELETE|POST) \/api\/admin\/center\/:regionCode(\/(draft|publish|history|restore))?$/;
  const others = Object.keys(ADMIN_CALLS).filter((each) => !own.test(each));
  for (const name of sample(
    others,
    (call) => call,
    (call) => call.split("/")[3] ?? "",
  )) {
    const [method = "", path = ""] = name.split(" ");
    const url = path
      .replace(/:regionCode/, "seoul")
      .replace(/:code/, "about")
      .replace(/:\w+/g, "1");
    const answer = await callJson(method, url, { token, ...(method === "GET" ? {} : { body: {} }) });
    expect([name, answer.data, [400, 403, 404].includes(answer.status)]).toEqual([name, undefined, true]);
  }
});

test("a person without a region changes nothing", async () => {
  await publish(await createAdministratorSession(), "seoul");
  const { accessToken: token } = await createMemberSession();
  for (const [who, code] of [
    [token, "FORBIDDEN"],
    [undefined, "UNAUTHORIZED"],
  ] as const) {
    const ask = (method: string, path: string, body?: unknown) => callJson(method, path, { token: who, body });
    expect((await ask("GET", center("seoul"))).code, `${who} ${code}`).toBe(code);
    expect((await ask("PUT", `${center("seoul")}/draft`, { ...value, version: 2 })).code, `${who} ${code}`).toBe(code);
    expect((await ask("POST", `${center("seoul")}/publish`, { version: 2 })).code, `${who} ${code}`).toBe(code);
    await expect(page(who, "seoul", true), `${who} ${code}`).rejects.toMatchObject({ code });
  }
});

test("the permission is granted by a role, only for existing regions", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  await publish(admin, "seoul");
  const role = (code: string) =>
    callJson("PUT", "/api/admin/role", {
      token,
      body: { roleCode: "seoul", roleName: "서울 담당", permissions: [code] },
    });
  expect((await role("Center_atlantis_Manage")).fields).toHaveProperty("permissions");
  expect((await role("Center_seoul_Manage")).code).toBe("SUCCESS");
  const { groups } = (await callJson("GET", "/api/admin/role", { token })).data;
  expect(groups.at(-1)).toMatchObject({
    label: "권역센터",
    codes: [{ code: "Center_seoul_Manage", label: "서울 센터 관리" }],
  });
});

test("an administrator by role can grant a region", async () => {
  const admin = await createAdministratorSession();
  await publish(admin, "seoul");
  const byRole = await createSessionWith(["ADMIN_Access"]);
  const body = { roleCode: "seoul", roleName: "서울 담당", permissions: ["Center_seoul_Manage"] };
  expect((await callAs(byRole, "PUT", "/api/admin/role", body)).code).toBe("SUCCESS");
  const person = await createSession({ roleCode: "seoul" });
  const simulate = async (path: string) =>
    (await callAs(admin, "GET", `/api/admin/role/simulate?who=${person.user.userId}&path=${path}`)).data;
  expect(await simulate("/Admin/Centers/seoul")).toMatchObject({
    allowed: true,
    rule: "permission Center_seoul_Manage",
  });
  expect(await simulate("/api/admin/center/pusan")).toMatchObject({ allowed: false });
  expect(await simulate("/Admin/Centers")).toMatchObject({ allowed: false, rule: "permission ADMIN_Access" });
});

test("errors of a centre are reported by field", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const put = async (fields: object) =>
    (await callJson("PUT", `${center("incheon")}/draft`, { token, body: { ...value, ...fields, version: 0 } })).fields;
  expect(await put({ centerName: " " })).toEqual({ centerName: "센터 이름을 입력해 주십시오." });
  expect(await put({ phone: "전화" })).toEqual({ phone: "전화번호 형식이 올바르지 않습니다." });
  expect(await put({ url: "www.example.kr" })).toEqual({
    url: "http:// 또는 https://로 시작하는 주소를 입력해 주십시오.",
  });
  expect(await put({ imageFileId: crypto.randomUUID() })).toEqual({
    imageAlt: "사진에 무엇이 보이는지 적어 주십시오.",
  });
  expect(await put({ imageFileId: crypto.randomUUID(), imageAlt: "본관" })).toEqual({
    imageFileId: "사진을 다시 올려 주십시오.",
  });
});

test("a hidden region can be shown again unchanged", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  await publish(admin, "seoul");
  await publish(admin, "incheon", { regionName: "인천", centerName: "인천권역센터" });
  const shown = async () =>
    (await callJson("GET", "/api/site-setting/info")).data.centers.map(
      (each: { regionCode: string }) => each.regionCode,
    );
  expect(await shown()).toEqual(["seoul", "incheon"]);
  await callJson("POST", "/api/admin/center/order", { token, body: { codes: ["incheon", "seoul"] } });
  expect(await shown()).toEqual(["incheon", "seoul"]);
  await callJson("POST", `${center("incheon")}/withdraw`, { token, body: { version: 2 } });
  expect(await shown()).toEqual(["seoul"]);
  const hidden = (await callJson("GET", center("incheon"), { token })).data;
  expect(hidden).toMatchObject({ status: "draft", centerName: "인천권역센터", hasDraft: true });
  await callJson("POST", `${center("incheon")}/publish`, { token, body: { version: 3 } });
  expect(await shown()).toEqual(["seoul", "incheon"]);
});
