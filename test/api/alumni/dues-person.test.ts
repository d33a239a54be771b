import { expect, test } from "vitest";
import { payDigits } from "#worker/contract/alumni/dues/dues.ts";
import { hasOwnDues, listOwnDues } from "#worker/domain/alumni/dues/person.server.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { contextFor, scopeFor } from "../../support/request-scope.ts";
import { readRows } from "../../support/test-database.ts";
import { AMOUNT, charge, createDuesOffice, insertPerson, OFFICE, pay } from "./people-with-dues.ts";

const SITE = "/api/admin/setting/site";
const BANK = {
  duesAccount: "한빛은행 123-456-789012",
  duesHolder: "한빛학회",
  duesGuide: "보내신 뒤 하루 안에 반영됩니다.",
  duesLink: "https://pay.example.kr/society",
};

async function setBank(more: object = {}) {
  const admin = await createAdministratorSession();
  const { value, version } = (await callAs(admin, "GET", SITE)).data;
  return callAs(admin, "PATCH", SITE, { ...value, ...BANK, ...more, reason: "시험", version });
}

test("visitors do not get the account of dues", async () => {
  expect((await setBank()).data.value).toMatchObject(BANK);
  const shown = JSON.stringify(await callJson("GET", "/api/site-setting/info"));
  for (const text of Object.values(BANK)) expect(shown).not.toContain(text);
});

test.each(["javascript:alert(1)", "http://pay.example.kr", "/Mypage", "https://"])(
  "%s is refused as the payment page",
  async (duesLink) => {
    const answer = await setBank({ duesLink });
    expect([answer.code, Object.keys(answer.fields)]).toEqual(["INVALID_INPUT", ["duesLink"]]);
  },
);

test("a member sees their own dues", async () => {
  await setBank();
  const member = await createMemberSession();
  const id = await insertPerson("홍길동", member.user.email);
  await charge(id, "2025", { paid: AMOUNT });
  const open = await charge(id, "2026", { dueDay: "2026-06-30" });
  const { dues, pay: how } = await listOwnDues(await contextFor(member));
  expect(how).toEqual({
    account: BANK.duesAccount,
    holder: BANK.duesHolder,
    guide: BANK.duesGuide,
    link: BANK.duesLink,
  });
  const payName = `홍길동${payDigits(id)}`;
  expect(dues).toMatchObject([
    { period: "2026", kindName: "연회비", state: "unpaid", open: AMOUNT, dueDay: "2026-06-30", payName, payments: [] },
    { period: "2025", state: "paid", open: 0, payments: [{ day: "2026-03-02", amount: AMOUNT }] },
  ]);
  await pay(open, 3150);
  const [partly] = (await listOwnDues(await contextFor(member))).dues;
  expect(partly).toMatchObject({ state: "partial", open: 70_000, payments: [{ amount: 3150 }] });
});

test("a person without dues sees no account", async () => {
  await setBank();
  const member = await createMemberSession();
  const other = await createMemberSession();
  await charge(await insertPerson("김동기", other.user.email), "2026");
  await insertPerson("홍길동", member.user.email);
  expect(await listOwnDues(await contextFor(member))).toEqual({ dues: [], pay: null });
  expect([
    await hasOwnDues(scopeFor(member)),
    await hasOwnDues(scopeFor(other)),
    await hasOwnDues(scopeFor(null)),
  ]).toEqual([false, true, false]);
  await expect(listOwnDues(await contextFor(null))).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("an entry with an unconfirmed address is not the member's", async () => {
  const member = await createMemberSession();
  await charge(await insertPerson("홍길동", member.user.email, { hold: "old@pid.example.kr" }), "2026");
  expect((await listOwnDues(await contextFor(member))).dues).toEqual([]);
});

test("the office's look at a person's dues is recorded", async () => {
  const office = await createDuesOffice();
  const id = await insertPerson("홍길동");
  await charge(id, "2026", { isExempt: true });
  const { data } = await callAs(office, "GET", `/api/alumni/${id}/dues`);
  expect(data).toMatchObject([{ period: "2026", state: "exempt", open: 0, amount: AMOUNT }]);
  const looks = await readRows("SELECT target_id, detail FROM audit_log WHERE action = 'due.list'");
  expect(looks).toEqual([{ target_id: id, detail: null }]);
});

test("nobody else reads a person's dues", async () => {
  const member = await createMemberSession();
  const id = await insertPerson("홍길동", member.user.email);
  await charge(id, "2026");
  const codes = await Promise.all(
    [
      null,
      member,
      await createSessionWith(OFFICE),
      await createSessionWith(["Alumni_Read", "Alumni_Write", "Dues_Manage"]),
    ].map(async (who) => (await callAs(who, "GET", `/api/alumni/${id}/dues`)).code),
  );
  expect(codes).toEqual(["UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
});

test("a member's download has only their own dues", async () => {
  const member = await createMemberSession();
  const other = await createMemberSession();
  await charge(await insertPerson("홍길동", member.user.email), "2026", { paid: AMOUNT });
  const dataOf = async (who: typeof member) =>
    (await callAs(who, "GET", `/api/user/${who.user.id}/export`)).data.dues as unknown[];
  expect(await dataOf(member)).toMatchObject([
    { period: "2026", amount: AMOUNT, payments: [{ day: "2026-03-02", amount: AMOUNT }] },
  ]);
  expect(await dataOf(other)).toEqual([]);
});
