import { isKoreanName } from "#worker/contract/alumni/korean-name.ts";
import { groupedBy } from "#worker/contract/kernel/grouped-by.ts";
import { countUntil } from "#worker/contract/kernel/sorted-rows.ts";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { BANK_DOUBT_LABELS, type Movement } from "./bank-file.ts";
import { type AllocationCause, isPayDigits, payDigits } from "./dues.ts";

export const PILE_LABELS = { sure: "맞음", ask: "고르십시오", twin: "확인 필요", unknown: "모름" } as const;

export type Pile = keyof typeof PILE_LABELS;

/** Why the program leaves a deposit to the office. */
export const ASK_REASON_LABELS = {
  digits: "네 자리가 맞지 않음",
  namesakes: "같은 이름이 여럿",
  amount: "금액이 회비와 다름",
  paid: "낼 회비가 없음",
  twice: "같은 날 같은 금액을 또 보냄",
  refunded: "돌려준 돈으로 보임",
  short: "이름이 잘린 듯함",
  words: "이름 말고 다른 말이 있음",
  cohort: "기수가 다름",
  inactive: "활동 회원이 아님",
  remembered: "기억한 입금자와 다름",
  organisation: "기관이 보낸 돈",
  twin: "이미 저장한 입금일 수 있음",
  ...BANK_DOUBT_LABELS,
} as const;

export type AskReason = keyof typeof ASK_REASON_LABELS;

export type OpenDue = { id: string; year: string; open: number };

export interface BookPerson {
  id: string;
  name: string;
  cohort: number | null;
  affiliation: string;
  mobileTail: string;
  isActive: boolean;
  /** Oldest first. */
  dues: OpenDue[];
}

/** @param remembered people whom the office chose for the same payer before */
export type MatchBook = { people: readonly BookPerson[]; remembered: (payer: string) => readonly string[] };

export const byTime = (one: Movement, other: Movement): number =>
  one.when < other.when ? -1 : Number(one.when > other.when);

export type DepositAllocation = { dueId: string; amount: number };

export interface DepositMatch {
  pile: Pile;
  cause: AllocationCause | null;
  why: AskReason | null;
  people: string[];
  allocations: DepositAllocation[];
}

const CANDIDATES_MAX = 5;

const spaced = (text: string) =>
  normaliseUnicode(text, "NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Equal for names and payers that differ in spaces, marks and case only. */
export const payerKey = (text: string): string => spaced(text).replaceAll(" ", "");

/** Every part of the text that may be a name, to read the people from the book. */
export function nameParts(payer: string): string[] {
  const key = payerKey(payer);
  const parts = [2, 3, 4, 5].flatMap((length) => Array.from(key, (_, at) => key.slice(at, at + length)));
  return [key, ...spaced(payer).split(" "), ...parts].filter(({ length }) => length >= 2);
}

/** Years, cohorts, amounts, dues, membership and titles. */
const KNOWN_WORDS =
  /(?<!\d)\d{1,2}년분|(?<!\d)\d\d(?=(?:연|년|정기)?회비)|(?:19|20)?\d\d(?:학년도|년도|년)분?|(?<!\d)(?:19[89]|20[0-4])\d(?!\d)|제?\d{1,3}기|\d{1,4}(?:만원|천원|원)|(?:정기|평생|특별|가입|입회|동문|동창|학회|총회|연|년|월|정)?회비|가입비|입회비|연도|상반기|하반기|납부|납입|입금|송금|이체|동문회|동창회|동문|동창|학회|(?:정|준|평생|명예)?회원|부?회장|이사장|이사|원장|센터장|학장|총장|총무|감사|고문|위원장|위원|교수|강사|박사|선생님|선생|대표|사장|전무|상무|실장|과장|부장|팀장|국장|소장|전문의|의사|약사|간호사|변호사|배상|올림|드림|님|씨/g;

const ORGANISATION =
  /^\p{L}{2,30}(?:병원|의원|의료원|대학교|대학|학교|센터|연구소|연구원|재단|협회|학회|법인|약국|치과|보건소|공단|회사|은행)$/u;

const RETURN_WORDS = /반환|환불|환급|취소|반려|정정/g;

/** The payer without known words and digits, and the parts of it that may be a name. */
export function payerNames(payer: string): { whole: string; parts: string[] } {
  const words = spaced(payer).replace(KNOWN_WORDS, " ").replace(RETURN_WORDS, " ").replace(/\d+/g, " ").split(" ");
  const named = words.filter(({ length }) => length > 1);
  const whole = words.join("");
  if (whole.length < 2) return { whole: "", parts: [] };
  return { whole, parts: whole.length > RUN_ON_MAX ? named : [...named, ...slicesOf(whole)] };
}

/** Letters of a payer in which a name is found without a space around it. */
const RUN_ON_MAX = 12;

const slicesOf = (key: string) =>
  [2, 3, 4, 5].flatMap((length) =>
    Array.from({ length: key.length - length + 1 }, (_, at) => key.slice(at, at + length)),
  );

const NO_NAME =
  /㈜|\(주\)|주식회사|병원|의원|대학|재단|학회(?!비|장)|협회|센터|법인|회사|은행|약국|치과|학교|기업|조합|지회|지부|본부|이자|급여|수수료/;

/** A Korean or a Latin name; anything else, as 한빛병원 or (주)가나, may pay for anybody. */
export function isPersonPayer(payer: string): boolean {
  if (NO_NAME.test(payer)) return false;
  const text = spaced(payer).replace(KNOWN_WORDS, " ").replace(/\d+/g, " ").trim();
  return /^[a-z]{2,}(?: [a-z]+){1,3}$/.test(text) || isKoreanName(text);
}

const YEAR_LIKE = /^(?:19[89]|20[0-4])\d$/;

/** Enough to know that a cut name may be anybody's. */
const STARTING_MAX = 200;

type Account = BookPerson & { key: string };

/** A word directly after a name may belong to a longer name: 강나율이비인후과의원 is a company. */
function explainedFor(rest: string, isAfter: boolean): (person: BookPerson) => boolean {
  const word = rest.replace(KNOWN_WORDS, " ").replaceAll(" ", "");
  if (word === "" || (ORGANISATION.test(word) && !(isAfter && !rest.startsWith(" ")))) return () => true;
  return ({ affiliation, cohort }) => {
    if (word === String(cohort)) return true;
    const own = payerKey(affiliation);
    return word.length >= 2 && own.length >= 2 && (own.includes(word) || word.includes(own));
  };
}

function openBook(people: readonly BookPerson[]) {
  const accounts = people.map((person): Account => {
    const dues = person.dues.filter(({ open }) => open > 0).map((due) => ({ ...due }));
    return { ...person, dues, key: payerKey(person.name) };
  });
  const byKey = groupedBy(accounts, ({ key }) => key);
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const keys = [...byKey.keys()].toSorted();
  const lengths = [...new Set(keys.map(({ length }) => length))].filter((length) => length > 1);
  return {
    known: (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []),
    /** The first of those whose name is longer. */
    startingWith(start: string): Account[] {
      const found: Account[] = [];
      const first = countUntil(keys, String, start);
      for (const key of keys.slice(first, first + STARTING_MAX)) {
        if (!key.startsWith(start) || found.length >= STARTING_MAX) break;
        found.push(...(byKey.get(key) ?? []));
      }
      return found;
    },
    /** Clean names have only known words and the person's workplace with them. */
    namedIn(text: string) {
      const key = text.replaceAll(" ", "");
      const places = [...text.matchAll(/[^ ]/g)].map(({ index }) => index);
      return lengths.flatMap((length) =>
        places.flatMap((from, at) => {
          const found = at + length > key.length ? undefined : byKey.get(key.slice(at, at + length));
          if (!found) return [];
          const before = text.slice(0, from);
          const after = text.slice((places[at + length - 1] ?? from) + 1);
          // A Latin name is a whole word.
          if (/^[a-z]/.test(key.slice(at)) && (/[a-z]$/.test(before) || /^[a-z]/.test(after))) return [];
          const [isBefore, isAfter] = [explainedFor(before, false), explainedFor(after, true)];
          return found.map((person) => ({
            person,
            isClean: isBefore(person) && isAfter(person),
            isWhole: length === key.length,
            isLast: at + length === key.length,
          }));
        }),
      );
    },
  };
}

const inFull = (dues: readonly OpenDue[]): DepositAllocation[] =>
  dues.map(({ id, open }) => ({ dueId: id, amount: open }));

const sumOf = (dues: readonly OpenDue[]) => dues.reduce((sum, { open }) => sum + open, 0);

/** The oldest dues, or one, that are exactly the amount; null if none or if both are. */
function exactDues(dues: readonly OpenDue[], amount: number, years?: ReadonlySet<string>) {
  const asked = years?.size ? dues.filter(({ year }) => years.has(year)) : dues;
  const count = asked.findIndex((_, at) => sumOf(asked.slice(0, at + 1)) === amount) + 1;
  const single = asked.find(({ open }) => open === amount);
  if (count > 1) return single ? null : inFull(asked.slice(0, count));
  return single ? inFull([single]) : null;
}

/** As far as the money goes; the rest stays on the deposit. */
export function oldestDues(dues: readonly OpenDue[], amount: number): DepositAllocation[] {
  let left = amount;
  return dues.flatMap(({ id, open }) => {
    const paid = Math.min(open, left);
    left -= paid;
    return paid > 0 ? [{ dueId: id, amount: paid }] : [];
  });
}

/** Dues of one person or several that are exactly the amount: the oldest of each, or all. */
export function sharedDues(people: readonly BookPerson[], amount: number, years?: ReadonlySet<string>) {
  const [first] = people;
  if (first && people.length === 1) return exactDues(first.dues, amount, years);
  const sets = [people.flatMap(({ dues }) => dues.slice(0, 1)), people.flatMap(({ dues }) => dues)];
  const found = sets.find((dues) => dues.length > 0 && sumOf(dues) === amount);
  return found ? inFull(found) : null;
}

export const UNKNOWN: DepositMatch = { pile: "unknown", cause: null, why: null, people: [], allocations: [] };

/** `26-27`, `2026~2027`. */
const YEAR_RANGE = /(?<!\d)(?:20)?([0-4]\d)\s?[-~]\s?(?:20)?([0-4]\d)(?![\d-])/g;

const yearsOfRange = (payer: string): string[] =>
  [...payer.matchAll(YEAR_RANGE)].flatMap(([, from, to]) => {
    const years = Number(to) - Number(from) + 1;
    return years > 1 && years <= 10 ? Array.from({ length: years }, (_, at) => `${2000 + Number(from) + at}`) : [];
  });

function decide(book: ReturnType<typeof openBook>, { payer, amount }: Movement, knownIds: readonly string[]) {
  const text = spaced(payer.replace(YEAR_RANGE, " "));
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, value = ""]) => value);
  const years = new Set([
    ...found(/(?<!\d)((?:19[89]|20[0-4])\d)(?!\d)/g),
    ...found(/(?<!\d)(\d\d)(?:년(?!분)|(?:연|년|정기)?회비)/g).map((year) => `20${year}`),
    ...yearsOfRange(payer),
  ]);
  const cohorts = new Set(found(/(?<!\d)(\d{1,3})기/g).map(Number));
  const named = book.namedIn(text);
  const clean = named.filter(({ isClean }) => isClean);
  const people = [...new Set(named.map(({ person }) => person))];
  const known = book.known(knownIds);
  const four = found(/(?<!\d)(\d{4})(?!\d)/g);
  const digits = four.filter((each) => !YEAR_LIKE.test(each));
  const hasCohort = ({ cohort }: Account) => cohort !== null && cohorts.has(cohort);
  // A year is a person's digits only if nobody else has the name.
  const fitsDigits = ({ id, mobileTail }: Account) =>
    digits.some((each) => (isPayDigits(each) && each === payDigits(id)) || each === mobileTail) ||
    (people.length === 1 && four.includes(payDigits(id)));
  const weight = (person: Account) =>
    [fitsDigits(person), hasCohort(person), exactDues(person.dues, amount) !== null, person.dues.length > 0].reduce(
      (sum, fits) => sum * 2 + Number(fits),
      clean.some((each) => each.person === person) ? 1 : 0,
    );
  const sure = (cause: AllocationCause, paying: readonly Account[], allocations: DepositAllocation[]): DepositMatch => {
    const ids = paying.map(({ id }) => id);
    return { pile: "sure", cause, why: null, people: ids, allocations };
  };
  const ask = (why: AskReason, asked: readonly Account[]): DepositMatch => {
    const best = [...new Set(asked)].toSorted((a, b) => weight(b) - weight(a)).slice(0, CANDIDATES_MAX);
    return best.length === 0 ? UNKNOWN : { ...UNKNOWN, pile: "ask", why, people: best.map(({ id }) => id) };
  };

  const [fit, other] = people.filter(fitsDigits);
  if (fit && !other) {
    if (fit.dues.length === 0) return ask("paid", [fit]);
    const ofYear = years.size > 0 ? exactDues(fit.dues, amount, years) : null;
    return sure("digits", [fit], ofYear ?? oldestDues(fit.dues, amount));
  }
  if (digits.length > 0) return ask("digits", people);

  const byName = people.length > 0 ? decideByName() : null;
  if (byName?.pile === "sure") return byName;
  if (known.length > 0) {
    if (!isPersonPayer(payer)) return ask("organisation", [...known, ...people]);
    const isOther = ["remembered", "cohort", "inactive"].includes(byName?.why ?? "");
    const shared = isOther ? null : sharedDues(known, amount, years);
    if (shared && known.every(({ isActive }) => isActive)) return sure("remembered", known, shared);
    return ask(isOther ? "remembered" : shared ? "inactive" : "amount", [...known, ...people]);
  }
  if (byName) return byName;
  const words = text.replace(KNOWN_WORDS, " ").split(" ");
  const cut = words.flatMap((word) => (word.length >= 2 ? book.startingWith(word) : []));
  const close = cut.filter(({ dues }) => exactDues(dues, amount) !== null);
  return close.length > CANDIDATES_MAX ? UNKNOWN : ask("short", close);

  function decideByName(): DepositMatch {
    const own = [...new Set(clean.map(({ person }) => person))];
    const shortest = Math.min(...own.map(({ key }) => key.length));
    const isHidden = named.some(({ isClean, person }) => !isClean && person.key.length > shortest);
    if (own.length === 0 || isHidden || new Set(own.map(({ key }) => key)).size > 1) return ask("words", people);
    const ofCohort = own.filter(hasCohort);
    const isTold = ofCohort.length === 1 && own.every(({ cohort }) => cohort !== null);
    const [person] = isTold ? ofCohort : own;
    if (!person || (own.length > 1 && !isTold)) return ask("namesakes", people);
    if (cohorts.size > 0 && !isTold) return ask("cohort", people);
    if (!person.isActive) return ask("inactive", people);
    const at = clean.filter((each) => each.person === person);
    const longer = at.some(({ isLast }) => isLast) ? book.startingWith(person.key) : [];
    if (longer.length > 0) return ask("short", [...people, ...longer]);
    if (known.length > 0 && !known.includes(person)) return ask("remembered", [...known, ...people]);
    const paid = exactDues(person.dues, amount, years);
    if (paid) return sure(at.some(({ isWhole }) => isWhole) ? "name" : "inText", [person], paid);
    return ask(person.dues.length > 0 ? "amount" : "paid", people);
  }
}

/** Matches open deposits, each alone. */
export function guessPayers({ people, remembered }: MatchBook): (deposit: Movement) => DepositMatch {
  const book = openBook(people);
  return (deposit) => decide(book, deposit, remembered(deposit.payer));
}

/** Decides by time, so that an earlier deposit pays a due first. Nothing doubtful is decided. @param doubtOf a reason to ask in any case */
export function matchDeposits<Deposit extends Movement>(
  deposits: readonly Deposit[],
  { people, remembered }: MatchBook,
  doubtOf: (deposit: Deposit) => AskReason | null,
): DepositMatch[] {
  const book = openBook(people);
  const taken = new Set<string>();
  const matches = new Map<Deposit, DepositMatch>();
  for (const deposit of deposits.toSorted(byTime)) {
    const match = decide(book, deposit, remembered(deposit.payer));
    const marks = match.people.map((id) => `${id} ${deposit.amount} ${deposit.when.slice(0, 10)}`);
    const isTwice = match.pile === "sure" && marks.some((mark) => taken.has(mark));
    const doubt = doubtOf(deposit);
    const why = doubt ?? (isTwice ? "twice" : match.why);
    const isSure = match.pile === "sure" && why === null;
    const isKept = isSure || (match.pile === "unknown" && doubt === null);
    matches.set(deposit, isKept ? match : { ...UNKNOWN, pile: "ask", why, people: match.people });
    if (!isSure) continue;
    for (const mark of marks) taken.add(mark);
    for (const person of book.known(match.people)) {
      for (const { dueId, amount } of match.allocations)
        for (const due of person.dues) if (due.id === dueId) due.open -= amount;
      person.dues = person.dues.filter(({ open }) => open > 0);
    }
  }
  return deposits.map((deposit) => matches.get(deposit) ?? UNKNOWN);
}
