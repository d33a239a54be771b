import { expect } from "vitest";
import { test } from "../fixtures.ts";

const HINT = "회원님의 정보가 있으면 운영사무국에 연결을 요청해 주십시오.";

test("a member without an entry reads how to be joined", async ({ get, db, admin, member }) => {
  const read = async (cookie: HeadersInit) => (await get("/Alumni", cookie)).text;
  expect((await read(member.cookie)).includes(HINT)).toBe(false);
  await db.exec("UPDATE alumni SET email = ''");
  expect((await read(member.cookie)).includes(HINT)).toBe(true);
  expect((await read(admin.cookie)).includes(HINT)).toBe(false);
});

test("each second factor without a device is named by its kind", async ({ get, member }) => {
  const { text } = await get("/Mypage/Security", member.cookie);
  expect(text.match(/등록된 [^<]* 없습니다\./g)).toEqual(["등록된 패스키가 없습니다.", "등록된 인증 앱이 없습니다."]);
});
