import { env } from "cloudflare:workers";
import { callJson } from "../support/api-client.ts";
import { createSession, TEST_PASSWORD, type TestSession } from "../support/people.ts";
import { readRow, runSql } from "../support/test-database.ts";

/** Combinations of permissions of a role: console, address book, board. */
export const ROLE_CLASSES = ["", "A", "C", "CB"] as const;
const CODES: Record<string, string> = { C: "ADMIN_Access", A: "Alumni_Write", B: "Board_free_Manage" };
const codesOf = (letters: string) => [...letters].map((letter) => CODES[letter] ?? "");

/** Permissions of an account; `granted` is a temporary role, current or future. */
export interface Rights {
  isSystem: boolean;
  own: string;
  granted: { letters: string; isBegun: boolean } | null;
}
export const rightsKey = ({ isSystem, own, granted }: Rights) =>
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

/** Acts on an account by route. Each gives the actor the account's permissions or revokes them. */
export const ACCOUNT_ACTS: Record<string, (given: Operands) => Body> = {
  "POST /api/admin/member/block": ({ target }) => ({ ids: [target], reason: "시험" }),
  "POST /api/admin/member/unblock": ({ target }) => ({ ids: [target] }),
  "POST /api/admin/member/approve": ({ target }) => ({ ids: [target] }),
  "POST /api/admin/member/refuse": ({ target }) => ({ ids: [target], reason: "시험" }),
  "PATCH /api/admin/member/:id/name": () => ({ userName: "다른이름", reason: "시험", version: 1 }),
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
type Add = (statement: string, ...values: unknown[]) => void;
/** Cached by permissions; never changed, so that accounts can share a role. */
const sharedRoles = new Map<string, string>();
const actorSessions = new Map<string, Promise<TestSession>>();
export function forgetPeople(): void {
  sharedRoles.clear();
  actorSessions.clear();
}

function addRole(add: Add, letters: string): string {
  const roleCode = `role-${crypto.randomUUID().slice(0, 13)}`;
  add(
    "INSERT INTO role (role_code, role_name, permissions) VALUES (?1, ?1, ?2)",
    roleCode,
    JSON.stringify(codesOf(letters)),
  );
  return roleCode;
}
function sharedRole(add: Add, letters: string): string {
  const roleCode = sharedRoles.get(letters) ?? addRole(add, letters);
  sharedRoles.set(letters, roleCode);
  return roleCode;
}

const ADD_GRANT =
  "INSERT INTO role_grant (id, user_id, role_code, start_date, created_date) VALUES (?1, ?2, ?3, ?4, ?4)";
const startOf = (granted: { isBegun: boolean }) => Date.now() + (granted.isBegun ? -HOUR_MS : HOUR_MS);

/** Signs in lazily. Questions share an actor, except for acts on oneself. */
function actorOf(add: Add, of: Rights): { fresh: () => Promise<TestSession>; shared: () => Promise<TestSession> } {
  const roleCode = sharedRole(add, of.own);
  const grantCode = of.granted && sharedRole(add, of.granted.letters);
  const fresh = async () => {
    const session = await createSession({ userType: of.isSystem ? "Admin" : "Member", roleCode });
    if (of.granted) await runSql(ADD_GRANT, crypto.randomUUID(), session.user.id, grantCode, startOf(of.granted));
    return session;
  };
  const shared = () => {
    const session = actorSessions.get(rightsKey(of)) ?? fresh();
    actorSessions.set(rightsKey(of), session);
    return session;
  };
  return { fresh, shared };
}

function addTarget(add: Add, of: Rights, act: string, roleCode = sharedRole(add, of.own)): Operands {
  const [target, sid, requestId, grantId] = Array.from({ length: 4 }, () => crypto.randomUUID()) as FourIds;
  const status = act.endsWith("/unblock") ? "blocked" : /\/(?:approve|refuse)$/.test(act) ? "waiting" : "active";
  const type = of.isSystem ? "Admin" : "Member";
  add(
    "INSERT INTO user (id, user_name, user_type, role_code, status, password_hash, profile, created_date, modified_date) VALUES (?1, '홍길동', ?2, ?3, ?4, 'x', '{}', 1, 1)",
    target,
    type,
    roleCode,
    status,
  );
  add(
    "INSERT INTO user_key (user_key_type, user_key_code, user_id, verified_date) VALUES ('Id', ?1, ?1, NULL), ('Email', ?1 || '@pid.example.kr', ?1, 1)",
    target,
  );
  if (act.includes("/sessions/"))
    add(
      "INSERT INTO session (id, user_id, created_date, last_used_date, expires_date, user_agent, address) VALUES (?, ?, ?3, ?3, ?4, 'x', 'x')",
      sid,
      target,
      Date.now(),
      Date.now() + HOUR_MS,
    );
  if (act.includes("/privacy/request/"))
    add(
      "INSERT INTO privacy_request (id, kind, status, user_id, requester_name, content, received_date, due_date, modified_date) VALUES (?, ?, 'received', ?, 'x', 'x', 1, 1, 1)",
      requestId,
      act.endsWith("/erase") ? "erasure" : "suspension",
      target,
    );
  if (act.endsWith("/resume"))
    add("INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'x', 1)", target);
  if (of.granted) add(ADD_GRANT, grantId, target, sharedRole(add, of.granted.letters), startOf(of.granted));
  return { ...NOTHING, target, sid, requestId, grantId };
}
type FourIds = [string, string, string, string];
const NOTHING: Operands = { target: "", sid: "", requestId: "", grantId: "", roleCode: "" };

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
  // Only acts that give console access check the reason and password; others ignore them.
  const proven = RIGHTS_ACTS.includes(act) ? { reason: "시험", password: TEST_PASSWORD, ...body } : body;
  const answer = await callJson(method, path, method === "DELETE" ? { token } : { token, body: proven });
  // Any other error code is a mistake of this test.
  const expected = ["SUCCESS", "FORBIDDEN", ...(act === AUTHENTICATION || act === IMPORT ? ["INVALID_INPUT"] : [])];
  const isLast = answer.message.startsWith("마지막 관리자") || answer.message.includes("관리자는 먼저 일반 회원으로");
  if (!expected.includes(answer.code) && !isLast && answer.message !== "자기 자신은 차단할 수 없습니다.")
    throw new Error(`${act}: ${answer.code} ${answer.message} ${JSON.stringify(answer.fields)}`);
  return answer.code === "SUCCESS";
}

export const answers = new Map<string, boolean>();
type Ask = () => Promise<boolean>;
const waiting = new Map<string, (add: Add) => Ask>();
class Unanswered extends Error {}

function remember(key: string, prepare: (add: Add) => Ask): boolean {
  const known = answers.get(key);
  if (known !== undefined) return known;
  waiting.set(key, prepare);
  throw new Unanswered(key);
}

const AT_ONCE = 8;
const STATEMENTS = 500;
/** Changes settings of the whole site, so it runs alone. */
const isAlone = (key: string) => [BOARD, AUTHENTICATION, IMPORT].some((act) => key.startsWith(act));

async function askWaiting(): Promise<void> {
  const statements: D1PreparedStatement[] = [];
  const add: Add = (statement, ...values) => void statements.push(env.DB.prepare(statement).bind(...values));
  const questions = [...waiting].map(([key, prepare]) => ({ key, ask: prepare(add) }));
  waiting.clear();
  for (let at = 0; at < statements.length; at += STATEMENTS) await env.DB.batch(statements.slice(at, at + STATEMENTS));
  const answer = async ({ key, ask }: (typeof questions)[number]) => void answers.set(key, await ask());
  const together = questions.filter(({ key }) => !isAlone(key)).values();
  const askNext = async () => {
    for (const question of together) await answer(question);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askNext));
  for (const question of questions) if (isAlone(question.key)) await answer(question);
}

/** Restarts the work for an item each time an answer is missing, until all are done. */
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
  remember([act, rightsKey(actor), rightsKey(target)].join("|"), (add) => {
    const given = addTarget(add, target, act);
    const { shared } = actorOf(add, actor);
    return async () => send(await shared(), act, given, ACCOUNT_ACTS[act]?.(given) ?? {});
  });

export const mayGiveRole = (act: string, actor: Rights, target: Rights | "self", letters: string, extra: Body = {}) => {
  const whom = target === "self" ? target : rightsKey(target);
  return remember([act, rightsKey(actor), whom, letters, JSON.stringify(extra)].join("|"), (add) => {
    const other = target === "self" ? null : addTarget(add, target, act);
    const { fresh, shared } = actorOf(add, actor);
    const roleCode = act === GRANT ? addRole(add, letters) : sharedRole(add, letters);
    return async () => {
      const session = await (other ? shared() : fresh());
      const given = other ?? { ...NOTHING, target: session.user.id };
      const body = act === ROLE ? { ids: [given.target], roleCode, ...extra } : { roleCode, reason: "시험", ...extra };
      return send(session, act, given, body);
    };
  });
};

export const mayEndGrant = (actor: Rights, target: Rights) =>
  remember([END_GRANT, rightsKey(actor), rightsKey(target)].join("|"), (add) => {
    const given = addTarget(add, target, END_GRANT);
    const { shared } = actorOf(add, actor);
    return async () => send(await shared(), END_GRANT, given, {});
  });

/** Changes a role by its page, a settings file or a board; `holders` are other accounts with that role. */
export const mayEditRole = (act: string, actor: Rights, before: string, after: string, holders: readonly Rights[]) =>
  remember([act, rightsKey(actor), before, after, ...new Set(holders.map(rightsKey).toSorted())].join("|"), (add) => {
    const roleCode = addRole(add, before);
    for (const holder of holders) addTarget(add, holder, act, roleCode);
    const { shared } = actorOf(add, actor);
    const role = { roleName: roleCode, permissions: codesOf(after) };
    return async () => {
      const session = await shared();
      const given = { ...NOTHING, roleCode };
      if (act === EDIT_ROLE) return send(session, act, given, { ...role, version: 1 });
      if (act === IMPORT) return importDocument(session, { roles: [{ roleCode, ...role }] });
      return send(session, act, given, await boardBody(roleCode, after.includes("B")));
    };
  });

async function importDocument(session: TestSession, sections: Body): Promise<boolean> {
  const document = { kind: "hoewon-settings", format: 1, ...sections };
  const { accessToken: token } = session;
  const preview = await callJson("POST", "/api/admin/setting/import", { token, body: { document } });
  if (preview.code === "FORBIDDEN") return false;
  return send(session, IMPORT, NOTHING, { document, fingerprint: preview.data?.fingerprint });
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
    useEvents: Boolean(row?.use_events),
    fileMaxCount: row?.file_max_count,
    fileMaxSize: row?.file_max_size,
    fileExtensions: JSON.parse(String(row?.file_extensions)),
    grant: { [roleCode]: manages ? ["Manage"] : [] },
    version: row?.version,
  };
}

export const mayCreateRole = (actor: Rights, letters: string) =>
  remember([CREATE_ROLE, rightsKey(actor), letters].join("|"), (add) => {
    const roleCode = `new-${crypto.randomUUID().slice(0, 8)}`;
    const { shared } = actorOf(add, actor);
    const body = { roleCode, roleName: "새 역할", permissions: codesOf(letters) };
    return async () => send(await shared(), CREATE_ROLE, { ...NOTHING, roleCode }, body);
  });

export const mayChooseGuestRole = (act: string, actor: Rights, before: string, after: string) =>
  remember([act, "guest", rightsKey(actor), before, after].join("|"), (add) => {
    const { shared } = actorOf(add, actor);
    const stored = { authType: "IdAndPassword", roleCodeForGuest: sharedRole(add, before), signupApproval: false };
    // A different role with the same permissions, so that the setting changes.
    const authentication = { ...stored, roleCodeForGuest: addRole(add, after) };
    return async () => {
      await runSql(
        "UPDATE site_setting SET value = ?, version = 1 WHERE key = 'authentication'",
        JSON.stringify(stored),
      );
      const session = await shared();
      if (act === IMPORT) return importDocument(session, { authentication });
      return send(session, act, NOTHING, { ...authentication, version: 1 });
    };
  });

/** Permissions that are active now; below, the permanent ones, then including future grants. */
export const currentLetters = (of: Rights) =>
  of.isSystem ? "CABS" : of.own + (of.granted?.isBegun ? of.granted.letters : "");
export const permanentLetters = (of: Rights) => (of.isSystem ? "CABS" : of.own);
export const allLetters = (of: Rights) => (of.isSystem ? "CABS" : of.own + (of.granted?.letters ?? ""));
export const isWithin = (inner: string, outer: string) => [...inner].every((letter) => outer.includes(letter));
