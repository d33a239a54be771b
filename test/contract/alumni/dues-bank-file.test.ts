import { expect, test } from "vitest";
import {
  type BankColumns,
  findBankTable,
  isBankTable,
  payerChoices,
  withPayerColumn,
} from "#worker/contract/alumni/dues/bank-file.ts";
import { readBankRows } from "#worker/contract/alumni/dues/bank-rows.ts";

const sheet = (...lines: string[]) => lines.map((line, at) => ({ row: at + 1, cells: line.split("|") }));

const read = (lines: string[], pointed?: number, columns?: BankColumns) => {
  const rows = sheet(...lines);
  const table = findBankTable(rows, pointed);
  if (!table) return null;
  return readBankRows(rows, { ...table, columns: { ...table.columns, ...columns } });
};

/** Heads as the banks' sites write them, with a deposit of 50,000 and a withdrawal. */
const BANKS: [bank: string, ...lines: string[]][] = [
  [
    "국민은행",
    "거래내역조회",
    "계좌번호 : 123456-01-123456|||조회기간 : 2026.03.01 ~ 2026.03.31",
    "거래일시|적요|보낸분/받는분|송금메모|출금액(원)|입금액(원)|잔액(원)|거래점|구분",
    "2026.03.02 14:05:33|전자금융|강다석 회비||0|50,000|1,050,000|강남|",
    "2026.03.03 09:00:00|FBS출금|김사무||20,000|0|1,030,000|강남|",
    "합계||||20,000|50,000|||",
  ],
  [
    "신한은행",
    "거래일자|거래시간|적요|출금(원)|입금(원)|내용|잔액(원)|거래점",
    "2026-03-02|14:05:33|타행IB||50,000|강다석 회비|1,050,000|국민",
    "2026-03-03|09:00:00|인터넷|20,000||김사무|1,030,000|신한",
  ],
  [
    "우리은행",
    "No.|거래일시|적요|기재내용|찾으신금액|맡기신금액|거래후 잔액|취급점|메모",
    "1|2026.03.02 14:05:33|타행|강다석 회비|0|50,000|1,050,000|우리|",
    "2|2026.03.03 09:00:00|인터넷|김사무|20,000|0|1,030,000|우리|",
    "||합 계||20,000|50,000|||",
  ],
  [
    "하나은행",
    "거래일시|적요|의뢰인/수취인|입금|출금|거래후잔액|구분|거래점|거래특이사항",
    "2026-03-02 14:05:33|대체|강다석 회비|50,000||1,050,000|입금|본점|",
    "2026-03-03 09:00:00|대체|김사무||20,000|1,030,000|출금|본점|",
  ],
  [
    "농협은행",
    "순번|거래일시|출금금액|입금금액|거래후잔액|거래내용|거래기록사항|거래점|거래메모",
    "1|2026/03/02 14:05:33|0원|50,000원|1,050,000원|타행이체|강다석 회비|농협|",
    "2|2026/03/03 09:00:00|20,000원|0원|1,030,000원|이체|김사무|농협|",
  ],
  [
    "기업은행",
    "거래일시|출금|입금|거래후 잔액|거래내용|상대계좌번호|상대은행|메모|거래구분|수표어음금액|CMS코드|상대계좌예금주명",
    "20260302140533|0|50,000|1,050,000|강다석 회비|110-123-456789|신한||인터넷|0||강다석",
    "20260303090000|20,000|0|1,030,000|김사무|110-999-456789|신한||인터넷|0||김사무",
  ],
  [
    "카카오뱅크",
    "카카오뱅크 거래내역",
    "성명|한국학회|||계좌번호|3333-01-1234567",
    "거래일시|구분|거래금액|거래 후 잔액|거래구분|내용|메모",
    "2026.03.02 14:05:33|입금|50,000|1,050,000|일반입금|강다석 회비|",
    "2026.03.03 09:00:00|출금|-20,000|1,030,000|계좌이체|김사무|",
  ],
];

test.each(BANKS)("the file of %s gives each kind of transaction", (_bank, ...lines) => {
  expect(read(lines)).toEqual({
    deposits: [
      { when: "2026-03-02T14:05:33+09:00", payer: "강다석 회비", amount: 50_000, balance: 1_050_000, doubt: null },
    ],
    withdrawals: [
      { when: "2026-03-03T09:00:00+09:00", payer: "김사무", amount: 20_000, balance: 1_030_000, doubt: null },
    ],
    refused: [],
    gaps: [],
  });
});

test("no account number is taken from any cell", () => {
  const lines = ["거래일|상대계좌번호|내용|입금", "2026-03-02|110-123-456789|강다석 110-123-456789|1000"];
  expect(JSON.stringify(read(lines))).not.toMatch(/456789/);
});

test.each([
  ["2026.03.02 14:05", "2026-03-02T14:05:00+09:00"],
  ["2026. 3. 2.", "2026-03-02T00:00:00+09:00"],
  ["2026년 3월 2일 오후 2시 5분", "2026-03-02T14:05:00+09:00"],
  ["26/03/02 14:05:33", "2026-03-02T14:05:33+09:00"],
  ["20260302", "2026-03-02T00:00:00+09:00"],
])("the moment %s is %s", (text, when) => {
  expect(read(["일시|내용|입금", `${text}|강다석|1`])?.deposits[0]?.when).toBe(when);
});

test("a date shown without its year comes from the stored value", () => {
  const [head, row] = sheet("거래일|내용|입금", "3월 2일|강다석|1");
  if (!head || !row) throw new Error("no rows");
  const stored = [{ column: 0, shown: "3월 2일", stored: "2026-03-02", isDate: true }];
  const rows = [head, { ...row, stored }];
  const table = findBankTable(rows);
  expect(table && readBankRows(rows, table).deposits[0]?.when).toBe("2026-03-02T00:00:00+09:00");
});

test("rows that cannot be read are named", () => {
  const lines = [
    "거래일|내용|입금|출금",
    "2026-02-30|강다석|50,000|",
    "|강다석|50,000|",
    "2026-03-02|강다석|오만원|",
    "2026-03-02|이자||",
    "2026-03-02|강다석|999,999,999|",
    "",
    "거래일|내용|입금|출금",
    "2026-03-02|강다석|-50,000|",
    "누계||100,000|",
  ];
  expect(read(lines)).toMatchObject({
    deposits: [],
    withdrawals: [{ payer: "강다석", amount: 50_000, balance: null }],
    refused: [
      { row: 2, reason: "거래일시를 읽을 수 없습니다." },
      { row: 3, reason: "거래일시가 비어 있습니다." },
      { row: 4, reason: "금액을 읽을 수 없습니다." },
      { row: 5, reason: "입금액과 출금액이 모두 비어 있습니다." },
      { row: 6, reason: "금액이 너무 큽니다." },
    ],
  });
});

test("another file is read by its chosen columns", () => {
  const lines = ["통장", "Date|Who|Plus", "2026-03-02|강다석|50000"];
  expect(read(lines)).toBeNull();
  const table = findBankTable(sheet(...lines), 2);
  expect(table).toEqual({ headRow: 2, heads: ["Date", "Who", "Plus"], columns: {} });
  expect(isBankTable({})).toBe(false);
  expect(read(lines, 2, { when: 0, payer: 1, paid: 2 })?.deposits).toEqual([
    { when: "2026-03-02T00:00:00+09:00", payer: "강다석", amount: 50_000, balance: null, doubt: null },
  ]);
});

test("heads in two rows are joined", () => {
  const lines = [
    "거래일자|거래시간|적요|거래금액||잔액|내용",
    "|||출금|입금||",
    "2026-03-02|14:05:33|타행이체|0|30000|530000|홍길동",
    "2026-03-03|14:05:33|급여|30000|0|500000|김직원",
  ];
  expect(read(lines)).toMatchObject({
    deposits: [{ payer: "홍길동", amount: 30_000 }],
    withdrawals: [{ payer: "김직원", amount: 30_000 }],
  });
});

test.each([
  ["a withdrawal in minus", "거래일|내용|입금|출금", "2026-03-02|김직원||-33,000"],
  ["지급(원)", "거래일|내용|입금(원)|지급(원)", "2026-03-02|김직원||33,000"],
  ["brackets", "거래일|내용|거래금액", "2026-03-02|김직원|(33,000)"],
  ["a triangle", "거래일|내용|거래금액", "2026-03-02|김직원|△33,000"],
  ["a trailing minus", "거래일|내용|거래금액", "2026-03-02|김직원|33,000-"],
  ["입금취소 as a kind", "거래일|내용|구분|거래금액", "2026-03-02|김직원|입금취소|33,000"],
  ["입금취소 as a remark", "거래일|적요|내용|입금|출금", "2026-03-02|입금취소|김직원|33,000|"],
])("a row is a withdrawal by %s", (_sign, ...lines) => {
  expect(read(lines)).toMatchObject({ deposits: [], withdrawals: [{ amount: 33_000 }] });
});

test.each(["출금취소", "정정", "반려"])("a deposit with the word %s is a question", (word) => {
  const lines = ["거래일|적요|내용|입금|출금", `2026-03-02|${word}|강다석|33,000|`];
  expect(read(lines)?.deposits).toMatchObject([{ amount: 33_000, doubt: "correction" }]);
});

const SIGNED = [
  "거래일|내용|금액|잔액",
  "2026-03-02|강다석|50,000|150,000",
  "2026-03-03|김직원|30,000|120,000",
  "2026-03-04|강나율|50,000|170,000",
];

test.each(["oldest", "newest"])("the balance gives the sign of amounts without one, the %s first", (first) => {
  const [head = "", ...rows] = SIGNED;
  const found = read([head, ...(first === "newest" ? rows.toReversed() : rows)]);
  expect(found?.withdrawals).toMatchObject([{ payer: "김직원", amount: 30_000, doubt: null }]);
  expect(found?.deposits.find(({ payer }) => payer === "강나율")).toMatchObject({ doubt: null });
});

test("amounts without sign, kind or balance are a question", () => {
  const found = read(["거래일|내용|금액", "2026-03-02|강다석|50,000"]);
  expect(found?.deposits).toMatchObject([{ doubt: "sign" }]);
});

test("a deposit that the balance knows as a withdrawal is one", () => {
  const found = read([
    "거래일|내용|입금|잔액",
    "2026-03-02|강다석|50,000|150,000",
    "2026-03-03|김직원|30,000|120,000",
    "2026-03-04|강나율|50,000|170,000",
  ]);
  expect(found).toMatchObject({
    deposits: [{ payer: "강다석" }, { payer: "강나율" }],
    withdrawals: [{ payer: "김직원" }],
  });
});

const ONE_DAY = [
  "거래일|내용|금액|잔액",
  "2026-03-02|강다석|50,000|150,000",
  "2026-03-02|김직원|30,000|120,000",
  "2026-03-02|강나율|50,000|170,000",
];

test.each(["oldest", "newest"])("rows without a time follow their balances, the %s first", (first) => {
  const [head = "", ...rows] = ONE_DAY;
  const found = read([head, ...(first === "newest" ? rows.toReversed() : rows)]);
  expect([found?.withdrawals, found?.gaps]).toMatchObject([[{ payer: "김직원", amount: 30_000 }], []]);
});

test("an amount whose column the balance contradicts is a question", () => {
  const found = read([
    "거래일|내용|입금|잔액",
    "2026-03-02|강다석|50,000|150,000",
    "2026-03-03|김직원|30,000|120,000",
    "2026-03-04|강나율|50,000|170,000",
  ]);
  expect([found?.withdrawals, found?.deposits]).toMatchObject([
    [{ payer: "김직원", doubt: "balance" }],
    [{ doubt: null }, { doubt: null }],
  ]);
});

test("a column of other numbers than balances proves nothing", () => {
  const found = read([
    "거래일|내용|입금|잔액",
    "2026-03-02|가|50,000|1",
    "2026-03-03|나|50,000|50,001",
    "2026-03-04|다|50,000|7",
    "2026-03-05|라|50,000|9",
  ]);
  expect([found?.deposits.map(({ doubt }) => doubt), found?.gaps]).toEqual([[null, null, null, null], []]);
});

test("a row that contradicts the balance is a question", () => {
  const found = read([
    "거래일|내용|입금|잔액",
    "2026-03-02|가|50,000|150,000",
    "2026-03-03|나|50,000|200,000",
    "2026-03-04|다|50,000|250,000",
    "2026-03-05|라|50,000|900,000",
  ]);
  expect([found?.gaps, found?.deposits.map(({ doubt }) => doubt)]).toEqual([
    [["2026-03-04", "2026-03-05"]],
    [null, null, null, "balance"],
  ]);
});

test("a day without its year says so", () => {
  expect(read(["거래일|내용|입금", "03.02|강다석|1"])?.refused[0]?.reason).toContain("연도가 없습니다");
});

test("a cell written as a formula of a text is read", () => {
  const found = read(["거래일|내용|입금", '="2026-03-02"|="강다석"|="50,000"']);
  expect(found?.deposits).toMatchObject([{ payer: "강다석", amount: 50_000 }]);
});

test("the payer is read from the column that varies", () => {
  const lines = ["거래일|적요|내용|입금", "2026-03-02|강다석|인터넷뱅킹|1000", "2026-03-03|강나율|인터넷뱅킹|1000"];
  expect(read(lines)?.deposits.map(({ payer }) => payer)).toEqual(["강다석", "강나율"]);
});

const choicesIn = (...lines: string[]) => {
  const rows = sheet(...lines);
  const table = findBankTable(rows);
  return table && payerChoices(rows, table);
};

test("two columns that name payers alike are a question", () => {
  const found = choicesIn(
    "거래일시|입금액|거래내용|상대계좌예금주명",
    "2026-03-02|50,000|김하늘|김하늘",
    "2026-03-02|50,000|강다석 회비|강다석",
    "2026-03-03|50,000|26회비|강나율",
    "2026-03-04|50,000|이바다 총회|",
    "2026-03-05|50,000|회비 납부|최가람",
  );
  expect(found).toEqual([
    { column: 2, head: "거래내용", samples: ["강다석 회비", "26회비", "이바다 총회"] },
    { column: 3, head: "상대계좌예금주명", samples: ["강다석", "강나율", ""] },
  ]);
});

test.each([
  ["the way of a payment", "전자금융", "타행이체"],
  ["one text in each row", "메모", "메모"],
  ["the same as the other", "강다석", "강나율"],
])("a second column with %s asks nothing", (_what, first, second) => {
  const lines = ["거래일시|입금액|적요|내용", `2026-03-02|1|${first}|강다석`, `2026-03-03|1|${second}|강나율`];
  expect(choicesIn(...lines)).toEqual([]);
});

test("the chosen column is the payer", () => {
  const rows = sheet("거래일시|입금액|거래내용|상대계좌예금주명", "2026-03-02|1|26회비|강나율");
  const table = findBankTable(rows);
  expect(table && readBankRows(rows, withPayerColumn(table, 3)).deposits).toMatchObject([{ payer: "강나율" }]);
});

test("two rows of heads with the sender in the last column", () => {
  const lines = [
    "거래일자|거래시간|적요|거래금액||잔액|내용",
    "|||출금|입금||",
    "2026-03-02|14:05:33|타행이체|0|30000|530000|홍길동",
    "2026-03-03|14:05:33|급여|30000|0|500000|김직원",
  ];
  expect(read(lines)).toMatchObject({
    deposits: [{ when: "2026-03-02T14:05:33+09:00", payer: "홍길동", amount: 30_000, doubt: null }],
    withdrawals: [{ when: "2026-03-03T14:05:33+09:00", payer: "김직원", amount: 30_000, doubt: null }],
  });
});
