import { importedPassword, peppersOf, readArrivingPassword } from "#worker/adapters/password.server.ts";
import { normaliseUserKey, userKeyProblem } from "#worker/contract/account/rules.ts";
import { WIDEST_ACCOUNT_RULES } from "#worker/contract/kernel/setting/identity-rules.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { SIGNUP_ROLE_CODE } from "#worker/contract/kernel/permissions.ts";
import { type DoubtfulChoice, MOVED_CONSENT } from "#worker/contract/moving/rules.ts";
import type { MovingStep } from "./moving-step.server.ts";
import {
  findAccounts,
  findMoved,
  findMovedOrTwice,
  findSeen,
  hasMoreRightsSql,
  movedId,
  movedPeopleStatement,
  type MovedRow,
  movedStatement,
  seenStatement,
} from "./moved-key.server.ts";
import type { OldMember, OldNote } from "./rdx-record.server.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { MovedBody, noteTextFindings, ownFiles } from "./moved-body.server.ts";

interface MemberToCommit {
  id: string;
  name: string;
  roleCode: string;
  status: OldMember["status"];
  passwordHash: string;
  profile: Record<string, string>;
  createdDate: number;
}

const keyName = (type: "Id" | "Email", code: string) => `${type} ${code}`;

/**
 * Existing accounts are neither changed nor duplicated. @param takenMails addresses of earlier members who are not
 * imported yet
 */
export async function commitMembers(
  step: MovingStep,
  members: readonly OldMember[],
  takenMails: ReadonlySet<string> = new Set(),
): Promise<D1PreparedStatement[]> {
  const oldKeys = members.map(({ userId }) => normaliseUserKey("Id", userId));
  const { known, twice } = await findMovedOrTwice(step, "member", oldKeys);
  const emails = members.map(({ email }) => normaliseUserKey("Email", email));
  const owners = await findKeyOwners(step, oldKeys, emails);
  const blocked = await findSeen(step, "blocked", [...oldKeys, ...emails]);
  for (const mail of takenMails) {
    const key = keyName("Email", mail);
    if (!owners.has(key)) owners.set(key, { userId: "", isVerified: false, holdsMore: false });
  }
  const users: MemberToCommit[] = [];
  const keys: { type: "Id" | "Email"; code: string; userId: string }[] = [];
  const consents: { userId: string; code: string; date: number }[] = [];
  const moved: MovedRow[] = [];
  const left: string[] = [];
  for (const [index, member] of members.entries()) {
    const oldKey = oldKeys[index] ?? "";
    if (member.leftBy !== "") {
      const isHere = known.has(oldKey) ? "먼저 옮긴 계정이 이 사이트에 있습니다: " : "";
      step.addIssue("member-left", member.userId, `${isHere}${member.leftBy}`);
      continue;
    }
    const choice = choiceFor(step, member);
    if (member.doubt !== "") step.addIssue("member-doubt", member.userId, member.doubt);
    if (choice === "left") {
      left.push(oldKey);
      continue;
    }
    if (known.has(oldKey)) {
      if (known.get(oldKey) === "" || twice.has(oldKey)) step.addIssue("member-twice", member.userId);
      else step.count("already", "members");
      continue;
    }
    known.set(oldKey, "");
    const email =
      userKeyProblem("Email", emails[index] ?? "", WIDEST_ACCOUNT_RULES) === null ? (emails[index] ?? "") : "";
    const idOwner = owners.get(keyName("Id", oldKey));
    const mailOwner = email === "" ? undefined : owners.get(keyName("Email", email));
    if (mailOwner?.isVerified) {
      if (mailOwner.holdsMore) {
        step.addIssue("member-office", member.userId);
        continue;
      }
      moved.push({ oldKey, targetId: mailOwner.userId, wasHere: true });
      step.count("already", "members");
      continue;
    }
    const takesId = !idOwner && userKeyProblem("Id", oldKey, WIDEST_ACCOUNT_RULES) === null;
    const takesMail = email !== "" && !mailOwner;
    if (!takesId && !takesMail) {
      step.addIssue("member-no-key", member.userId);
      continue;
    }
    const isBlocked = choice === "blocked" || blocked.has(oldKey) || blocked.has(emails[index] ?? "");
    const user = { ...memberToCommit(step, member, oldKey), status: isBlocked ? ("blocked" as const) : member.status };
    noteKeyIssues(step, { ...member, status: user.status }, { takesId, email, takesMail });
    users.push(user);
    for (const { code, date } of member.consents)
      consents.push({ userId: user.id, code, date: (date ?? step.ctx.now()).getTime() });
    const owner = { userId: user.id, isVerified: false, holdsMore: false };
    if (takesId) keys.push({ type: "Id", code: oldKey, userId: user.id });
    if (takesMail) keys.push({ type: "Email", code: email, userId: user.id });
    owners.set(keyName("Id", oldKey), owner);
    if (takesMail) owners.set(keyName("Email", email), owner);
    moved.push({ oldKey, targetId: user.id });
    step.count("committed", "members");
  }
  return [
    step.d1
      .prepare(
        `INSERT INTO user (id, user_name, user_type, role_code, status, password_hash, profile, created_date, modified_date)
         SELECT value ->> 'id', value ->> 'name', 'Member', value ->> 'roleCode', value ->> 'status', value ->> 'passwordHash', value -> 'profile', value ->> 'createdDate', ?1
         FROM json_each(?2)`,
      )
      .bind(step.ctx.now().getTime(), JSON.stringify(users)),
    step.d1
      .prepare(
        `INSERT INTO user_key (user_key_type, user_key_code, user_id)
         SELECT value ->> 'type', value ->> 'code', value ->> 'userId' FROM json_each(?1)`,
      )
      .bind(JSON.stringify(keys)),
    step.d1
      .prepare(
        `INSERT OR IGNORE INTO user_consent (user_id, code, version, agreed, text_hash, created_date)
         SELECT value ->> 'userId', value ->> 'code', ?1, 1, '', value ->> 'date' FROM json_each(?2)`,
      )
      .bind(MOVED_CONSENT, JSON.stringify(consents)),
    seenStatement(step, "left", left),
    movedStatement(step, "member", moved),
    movedPeopleStatement(
      step,
      moved.map(({ targetId }) => targetId),
    ),
  ];
}

/** The office's choice for a member whose memo leaves the state open. */
function choiceFor({ row: { mapping } }: MovingStep, { userId, doubt }: OldMember): DoubtfulChoice {
  if (doubt === "" || !mapping) return "active";
  return lookUp(mapping.doubtful ?? {}, userId) ?? mapping.doubtfulOthers ?? "blocked";
}

function noteKeyIssues(
  step: MovingStep,
  member: OldMember,
  { takesId, email, takesMail }: { takesId: boolean; email: string; takesMail: boolean },
): void {
  if (!takesId) step.addIssue("member-id-taken", member.userId);
  if (member.email !== "" && email === "") step.addIssue("member-mail-bad", member.userId);
  if (email !== "" && !takesMail) step.addIssue("member-mail-taken", member.userId);
  if (member.isAdmin) step.addIssue("member-admin", member.userId);
  if (member.status === "waiting") step.addIssue("member-waiting", member.userId);
  if (member.status === "blocked") step.addIssue("member-denied", member.userId);
  const { kind, hash } = readArrivingPassword(member.password, peppersOf(step.ctx.config));
  if (hash === null) step.addIssue(kind === "pepper" ? "member-pepper" : "member-password", member.userId);
  if (member.hasPicture) step.addIssue("member-picture", member.userId);
  if (member.findings.hasResidentNumber) step.addIssue("member-resident", member.userId);
  if (member.findings.isRepaired) step.addIssue("text-repaired", member.userId);
  if (member.findings.isBroken) step.addIssue("text-broken", member.userId);
}

function memberToCommit(step: MovingStep, member: OldMember, oldKey: string): Omit<MemberToCommit, "status"> {
  const { ctx, row } = step;
  const role = member.groups.map((group) => lookUp(row.mapping?.groups, group)).find(Boolean);
  const { hash } = readArrivingPassword(member.password, peppersOf(ctx.config));
  const profile: Record<string, string> = {};
  for (const [name, text] of Object.entries(member.fields)) {
    const target = lookUp(row.mapping?.fields, name);
    if (target?.to === "field" && !Object.hasOwn(profile, target.code)) profile[target.code] = text;
  }
  return {
    id: movedId(ctx, row.site, "member", oldKey),
    name: member.name,
    roleCode: role ?? SIGNUP_ROLE_CODE,
    // An empty hash never matches; the member resets the password by mail.
    passwordHash: hash === null ? "" : importedPassword(hash, ctx.config.PASSWORD_PEPPER),
    profile,
    createdDate: (member.signupDate ?? ctx.now()).getTime(),
  };
}

async function findKeyOwners(step: MovingStep, ids: readonly string[], emails: readonly string[]) {
  step.spend(1);
  const { results } = await step.d1
    .prepare(
      `SELECT user_key_type AS type, user_key_code AS code, user_id AS userId, verified_date IS NOT NULL AS isVerified,
         ${hasMoreRightsSql("user_key.user_id", "?3")} AS holdsMore FROM user_key
       WHERE (user_key_type = 'Id' AND user_key_code IN (SELECT value FROM json_each(?1)))
          OR (user_key_type = 'Email' AND user_key_code IN (SELECT value FROM json_each(?2)))`,
    )
    .bind(JSON.stringify(ids), JSON.stringify(emails.filter(Boolean)), step.ctx.now().getTime())
    .all<{ type: "Id" | "Email"; code: string; userId: string; isVerified: number; holdsMore: number }>();
  return new Map(
    results.map(({ type, code, userId, isVerified, holdsMore }) => [
      keyName(type, code),
      { userId, isVerified: isVerified === 1, holdsMore: holdsMore === 1 },
    ]),
  );
}

/** Commits a portion of notes, one per mailbox owner. @param owners accounts by old ID, to skip the lookup */
export async function commitNotes(step: MovingStep, notes: readonly OldNote[], owners?: ReadonlyMap<string, string>) {
  const ownerKeys = notes.map((note) => normaliseUserKey("Id", ownerOf(note)));
  const accounts = owners ?? (await findAccounts(step, ownerKeys));
  const others = notes.map((note) => normaliseUserKey("Id", otherOf(note)));
  const left = await findSeen(step, "left", [...ownerKeys, ...others]);
  const known = await findMoved(step, "note", notes.map(noteKeyOf));
  const rows: Record<string, unknown>[] = [];
  const moved: MovedRow[] = [];
  for (const [index, note] of notes.entries()) {
    const oldKey = noteKeyOf(note);
    const ownerKey = ownerKeys[index] ?? "";
    const userId = left.has(ownerKey) ? undefined : accounts.get(ownerKey);
    if (known.has(oldKey)) {
      step.count("already", "notes");
      continue;
    }
    if (!userId) {
      step.addIssue("note-owner", oldKey);
      continue;
    }
    known.set(oldKey, "");
    const id = movedId(step.ctx, step.row.site, "note", oldKey);
    rows.push({
      id,
      userId,
      folder: note.folder,
      otherName: left.has(others[index] ?? "") ? UI_MESSAGES.retiredUser : otherOf(note) || "알 수 없음",
      title: note.title,
      content: textOf(step, oldKey, note),
      sentDate: note.sentDate?.getTime() ?? null,
      readDate: note.readDate?.getTime() ?? null,
    });
    moved.push({ oldKey, targetId: id });
    step.count("committed", "notes");
    if (note.hasFiles) step.addIssue("note-files", `쪽지 ${oldKey}`);
    noteTextFindings(step, `쪽지 ${oldKey}`, note.findings);
  }
  return [
    step.d1
      .prepare(
        `INSERT OR IGNORE INTO old_note (id, user_id, folder, other_name, title, content, sent_date, read_date)
         SELECT value ->> 'id', value ->> 'userId', value ->> 'folder', value ->> 'otherName', value ->> 'title', value ->> 'content', value ->> 'sentDate', value ->> 'readDate'
         FROM json_each(?1)`,
      )
      .bind(JSON.stringify(rows)),
    movedStatement(step, "note", moved),
  ];
}

const NOTE_LETTERS = 100_000;

function textOf(step: MovingStep, oldKey: string, { body, title, findings }: OldNote): string {
  const subject = `쪽지 ${oldKey}`;
  const moved = new MovedBody(step, { itemKey: subject, title, stored: new Set(), files: ownFiles([]), isText: true });
  const text = moved.renderText(body, NOTE_LETTERS, findings);
  moved.nameIssues();
  return text;
}

export const ownerOf = ({ folder, senderId, recipientId }: OldNote) => (folder === "sent" ? senderId : recipientId);
const otherOf = ({ folder, senderId, recipientId }: OldNote) => (folder === "sent" ? recipientId : senderId);
const noteKeyOf = ({ folder, id }: OldNote) => `${folder}/${id}`;
