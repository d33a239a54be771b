import { beforeEach, expect, test } from "vitest";
import { CONSOLE_ROWS } from "#worker/contract/kernel/console/console-pages.ts";
import { CALLS } from "../../calls/calls.ts";
import {
  ACCOUNT_ACTS,
  ACTORS,
  AUTHENTICATION,
  answers,
  BOARD,
  CREATE_ROLE,
  EDIT_ROLE,
  EMAIL,
  END_GRANT,
  forgetPeople,
  GRANT,
  IMPORT,
  isWithin,
  rightsKey,
  allLetters,
  permanentLetters,
  currentLetters,
  mayChooseGuestRole,
  mayCreateRole,
  mayDoToAccount,
  mayEditRole,
  mayEndGrant,
  mayGiveRole,
  RIGHTS_ACTS,
  withAnswers,
  ROLE,
  ROLE_CLASSES,
  SYSTEM,
  TARGETS,
  type Rights,
} from "../../calls/rights-acts.ts";
import { type Random, randomFrom } from "../../support/random.ts";
import { isFull, sample, SAMPLE_NOTE } from "../../support/sample.ts";

// No sequence of acts may give an account rights that no actor had.

beforeEach(forgetPeople);

const NO_RIGHTS: [RegExp, string][] = [
  [
    /^POST \/api\/user\/(signup|signin|signin-by-refresh-token|signout|find-id|reset-password(-token)?)$/,
    "before sign-in",
  ],
  [/^POST \/api\/user-key\//, "before sign-in; a code goes to the address itself"],
  [
    /^(POST|PATCH|DELETE) \/api\/user\/(change-password|change-user-key|retire|privacy-request|:id\/(consents|suspension|notices|activity))/,
    "the own account",
  ],
  [
    /^(PUT|POST|PATCH|DELETE) \/api\/(board|alumni|certificate|cohort|event|proposal|file|mail|case-report|inquiry)/,
    "things, by their own permissions",
  ],
  [/^DELETE \/api\/admin\/role\/:roleCode$/, "only of a role that nobody holds"],
  [
    /^\w+ \/api\/admin\/(?:setup|setting\/(?:site|identity|logo|pages|profile-field|agreement|menu|alumni|case-report))/,
    "no right hangs on them",
  ],
  [/^POST \/api\/admin\/member\/export$/, "reads"],
  [
    /^PUT \/api\/admin\/representative$/,
    "a role of one cohort, given as `role-grant` gives it; a test of its own in api/alumni/cohort",
  ],
  [/^\w+ \/api\/admin\/due\//, "what people owe and paid"],
  [/^POST \/api\/admin\/correction/, "what stands in the address book"],
  [/^\w+ \/api\/admin\/board(\/order|\/:boardCode\/(copy|state))?$/, "rights of a new board alone, or none"],
  [/^DELETE \/api\/admin\/board\/:boardCode$/, "rights of an empty board go"],
  [
    new RegExp(`^\\w+ /api/admin/(?:${CONSOLE_ROWS.map(({ code }) => code).join("|")})(?:/|$)`),
    "what visitors are shown",
  ],
  [
    /^\w+ \/api\/admin\/(content|center|report|audit|message|mail-template|mailing|round|event|proposal|consent|job|inquiry)/,
    "things of the console",
  ],
  [
    /^\w+ \/api\/admin\/moving/,
    "roles and boards by Permission.Grant and Board.Manage; tests of its own in api/moving",
  ],
  [/\/sessions\/end-others$/, "ends own sessions"],
  [
    /^POST \/api\/(?:admin\/member\/:id\/(?:join|entry)|confirmation\/join\/:token)$/,
    "an entry becomes readable only after its address confirms; join.test.ts has the rights",
  ],
  [/^POST \/api\/confirmation\/:token/, "one's own entry of the address book, by a link and a second proof"],
  [/^\w+ \/api\/second-factor/, "one's own second factor: it is asked for beside the rights, and gives none"],
  [
    /\/admin\/second-factor\/:id\/recovery$/,
    "lets the owner do without it a day later; it has a guard test of its own",
  ],
  [/\/admin\/moving/, "roles that members are moved into are asked for by `Permission.Grant` at the start"],
  [/\/admin\/setting\/limits$/, "how often something may be done, not who may"],
  [
    /^\w+ \/api\/admin\/privacy\/(request$|request\/export|request\/:id\/(start|extend)|destruction|retention)/,
    "the office's record; destroying an inactive account has its own test",
  ],
];

test("every changing call is an act here or transfers no right", () => {
  const acts = new Set([...Object.keys(ACCOUNT_ACTS), ...RIGHTS_ACTS]);
  const changing = Object.keys(CALLS).filter((call) => !call.startsWith("GET "));
  expect([...acts].filter((act) => !changing.includes(act))).toEqual([]);
  const unnamed = changing.filter((call) => !acts.has(call) && !NO_RIGHTS.some(([pattern]) => pattern.test(call)));
  expect(unnamed).toEqual([]);
  expect([...acts].filter((act) => NO_RIGHTS.some(([pattern]) => pattern.test(act)))).toEqual([]);
});

test(`an act needs every right of its account permanently (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const wrong: string[] = [];
  const cases = sample(
    [...Object.keys(ACCOUNT_ACTS), GRANT, ROLE].flatMap((act) =>
      [...ACTORS, SYSTEM].flatMap((actor) => TARGETS.map((target) => ({ act, actor, target }))),
    ),
    ({ act, actor, target }) => `${act} ${rightsKey(actor)} ${rightsKey(target)}`,
    ({ act }) => act,
  );
  await withAnswers(cases, ({ act, actor, target }) => {
    const isGiven = act === GRANT || act === ROLE;
    const given = isGiven && target.own === "" ? "A" : "";
    const done = isGiven
      ? mayGiveRole(act, actor, target, given, act === GRANT ? { from: "2026-01-01" } : {})
      : mayDoToAccount(act, actor, target);
    const needed = allLetters(target) + given;
    // An account with console access cannot be erased until it is an ordinary member.
    const isKept = act.endsWith("/erase") && (target.own.includes("C") || target.isSystem);
    if (done !== (isWithin(needed, permanentLetters(actor)) && !isKept))
      wrong.push(`${rightsKey(actor)} -> ${rightsKey(target)}: ${act} ${done ? "done" : "refused"}`);
  });
  expect(wrong).toEqual([]);
  expect(answers.size).toBe(cases.length);
});

interface Account {
  isSystem: boolean;
  role: number;
  granted: { role: number; isBegun: boolean } | null;
  controls: Set<number>;
}
interface World {
  roles: string[];
  guestRole: number;
  accounts: Account[];
}
function nth<T>(list: readonly T[], at: number): T {
  const found = list[at];
  if (found === undefined) throw new RangeError(`nothing at ${at}`);
  return found;
}

const rightsIn = ({ roles }: World, { isSystem, role, granted }: Account): Rights => ({
  isSystem,
  own: roles[role] ?? "",
  granted: granted && { letters: roles[granted.role] ?? "", isBegun: granted.isBegun },
});

/** Rights reachable through the own account and every account taken over; `lettersOf` may omit temporary ones. */
function powersIn(world: World, at: number, lettersOf: (of: Rights) => string): string {
  const seen = new Set([at]);
  for (const each of seen) for (const next of world.accounts[each]?.controls ?? []) seen.add(next);
  return [...seen].map((each) => lettersOf(rightsIn(world, nth(world.accounts, each)))).join("");
}

function randomWorld({ pick }: Random): World {
  const roles: string[] = [...ROLE_CLASSES];
  const account = (of: Rights): Account => ({
    isSystem: of.isSystem,
    role: roles.indexOf(of.own),
    granted: of.granted && { role: roles.indexOf(of.granted.letters), isBegun: of.granted.isBegun },
    controls: new Set(),
  });
  return {
    roles,
    guestRole: 0,
    accounts: [account(pick(ACTORS)), account(pick(ACTORS)), account(pick(TARGETS))],
  };
}

const STEPS = [
  EMAIL,
  ROLE,
  "system",
  GRANT,
  END_GRANT,
  CREATE_ROLE,
  EDIT_ROLE,
  IMPORT,
  BOARD,
  AUTHENTICATION,
  "guest file",
];

/** Performs one act as a console user. @returns the actor, or null when nothing was done */
function step(world: World, random: Random): number | null {
  const people = world.accounts.map((_, at) => at);
  const hands = people.flatMap((person) =>
    [person, ...(world.accounts[person]?.controls ?? [])].map((through) => ({ person, through })),
  );
  const able = hands.filter(({ through }) =>
    currentLetters(rightsIn(world, nth(world.accounts, through))).includes("C"),
  );
  if (able.length === 0) return null;
  const { person, through } = random.pick(able);
  const actor = rightsIn(world, nth(world.accounts, through));
  const at = random.below(world.accounts.length);
  const target = nth(world.accounts, at);
  const targetRights = rightsIn(world, target);
  const role = random.below(world.roles.length);
  const letters = nth(world.roles, role);
  const after = random.pick(ROLE_CLASSES);
  const whom = at === through ? ("self" as const) : targetRights;
  const act = random.pick(STEPS);
  switch (act) {
    case EMAIL:
      if (at === through || !mayDoToAccount(EMAIL, actor, targetRights)) return null;
      nth(world.accounts, person).controls.add(at);
      return person;
    case ROLE:
      if (!mayGiveRole(ROLE, actor, whom, letters)) return null;
      target.role = role;
      return person;
    case "system":
      if (!mayGiveRole(ROLE, actor, whom, letters, { userType: "Admin" })) return null;
      Object.assign(target, { role, isSystem: true });
      return person;
    case GRANT: {
      const isBegun = random.below(2) === 0;
      const from = isBegun ? "2026-01-01" : "2099-01-01";
      if (target.granted || !mayGiveRole(GRANT, actor, whom, letters, { from })) return null;
      target.granted = { role, isBegun };
      return person;
    }
    case END_GRANT:
      if (!target.granted || at === through || !mayEndGrant(actor, targetRights)) return null;
      target.granted = null;
      return person;
    case CREATE_ROLE:
      if (!mayCreateRole(actor, after)) return null;
      world.roles.push(after);
      return person;
    case AUTHENTICATION:
    case "guest file": {
      const way = act === AUTHENTICATION ? AUTHENTICATION : IMPORT;
      if (!mayChooseGuestRole(way, actor, nth(world.roles, world.guestRole), letters)) return null;
      world.guestRole = role;
      return person;
    }
    default: {
      // Uses only one pair of board rights, to halve the combinations.
      if (act === BOARD && !letters.includes("C")) return null;
      const next = act === BOARD ? toggleBoard(letters) : after;
      const others = world.accounts.filter((each, index) => each.role === role && index !== through);
      const holders = others.map((each) => rightsIn(world, each));
      if (next === letters || !mayEditRole(act, actor, letters, next, holders)) return null;
      world.roles[role] = next;
      return person;
    }
  }
}

const toggleBoard = (letters: string) => (letters.includes("B") ? letters.replace("B", "") : `${letters}B`);

const SEQUENCES = isFull ? 10_000 : 200;

test("after any three acts no account gains rights beyond its actors", { tags: "sampled" }, async () => {
  const gained: string[] = [];
  let done = 0;
  await withAnswers([...Array(SEQUENCES).keys()], (sequence) => {
    const random = randomFrom(20_261_122 + sequence);
    const world = randomWorld(random);
    const before = structuredClone(world);
    const actors: number[] = [];
    for (let at = 0; at < 3; at += 1) {
      const person = step(world, random);
      if (person !== null) actors.push(person);
      if (random.below(4) === 0) for (const { granted } of world.accounts) if (granted) granted.isBegun = true;
    }
    done += actors.length;
    for (const lettersOf of [allLetters, permanentLetters]) {
      const theirs = actors.map((at) => powersIn(before, at, lettersOf)).join("");
      for (const at of world.accounts.keys()) {
        const now = powersIn(world, at, lettersOf);
        if (!isWithin(now, theirs + powersIn(before, at, lettersOf)))
          gained.push(
            `${sequence}: account ${at} of ${before.accounts.map((each) => rightsKey(rightsIn(before, each))).join(", ")} got ${now}`,
          );
      }
      if (!isWithin(nth(world.roles, world.guestRole), theirs)) gained.push(`${sequence}: the guest got more`);
    }
  });
  expect(gained).toEqual([]);
  // Guards against passing by refusing everything.
  expect(done).toBeGreaterThan(SEQUENCES / 2);
  expect(answers.size).toBeGreaterThan(SEQUENCES / 10);
});
