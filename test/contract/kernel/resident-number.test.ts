import { expect, test } from "vitest";
import {
  containsResidentNumber,
  replaceResidentNumbers,
  residentNumberMessage,
} from "#worker/contract/kernel/resident-number.ts";
import { noFindings, oldLine } from "#worker/domain/moving/old-text.server.ts";

// Each line covers one branch of the rule; without that branch the text passes.
const NUMBERS: [text: string, rest: string][] = [
  ["900101-1234567", ""],
  ["9001011234567", ""],
  ...Array.from("12345678", (sex): [string, string] => [`900101-${sex}234567`, ""]),
  ...["‐", "‑", "‒", "–", "—", "―", "−", "－", "﹣"].map((dash): [string, string] => [`900101${dash}1234567`, ""]),
  ["900101 1234567", ""],
  ["900101   1234567", ""],
  ["900101   -   1234567", ""],
  ["９００１０１-１２３４５６７", ""],
  ["000101-3234567", ""],
  ["901231-1234567", ""],
  ["901010-1234567", ""],
  ["900930-1234567", ""],
  ["메모 900101-1234567로", "메모 로"],
  ["900101-1234567, 910202-2345678", ", "],
  // Preceded by a similar text that is no number.
  ["991301-1234567 900101-1234567", "991301-1234567 "],
  // A valid check digit outweighs a barcode, a time and a short birthday.
  ["주민번호는9001011234568입니다.", "주민번호는입니다."],
  ["주민번호: 9001011234568.", "주민번호: ."],
  ["홍길동/9001011234568/서울", "홍길동//서울"],
  ["(900101-1234567)", "()"],
  ["홍길동 900101-1234567.pdf", "홍길동 .pdf"],
  ["1501012345671", ""],
  // Numbers since October 2020 have no check digit.
  ["2105013234567", ""],
];
const OTHERS = [
  "900101-0234567",
  "900101-9234567",
  "901301-1234567",
  "900001-1234567",
  "900132-1234567",
  "900100-1234567",
  "900141-1234567",
  "900101-123456",
  "900101-12345678",
  "1900101-1234567",
  "１900101-1234567",
  "900101-1234567８",
  "900101--1234567",
  "900101    1234567",
  "900101/1234567",
  "010-1234-5678",
  "",
  "900230-1234567",
  "https://www.example.kr/view/9001011234568",
  "https://example.kr/a?no=900101-1234567&x=1",
  "www.example.kr/900101-1234567",
  "example.co.kr/b/9001011234568",
  "/board/notice/View/9001011234568",
  "바코드 8801012345675",
  "8801031122332",
  "사진_1701012345678.jpg",
  "1701012345678.jpg",
  "1701012345678",
  "9001011234568.png",
  "문서 2024-900101-1234567",
  "900101-1234567-01",
  "2024-9001011234568",
  "ISBN9001011234568",
  "9001011234568KR",
  "계좌 110-900101-1234567",
  "IMG_9001011234568",
];

test.each(NUMBERS)("%s is removed as a resident registration number", (text, rest) => {
  expect(containsResidentNumber(text)).toBe(true);
  expect(replaceResidentNumbers(text, () => "")).toBe(rest);
  const findings = noFindings();
  expect(containsResidentNumber(oldLine(text, findings, 200))).toBe(false);
  expect(findings.hasResidentNumber).toBe(true);
});

test.each(OTHERS)("%s stays as no resident registration number", (text) => {
  expect(containsResidentNumber(text)).toBe(false);
  expect(replaceResidentNumbers(text, () => "")).toBe(text);
});

test("text around the number is passed on unchanged", () => {
  expect(
    replaceResidentNumbers("가９００１０１ – １２３４５６７나", ({ birthday, between }) => `${birthday}${between}*`),
  ).toBe("가900101 – *나");
});

test("the refusal shows the masked number with its surrounding text", () => {
  expect(residentNumberMessage("연락처와 함께 적어 두었습니다: 900101-1234567 을 지워 주십시오")).toBe(
    "주민등록번호로 보이는 값은 저장할 수 없습니다. 지우고 다시 등록해 주십시오: …적어 두었습니다: 900101-1****** 을 지워 주십시오",
  );
  expect(residentNumberMessage("9001011234568, 910202-2345678")).toMatch(/: 900101-1\*{6}, 910202-2…$/);
});
