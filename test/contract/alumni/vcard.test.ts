import { expect, test } from "vitest";
import { alumniListPath, readAlumniChoice } from "#app/features/alumni/list-choice.ts";
import { copiedEmailsMessage, uniqueEmails, renderVCards } from "#app/features/alumni/vcard.ts";
import { EMPTY_ALUMNI_VALUES } from "#worker/contract/alumni/columns.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";

const PERSON: AlumniRow = {
  ...EMPTY_ALUMNI_VALUES,
  id: "00000000-0000-4000-8000-000000000001",
  name: "홍길동",
  cohort: 3,
  graduationYear: 2004,
  major: "",
  affiliation: "한빛병원; 본원",
  department: "소아청소년과",
  position: "교수",
  email: "hong@pid.example.kr",
  mobile: "010-0000-1234",
  phone: "02-000-5678",
  zipCode: "03080",
  address: "서울특별시 종로구 가상로 1, 한빛대학교병원 의생명연구동 5층 소아청소년과 외래\nEND:VCARD",
  memo: "비밀",
  own: {},
  createdDate: "",
  modifiedDate: "",
  version: 1,
  mine: false,
  openFields: [],
};

test("no text can break out of its line in a vCard", () => {
  const card = renderVCards([PERSON]);
  const lines = card.split("\r\n");
  expect(lines.slice(0, 4)).toEqual(["BEGIN:VCARD", "VERSION:3.0", "N:홍길동;;;;", "FN:홍길동"]);
  expect(card).toContain("ORG:한빛병원\\; 본원;소아청소년과\r\n");
  expect(card).toContain("TEL;TYPE=CELL:010-0000-1234\r\n");
  expect(lines.filter((line) => line === "END:VCARD")).toHaveLength(1);
  expect(card.replaceAll("\r\n ", "")).toContain("외래\\nEND:VCARD;;;03080;");
  for (const line of lines) expect(new TextEncoder().encode(line).length, `${line}`).toBeLessThanOrEqual(75);
  expect(card).not.toContain("비밀");
});

test("masked values are in no list of contacts", () => {
  const masked = { ...PERSON, mobile: "010-****-1234", email: "ho***@pid.example.kr", phone: "", address: "" };
  const card = renderVCards([masked, PERSON]);
  expect(card.match(/BEGIN:VCARD/g)).toHaveLength(2);
  expect(card).not.toContain("*");
  expect(uniqueEmails([masked, PERSON, PERSON])).toEqual(["hong@pid.example.kr"]);
});

test("the list address keeps the chosen columns in order", () => {
  const read = (search: string) => readAlumniChoice(new URLSearchParams(search));
  expect(read("columns=mobile,affiliation,mobile,secret").columns).toEqual(["name", "mobile", "affiliation"]);
  expect(read("columns=name&columns=email&columns=cohort").columns).toEqual(["name", "email", "cohort"]);
  const choice = read("keyword=ㅎㄱㄷ&sort=cohort,DESC&page=3&columns=name,email");
  expect(alumniListPath(choice)).toBe(
    `/Alumni?${new URLSearchParams("sort=cohort,DESC&page=3&keyword=ㅎㄱㄷ&columns=name,email")}`,
  );
  expect(alumniListPath(read(""))).toBe("/Alumni");
});

test("copying reports the people left out", () => {
  const others = ["a***@pid.example.kr", "", ""].map((email, at) => ({ ...PERSON, name: `빠진이${at}`, email }));
  expect(copiedEmailsMessage([PERSON])).toBe("1명의 이메일 주소 1개를 복사하였습니다.");
  expect(copiedEmailsMessage([PERSON, { ...PERSON, name: "같은이" }, ...others])).toBe(
    "5명의 이메일 주소 1개를 복사하였습니다. 1명은 주소가 다른 사람과 같습니다. 주소가 없거나 볼 수 없어 빠진 3명: 빠진이0, 빠진이1, 빠진이2",
  );
  const many = Array.from({ length: 7 }, (_, at) => ({ ...PERSON, name: `${at}`, email: "" }));
  expect(copiedEmailsMessage(many)).toContain("빠진 7명: 0, 1, 2, 3, 4 외 2명");
});

test("own fields are listed in the note of a vCard", () => {
  const field = {
    kind: "text",
    choices: [],
    required: false,
    access: "members",
    personEdits: false,
    inList: false,
  } as const;
  const own = [
    { ...field, code: "own1", name: "구분", choices: [] },
    { ...field, code: "own2", name: "팩스", choices: [] },
    { ...field, code: "own3", name: "관심 분야", choices: [] },
  ] as const;
  const card = renderVCards(
    [{ ...PERSON, own: { own1: "정회원; 이사", own3: ["면역", "감염"] } }],
    own.map((each) => ({ ...each, choices: [] })),
  );
  expect(card.replaceAll("\r\n ", "")).toContain("NOTE:구분: 정회원\\; 이사\\n관심 분야: 면역\\, 감염\r\n");
  expect(renderVCards([PERSON], [])).not.toContain("NOTE");
});
