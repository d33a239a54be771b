import { KNOWN_WORDS, ORGANISATION, payerKey } from "#worker/contract/alumni/dues/payer.ts";
import { groupedBy } from "#worker/contract/kernel/grouped-by.ts";
import { countUntil } from "#worker/contract/kernel/sorted-rows.ts";

export type OpenDue = { id: string; year: string; open: number };

/** The fee of a registration, which has its own digits and is paid by itself. */
export type OpenFee = Pick<OpenDue, "id" | "open"> & {
  /** The Korean day on which it was charged: an earlier deposit pays another thing. */
  from: string;
  title: string;
};

export interface BookPerson {
  /** Of the address book; of the registration where its member has no entry. */
  id: string;
  name: string;
  cohort: number | null;
  affiliation: string;
  mobileTail: string;
  isActive: boolean;
  /** Oldest first. */
  dues: OpenDue[];
  fees: OpenFee[];
}

/** Remembered as the person of a payer whose money pays no dues. */
export const NOBODY = "";

/** Who is chosen to pay: a person for dues, or one of their registrations for its fee. */
export type Payer = BookPerson & { personId: string };

/** A person and their fees apart, so that a choice says which of them is paid. */
export const payersOf = (person: BookPerson): Payer[] => [
  ...(person.fees.some(({ id }) => id === person.id) ? [] : [{ ...person, fees: [], personId: person.id }]),
  ...person.fees.map(({ id, open, from, title }) => ({
    ...person,
    id,
    affiliation: title,
    dues: [{ id, year: from.slice(0, 4), open }],
    fees: [],
    personId: person.id,
  })),
];

/** Enough to know that a cut name may be anybody's. */
const STARTING_MAX = 200;

export type Account = BookPerson & { key: string };

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

/** People by the names that a payer may write. */
export function openBook(people: readonly BookPerson[]) {
  const accounts = people.map((person): Account => {
    const dues = person.dues.filter(({ open }) => open > 0).map((due) => ({ ...due }));
    return { ...person, dues, fees: [...person.fees], key: payerKey(person.name) };
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
