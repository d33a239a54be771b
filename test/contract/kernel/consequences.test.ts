import { expect, test } from "vitest";
import { roleConsequences } from "#worker/contract/access/role.ts";
import { authenticationConsequences } from "#worker/contract/account/authentication-consequences.ts";
import { retentionConsequences } from "#worker/contract/audit/retention-consequences.ts";
import { RETENTION_RULE_CODES, RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";

const NAMES: Record<string, string> = { ADMIN_Access: "관리 화면", a: "가", b: "나", c: "다", d: "라", e: "마" };
const labelOf = (code: string) => NAMES[code] ?? code;

test("a role change reports lost permissions with their members", () => {
  const role = { roleName: "회원", isGuest: false, userCount: 1200 };
  const said = (before: string[], after: string[], more = {}) =>
    roleConsequences({ ...role, before, after, ...more }, labelOf);
  expect(said(["a", "b"], ["a"])).toEqual(["‘회원’ 역할인 1,200명은 다음을 할 수 없게 됩니다: 나"]);
  expect(said(["a", "b", "c", "d", "e"], [])).toEqual([
    "‘회원’ 역할인 1,200명은 다음을 할 수 없게 됩니다: 가, 나, 다, 라 외 1가지",
  ]);
  expect(said([], ["a"])).toEqual([]);
  expect(said([], ["ADMIN_Access"])).toEqual(["‘회원’ 역할인 1,200명은 관리 화면에 들어올 수 있게 됩니다."]);
  expect(said(["a"], [], { userCount: 0 })).toEqual([]);
  expect(said(["a"], [], { userCount: 0, isGuest: true })).toEqual([
    "로그인하지 않은 사람은 다음을 할 수 없게 됩니다: 가",
  ]);
  expect(said(["a"], [], { userCount: undefined })).toEqual(["‘회원’ 역할인 사람은 다음을 할 수 없게 됩니다: 가"]);
});

test("a new sign-in method reports the people locked out", () => {
  const before = { authType: "IdAndPassword", roleCodeForGuest: "guest", signupApproval: true } as const;
  const counts = { members: 30, withKey: { Id: 30, Email: 30, Mobile: 12 } };
  const said = (after: object) => authenticationConsequences(before, { ...before, ...after }, counts, "손님");
  expect(said({})).toEqual([]);
  expect(said({ authType: "EmailAndPassword" })).toEqual(["저장하는 즉시 모든 회원이 이메일로 로그인합니다."]);
  expect(said({ authType: "MobileAndPassword" })).toEqual([
    "저장하는 즉시 모든 회원이 휴대전화번호로 로그인합니다.",
    "회원 18명은 휴대전화번호가 없어 로그인할 수 없게 됩니다. 먼저 등록하도록 안내해 주십시오.",
  ]);
  expect(said({ roleCodeForGuest: "other", signupApproval: false })).toHaveLength(2);
  const open = { ...before, signupApproval: false };
  expect(authenticationConsequences(open, before, counts, "손님")).toEqual([]);
});

test("only a stricter retention rule reports how much it deletes", () => {
  const rules = RETENTION_RULE_CODES.map((rule) => ({ rule, on: RETENTION_RULES[rule].on, days: 400, due: 7 }));
  const said = (after: object) =>
    retentionConsequences(rules, {
      ...Object.fromEntries(rules.map(({ rule, on, days }) => [rule, { on, days }])),
      ...after,
    } as never);
  expect(said({})).toEqual([]);
  expect(said({ inactive: { on: true, days: 400 } })).toEqual([
    "오래 이용하지 않은 회원: 지금 기준으로 7건이 저절로 파기되며, 파기한 것은 되돌릴 수 없습니다.",
  ]);
  expect(said({ requests: { on: true, days: 40 } })).toEqual([
    "처리한 개인정보 열람·정정 요청: 지금 기준으로 7건이 저절로 파기되며, 파기한 것은 되돌릴 수 없습니다. 처리한 날부터 400일이던 기간이 40일로 줄어 그보다 많아집니다.",
  ]);
  expect(said({ requests: { on: true, days: 500 } })).toEqual([]);
  expect(said({ requests: { on: false, days: 40 } })).toEqual([]);
  expect(said({ requests: { on: true, days: 1 }, inactive: { on: true, days: Number.NaN } })).toEqual([]);
});
