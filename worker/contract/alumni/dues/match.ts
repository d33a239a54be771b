import { groupedBy } from "#worker/contract/kernel/grouped-by.ts";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { type AllocationCause, isPayDigits, payDigits } from "./dues.ts";

export const PILE_LABELS = { sure: "맞음", ask: "고르십시오", unknown: "모름" } as const;

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
} as const;

type AskReason = keyof typeof ASK_REASON_LABELS;

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

/** `when` is in Korean time, so that a text order is an order in time. */
export type Movement = { when: string; payer: string; amount: number };

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
  /(?:19|20)?\d\d(?:학년도|년도|년)분?|(?<!\d)(?:19[89]|20[0-4])\d(?!\d)|제?\d{1,3}기|\d{1,4}(?:만원|천원|원)|(?:정기|평생|특별|가입|입회|동문|동창|학회|총회|연|년|월|정)?회비|가입비|입회비|연도|상반기|하반기|납부|납입|입금|송금|이체|동문회|동창회|동문|동창|학회|(?:정|준|평생|명예)?회원|부?회장|이사장|이사|원장|센터장|학장|총장|총무|감사|고문|위원장|위원|교수|강사|박사|선생님|선생|대표|사장|전무|상무|실장|과장|부장|팀장|국장|소장|전문의|의사|약사|간호사|변호사|배상|올림|드림|님|씨/g;

const ORGANISATION =
  /^\p{L}{2,30}(?:병원|의원|의료원|대학교|대학|학교|센터|연구소|연구원|재단|협회|학회|법인|약국|치과|보건소|공단|회사|은행)$/u;

const YEAR_LIKE = /^(?:19[89]|20[0-4])\d$/;

type Account = BookPerson & { key: string };

/** A word directly after a name may belong to a longer name: 강나율이비인후과의원 is a company. */
function isExplained(rest: string, { affiliation, cohort }: BookPerson, isAfter: boolean): boolean {
  const word = rest.replace(KNOWN_WORDS, " ").replaceAll(" ", "");
  if (word === "" || word === String(cohort)) return true;
  const own = payerKey(affiliation);
  const isOwn = word.length >= 2 && own.length >= 2 && (own.includes(word) || word.includes(own));
  return isOwn || (ORGANISATION.test(word) && !(isAfter && !rest.startsWith(" ")));
}

function openBook(people: readonly BookPerson[]) {
  const accounts = people.map((person): Account => {
    const dues = person.dues.filter(({ open }) => open > 0).map((due) => ({ ...due }));
    return { ...person, dues, key: payerKey(person.name) };
  });
  const byKey = groupedBy(accounts, ({ key }) => key);
  const lengths = [...new Set([...byKey.keys()].map(({ length }) => length))].filter((length) => length > 1);
  return {
    known: (ids: readonly string[]) => (ids.length === 0 ? [] : accounts.filter(({ id }) => ids.includes(id))),
    startingWith: (start: string) => accounts.filter(({ key }) => key.length > start.length && key.startsWith(start)),
    /** Clean names have only known words and the person's workplace with them. */
    namedIn(text: string) {
      const key = text.replaceAll(" ", "");
      const places = [...text.matchAll(/[^ ]/g)].map(({ index }) => index);
      return lengths.flatMap((length) =>
        places.flatMap((from, at) => {
          const found = at + length > key.length ? [] : (byKey.get(key.slice(at, at + length)) ?? []);
          const before = text.slice(0, from);
          const after = text.slice((places[at + length - 1] ?? from) + 1);
          // A Latin name is a whole word.
          if (/^[a-z]/.test(key.slice(at)) && (/[a-z]$/.test(before) || /^[a-z]/.test(after))) return [];
          return found.map((person) => ({
            person,
            isClean: isExplained(before, person, false) && isExplained(after, person, true),
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

function decide(book: ReturnType<typeof openBook>, { payer, amount }: Movement, knownIds: readonly string[]) {
  const text = spaced(payer);
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, value = ""]) => value);
  const years = new Set([
    ...found(/(?<!\d)((?:19[89]|20[0-4])\d)(?!\d)/g),
    ...found(/(?<!\d)(\d\d)년/g).map((year) => `20${year}`),
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

function isSamePayer(a: string, b: string): boolean {
  const [one, other] = [payerKey(a), payerKey(b)];
  return one.length > 1 && other.length > 1 && (one.includes(other) || other.includes(one));
}

/** Decides by time, so that an earlier deposit pays a due first. Nothing doubtful is decided. */
export function matchDeposits(
  { deposits, withdrawals }: Record<"deposits" | "withdrawals", readonly Movement[]>,
  { people, remembered }: MatchBook,
): DepositMatch[] {
  const book = openBook(people);
  const taken = new Set<string>();
  const matches = new Map<Movement, DepositMatch>();
  for (const deposit of deposits.toSorted((a, b) => (a.when < b.when ? -1 : Number(a.when > b.when)))) {
    const match = decide(book, deposit, remembered(deposit.payer));
    const isReturned = withdrawals.some(
      ({ when, payer, amount }) =>
        amount === deposit.amount && when >= deposit.when && isSamePayer(payer, deposit.payer),
    );
    const marks = match.people.map((id) => `${id} ${deposit.amount} ${deposit.when.slice(0, 10)}`);
    const isTwice = match.pile === "sure" && marks.some((mark) => taken.has(mark));
    const why = isReturned ? "refunded" : isTwice ? "twice" : match.why;
    const isSure = match.pile === "sure" && why === null;
    matches.set(
      deposit,
      isSure || match.pile === "unknown" ? match : { ...UNKNOWN, pile: "ask", why, people: match.people },
    );
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
