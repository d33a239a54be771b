import type { AlumniField } from "#worker/contract/alumni/columns.ts";
import type { ConditionKey } from "#worker/contract/alumni/conditions.ts";
import { type FieldFilterKey, fieldFilterKey } from "#worker/contract/alumni/list.ts";
import type { OwnFieldCode, OwnFieldKind } from "#worker/contract/alumni/own-fields.ts";
import { callAs } from "../../support/api-client.ts";
import type { TestSession } from "../../support/people.ts";
import { runSql } from "../../support/test-database.ts";
import { makeDueKind } from "./dues.ts";
import { add, make } from "./own-fields.ts";
import { charge } from "./people-with-dues.ts";
import type { ActKinds } from "./segment-acts.ts";

interface Held {
  value: string | number | string[] | object;
  /** The condition that finds it. */
  text: string;
}

const BOOK_VALUES: Record<AlumniField, Held> = {
  name: { value: "가온누리", text: "has:가온" },
  cohort: { value: 31, text: "in:31" },
  graduationYear: { value: 1997, text: "between:1997,1997" },
  major: { value: "경영학", text: "has:경영" },
  affiliation: { value: "가온상사", text: "in:가온상사" },
  department: { value: "총무부", text: "filled" },
  position: { value: "과장", text: "in:과장,부장" },
  email: { value: "gaon@pid.example.kr", text: "has:gaon" },
  mobile: { value: "010-3131-3131", text: "has:3131" },
  phone: { value: "02-313-1313", text: "filled" },
  zipCode: { value: "03131", text: "in:03131" },
  address: { value: "서울특별시 종로구 가온길 31", text: "has:가온길" },
  memo: { value: "오후에 연락", text: "has:오후" },
  state: { value: "휴면", text: "in:휴면" },
  stateDate: { value: "2024-03-01", text: "between:2024-01-01,2024-12-31" },
  stateNote: { value: "해외 연수", text: "has:연수" },
  refuses: { value: "문자", text: "has:문자" },
};

const OWN_VALUES: Record<OwnFieldKind, Held & { choices?: string[] }> = {
  text: { value: "한자 이름", text: "has:한자" },
  number: { value: 5, text: "between:4,6" },
  date: { value: "2020-01-02", text: "between:2020-01-01,2020-01-03" },
  choice: { value: "정회원", text: "in:정회원", choices: ["정회원", "준회원"] },
  choices: { value: ["면역"], text: "in:면역,감염", choices: ["면역", "감염", "유전"] },
  phone: { value: "02-555-7777", text: "has:7777" },
  email: { value: "second@pid.example.kr", text: "has:second" },
  address: { value: "부산광역시 중구 31", text: "has:중구" },
  yesNo: { value: "예", text: "in:예" },
  file: { value: { fileId: "f", fileName: "이력서.pdf" }, text: "filled" },
};

const OTHER_CONDITIONS: Record<Exclude<ConditionKey, FieldFilterKey>, string> = {
  keyword: "가온누리",
  cohort: "31",
  graduationYear: "1997",
  affiliation: "가온",
  dues: "2026:unpaid",
  registered: "days:30",
};

const KINDS = Object.keys(OWN_VALUES) as OwnFieldKind[];

export interface ConditionedBook {
  /** Each condition finds one of two people. */
  texts: ReadonlyMap<ConditionKey, string>;
  own: Record<OwnFieldKind, OwnFieldCode>;
  kinds: ActKinds;
}

/** A book whose every condition finds the same one of two people. */
export async function makeConditionedBook(admin: TestSession): Promise<ConditionedBook> {
  const codes: [OwnFieldKind, OwnFieldCode][] = [];
  for (const kind of KINDS) {
    const choices = OWN_VALUES[kind].choices;
    const code = await make(admin, { name: `새 ${kind}`, kind, access: "office", ...(choices && { choices }) });
    codes.push([kind, code as OwnFieldCode]);
  }
  const values = Object.fromEntries(Object.entries(BOOK_VALUES).map(([field, { value }]) => [field, value]));
  const own = Object.fromEntries(
    codes.flatMap(([kind, code]) => (kind === "file" ? [] : [[code, OWN_VALUES[kind].value]])),
  );
  const found = await add(admin, "가온누리", own, values);
  const other = await add(admin, "다른", {}, { email: "other@pid.example.kr" });
  const [, fileCode] = codes.find(([kind]) => kind === "file") ?? [];
  await runSql(
    "UPDATE alumni SET own = json_set(own, ?, json(?)) WHERE id = ?",
    `$.${fileCode}`,
    JSON.stringify(OWN_VALUES.file.value),
    found,
  );
  await runSql("UPDATE alumni SET created_date = 1 WHERE id = ?", other);
  await charge(found, "2026");
  const certificate = await callAs(admin, "PUT", "/api/admin/certificate-kind", {
    name: "재직 증명서",
    body: "재직을 증명합니다.",
    numberPattern: "재직 {{연도}}-{{번호}}",
  });
  const due = await makeDueKind(admin);
  const texts = new Map<ConditionKey, string>(Object.entries(OTHER_CONDITIONS) as [ConditionKey, string][]);
  for (const [field, { text }] of Object.entries(BOOK_VALUES)) texts.set(fieldFilterKey(field as AlumniField), text);
  for (const [kind, code] of codes) texts.set(fieldFilterKey(code), OWN_VALUES[kind].text);
  return {
    texts,
    own: Object.fromEntries(codes) as Record<OwnFieldKind, OwnFieldCode>,
    kinds: { due, certificate: certificate.data.id },
  };
}
