import { expect, test } from "vitest";
import type { Actor } from "#worker/domain/kernel/context.ts";
import {
  SETTING_SECTIONS,
  sectionRule,
  type SettingSection,
} from "#worker/contract/kernel/setting/setting-sections.ts";
import {
  type AccessQuestion,
  authorize,
  authorizeSetting,
  decideAccess,
  type ProposalResource,
} from "#worker/domain/kernel/authorize.server.ts";

// Written by hand and independent of the rule under test.

const person = (userId: string, codes: string[], options: { all?: boolean; forPeriod?: string[] } = {}): Actor => ({
  kind: options.all ? "admin" : "member",
  userId,
  userName: userId,
  sessionId: "session",
  roleCode: "role",
  roleName: "role",
  permissions: { all: options.all ?? false, codes: new Set([...codes, ...(options.forPeriod ?? [])]) },
  lastingCodes: new Set(codes),
});

const READER = ["Board_free_List", "Board_free_View"];
const WRITER = [...READER, "Board_free_Write", "Board_free_Comment", "Board_free_Download"];

const ACTORS = {
  guest: { kind: "guest", permissions: { all: false, codes: new Set(READER) } },
  other: person("other", WRITER),
  owner: person("owner", WRITER),
  reader: person("owner", READER),
  manager: person("manager", ["Board_free_Manage"]),
  partial: person("partial", ["ADMIN_Access"]),
  officer: person("officer", ["Alumni_Read", "Alumni_Write"]),
  system: person("system", [], { all: true }),
} satisfies Record<string, Actor>;
type ActorName = keyof typeof ACTORS;
const COLUMNS = Object.keys(ACTORS) as ActorName[];

const NOW = new Date("2026-11-22T03:00:00Z");
const board = { boardCode: "free", isClosed: false };
const closedBoard = { boardCode: "free", isClosed: true };
const state = {
  plain: {},
  secret: { isSecret: true },
  deleted: { deletedDate: new Date("2026-11-01T00:00:00Z") },
  future: { createdDate: new Date("2026-12-01T00:00:00Z") },
  closed: { board: closedBoard },
};
const item = (of: keyof typeof state) => ({
  board,
  createdUserId: "owner",
  isSecret: false,
  createdDate: new Date("2026-10-01T00:00:00Z"),
  deletedDate: null,
  ...state[of],
});

const PROPOSAL: ProposalResource = {
  userId: "owner",
  status: "review",
  isNamed: false,
  hasConflict: false,
  review: null,
};

type ItemAction = "Know" | "Read" | "Download" | "Comment" | "Change";
const onItem = (action: ItemAction, of: keyof typeof state): AccessQuestion => ({
  action: `Item.${action}`,
  item: item(of),
  now: NOW,
});
const onComment = (
  of: keyof typeof state,
  deletedDate: Date | null = null,
  action: "Comment.Read" | "Comment.Change" = "Comment.Change",
): AccessQuestion => ({
  action,
  comment: { createdUserId: "owner", deletedDate },
  item: item(of),
  now: NOW,
});

/**
 * `+` may, `-` may not: guest, other member, owner, read-only owner, board manager, ADMIN_Access only, address-book
 * officer, system.
 */
const TABLE: [what: string, question: AccessQuestion, answers: string][] = [
  ["list", { action: "Board.List", board }, "+ + + + + - - +"],
  ["view", { action: "Board.View", board }, "+ + + + + - - +"],
  ["write", { action: "Board.Write", board }, "- + + - + - - +"],
  ["comment", { action: "Board.Comment", board }, "- + + - + - - +"],
  ["download", { action: "Board.Download", board }, "- + + - + - - +"],
  ["manage", { action: "Board.Manage", board }, "- - - - + - - +"],
  ["list a closed board", { action: "Board.List", board: closedBoard }, "- - - - + - - +"],
  ["view a closed board", { action: "Board.View", board: closedBoard }, "- - - - + - - +"],
  ["write on a closed board", { action: "Board.Write", board: closedBoard }, "- - - - + - - +"],
  ["comment on a closed board", { action: "Board.Comment", board: closedBoard }, "- - - - + - - +"],
  ["download from a closed board", { action: "Board.Download", board: closedBoard }, "- - - - + - - +"],
  ["manage a closed board", { action: "Board.Manage", board: closedBoard }, "- - - - + - - +"],
  ["another board", { action: "Board.View", board: { boardCode: "notice", isClosed: false } }, "- - - - - - - +"],

  ["know an item", onItem("Know", "plain"), "+ + + + + - - +"],
  ["know a secret item", onItem("Know", "secret"), "+ + + + + - - +"],
  ["know a deleted item", onItem("Know", "deleted"), "- - - - + - - +"],
  ["know a future item", onItem("Know", "future"), "- - + + + - - +"],
  ["know an item of a closed board", onItem("Know", "closed"), "- - - - + - - +"],
  ["read an item", onItem("Read", "plain"), "+ + + + + - - +"],
  ["read a secret item", onItem("Read", "secret"), "- - + + + - - +"],
  ["read a deleted item", onItem("Read", "deleted"), "- - - - + - - +"],
  ["read a future item", onItem("Read", "future"), "- - + + + - - +"],
  ["read an item of a closed board", onItem("Read", "closed"), "- - - - + - - +"],
  ["download of an item", onItem("Download", "plain"), "- + + - + - - +"],
  ["download of a secret item", onItem("Download", "secret"), "- - + - + - - +"],
  ["download of a deleted item", onItem("Download", "deleted"), "- - - - + - - +"],
  ["download of a future item", onItem("Download", "future"), "- - + - + - - +"],
  ["download of a closed board", onItem("Download", "closed"), "- - - - + - - +"],
  ["comment on an item", onItem("Comment", "plain"), "- + + - + - - +"],
  ["comment on a secret item", onItem("Comment", "secret"), "- - + - + - - +"],
  ["comment on a deleted item", onItem("Comment", "deleted"), "- - - - + - - +"],
  ["comment on a future item", onItem("Comment", "future"), "- - + - + - - +"],
  ["comment on an item of a closed board", onItem("Comment", "closed"), "- - - - + - - +"],
  ["change an item", onItem("Change", "plain"), "- - + - + - - +"],
  ["change a secret item", onItem("Change", "secret"), "- - + - + - - +"],
  ["change a deleted item", onItem("Change", "deleted"), "- - - - + - - +"],
  ["change a future item", onItem("Change", "future"), "- - + - + - - +"],
  ["change an item of a closed board", onItem("Change", "closed"), "- - - - + - - +"],

  ["change a comment", onComment("plain"), "- - + + + - - +"],
  ["change a comment of a secret item", onComment("secret"), "- - + + + - - +"],
  ["change a comment of a deleted item", onComment("deleted"), "- - - - + - - +"],
  ["change a comment of a future item", onComment("future"), "- - + + + - - +"],
  ["change a comment of a closed board", onComment("closed"), "- - - - + - - +"],
  ["change a deleted comment", onComment("plain", NOW), "- - - - - - - -"],
  ["read a comment", onComment("plain", null, "Comment.Read"), "+ + + + + - - +"],
  ["read a comment of a secret item", onComment("secret", null, "Comment.Read"), "- - + + + - - +"],
  ["read a deleted comment", onComment("plain", NOW, "Comment.Read"), "- - - - - - - -"],

  ["read an account", { action: "User.Read", userId: "owner" }, "- - + + - + - +"],
  ["change an account", { action: "User.Change", userId: "owner" }, "- - + + - + - +"],
  ["be the account", { action: "User.Self", userId: "owner" }, "- - + + - - - -"],
  ["use an upload", { action: "Upload.Use", ownerUserId: "owner" }, "- - + + - - - -"],

  ["console", { action: "ADMIN_Access" }, "- - - - - + - +"],
  ["read the address book", { action: "Alumni_Read" }, "- - - - - - + +"],
  ["write in the address book", { action: "Alumni_Write" }, "- - - - - - + +"],
  ["delete from the address book", { action: "Alumni_Delete" }, "- - - - - - - +"],
  ["export the address book", { action: "Alumni_Export" }, "- - - - - - - +"],
  ["import to the address book", { action: "Alumni_Import" }, "- - - - - - - +"],
  ["manage dues", { action: "Dues_Manage" }, "- - - - - - - +"],
  ["manage registrations of events", { action: "Event_Manage" }, "- - - - - - - +"],
  ["manage proposals", { action: "Research_Manage" }, "- - - - - - - +"],
  ["decide on proposals", { action: "Research_Decide" }, "- - - - - - - +"],
  ["case reports", { action: "CaseReport_Access" }, "- - - - - - - +"],
  ["answer inquiries", { action: "Inquiry_Answer" }, "- - - - - - - +"],
  ["word messages with a code or link", { action: "Mail_Template" }, "- - - - - - - +"],
  ["read an inquiry", { action: "Inquiry.Read", ownerUserId: "owner" }, "- - + + - - - +"],
  ["closed fields of nobody's entry", { action: "Alumni.ReadPrivate", ownerUserId: null }, "- - - - - - + +"],
  ["closed fields of the officer's entry", { action: "Alumni.ReadPrivate", ownerUserId: "officer" }, "- - - - - - + +"],
  ["closed fields of the owner's entry", { action: "Alumni.ReadPrivate", ownerUserId: "owner" }, "- - - - - - + +"],
  ["change nobody's entry", { action: "Alumni.Change", ownerUserId: null }, "- - - - - - + +"],

  ["see the people of a cohort", { action: "Alumni.Represent", cohort: 12 }, "- - - - - - - +"],
  ["see those of some cohort", { action: "Alumni.Represent", cohort: "any" }, "- - - - - - - +"],

  ["centre page", { action: "Center.Manage", regionCode: "seoul" }, "- - - - - + - +"],
  ["store a picture", { action: "Picture.Store" }, "- + + - + + - +"],
  ["export the whole site", { action: "Site.Export" }, "- - - - - - - +"],

  ["change a plain field", { action: "Field.Change", field: { label: "소개" }, value: "" }, "- - - - - + - +"],
  [
    "change a field with a right",
    { action: "Field.Change", field: { label: "기관명", right: "Alumni_Write" }, value: "" },
    "- - - - - - + +",
  ],
  [
    "set a number at its floor",
    { action: "Field.Change", field: { label: "기준", floor: 5 }, value: 5 },
    "- - - - - + - +",
  ],
  [
    "set a number below its floor",
    { action: "Field.Change", field: { label: "기준", right: "Alumni_Write", floor: 5 }, value: 4 },
    "- - - - - - - +",
  ],

  [
    "administer a plain account",
    { action: "Account.Administer", account: { userType: "Member", codes: [] } },
    "- - - - - + - +",
  ],
  [
    "administer another partial administrator",
    { action: "Account.Administer", account: { userType: "Member", codes: ["ADMIN_Access", "Center_seoul_Manage"] } },
    "- - - - - + - +",
  ],
  [
    "administer an account that holds more",
    { action: "Account.Administer", account: { userType: "Member", codes: ["ADMIN_Access", "Alumni_Write"] } },
    "- - - - - - - +",
  ],
  [
    "administer a system administrator",
    { action: "Account.Administer", account: { userType: "Admin", codes: [] } },
    "- - - - - - - +",
  ],
  ...(["Change", "Read", "Answer", "Score", "Papers", "Know", "Manage", "Decide"] as const).flatMap(
    (name): [string, AccessQuestion, string][] => {
      const action = `Proposal.${name}` as const;
      const isOwn = name === "Change" || name === "Read" || name === "Papers";
      const isOffice = name === "Papers" || name === "Know" || name === "Manage" || name === "Decide";
      const own = isOwn ? "+" : "-";
      return [
        [`${name} a proposal`, { action, proposal: PROPOSAL }, `- - ${own} ${own} - - - ${isOffice ? "+" : "-"}`],
        [
          `${name} a proposal with a conflict`,
          { action, proposal: { ...PROPOSAL, hasConflict: true } },
          `- - ${own} ${own} - - - -`,
        ],
      ];
    },
  ),
  ["give what is held", { action: "Permission.Grant", codes: ["ADMIN_Access"] }, "- - - - - + - +"],
  ["give a centre", { action: "Permission.Grant", codes: ["Center_seoul_Manage"] }, "- - - - - + - +"],
  ["give what is not held", { action: "Permission.Grant", codes: ["ADMIN_Access", "Alumni_Read"] }, "- - - - - - - +"],
  ["give nothing", { action: "Permission.Grant", codes: [] }, "- - - - - + - +"],
];

test.each(TABLE)("%s", (_what, question, answers) => {
  const decided = COLUMNS.map((name) => (decideAccess(ACTORS[name], question).allowed ? `${name} +` : `${name} -`));
  expect(decided).toEqual(answers.split(" ").map((answer, at) => `${COLUMNS[at]} ${answer}`));
});

test("the table covers every access question", () => {
  const asked = new Set(TABLE.map(([, question]) => question.action));
  const all: Record<AccessQuestion["action"], true> = {
    ADMIN_Access: true,
    Alumni_Read: true,
    Alumni_Write: true,
    Alumni_Delete: true,
    Alumni_Export: true,
    Alumni_Import: true,
    Dues_Manage: true,
    Event_Manage: true,
    Research_Manage: true,
    Research_Decide: true,
    CaseReport_Access: true,
    Inquiry_Answer: true,
    Mail_Template: true,
    "Board.List": true,
    "Board.View": true,
    "Board.Write": true,
    "Board.Comment": true,
    "Board.Download": true,
    "Board.Manage": true,
    "Item.Know": true,
    "Item.Read": true,
    "Item.Download": true,
    "Item.Comment": true,
    "Item.Change": true,
    "Comment.Read": true,
    "Comment.Change": true,
    "User.Read": true,
    "User.Change": true,
    "User.Self": true,
    "Alumni.ReadPrivate": true,
    "Alumni.Change": true,
    "Alumni.Represent": true,
    "Upload.Use": true,
    "Inquiry.Read": true,
    "Proposal.Change": true,
    "Proposal.Read": true,
    "Proposal.Answer": true,
    "Proposal.Score": true,
    "Proposal.Papers": true,
    "Proposal.Know": true,
    "Proposal.Manage": true,
    "Proposal.Decide": true,
    "Center.Manage": true,
    "Picture.Store": true,
    "Site.Export": true,
    "Field.Change": true,
    "Account.Administer": true,
    "Permission.Grant": true,
  };
  expect([...asked].toSorted()).toEqual(Object.keys(all).toSorted());
});

const may = (actor: Actor, question: AccessQuestion) => decideAccess(actor, question).allowed;

test("a member changes only the own entry", () => {
  const reader = person("reader", ["Alumni_Read"]);
  for (const action of ["Alumni.ReadPrivate", "Alumni.Change"] as const) {
    expect(may(reader, { action, ownerUserId: "reader" }), `${action}`).toBe(true);
    expect(may(reader, { action, ownerUserId: "owner" }), `${action}`).toBe(false);
    expect(may(reader, { action, ownerUserId: null }), `${action}`).toBe(false);
    expect(may(person("reader", []), { action, ownerUserId: "reader" }), `${action}`).toBe(false);
  }
});

test("a centre manager may edit only that centre", () => {
  const keeper = person("keeper", ["Center_seoul_Manage"]);
  expect(may(keeper, { action: "Center.Manage", regionCode: "seoul" })).toBe(true);
  expect(may(keeper, { action: "Center.Manage", regionCode: "busan" })).toBe(false);
  expect(may(keeper, { action: "ADMIN_Access" })).toBe(false);
  expect(may(keeper, { action: "Picture.Store" })).toBe(true);
});

test("a cohort representative has only that cohort", () => {
  const twelfth = person("twelfth", ["Alumni_Cohort_12"]);
  for (const [cohort, expected] of [
    [12, true],
    ["any", true],
    [1, false],
    [2, false],
    [120, false],
  ] as const)
    expect([cohort, may(twelfth, { action: "Alumni.Represent", cohort })]).toEqual([cohort, expected]);
  for (const action of ["Alumni_Read", "Alumni_Write", "Alumni_Export", "Alumni_Import", "Alumni_Delete"] as const)
    expect([action, may(twelfth, { action })]).toEqual([action, false]);
  for (const code of [
    "Alumni_Cohort_",
    "Alumni_Cohort_0",
    "Alumni_Cohort_012",
    "Alumni_Cohort_1234",
    "Alumni_Cohort_1x",
  ])
    expect([code, may(person("odd", [code]), { action: "Alumni.Represent", cohort: "any" })]).toEqual([code, false]);
  const give = (codes: string[], forPeriod: string[] = []) =>
    may(person("giver", codes, { forPeriod }), { action: "Permission.Grant", codes: ["Alumni_Cohort_12"] });
  expect(give(["ADMIN_Access"])).toBe(false);
  expect(give(["ADMIN_Access", "Alumni_Write"])).toBe(true);
  expect(give(["ADMIN_Access", "Alumni_Cohort_12"])).toBe(true);
  expect(give(["ADMIN_Access", "Alumni_Cohort_1"])).toBe(false);
  expect(give(["ADMIN_Access"], ["Alumni_Write"])).toBe(false);
});

test("a board manager can grant only the permissions of that board", () => {
  const manager = person("manager", ["ADMIN_Access", "Board_free_Manage"]);
  const give = (...codes: string[]) => may(manager, { action: "Permission.Grant", codes });
  expect(give("Board_free_View", "Board_free_Write", "Board_free_Manage")).toBe(true);
  expect(give("Board_free-2_View")).toBe(false);
  expect(give("Board_notice_View")).toBe(false);
});

test("a temporary permission cannot be granted", () => {
  const deputy = person("deputy", ["Board_free_View"], { forPeriod: ["ADMIN_Access", "Alumni_Write"] });
  expect(may(deputy, { action: "Alumni_Write" })).toBe(true);
  expect(may(deputy, { action: "Account.Administer", account: { userType: "Member", codes: [] } })).toBe(true);
  expect(may(deputy, { action: "Permission.Grant", codes: ["Board_free_View"] })).toBe(true);
  for (const code of ["Alumni_Write", "ADMIN_Access", "Center_seoul_Manage"]) {
    expect(may(deputy, { action: "Permission.Grant", codes: [code] }), `${code}`).toBe(false);
    const account = { userType: "Member" as const, codes: [code] };
    expect(may(deputy, { action: "Account.Administer", account }), `${code}`).toBe(false);
  }
});

test.each(Object.keys(SETTING_SECTIONS) as SettingSection[])("section %s changes in the console alone", (section) => {
  const rights = [...sectionRule(section).rights];
  const change = (codes: string[]) => () => authorizeSetting({ actor: person("clerk", codes) }, section);
  expect(change(["ADMIN_Access", ...rights])).not.toThrow();
  expect(change(rights)).toThrow(expect.objectContaining({ code: "FORBIDDEN" }));
  for (const right of rights)
    expect(change(["ADMIN_Access", ...rights.filter((code) => code !== right)])).toThrow(
      expect.objectContaining({ code: "FORBIDDEN" }),
    );
});

test("a hidden thing is not found", () => {
  const question = { action: "Board.Write", board } as const;
  const refusal = (actor: Actor, kind?: "hidden") => {
    try {
      authorize({ actor }, question, kind);
    } catch (error) {
      return (error as { code: string }).code;
    }
    return "allowed";
  };
  expect(refusal(ACTORS.guest)).toBe("UNAUTHORIZED");
  expect(refusal(ACTORS.reader)).toBe("FORBIDDEN");
  expect([refusal(ACTORS.guest, "hidden"), refusal(ACTORS.reader, "hidden")]).toEqual(["NOT_FOUND", "NOT_FOUND"]);
  expect(refusal(ACTORS.owner)).toBe("allowed");
});

test("a guest cannot comment, even if the guest role may", () => {
  const guest: Actor = { kind: "guest", permissions: { all: false, codes: new Set(WRITER) } };
  expect(decideAccess(guest, onItem("Comment", "plain"))).toMatchObject({ allowed: false });
});
