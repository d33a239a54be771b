import { byTime, type Movement } from "#worker/contract/alumni/dues/bank-file.ts";
import { type AllocationCause, isPayDigits, payDigits } from "#worker/contract/alumni/dues/dues.ts";
import type { AskReason, Pile } from "#worker/contract/alumni/dues/matches.ts";
import { DUES_WORDS, FEE_WORDS, isPersonPayer, KNOWN_WORDS, spaced } from "#worker/contract/alumni/dues/payer.ts";
import { type DepositAllocation, exactDues, oldestDues, sharedDues } from "./due-amounts.ts";
import { type Account, type BookPerson, NOBODY, openBook, type OpenFee } from "./payer-book.ts";

/** @param remembered people whom the office chose for the same payer before, or nobody */
export type MatchBook = { people: readonly BookPerson[]; remembered: (payer: string) => readonly string[] };

export interface DepositMatch {
  pile: Pile;
  cause: AllocationCause | null;
  why: AskReason | null;
  people: string[];
  allocations: DepositAllocation[];
}

export const UNKNOWN: DepositMatch = { pile: "unknown", cause: null, why: null, people: [], allocations: [] };

const CANDIDATES_MAX = 5;
const YEAR_LIKE = /^(?:19[89]|20[0-4])\d$/;

/** `26-27`, `2026~2027`. */
const YEAR_RANGE = /(?<!\d)(?:20)?([0-4]\d)\s?[-~]\s?(?:20)?([0-4]\d)(?![\d-])/g;

const yearsOfRange = (payer: string): string[] =>
  [...payer.matchAll(YEAR_RANGE)].flatMap(([, from, to]) => {
    const years = Number(to) - Number(from) + 1;
    return years > 1 && years <= 10 ? Array.from({ length: years }, (_, at) => `${2000 + Number(from) + at}`) : [];
  });

type Book = ReturnType<typeof openBook>;

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** The words, digits and names in a payer's text, with the people whom they mean. */
function readClues(book: Book, { payer, amount, when }: Movement, knownIds: readonly string[]) {
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
  const people = unique(named.map(({ person }) => person));
  const four = found(/(?<!\d)(\d{4})(?!\d)/g);
  const digits = four.filter((each) => !YEAR_LIKE.test(each));
  // A year is a person's digits only if nobody else has the name.
  const areDigitsOf = ({ id }: { id: string }) =>
    digits.some((each) => isPayDigits(each) && each === payDigits(id)) ||
    (people.length === 1 && four.includes(payDigits(id)));
  const fitsOwnDigits = (person: Account) => areDigitsOf(person) || digits.includes(person.mobileTail);
  const fitsDigits = (person: Account) => fitsOwnDigits(person) || person.fees.some(areDigitsOf);
  const hasCohort = ({ cohort }: Account) => cohort !== null && cohorts.has(cohort);
  const own = unique(clean.map(({ person }) => person));
  const ofCohort = own.filter(hasCohort);
  const isTold = ofCohort.length === 1 && own.every(({ cohort }) => cohort !== null);
  // `own` have only known words with their name; `meant` are those whom the cohort does not exclude.
  const [known, meant] = [book.known(knownIds), isTold ? ofCohort : own];
  const read = { book, payer, text, amount, years, cohorts, digits, day: when.slice(0, 10) };
  const fits = { hasCohort, fitsDigits, fitsOwnDigits, areDigitsOf };
  return { ...read, ...fits, named, clean, people, own, meant, known, isTold };
}

type Clues = ReturnType<typeof readClues>;

/** Decides, asks, or leaves the deposit to the next rule. */
type Rule = (clues: Clues) => DepositMatch | null;

function sure(cause: AllocationCause, paying: readonly Account[], allocations: DepositAllocation[]): DepositMatch {
  return { pile: "sure", cause, why: null, people: paying.map(({ id }) => id), allocations };
}

const whole = ({ id, open }: OpenFee): DepositAllocation[] => [{ dueId: id, amount: open }];

/** Dues and fees that the text and the day leave: a word or a year of dues excludes fees, a word of fees excludes dues. */
function owedBy({ text, years, day }: Clues, { dues, fees }: Account) {
  const isForFee = FEE_WORDS.test(text);
  const isForDues = DUES_WORDS.test(text) || years.size > 0;
  return { dues: isForFee ? [] : dues, fees: isForDues ? [] : fees.filter(({ from }) => from <= day) };
}

const owes = (clues: Clues, person: Account): boolean => {
  const { dues, fees } = owedBy(clues, person);
  return dues.length > 0 || fees.length > 0;
};

/** The dues, or the one fee, that are exactly the amount; `fee` if both or several are. */
function exactlyOwed(clues: Clues, person: Account): DepositAllocation[] | "fee" | null {
  const { dues, fees } = owedBy(clues, person);
  const ofDues = exactDues(dues, clues.amount, clues.years);
  const [fee, other] = fees.filter(({ open }) => open === clues.amount);
  if (!fee) return ofDues;
  return ofDues || other ? "fee" : whole(fee);
}

/** The likeliest people first. */
function ask(clues: Clues, why: AskReason, asked: readonly Account[]): DepositMatch {
  const { fitsDigits, hasCohort, own } = clues;
  const weight = (person: Account) =>
    [fitsDigits(person), hasCohort(person), exactlyOwed(clues, person) !== null, owes(clues, person)].reduce(
      (sum, fits) => sum * 2 + Number(fits),
      Number(own.includes(person)),
    );
  const best = unique(asked)
    .toSorted((a, b) => weight(b) - weight(a))
    .slice(0, CANDIDATES_MAX);
  return best.length === 0 ? UNKNOWN : { ...UNKNOWN, pile: "ask", why, people: best.map(({ id }) => id) };
}

/** A name with the digits of a registration pays its fee, if it is the amount. */
function feeDigits(clues: Clues, person: Account): DepositMatch | null {
  const [fee, other] = person.fees.filter(clues.areDigitsOf);
  if (!fee) return null;
  const isForDues = DUES_WORDS.test(clues.text) || (person.dues.length > 0 && clues.fitsOwnDigits(person));
  if (other || isForDues) return ask(clues, "fee", [person]);
  return fee.open === clues.amount ? sure("digits", [person], whole(fee)) : ask(clues, "amount", [person]);
}

/** A name with a person's own digits pays what that person owes, the oldest first; a fee only where nothing else is owed. */
const ownDigits: Rule = (clues) => {
  const [fit, other] = clues.people.filter(clues.fitsDigits);
  if (!fit || other) return null;
  const ofFee = feeDigits(clues, fit);
  if (ofFee) return ofFee;
  const { dues, fees } = owedBy(clues, fit);
  const [fee, secondFee] = fees.filter(({ open }) => open === clues.amount);
  if (fee) return secondFee || dues.length > 0 ? ask(clues, "fee", [fit]) : sure("digits", [fit], whole(fee));
  if (dues.length < fit.dues.length) return ask(clues, "fee", [fit]);
  if (fit.dues.length === 0) return ask(clues, "paid", [fit]);
  const ofYear = clues.years.size > 0 ? exactDues(fit.dues, clues.amount, clues.years) : null;
  return sure("digits", [fit], ofYear ?? oldestDues(fit.dues, clues.amount));
};

const otherDigits: Rule = (clues) => (clues.digits.length > 0 ? ask(clues, "digits", clues.people) : null);

const nameAmongWords: Rule = (clues) => {
  const { own, named, people } = clues;
  const shortest = Math.min(...own.map(({ key }) => key.length));
  const isHidden = named.some(({ isClean, person }) => !isClean && person.key.length > shortest);
  const isOneName = new Set(own.map(({ key }) => key)).size === 1;
  return isHidden || !isOneName ? ask(clues, "words", people) : null;
};

const namesakes: Rule = (clues) =>
  clues.own.length > 1 && !clues.isTold ? ask(clues, "namesakes", clues.people) : null;

const otherCohort: Rule = (clues) =>
  clues.cohorts.size > 0 && !clues.isTold ? ask(clues, "cohort", clues.people) : null;

const inactivePerson: Rule = (clues) =>
  clues.meant.every(({ isActive }) => isActive) ? null : ask(clues, "inactive", clues.people);

const longerName: Rule = (clues) => {
  const [person] = clues.meant;
  const isLast = clues.clean.some((each) => each.person === person && each.isLast);
  const longer = person && isLast ? clues.book.startingWith(person.key) : [];
  return longer.length > 0 ? ask(clues, "short", [...clues.people, ...longer]) : null;
};

const otherThanRemembered: Rule = (clues) => {
  const { known, meant, people } = clues;
  if (known.length === 0 || meant.some((person) => known.includes(person))) return null;
  return ask(clues, "remembered", [...known, ...people]);
};

/** One person by name pays the dues that are exactly the amount. */
const nameAndAmount: Rule = (clues) => {
  const { meant, clean, people } = clues;
  const [person] = meant;
  const paid = person ? exactlyOwed(clues, person) : null;
  if (!person || !paid) return null;
  if (paid === "fee") return ask(clues, paid, people);
  const isWhole = clean.some((each) => each.person === person && each.isWhole);
  return sure(isWhole ? "name" : "inText", [person], paid);
};

const otherAmount: Rule = (clues) =>
  ask(clues, clues.meant.some((person) => owes(clues, person)) ? "amount" : "paid", clues.people);

/** For a payer with a name of the book, in this order. */
export const NAME_RULES = {
  nameAmongWords,
  namesakes,
  otherCohort,
  inactivePerson,
  longerName,
  otherThanRemembered,
  nameAndAmount,
  otherAmount,
};

const byName = (clues: Clues): DepositMatch | null =>
  clues.people.length > 0 ? firstOf(Object.values(NAME_RULES), clues) : null;

const sureName: Rule = (clues) => {
  const match = byName(clues);
  return match?.pile === "sure" ? match : null;
};

const rememberedOrganisation: Rule = (clues) => {
  const { known, people, payer } = clues;
  return known.length > 0 && !isPersonPayer(payer) ? ask(clues, "organisation", [...known, ...people]) : null;
};

/** Doubts about a name that the office's memory does not settle. */
const UNSETTLED: ReadonlySet<AskReason | null | undefined> = new Set(["remembered", "cohort", "inactive"]);

const rememberedPeople: Rule = (clues) => {
  const { known, people, amount, years } = clues;
  const [one, another] = known;
  if (!one) return null;
  const asked = [...known, ...people];
  if (UNSETTLED.has(byName(clues)?.why)) return ask(clues, "remembered", asked);
  const hasFee = known.some((person) => owedBy(clues, person).fees.length > 0 || FEE_WORDS.test(clues.text));
  const shared = !another ? exactlyOwed(clues, one) : hasFee ? "fee" : sharedDues(known, amount, years);
  if (shared === "fee") return ask(clues, shared, asked);
  if (!shared) return ask(clues, "amount", asked);
  return known.every(({ isActive }) => isActive) ? sure("remembered", known, shared) : ask(clues, "inactive", asked);
};

const cutOffName: Rule = (clues) => {
  const words = clues.text.replace(KNOWN_WORDS, " ").split(" ");
  const cut = words.flatMap((word) => (word.length >= 2 ? clues.book.startingWith(word) : []));
  const close = cut.filter((person) => exactlyOwed(clues, person) !== null);
  return close.length > CANDIDATES_MAX ? null : ask(clues, "short", close);
};

/** In this order; the first that answers decides. */
export const RULES = {
  ownDigits,
  otherDigits,
  sureName,
  rememberedOrganisation,
  rememberedPeople,
  doubtfulName: byName,
  cutOffName,
};

function firstOf(rules: readonly Rule[], clues: Clues): DepositMatch | null {
  for (const rule of rules) {
    const match = rule(clues);
    if (match) return match;
  }
  return null;
}

/** A remembered text pays no dues, unless it surely pays one or is the name of a person who owes. */
function withoutDues(book: Book, { payer }: Movement, { pile, people }: DepositMatch): DepositMatch {
  const isOwn = isPersonPayer(payer) && book.known(people).some(({ dues, fees }) => dues.length > 0 || fees.length > 0);
  return { ...UNKNOWN, pile: pile === "sure" || isOwn ? "ask" : "other", why: "noDues", people };
}

function decide(book: Book, deposit: Movement, knownIds: readonly string[]): DepositMatch {
  const match = firstOf(Object.values(RULES), readClues(book, deposit, knownIds)) ?? UNKNOWN;
  return knownIds.includes(NOBODY) ? withoutDues(book, deposit, match) : match;
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
    const isKept = isSure || ((match.pile === "unknown" || match.pile === "other") && doubt === null);
    matches.set(deposit, isKept ? match : { ...UNKNOWN, pile: "ask", why, people: match.people });
    if (!isSure) continue;
    for (const mark of marks) taken.add(mark);
    for (const person of book.known(match.people)) {
      for (const { dueId, amount } of match.allocations)
        for (const due of person.dues) if (due.id === dueId) due.open -= amount;
      person.dues = person.dues.filter(({ open }) => open > 0);
      person.fees = person.fees.filter(({ id }) => !match.allocations.some(({ dueId }) => dueId === id));
    }
  }
  return deposits.map((deposit) => matches.get(deposit) ?? UNKNOWN);
}
