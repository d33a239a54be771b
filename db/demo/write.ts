import { eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { hashPassword } from "#worker/adapters/password.server.ts";
import { alumniSearchTexts, initialsOf } from "#worker/contract/alumni/search.ts";
import { DEFAULT_SYNONYMS } from "#worker/contract/kernel/setting/synonyms.ts";
import { NETWORK_MARK } from "#worker/contract/site/initial-mark.ts";
import { sendBatch } from "../batch.ts";
import { connectDatabase, type Db } from "../client.ts";
import { boardPermission, DEFAULT_BOARD_GRANT } from "#worker/contract/kernel/permissions.ts";
import { role } from "../schema/access.ts";
import { DOCUMENT_BYTES, DOCUMENT_EXTENSIONS } from "../seed.ts";
import type { ProfileInput, ProfileInputType } from "#worker/contract/account/rules.ts";
import { profileField, user, userConsent, userKey } from "../schema/account.ts";
import { alumni } from "../schema/alumni.ts";
import { board, boardItem, boardItemComment } from "../schema/board.ts";
import { agreement, center } from "../schema/content.ts";
import { event as openedEvent, eventRegistration } from "../schema/event.ts";
import { siteSetting } from "../schema/kernel.ts";
import { noticeChoice } from "../schema/mail.ts";
import { demoAlumni } from "./alumni.ts";
import { contentRows } from "./contents.ts";
import { textHashOf } from "#worker/domain/content/agreement.server.ts";
import { proposalRows } from "./proposals.ts";
import { pageFileRows } from "./page-files.ts";
import { demoAgreements, demoCenters, type DemoItem, demoMembers, demoSite, readDemoItems } from "./texts.ts";
import { addDays } from "#worker/contract/board/event-rules.ts";
import { extensionOf, FILE_TYPES } from "#worker/contract/file/rules.ts";
import { chargeFees } from "#worker/domain/event/fee.server.ts";
import { indexItemStatements } from "#worker/domain/board/search-index.server.ts";
import { file } from "../schema/file.ts";
import { demoFile } from "./files.ts";
import { sha256Hex } from "./digest.ts";

const HOUR_MS = 3_600_000;

interface DemoAuthor {
  id: string;
  userName: string;
}

type InsertStatement = BatchItem<"sqlite">;

interface DemoWriteContext {
  db: Db;
  files: R2Bucket;
  now: Date;
  admin: DemoAuthor;
  members: DemoAuthor[];
}

const ADMIN_PASSWORD = "Admin!2345";

const MEMBER_PASSWORD = "Member!2345";

/** Demo research network for local use only: its passwords are in the README. */
export async function writeDemo(bindings: { DB: D1Database; FILES: R2Bucket }, secrets: { PASSWORD_PEPPER: string }) {
  const db = connectDatabase(bindings.DB);
  const now = new Date();
  await sendBatch(db, [...siteRows(db, now), ...contentRows(db, now)]);
  const admin = { id: crypto.randomUUID(), userName: "관리자" };
  const hashes = {
    admin: hashPassword(ADMIN_PASSWORD, secrets.PASSWORD_PEPPER),
    member: hashPassword(MEMBER_PASSWORD, secrets.PASSWORD_PEPPER),
  };
  const people = demoMembers.map((member) => ({ ...member, id: crypto.randomUUID() }));
  await sendBatch(db, [
    ...personRows(
      db,
      now,
      { ...admin, userId: "admin", email: "admin@pid.example.kr", profile: {} },
      "Admin",
      hashes.admin,
    ),
    ...people.flatMap((person, at) => {
      const { affiliation, department, specialty, mobile: phone } = person;
      const profile = { affiliation, department, specialty, phone, memberType: "전문의" };
      // Some consented to the newsletter over two years ago and are due a reminder.
      const daysAgo = at % 7 === 2 ? 790 : 120;
      const newsletterDate = at % 3 === 2 ? new Date(now.getTime() - daysAgo * 24 * HOUR_MS) : undefined;
      return personRows(db, now, { ...person, profile, newsletterDate }, "Member", hashes.member);
    }),
  ]);
  const writing: DemoWriteContext = { db, files: bindings.FILES, now, admin, members: people.slice(1) };
  await sendBatch(db, await pageFileRows(db, bindings.FILES, admin.id, now));
  for (const boardCode of ["notice", "reference", "free"] as const)
    await writeItems(writing, boardCode, readDemoItems(boardCode));
  await sendBatch(db, faqBoardRows(db));
  await writeItems(writing, FAQ_BOARD, readDemoItems(FAQ_BOARD));
  await sendBatch(db, alumniRows(db, now));
  await sendBatch(db, proposalRows(db, now, admin, people));
  await sendBatch(
    db,
    people
      .slice(0, 8)
      .map((person) =>
        db
          .insert(noticeChoice)
          .values({ kind: "item", target: "notice", userId: person.id, isOn: true, createdDate: now }),
      ),
  );
}

const FAQ_BOARD = "help";

/** FAQ board in addition to the seeded ones, with the default rights of a new board. */
function faqBoardRows(db: Db): InsertStatement[] {
  const grants = [
    ["guest", DEFAULT_BOARD_GRANT.guest],
    ["member", DEFAULT_BOARD_GRANT.guest],
    ["administrator", DEFAULT_BOARD_GRANT.administrator],
  ] as const;
  return [
    db.insert(board).values({
      boardCode: FAQ_BOARD,
      boardName: "자주 묻는 질문",
      description: "환자 등록과 회원 이용에 관하여 자주 물으시는 내용을 모았습니다.",
      englishName: "Frequently asked questions",
      englishDescription: "What we are often asked about registering a patient and using this site.",
      boardType: "faq",
      categories: [],
      useComment: false,
      fileMaxSize: DOCUMENT_BYTES,
      fileExtensions: DOCUMENT_EXTENSIONS,
      sortOrder: 4,
    }),
    ...grants.map(([roleCode, actions]) => {
      const codes = JSON.stringify(actions.map((action) => boardPermission(FAQ_BOARD, action)));
      const all = sql<
        string[]
      >`(SELECT json_group_array(value) FROM (SELECT value FROM json_each(${role.permissions}) UNION ALL SELECT value FROM json_each(${codes})))`;
      return db.update(role).set({ permissions: all }).where(eq(role.roleCode, roleCode));
    }),
  ];
}

const alumniRows = (db: Db, now: Date): InsertStatement[] =>
  demoAlumni.map((person) =>
    db.insert(alumni).values({
      ...person,
      id: crypto.randomUUID(),
      initials: initialsOf(person.name),
      ...alumniSearchTexts(person, person.openFields),
      createdDate: now,
      modifiedDate: now,
    }),
  );

function siteRows(db: Db, now: Date): InsertStatement[] {
  const versions = demoAgreements.map(({ effectiveDate, ...row }, at) => ({
    ...row,
    textHash: textHashOf(row),
    effectiveDate: new Date(`${effectiveDate}T00:00:00+09:00`),
    isCurrent: true,
    sortOrder: at + 1,
  }));
  const site = JSON.stringify(demoSite.site);
  return [
    db
      .update(siteSetting)
      .set({ value: sql`${site}`, modifiedDate: now })
      .where(sql`key = 'site'`),
    db.insert(siteSetting).values({
      key: "setup",
      value: { confirmed: ["authentication", "mail", "boards"] },
      modifiedDate: now,
    }),
    db.insert(siteSetting).values({
      key: "identity",
      value: {
        english: demoSite.english,
        synonyms: `${DEFAULT_SYNONYMS}\n${demoSite.synonyms}`,
        logo: NETWORK_MARK,
        hasProposals: true,
      },
      modifiedDate: now,
    }),
    ...demoSite.profileFields.map(({ order, inputType, ...row }) =>
      db.insert(profileField).values({ ...row, inputType: inputType as ProfileInputType, sortOrder: order }),
    ),
    ...versions.map((row) => db.insert(agreement).values(row)),
    ...demoCenters.map((row, at) => db.insert(center).values({ ...row, sortOrder: at + 1 })),
  ];
}

interface DemoAccount extends DemoAuthor {
  userId: string;
  email: string;
  profile: Record<string, unknown>;
  newsletterDate?: Date | undefined;
}

function personRows(db: Db, now: Date, account: DemoAccount, userType: "Admin" | "Member", passwordHash: string) {
  const { id, userName, userId, email, profile } = account;
  const roleCode = userType === "Admin" ? "administrator" : "member";
  return [
    db.insert(user).values({
      id,
      userName,
      userType,
      roleCode,
      status: "active",
      passwordHash,
      profile,
      createdDate: now,
      modifiedDate: now,
    }),
    db.insert(userKey).values([
      { userKeyType: "Id", userKeyCode: userId, userId: id },
      { userKeyType: "Email", userKeyCode: email, userId: id, verifiedDate: now },
    ]),
    db.insert(userConsent).values(
      demoAgreements.map(({ code, version, required, ...text }) => ({
        userId: id,
        code,
        version,
        agreed: required || account.newsletterDate !== undefined,
        textHash: textHashOf(text),
        createdDate: required ? now : (account.newsletterDate ?? now),
      })),
    ),
  ];
}

const koreanMoment = (text: string) => new Date(text.length > 10 ? `${text}:00+09:00` : `${text}T00:00:00+09:00`);

function demoEventColumns(event: DemoItem["event"]) {
  if (!event) return {};
  const isEventAllDay = event.start.length === 10;
  return {
    eventStart: koreanMoment(event.start),
    eventEnd: koreanMoment(isEventAllDay ? addDays(event.end, 1) : event.end),
    isEventAllDay,
    eventPlace: event.place,
    eventDeadline: event.deadline ? koreanMoment(event.deadline) : null,
    isEventCancelled: event.isCancelled ?? false,
  };
}

function registrationRows(
  { db, now, members }: DemoWriteContext,
  itemId: ReturnType<typeof sql<number>>,
  registration: NonNullable<DemoItem["registration"]>,
): InsertStatement[] {
  const {
    open,
    close,
    people,
    questions: asked,
    fees: kinds = [],
    chosen: feePlaces = [0],
    ...settings
  } = registration;
  const fees = kinds.map((fee, at) => ({ roleCodes: [], ...fee, code: `f${at + 1}` }));
  const feeOf = (at: number) => fees[feePlaces[at % feePlaces.length] ?? 0];
  const openDate = koreanMoment(open);
  const questions = asked.map((question, at) => ({
    ...question,
    inputType: question.inputType as ProfileInputType,
    code: `q${at + 1}`,
  }));
  const answersOf = (at: number): ProfileInput =>
    Object.fromEntries(
      questions.flatMap(({ code, inputType, detail }) => {
        const chosen = detail[at % detail.length] ?? "";
        return chosen ? [[code, inputType === "checkbox" ? [chosen] : chosen]] : [];
      }),
    );
  const dates = { createdDate: now, modifiedDate: now };
  return [
    db.insert(openedEvent).values({
      ...settings,
      ...dates,
      itemId,
      openDate,
      closeDate: koreanMoment(close),
      useWaiting: true,
      roleCodes: [],
      questions,
      fees,
    }),
    ...members.slice(0, people).map(({ id: userId }, at) =>
      db.insert(eventRegistration).values({
        ...dates,
        id: crypto.randomUUID(),
        itemId,
        userId,
        status: at < settings.places ? "confirmed" : "waiting",
        turn: at + 1,
        answers: answersOf(at),
        feeCode: feeOf(at)?.code ?? "",
        fee: feeOf(at)?.amount ?? 0,
        createdDate: new Date(
          Math.min(openDate.getTime() + (at + 1) * 7 * HOUR_MS, now.getTime() - (30 - at) * 60_000),
        ),
      }),
    ),
    chargeFees(
      { db, now: () => now },
      sql`SELECT id FROM event_registration WHERE item_id = ${itemId} AND status = 'confirmed'`,
    ),
  ];
}

/** Takes items oldest first, so that numbers rise with the dates. */
async function writeItems(writing: DemoWriteContext, boardCode: string, items: DemoItem[]): Promise<void> {
  const { db, now, admin, members } = writing;
  const person = (index: number | "admin"): DemoAuthor => (index === "admin" ? admin : (members[index] ?? admin));
  const statements: InsertStatement[] = [];
  const oldestFirst = items.toSorted((a, b) => b.hoursAgo - a.hoursAgo);
  for (const [at, item] of oldestFirst.entries()) {
    const itemNo = at + 1;
    const itemId = sql<number>`(SELECT id FROM board_item WHERE board_code = ${boardCode} AND item_no = ${itemNo})`;
    const createdDate = new Date(now.getTime() - item.hoursAgo * HOUR_MS);
    const writer = person(item.writer);
    const comments = (item.comments ?? []).flatMap((comment, commentAt) => {
      const id = crypto.randomUUID();
      const date = new Date(
        Math.min(createdDate.getTime() + comment.hoursAfter * HOUR_MS, now.getTime() - (20 - commentAt) * 60_000),
      );
      const row = (
        by: number | "admin",
        content: string,
        rowId: string,
        parentCommentId: string | null,
        minutes: number,
      ) => {
        const when = new Date(date.getTime() + minutes * 60_000);
        const author = person(by);
        return {
          id: rowId,
          itemId,
          parentCommentId,
          content,
          createdUserId: author.id,
          createdUserName: author.userName,
          createdDate: when,
          modifiedDate: when,
        };
      };
      const replies = (comment.replies ?? []).map((reply, n) =>
        row(reply.by, reply.content, crypto.randomUUID(), id, n + 1),
      );
      return [row(comment.by, comment.content, id, null, 0), ...replies];
    });
    const pictureId = item.picture ? crypto.randomUUID() : null;
    const chart = pictureId ? `\n<p><img src="/api/file/${pictureId}" alt="${item.picture}"></p>` : "";
    statements.push(
      db.insert(boardItem).values({
        boardCode,
        itemNo,
        title: item.title,
        content: item.content.trim() + chart,
        thumbnailFileId: pictureId,
        category: item.category,
        isPinned: item.isPinned ?? false,
        showItemToMain: item.showItemToMain ?? false,
        createdUserId: writer.id,
        createdUserName: writer.userName,
        createdDate,
        modifiedDate: createdDate,
        ...demoEventColumns(item.event),
        viewCount: item.viewCount,
        commentCount: comments.length,
        fileCount: item.files?.length ?? 0,
      }),
      ...comments.map((comment) => db.insert(boardItemComment).values(comment)),
      ...(item.registration ? registrationRows(writing, itemId, item.registration) : []),
      ...(await fileRows(writing, boardCode, item, itemId, writer, createdDate, pictureId)),
      ...indexItemStatements(db, itemId, {
        boardCode,
        isSecret: false,
        createdUserId: writer.id,
        createdUserName: writer.userName,
        createdDate,
        title: item.title,
        content: item.content,
        fileNames: (item.files ?? []).map(({ fileName }) => fileName),
        fileTexts: [],
        comments: comments.map(({ content }) => content),
      }),
    );
  }
  statements.push(
    db
      .update(board)
      .set({ lastItemNo: items.length, useEvents: items.some(({ event }) => event) })
      .where(sql`board_code = ${boardCode}`),
  );
  await sendBatch(db, statements);
}

async function fileRows(
  writing: DemoWriteContext,
  boardCode: string,
  item: DemoItem,
  itemId: ReturnType<typeof sql<number>>,
  owner: DemoAuthor,
  createdDate: Date,
  pictureId: string | null,
) {
  const rows: InsertStatement[] = [];
  const attached = (item.files ?? []).map((each) => ({ ...each, id: crypto.randomUUID(), purpose: "board" as const }));
  const picture = { fileName: "누적 등록 환자.png", kind: "chart" as const, purpose: "image" as const };
  const files = [...attached, ...(pictureId ? [{ ...picture, id: pictureId }] : [])];
  for (const [sortOrder, { id, fileName, kind, purpose }] of files.entries()) {
    const bytes = demoFile(kind, item.title);
    const storageKey = `f/demo/${id}`;
    const contentType = FILE_TYPES[extensionOf(fileName)] ?? "application/octet-stream";
    await writing.files.put(storageKey, bytes, { httpMetadata: { contentType } });
    rows.push(
      writing.db.insert(file).values({
        id,
        purpose,
        boardCode,
        itemId,
        ownerUserId: owner.id,
        fileName: fileName.normalize("NFC"),
        size: bytes.byteLength,
        contentType,
        hash: sha256Hex(bytes),
        status: "attached",
        storageKey,
        sortOrder,
        createdDate,
      }),
    );
  }
  return rows;
}
