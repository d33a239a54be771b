import { expect, test } from "vitest";
import { EMPTY_ALUMNI_VALUES } from "#worker/contract/alumni/columns.ts";
import type { FilePerson } from "#worker/domain/alumni/import/file-people.server.ts";
import type { KnownPerson, NamedPerson } from "#worker/domain/alumni/import/match.server.ts";
import { PLACE_RULES, type Placement, placeRow, type RowToPlace } from "#worker/domain/alumni/import/place.server.ts";
import type { ImportRow } from "#worker/domain/alumni/import/row.server.ts";

const PHONE = "010-0000-7391";

const person = (id: string, more: Partial<KnownPerson> = {}): KnownPerson => ({
  ...EMPTY_ALUMNI_VALUES,
  id,
  name: "강다석",
  own: {},
  openFields: [],
  confirmation: null,
  corrections: "[]",
  ...more,
});
const read = (more: Partial<ImportRow> = {}): ImportRow => ({
  row: 2,
  id: "",
  values: { name: "강다석" },
  own: {},
  changed: [],
  memoLines: [],
  tail: "",
  isDeceased: false,
  ...more,
});
const named = (more: Partial<NamedPerson> = {}): NamedPerson => ({
  name: "강다석",
  cohort: null,
  graduationYear: null,
  tail: "",
  hasContact: false,
  ...more,
});
/** A row that nothing in the book fits. */
const row = (more: Partial<RowToPlace> = {}): RowToPlace => ({
  read: read(),
  named: named(),
  byId: null,
  byName: [],
  namesakes: 0,
  isCrowd: false,
  alike: [],
  holders: [],
  others: [],
  choice: null,
  findEqual: () => null,
  ...more,
});

const a = person("a");
const b = person("b");
const withPhone = read({ values: { name: "강다석", mobile: PHONE } });
const crowded = { byName: [a, b], isCrowd: true, alike: [a, b] };

const CASES: Record<keyof typeof PLACE_RULES, { row: RowToPlace; placed: Placement }> = {
  sameId: { row: row({ byId: a, byName: [b], read: withPhone }), placed: { to: a, by: "id" } },
  sameContact: { row: row({ byName: [a], alike: [b], read: withPhone }), placed: { to: a, by: "contact" } },
  otherSpelling: {
    row: row({ named: named({ name: "강 다석" }), holders: [a], read: withPhone }),
    placed: { to: a, by: "contact" },
  },
  severalOfContact: {
    row: row({ named: null, byName: [a, b], read: withPhone }),
    placed: { fault: "이름과 연락처가 같은 사람이 여럿입니다. ID를 적어 주십시오." },
  },
  unknownId: {
    row: row({ read: read({ id: "gone" }), named: null }),
    placed: { fault: "이 ID의 사람이 없습니다. 새로 추가하려면 ID 칸을 비워 주십시오." },
  },
  unnamed: { row: row({ named: null, alike: [a] }), placed: { newId: null, by: "none" } },
  crowd: {
    row: row({ ...crowded, findEqual: () => a }),
    placed: { fault: "이름만 있는 같은 이름의 사람이 너무 많습니다. 휴대전화나 이메일을 적어 주십시오." },
  },
  equalPerson: { row: row({ byName: [a, b], alike: [a, b], findEqual: () => b }), placed: { to: b, by: "equality" } },
  onlyNamesake: {
    row: row({ named: named({ cohort: 12 }), alike: [person("c", { cohort: 12 }), person("d", { cohort: 13 })] }),
    placed: { to: person("c", { cohort: 12 }), by: "name" },
  },
};

test.for(Object.entries(CASES))(
  "the rule %s decides its row before all later ones",
  ([name, { row: given, placed }]) => {
    const deciding = Object.entries(PLACE_RULES).find(([, rule]) => rule(given) !== null);
    expect(deciding?.[0]).toBe(name);
    expect(placeRow(given)).toEqual(placed);
  },
);

test("a crowded name with a cohort is no fault", () => {
  expect(placeRow(row({ ...crowded, named: named({ cohort: 12 }) }))).toEqual({ ask: [a, b], askRows: [] });
});

test("a row that may be several people is asked about", () => {
  expect(placeRow(row({ alike: [a, b], holders: [b, person("h")] }))).toEqual({
    ask: [a, b, person("h")],
    askRows: [],
  });
});

test("a row without anybody of its name is added", () => {
  expect(placeRow(row())).toEqual({ newId: null, by: "none" });
});

const earlier: FilePerson = { row: 1, tail: "", values: {}, value: "v", id: "e", isNew: true, folded: "강나율" };

test("a row with an earlier row's contact is asked about", () => {
  expect(placeRow(row({ others: [earlier] }))).toEqual({ ask: [], askRows: [earlier] });
});

test.for<[kind: "same" | "new" | "skip", placed: Placement]>([
  ["same", { to: a, by: "choice" }],
  ["new", { newId: "n", by: "choice" }],
  ["skip", "skip"],
])("the answer %s places a row that would be asked about", ([kind, placed]) => {
  const choice = { kind, newId: kind === "new" ? "n" : null, person: kind === "same" ? a : null };
  expect(placeRow(row({ alike: [a, b], choice }))).toEqual(placed);
});

test("an answer for somebody of another name is not used", () => {
  const choice = { kind: "same" as const, newId: null, person: person("z", { name: "강나율" }) };
  expect(placeRow(row({ alike: [a, b], choice }))).toEqual({ ask: [a, b], askRows: [] });
});
