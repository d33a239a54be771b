import { describe, expect, test } from "vitest";
import { payDigits } from "#worker/contract/alumni/dues/dues.ts";
import { isPersonPayer, payerKey } from "#worker/contract/alumni/dues/payer.ts";
import { matchDeposits, type NAME_RULES, type RULES } from "#worker/domain/alumni/dues/match.ts";
import { type BookPerson, NOBODY } from "#worker/domain/alumni/dues/payer-book.ts";
import type { Movement } from "#worker/contract/alumni/dues/bank-file.ts";
import { findReturned } from "#worker/contract/alumni/dues/returns.ts";

const person = (name: string, more: Partial<BookPerson> & { open?: Record<string, number> } = {}): BookPerson => {
  const { open = { 2026: 50_000 }, ...rest } = more;
  const id = rest.id ?? name;
  const dues = Object.entries(open).map(([year, amount]) => ({ id: `${id} ${year}`, year, open: amount }));
  return { id, name, cohort: null, affiliation: "", mobileTail: "", isActive: true, dues, fees: [], ...rest };
};
const at = (payer: string, amount = 50_000, day = "2026-03-02"): Movement => ({
  when: `${day}T10:00:00+09:00`,
  payer,
  amount,
});

interface Given {
  withdrawals?: Movement[];
  remembered?: Record<string, string[]>;
}
const match = (people: BookPerson[], deposits: Movement[], { withdrawals = [], remembered = {} }: Given = {}) => {
  const returned = findReturned(deposits, withdrawals);
  const book = { people, remembered: (payer: string) => remembered[payerKey(payer)] ?? [] };
  const doubtOf = (deposit: Movement) => (returned.has(deposit) ? "refunded" : null);
  return matchDeposits(deposits, book, doubtOf).map(({ pile, cause, why, people: found, allocations }) =>
    pile === "sure"
      ? [cause, ...allocations.map(({ dueId, amount }) => `${dueId} ${amount}`)]
      : pile === "ask"
        ? [why, ...found]
        : [pile],
  );
};
const one = (people: BookPerson[], payer: string, amount = 50_000, given: Given = {}) =>
  match(people, [at(payer, amount)], given)[0];

describe("a deposit is matched", () => {
  test.each([
    "강다석",
    " 강 다 석 ",
    "강다석 회비",
    "강다석교수",
    "2026연회비강다석",
    "2026년도 회비 강다석",
    "한빛병원 강다석",
    "강다석(한빛의원)",
    "강다석".normalize("NFD"),
    "12기강다석",
    "강다석12",
    "서울지부강다석",
  ])("to the only person of the name: %s", (payer) => {
    const people = [person("강다석", { cohort: 12, affiliation: "서울지부" }), person("강나율")];
    expect(one(people, payer)?.slice(1)).toEqual(["강다석 2026 50000"]);
  });

  test("by own digits where two people have the name", () => {
    const people = ["a", "b"].map((id) => person("강다석", { id, open: { 2025: 30_000, 2026: 50_000 } }));
    expect(one(people, `강다석${payDigits("b")}`, 40_000)).toEqual(["digits", "b 2025 30000", "b 2026 10000"]);
    expect(one(people, `${payDigits("a")} 강다석`, 90_000)).toEqual(["digits", "a 2025 30000", "a 2026 50000"]);
    const withPhone = people.map((each) => (each.id === "a" ? { ...each, mobileTail: "7391" } : each));
    expect(one(withPhone, "강다석 7391", 30_000)).toEqual(["digits", "a 2025 30000"]);
  });

  test("to several years, or to the year that the text names", () => {
    const people = [person("강다석", { open: { 2024: 30_000, 2025: 30_000, 2026: 50_000 } })];
    expect(one(people, "강다석", 60_000)).toEqual(["name", "강다석 2024 30000", "강다석 2025 30000"]);
    expect(one(people, "강다석", 50_000)).toEqual(["name", "강다석 2026 50000"]);
    expect(one(people, "2025년 강다석", 30_000)).toEqual(["inText", "강다석 2025 30000"]);
    expect(one(people, "2023년 강다석", 30_000)).toEqual(["amount", "강다석"]);
  });

  test("to the people whom the office chose for the payer before", () => {
    const people = [person("강다석"), person("강나율"), person("강성은", { open: { 2025: 10_000, 2026: 50_000 } })];
    const remembered = { 이영희: ["강성은"] };
    expect(one(people, "이영희", 60_000, { remembered })).toEqual([
      "remembered",
      "강성은 2025 10000",
      "강성은 2026 50000",
    ]);
    expect(one(people, "이영희", 20_000, { remembered })).toEqual(["amount", "강성은"]);
    expect(one([...people, person("이영희")], "이영희", 50_000, { remembered })).toEqual([
      "remembered",
      "이영희",
      "강성은",
    ]);
  });
});

describe("the office is asked", () => {
  const two = ["a", "b"].map((id, nth) => person("강다석", { id, cohort: nth + 10 }));
  test("which of two people of one name, unless the cohort says it", () => {
    expect(one(two, "강다석")?.toSorted()).toEqual(["a", "b", "namesakes"]);
    expect(one(two, "11기 강다석")).toEqual(["inText", "b 2026 50000"]);
    expect(one(two, "13기 강다석")?.[0]).toBe("namesakes");
    expect(one([person("강다석", { cohort: 3 })], "13기 강다석")).toEqual(["cohort", "강다석"]);
  });

  test("when the digits fit nobody, even if the name does", () => {
    expect(one([person("강다석")], "강다석0001")).toEqual(["digits", "강다석"]);
  });

  test.each([
    ["강다석", 40_000, "amount"],
    ["강다석 대납", 50_000, "words"],
    ["강다석 처", 50_000, "words"],
    ["강다석이비인후과의원", 50_000, "words"],
    ["강다석 강나율", 50_000, "words"],
    ["강다", 50_000, "short"],
  ])("about %s with %d won: %s", (payer, amount, why) => {
    const people = [person("강다석"), person("강나율")];
    expect(one(people, payer, amount)?.slice(0, 2)).toEqual([why, "강다석"]);
  });

  test("when a short name may be a longer one that was cut", () => {
    expect(one([person("강다"), person("강다석")], "강다")?.[0]).toBe("short");
  });

  test("about a person who paid, left or died", () => {
    expect(one([person("강다석", { open: {} })], "강다석")).toEqual(["paid", "강다석"]);
    expect(one([person("강다석", { isActive: false })], "강다석")).toEqual(["inactive", "강다석"]);
  });

  test("about the second of two equal deposits in any order", () => {
    const later = at("강다석", 50_000, "2026-03-05");
    expect(match([person("강다석")], [later, at("강다석")])).toEqual([
      ["paid", "강다석"],
      ["name", "강다석 2026 50000"],
    ]);
    const people = [person("강다석", { open: { 2025: 50_000, 2026: 50_000 } })];
    expect(match(people, [at("강다석"), at("강다석 회비")])).toEqual([
      ["name", "강다석 2025 50000"],
      ["twice", "강다석"],
    ]);
  });

  test("about a deposit that the file returns", () => {
    const withdrawals = [at("강다석", 50_000, "2026-03-04")];
    const deposits = [at("강다석 회비"), at("강다석", 50_000, "2026-03-06")];
    expect(match([person("강다석")], deposits, { withdrawals })).toEqual([
      ["refunded", "강다석"],
      ["name", "강다석 2026 50000"],
    ]);
  });
});

test("an organisation that paid for people before only proposes them", () => {
  const people = [person("강다석"), person("강나율")];
  const remembered = { 한빛병원: ["강다석", "강나율"] };
  expect(one(people, "한빛 병원", 100_000, { remembered })).toEqual(["organisation", "강다석", "강나율"]);
});

test.each([
  ["예금이자", 50_000, ["other"]],
  ["강다석후원", 10_000, ["other"]],
  ["강다석", 30_000, ["noDues", "강다석"]],
  ["회비 강다석", 50_000, ["noDues", "강다석"]],
  ["강나율", 50_000, ["other"]],
] as const)("%s of %i, remembered as no dues, is %j", (payer, amount, expected) => {
  const people = [person("강다석"), person("강나율", { open: {} })];
  expect(one(people, payer, amount, { remembered: { [payerKey(payer)]: [NOBODY] } })).toEqual(expected);
});

test("a doubtful deposit of a text without dues is a question", () => {
  const given = { withdrawals: [at("후원금", 50_000, "2026-03-05")], remembered: { 후원금: [NOBODY] } };
  expect(one([person("강다석")], "후원금", 50_000, given)).toEqual(["refunded"]);
});

test("a remembered payer of an inactive person is a question", () => {
  const people = [person("강성은", { isActive: false })];
  expect(one(people, "이영희", 50_000, { remembered: { 이영희: ["강성은"] } })).toEqual(["inactive", "강성은"]);
});

test("money that goes back in part is a question", () => {
  const withdrawals = [at("강다석 반환", 20_000, "2026-03-04")];
  expect(one([person("강다석")], "강다석", 50_000, { withdrawals })).toEqual(["refunded", "강다석"]);
});

test.each(["강다석", "이영희 회비", "남궁민수", "Jane Doe", "강다석7391"])("%s is a person", (payer) => {
  expect(isPersonPayer(payer)).toBe(true);
});

test.each(["한빛병원", "(주)가나", "한국학회", "가나재단", "서울대학교", "이자", "123", "김내과의원", ""])(
  "%s is no person",
  (payer) => {
    expect(isPersonPayer(payer)).toBe(false);
  },
);

test.each([
  ["강다석26회비", 50_000, ["inText", "강다석 2026 50000"]],
  ["강다석 2년분", 80_000, ["inText", "강다석 2025 30000", "강다석 2026 50000"]],
  ["강다석 25-26", 80_000, ["name", "강다석 2025 30000", "강다석 2026 50000"]],
  ["강다석26-27", 50_000, ["name", "강다석 2026 50000"]],
])("the period in %s is read", (payer, amount, found) => {
  expect(one([person("강다석", { open: { 2025: 30_000, 2026: 50_000 } })], payer, amount)).toEqual(found);
});

test.each(["이자", "", "한빛병원", "김", "2026년 회비"])("nobody is known by %s", (payer) => {
  expect(one([person("강다석")], payer)).toEqual(["unknown"]);
});

function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    below: (count: number) => Math.floor(next() * count),
    pick: <T>(from: readonly T[]) => from[Math.floor(next() * from.length)] as T,
    chance: (share: number) => next() < share,
  };
}

const FAMILY = [..."김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민"];
const GIVEN = [..."가나다라마바사아자차카타하민서준지현우진수영석율은성혜경미주연호재원태선정희도윤"];
const PLACES = ["한빛병원", "가람의원", "나루대학교", "다온센터", "라온연구소", "마루약국"];
const TITLES = ["교수", "원장", "님", " 회원", " 박사", "선생님"];
const WORDS = ["회비", " 회비", "연회비", " 회비납부", " 입금"];

interface Truth {
  deposit: Movement;
  payer: BookPerson;
  /** The whole name is in the text. */
  isNamed: boolean;
  isDecided: boolean;
  hasDigits: boolean;
}

function makeYear(seed: number) {
  const { below, pick, chance } = random(seed);
  const people = Array.from({ length: 1500 }, (_, nth) => {
    const name = pick(FAMILY) + pick(GIVEN) + (chance(0.04) ? "" : pick(GIVEN));
    const open = { ...(chance(0.4) ? { 2025: 30_000 } : {}), 2026: pick([50_000, 50_000, 50_000, 20_000]) };
    const more = { id: `p${nth}`, cohort: chance(0.9) ? below(40) + 1 : null, mobileTail: String(1000 + below(9000)) };
    return person(name, { ...more, open, affiliation: pick([...PLACES, "", ""]), isActive: !chance(0.01) });
  });
  for (let nth = 0; nth < 80; nth += 1)
    people[nth] = { ...(people[nth] as BookPerson), name: people[nth + 80]?.name ?? "" };
  const count = new Map<string, number>();
  for (const { name } of people) count.set(name, (count.get(name) ?? 0) + 1);
  const truths: Truth[] = [];
  const withdrawals: Movement[] = [];
  const add = (payer: BookPerson, text: string, amount: number, more: Partial<Truth> = {}) => {
    const when = `2026-${String(1 + Math.floor(truths.length / 180)).padStart(2, "0")}-0${1 + below(9)}T1${below(10)}:00:00+09:00`;
    truths.push({
      deposit: { when, payer: text, amount },
      payer,
      isNamed: true,
      isDecided: false,
      hasDigits: false,
      ...more,
    });
    return when;
  };
  const nobody = () => {
    for (;;) {
      const name = pick(FAMILY) + pick(GIVEN) + pick(GIVEN);
      if (!count.has(name) && !people.some((each) => name.includes(each.name))) return name;
    }
  };
  for (let nth = 0; truths.length < 2000; nth += 1) {
    const payer = people[(nth * 7) % 1500] as BookPerson;
    const [first = payer.dues[0]] = payer.dues;
    if (!first) continue;
    // A second round over the people pays the next due, which the first left open.
    const isSecond = nth >= 1500;
    const due = isSecond ? payer.dues[1] : first;
    if (!due) continue;
    const isPlain = count.get(payer.name) === 1 && !isSecond;
    const { name } = payer;
    const amount = due.open;
    const habit = below(100);
    if (habit < 34) add(payer, name, amount, { isDecided: isPlain });
    else if (habit < 39) add(payer, [...name].join(" "), amount, { isDecided: isPlain });
    else if (habit < 46) add(payer, name + pick(TITLES), amount, { isDecided: isPlain });
    else if (habit < 53) add(payer, name + pick(WORDS), amount, { isDecided: isPlain });
    else if (habit < 57)
      add(payer, `${due.year}${pick(["연회비", "년 회비 ", "년도 "])}${name}`, amount, { isDecided: isPlain });
    else if (habit < 62)
      add(payer, `${payer.cohort ?? 1}기${pick(["", " "])}${name}`, amount, {
        isDecided: isPlain && payer.cohort !== null,
      });
    else if (habit < 67) add(payer, `${pick(PLACES)} ${name}`, amount, { isDecided: isPlain });
    else if (habit < 77) {
      const paid = chance(0.3) ? Math.floor(amount / 2) : amount;
      add(payer, name + pick(["", " "]) + payDigits(payer.id) + pick(["", " 회비"]), paid, { hasDigits: !isSecond });
    } else if (habit < 80) {
      const digits = [...payDigits(payer.id)];
      const place = below(4);
      digits[place] = String((Number(digits[place]) + 1 + below(9)) % 10);
      add(payer, name + digits.join(""), amount);
    } else if (habit < 84) add(payer, name.slice(0, 2), amount, { isNamed: name.length < 3 });
    else if (habit < 87) add(payer, nobody(), amount, { isNamed: false });
    else if (habit < 90) add(payer, payer.affiliation || "한빛병원", amount * (1 + below(3)), { isNamed: false });
    else if (habit < 93) add(payer, name, amount - 7000);
    else if (habit < 95) {
      add(payer, name, amount, { isDecided: isPlain });
      add(payer, name, amount);
    } else if (habit < 97) {
      const when = add(payer, name, amount);
      withdrawals.push({ when: when.replace(/T\d\d/, "T23"), payer: name, amount });
    } else {
      const all = payer.dues.reduce((sum, { open }) => sum + open, 0);
      add(payer, name, all, { isDecided: isPlain });
    }
  }
  return { people, truths, withdrawals };
}

test.each([1, 35, 2026])("of 2,000 generated deposits none pays another person's due (seed %d)", (seed) => {
  const { people, truths, withdrawals } = makeYear(seed);
  const deposits = truths.map(({ deposit }) => deposit);
  const returned = findReturned(deposits, withdrawals);
  const matches = matchDeposits(deposits, { people, remembered: () => [] }, (each) =>
    returned.has(each) ? "refunded" : null,
  );
  const found = truths.map((truth, nth) => ({ ...truth, match: matches[nth] as (typeof matches)[number] }));
  const wrong = found.filter(({ payer, match: { pile, people: ids } }) => pile === "sure" && ids.join() !== payer.id);
  expect(wrong).toEqual([]);
  const share = (rows: typeof found) => rows.filter(({ match: { pile } }) => pile === "sure").length / rows.length;
  const decided = found.filter(({ isDecided }) => isDecided);
  const withDigits = found.filter(({ hasDigits }) => hasDigits);
  expect([decided.length > 800, withDigits.length > 100]).toEqual([true, true]);
  expect(share(decided)).toBeGreaterThanOrEqual(0.95);
  expect(share(withDigits)).toBeGreaterThanOrEqual(0.99);
  const lost = found.filter(
    ({ isNamed, payer, match: { pile, people: ids } }) => isNamed && pile !== "sure" && !ids.includes(payer.id),
  );
  expect(lost).toEqual([]);
  const paid = new Map<string, number>();
  for (const { allocations } of matches)
    for (const { dueId, amount } of allocations) paid.set(dueId, (paid.get(dueId) ?? 0) + amount);
  const owed = new Map(people.flatMap(({ dues }) => dues.map(({ id, open }) => [id, open] as const)));
  expect([...paid].filter(([id, amount]) => amount > (owed.get(id) ?? 0))).toEqual([]);
});

type RuleName = Exclude<keyof typeof RULES, "sureName" | "doubtfulName"> | keyof typeof NAME_RULES;
type Example = [people: BookPerson[], payer: string, amount: number, result: string, given?: Given];

const TWO = [person("강다석", { id: "a" }), person("강다석", { id: "b" })];
const ONE = [person("강다석")];
const remembering = (payer: string, id: string): Given => ({ remembered: { [payer]: [id] } });

/** The first rule that answers for each text, with a text that no rule before it answers. */
const EXAMPLES: Record<RuleName, Example> = {
  ownDigits: [ONE, `강다석${payDigits("강다석")}`, 10_000, "digits"],
  otherDigits: [ONE, "강다석0001", 50_000, "digits"],
  nameAmongWords: [ONE, "강다석별관이문", 50_000, "words"],
  namesakes: [TWO, "강다석", 50_000, "namesakes"],
  otherCohort: [[person("강다석", { cohort: 3 })], "9기 강다석", 50_000, "cohort"],
  inactivePerson: [[person("강다석", { isActive: false })], "강다석", 50_000, "inactive"],
  longerName: [[person("강다"), person("강다석")], "강다", 50_000, "short"],
  otherThanRemembered: [
    [...ONE, person("이바다", { open: {} })],
    "강다석",
    50_000,
    "remembered",
    remembering("강다석", "이바다"),
  ],
  nameAndAmount: [ONE, "강다석", 50_000, "name"],
  otherAmount: [ONE, "강다석", 7000, "amount"],
  rememberedOrganisation: [ONE, "한빛병원", 50_000, "organisation", remembering("한빛병원", "강다석")],
  rememberedPeople: [ONE, "이바다", 50_000, "remembered", remembering("이바다", "강다석")],
  cutOffName: [ONE, "강다", 50_000, "short"],
};

test.for(Object.entries(EXAMPLES))("%s answers its example", ([, [people, payer, amount, result, given]]) => {
  expect(one(people, payer, amount, given)?.[0]).toBe(result);
});
