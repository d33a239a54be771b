import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { choice, day, flag, line, whole } from "#worker/contract/kernel/row.ts";

export const DUE_STATE_LABELS = { unpaid: "미납", partial: "일부", paid: "완납", exempt: "면제" } as const;

export type DueState = keyof typeof DUE_STATE_LABELS;

/** Why a person is on a fixed list. */
export const LISTED_STATE_LABELS = { ...DUE_STATE_LABELS, life: "평생회원" } as const;

export type ListedState = keyof typeof LISTED_STATE_LABELS;

export type DepositSource = "bank" | "hand" | "begin";

/** A question that a stored deposit keeps: by its file, a stored one like it, or a withdrawal. */
export type StoredDoubt = "" | "balance" | "correction" | "sign" | "twin" | "twice" | "refunded";

export const DUE_WORK_LABELS = {
  charge: "청구",
  bank: "입금 파일",
  other: "회비 아님",
  begin: "지난 회비",
  list: "확정한 명단",
  voters: "선거인 명부",
} as const;

export type DueWorkKind = keyof typeof DUE_WORK_LABELS;

/** How a deposit was found to pay a due, in the order in which they are tried. */
export const ALLOCATION_CAUSE_LABELS = {
  digits: "이름과 네 자리",
  name: "이름과 금액",
  inText: "입금자명에 포함된 이름과 금액",
  remembered: "기억한 입금자",
  person: "직접 고름",
} as const;

export type AllocationCause = keyof typeof ALLOCATION_CAUSE_LABELS;

export const DUE_LIMITS = {
  /** Rows of one bank file. */
  bankRows: 5000,
  /** People of one run. */
  people: 20_000,
  /** Won. */
  amount: 100_000_000,
  undoDays: 30,
  period: 13,
  /** Letters of a cell that says who paid. */
  word: 30,
  note: 200,
} as const;

/** The choices of period and kind are those that exist. */
export const DUE_FILTERS = {
  keyword: line("이름", { type: "search", max: SIZE_LIMITS.keywordLength }),
  period: line("연도", { max: DUE_LIMITS.period, placeholder: "가장 최근" }),
  kindId: line("종류", { max: 50 }),
  state: choice("상태", DUE_STATE_LABELS),
};

export const DUE_FIELDS = {
  amount: whole("청구액(원)", { required: true, min: 1, max: DUE_LIMITS.amount }),
  dueDay: day("납부 기한"),
  isExempt: flag("면제합니다"),
  reason: line("면제 사유", { max: 100, hint: "면제할 때만 적습니다." }),
};

/** A year, or a part of it: 2026, 2026-1, 2026-상반기. */
export const PERIOD_PATTERN = /^(?:19|20)\d\d(?:-[0-9A-Za-z가-힣]{1,8})?$/;

/** The fees of an event have a period of their own: its year and number. Their due has the id of the registration. */
export const FEE_PERIOD = "-행사";

export const isFeePeriod = (period: string): boolean => period.includes(FEE_PERIOD);

export interface DueAmounts {
  amount: number;
  paid: number;
  isExempt: boolean;
}

export const dueState = ({ amount, paid, isExempt }: DueAmounts): DueState =>
  isExempt ? "exempt" : paid >= amount ? "paid" : paid > 0 ? "partial" : "unpaid";

export const openAmount = ({ amount, paid, isExempt }: DueAmounts): number =>
  isExempt ? 0 : Math.max(amount - paid, 0);

const STATE_CODES = { unpaid: "unpaid", partial: "partial", paid: "paid", exempt: "exempt" };

export const DUE_STATE_SQL = (row: string, words: Record<DueState, string> = STATE_CODES) =>
  `CASE WHEN ${row}.is_exempt THEN '${words.exempt}' WHEN ${row}.paid >= ${row}.amount THEN '${words.paid}' WHEN ${row}.paid > 0 THEN '${words.partial}' ELSE '${words.unpaid}' END`;

const CHECK_WEIGHTS = [3, 7, 9] as const;

const checkDigit = (digits: string): string =>
  String([...digits].reduce((sum, digit, at) => sum + Number(digit) * (CHECK_WEIGHTS[at] ?? 0), 0) % 10);

/** The four digits that a person writes after their name when they pay; the last one checks the others. */
export function payDigits(alumniId: string): string {
  let hash = 0;
  for (const letter of alumniId) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  const digits = String(hash % 1000).padStart(3, "0");
  return digits + checkDigit(digits);
}

export const isPayDigits = (text: string): boolean => /^\d{4}$/.test(text) && checkDigit(text.slice(0, 3)) === text[3];

/** `정회원 50000`, or `정회원 50,000원` */
export function parseGrade(written: string): { grade: string; amount: number } | null {
  const text = written.trim().replace(/원$/, "").trimEnd();
  const cut = Math.max(...[" ", ":", "="].map((sign) => text.lastIndexOf(sign)));
  const grade = text.slice(0, Math.max(cut, 0)).trim().replace(/[:=]$/, "").trimEnd();
  const digits = text.slice(cut + 1).replaceAll(",", "");
  return grade && /^\d{1,9}$/.test(digits) && Number(digits) <= DUE_LIMITS.amount
    ? { grade, amount: Number(digits) }
    : null;
}

export const namesById = (rows: readonly { id: string; name: string }[]): Record<string, string> =>
  Object.fromEntries(rows.map(({ id, name }) => [id, name]));

export const formatWon = (amount: number): string => `${amount.toLocaleString("ko-KR")}원`;

/** Placeholders of a mailing for senders who manage dues, with their column; an own field of the same name replaces one. */
export const DUES_COLUMNS = {
  "회비 연도": "dueYear",
  "회비 금액": "dueAmount",
  입금자명: "duePayer",
  "회비 계좌": "dueAccount",
  예금주: "dueHolder",
  "납부 기한": "dueDay",
} as const;

export type DuesColumn = (typeof DUES_COLUMNS)[keyof typeof DUES_COLUMNS];

export const isDuesColumn = (column: string): column is DuesColumn =>
  Object.values<string>(DUES_COLUMNS).includes(column);
