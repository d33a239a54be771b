import { roleGrant } from "#db/schema/access.ts";
import { callJson } from "./api-client.ts";
import { createSession, createTestRole, createUser, type TestSession } from "./people.ts";
import { readRow, runSql, testDatabase } from "./test-database.ts";

// What the product answers to single acts on rights, asked once for each combination of rights.

/** What a role holds beside nothing: the console, the address book, a board. */
export const ROLE_CLASSES = ["", "A", "C", "CB"] as const;
const CODES: Record<string, string> = { C: "ADMIN_Access", A: "Alumni_Write", B: "Board_free_Manage" };
const codesOf = (letters: string) => [...letters].map((letter) => CODES[letter] ?? "");

/** An account as far as rights go; `granted` is a role for a period, that runs or is to come. */
export interface Rights {
  isSystem: boolean;
  own: string;
  granted: { letters: string; isBegun: boolean } | null;
}
export const keyOfRights = ({ isSystem, own, granted }: Rights) =>
  `${isSystem ? "system:" : ""}${own}${granted ? `+${granted.letters}${granted.isBegun ? "" : " later"}` : ""}`;
const rights = (own: string, granted: Rights["granted"] = null, isSystem = false): Rights => ({
  isSystem,
  own,
  granted,
});

export const TARGETS: Rights[] = [
  rights(""),
  rights("A"),
  rights("C"),
  rights("CB"),
  rights("", { letters: "A", isBegun: false }),
  rights("", null, true),
];
export const ACTORS: Rights[] = [
  rights("C"),
  rights("CB"),
  rights("C", { letters: "A", isBegun: true }),
  rights("A", { letters: "C", isBegun: true }),
];

export const SYSTEM = rights("", null, true);

type Body = Record<string, unknown>;
interface Operands {
  target: string;
  sid: string;
  requestId: string;
  grantId: string;
  roleCode: string;
}

/** Acts on an account by route. Whoever may do one of them to an account may do what that account may, or undo it. */
export const ACCOUNT_ACTS: Record<string, (given: Operands) => Body> = {
  "POST /api/admin/member/block": ({ target }) => ({ ids: [target], reason: "시험" }),
  "POST /api/admin/member/unblock": ({ target }) => ({ ids: [target] }),
  "POST /api/admin/member/approve": ({ target }) => ({ ids: [target] }),
  "POST /api/admin/member/end-sessions": ({ target }) => ({ ids: [target] }),
  "POST /api/admin/member/:id/unlock": () => ({}),
  "POST /api/admin/member/:id/reset-link": () => ({}),
  "POST /api/admin/member/:id/resume": () => ({ reason: "시험" }),
  "PATCH /api/admin/member/:id/email": ({ target }) => ({
    email: `${target.slice(0, 13)}@pid.example.kr`,
    reason: "시험",
    version: 1,
  }),
  "PATCH /api/user/:id": () => ({ userName: "다른이름", version: 1 }),
  "DELETE /api/user/:id/sessions/:sid": () => ({}),
  "POST /api/admin/privacy/request/:id/answer": () => ({ result: "done", answer: "시험", version: 1 }),
  "POST /api/admin/privacy/request/:id/erase": () => ({ answer: "시험", version: 1 }),
};
export const EMAIL = "PATCH /api/admin/member/:id/email";
export const ROLE = "POST /api/admin/member/role";
export const GRANT = "PUT /api/admin/member/:id/role-grant";
export const END_GRANT = "DELETE /api/admin/member/:id/role-grant/:grantId";
export const CREATE_ROLE = "PUT /api/admin/role";
export const EDIT_ROLE = "PATCH /api/admin/role/:roleCode";
export const IMPORT = "POST /api/admin/setting/import";
export const BOARD = "PATCH /api/admin/board/:boardCode";
export const AUTHENTICATION = "PATCH /api/admin/setting/authentication";
export const RIGHTS_ACTS = [ROLE, GRANT, END_GRANT, CREATE_ROLE, EDIT_ROLE, IMPORT, BOARD, AUTHENTICATION];

const HOUR_MS = 3_600_000;
/** By what it holds; never changed, so that accounts may share it. */
let sharedRoles = new Map<string, Promise<string>>();
let actorSessions = new Map<string, Promise<TestSession>>();
/** Before each test, which finds an empty database. */
export function forgetPeople(): void {
  sharedRoles = new Map();
  actorSessions = new Map();
}

function once<T>(made: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
}
const sharedRole = (letters: string) => once(sharedRoles, letters, () => createTestRole(codesOf(letters)));

async function grantPeriod(userId: string, granted: Rights["granted"]): Promise<string> {
  const grantId = crypto.randomUUID();
  if (!granted) return grantId;
  const start = new Date(Date.now() + (granted.isBegun ? -HOUR_MS : HOUR_MS));
  const roleCode = await sharedRole(granted.letters);
  await testDatabase()
    .insert(roleGrant)
    .values({ id: grantId, userId, roleCode, startDate: start, createdDate: start });
  return grantId;
}

const actorSession = (actor: Rights) => once(actorSessions, keyOfRights(actor), () => freshSession(actor));

async function freshSession(of: Rights): Promise<TestSession> {
  const session = await createSession({
    userType: of.isSystem ? "Admin" : "Member",
    roleCode: await sharedRole(of.own),
  });
  await grantPeriod(session.user.id, of.granted);
  return session;
}

/** An account with something for the act to act on. */
async function freshTarget(of: Rights, act: string): Promise<Operands> {
  const status = act.endsWith("/unblock") ? "blocked" : act.endsWith("/approve") ? "waiting" : "active";
  const person = await createUser({
    userType: of.isSystem ? "Admin" : "Member",
    roleCode: await sharedRole(of.own),
    status,
  });
  return operandsOf(person.id, of, act);
}

async function operandsOf(target: string, of: Rights, act: string): Promise<Operands> {
  const [sid, requestId] = [crypto.randomUUID(), crypto.randomUUID()];
  const now = Date.now();
  if (act.includes("/sessions/"))
    await runSql(
      "INSERT INTO session (id, user_id, created_date, last_used_date, expires_date, user_agent, address) VALUES (?, ?, ?3, ?3, ?4, 'x', 'x')",
      sid,
      target,
      now,
      now + HOUR_MS,
    );
  if (act.includes("/privacy/request/"))
    await runSql(
      "INSERT INTO privacy_request (id, kind, status, user_id, requester_name, content, received_date, due_date, modified_date) VALUES (?, ?, 'received', ?, 'x', 'x', 1, 1, 1)",
      requestId,
      act.endsWith("/erase") ? "erasure" : "suspension",
      target,
    );
  if (act.endsWith("/resume")) await runSql("INSERT INTO suspension VALUES (?, 'x', 1)", target);
  return { target, sid, requestId, grantId: await grantPeriod(target, of.granted), roleCode: "" };
}

async function send(session: TestSession, act: string, given: Operands, body: Body): Promise<boolean> {
  const [method = "", route = ""] = act.split(" ");
  const places: Record<string, string> = {
    id: route.includes("/privacy/request/") ? given.requestId : given.target,
    sid: given.sid,
    grantId: given.grantId,
    roleCode: given.roleCode,
    boardCode: "free",
  };
  const path = route.replace(/:(\w+)/g, (_, key: string) => places[key] ?? "");
  const { accessToken: token } = session;
  const answer = await callJson(method, path, method === "DELETE" ? { token } : { token, body });
  // What is wrong with an input, or lost to a race, would be a mistake of this test.
  const expected = ["SUCCESS", "FORBIDDEN", ...(act === AUTHENTICATION || act === IMPORT ? ["INVALID_INPUT"] : [])];
  const isLast = answer.message.startsWith("마지막 관리자") || answer.message.includes("관리자는 먼저 일반 회원으로");
  if (!expected.includes(answer.code) && !isLast && answer.message !== "자기 자신은 차단할 수 없습니다.")
    throw new Error(`${act}: ${answer.code} ${answer.message} ${JSON.stringify(answer.fields)}`);
  return answer.code === "SUCCESS";
}

/** By act and rights of all concerned. */
export const answers = new Map<string, boolean>();
/** What came up and has no answer yet; what changes the settings of all is asked `alone`. */
const waiting = new Map<string, { ask: () => Promise<boolean>; alone: boolean }>();
class Unanswered extends Error {}

function remember(key: string, ask: () => Promise<boolean>): boolean {
  const known = answers.get(key);
  if (known !== undefined) return known;
  waiting.set(key, { ask, alone: [BOARD, AUTHENTICATION, IMPORT].some((act) => key.startsWith(act)) });
  throw new Unanswered(key);
}

const AT_ONCE = 10;
async function askWaiting(): Promise<void> {
  const questions = [...waiting];
  waiting.clear();
  const answer = async ([key, { ask }]: (typeof questions)[number]) => void answers.set(key, await ask());
  const together = questions.filter(([, { alone }]) => !alone).values();
  const askNext = async () => {
    for (const question of together) await answer(question);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askNext));
  for (const question of questions) if (question[1].alone) await answer(question);
}

/** Does something with each, again from its start whenever the product has to be asked first, until all are done. */
export async function withAnswers<T>(list: readonly T[], work: (each: T) => void): Promise<void> {
  const isUnanswered = (each: T) => {
    try {
      work(each);
      return false;
    } catch (error) {
      if (error instanceof Unanswered) return true;
      throw error;
    }
  };
  for (let left = list.filter(isUnanswered); left.length > 0; left = left.filter(isUnanswered)) await askWaiting();
}

export const mayDoToAccount = (act: string, actor: Rights, target: Rights) =>
  remember([act, keyOfRights(actor), keyOfRights(target)].join("|"), async () => {
    const given = await freshTarget(target, act);
    return send(await actorSession(actor), act, given, ACCOUNT_ACTS[act]?.(given) ?? {});
  });

/** Roles of accounts; on oneself with an account of one's own. */
export const mayGiveRole = (act: string, actor: Rights, target: Rights | "self", letters: string, extra: Body = {}) =>
  remember(
    [act, keyOfRights(actor), target === "self" ? target : keyOfRights(target), letters, JSON.stringify(extra)].join(
      "|",
    ),
    async () => {
      const session = target === "self" ? await freshSession(actor) : await actorSession(actor);
      const given =
        target === "self"
          ? { target: session.user.id, sid: "", requestId: "", grantId: "", roleCode: "" }
          : await freshTarget(target, act);
      const roleCode = act === GRANT ? await createTestRole(codesOf(letters)) : await sharedRole(letters);
      const body = act === ROLE ? { ids: [given.target], roleCode, ...extra } : { roleCode, reason: "시험", ...extra };
      return send(session, act, given, body);
    },
  );

export const mayEndGrant = (actor: Rights, target: Rights) =>
  remember([END_GRANT, keyOfRights(actor), keyOfRights(target)].join("|"), async () => {
    const given = await freshTarget(target, END_GRANT);
    return send(await actorSession(actor), END_GRANT, given, {});
  });

/** What a role holds changes by its page, a file of settings or a board; `holders` are other accounts that have it. */
export const mayEditRole = (act: string, actor: Rights, before: string, after: string, holders: readonly Rights[]) =>
  remember(
    [act, keyOfRights(actor), before, after, ...new Set(holders.map(keyOfRights).toSorted())].join("|"),
    async () => {
      const roleCode = await createTestRole(codesOf(before));
      for (const holder of holders) {
        const { target } = await freshTarget(holder, act);
        await runSql("UPDATE user SET role_code = ? WHERE id = ?", roleCode, target);
      }
      const session = await actorSession(actor);
      const given = { target: "", sid: "", requestId: "", grantId: "", roleCode };
      const role = { roleName: roleCode, permissions: codesOf(after) };
      if (act === EDIT_ROLE) return send(session, act, given, { ...role, version: 1 });
      if (act === IMPORT) return importDocument(session, { roles: [{ roleCode, ...role }] });
      return send(session, act, given, await boardBody(roleCode, after.includes("B")));
    },
  );

async function importDocument(session: TestSession, sections: Body): Promise<boolean> {
  const document = { kind: "hoewon-settings", format: 1, ...sections };
  const { accessToken: token } = session;
  const preview = await callJson("POST", "/api/admin/setting/import", { token, body: { document } });
  if (preview.code === "FORBIDDEN") return false;
  const given = { target: "", sid: "", requestId: "", grantId: "", roleCode: "" };
  return send(session, IMPORT, given, { document, fingerprint: preview.data?.fingerprint });
}

async function boardBody(roleCode: string, manages: boolean): Promise<Body> {
  const row = await readRow<Record<string, unknown>>("SELECT * FROM board WHERE board_code = 'free'");
  return {
    boardName: row?.board_name,
    description: row?.description,
    boardType: row?.board_type,
    categories: JSON.parse(String(row?.categories)),
    pageSize: row?.page_size,
    useComment: Boolean(row?.use_comment),
    useSecret: Boolean(row?.use_secret),
    fileMaxCount: row?.file_max_count,
    fileMaxSize: row?.file_max_size,
    fileExtensions: JSON.parse(String(row?.file_extensions)),
    grant: { [roleCode]: manages ? ["Manage"] : [] },
    version: row?.version,
  };
}

export const mayCreateRole = (actor: Rights, letters: string) =>
  remember([CREATE_ROLE, keyOfRights(actor), letters].join("|"), async () => {
    const roleCode = `new-${crypto.randomUUID().slice(0, 8)}`;
    const given = { target: "", sid: "", requestId: "", grantId: "", roleCode };
    return send(await actorSession(actor), CREATE_ROLE, given, {
      roleCode,
      roleName: "새 역할",
      permissions: codesOf(letters),
    });
  });

export const mayChooseGuestRole = (act: string, actor: Rights, before: string, after: string) =>
  remember([act, "guest", keyOfRights(actor), before, after].join("|"), async () => {
    const stored = { authType: "IdAndPassword", roleCodeForGuest: await sharedRole(before), signupApproval: false };
    await runSql("UPDATE site_setting SET value = ?, version = 1 WHERE key = 'authentication'", JSON.stringify(stored));
    // Another role of the same rights, so that it is a change.
    const authentication = { ...stored, roleCodeForGuest: await createTestRole(codesOf(after)) };
    const session = await actorSession(actor);
    if (act === IMPORT) return importDocument(session, { authentication });
    const given = { target: "", sid: "", requestId: "", grantId: "", roleCode: "" };
    return send(session, act, given, { ...authentication, version: 1 });
  });

/** What the rights may be used for now, what lasts of them, and what comes some day. */
export const lettersNow = (of: Rights) =>
  of.isSystem ? "CABS" : of.own + (of.granted?.isBegun ? of.granted.letters : "");
export const lettersLasting = (of: Rights) => (of.isSystem ? "CABS" : of.own);
export const lettersEver = (of: Rights) => (of.isSystem ? "CABS" : of.own + (of.granted?.letters ?? ""));
export const isWithin = (inner: string, outer: string) => [...inner].every((letter) => outer.includes(letter));
