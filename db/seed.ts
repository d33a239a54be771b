import { sql } from "drizzle-orm";
import { boardPermission, DEFAULT_BOARD_GRANT, SITE_PERMISSIONS } from "#worker/contract/kernel/permissions.ts";
import { FIRST_CERTIFICATE_KIND } from "#worker/contract/alumni/certificate.ts";
import { UNNAMED_SITE } from "#worker/contract/site/setup-rules.ts";
import { sendBatch } from "./batch.ts";
import { connectDatabase } from "./client.ts";
import { role } from "./schema/access.ts";
import { certificateKind } from "./schema/alumni.ts";
import { board } from "./schema/board.ts";
import { siteSetting } from "./schema/kernel.ts";

export const DOCUMENT_EXTENSIONS = [
  "hwp",
  "hwpx",
  "pdf",
  "docx",
  "xlsx",
  "pptx",
  "zip",
  "txt",
  "csv",
  "png",
  "jpg",
  "jpeg",
  "gif",
  "webp",
];
export const DOCUMENT_BYTES = 20 * 1024 * 1024;

const BOARDS = [
  {
    boardCode: "notice",
    boardName: "공지사항",
    description: "소식과 일정을 알려 드립니다.",
    categories: ["안내", "행사", "모집", "채용", "자료"],
    englishName: "News",
    englishDescription: "News, meetings and calls from the office.",
    englishCategories: ["Announcement", "Meeting", "Call", "Vacancy", "Document"],
  },
  {
    boardCode: "reference",
    boardName: "자료실",
    description: "서식과 지침, 교육자료를 내려받을 수 있습니다.",
    categories: ["서식", "지침", "교육자료", "논문", "통계"],
    englishName: "Document library",
    englishDescription: "Forms, guidelines and teaching material to download.",
    englishCategories: ["Form", "Guideline", "Teaching material", "Paper", "Statistics"],
  },
  {
    boardCode: "free",
    boardName: "회원게시판",
    description: "회원끼리 의견을 나누는 곳입니다.",
    categories: ["질문", "정보", "이야기"],
    englishName: "Members’ board",
    englishDescription: "Where members share questions and experience.",
    englishCategories: ["Question", "Information", "Talk"],
  },
];

const everyBoard = (grant: (boardCode: string) => readonly (typeof DEFAULT_BOARD_GRANT.administrator)[number][]) =>
  BOARDS.flatMap(({ boardCode }) => grant(boardCode).map((action) => boardPermission(boardCode, action)));

/** Only the office writes notices and forms; only members read the members' board. */
const ROLES = [
  {
    roleCode: "guest",
    roleName: "방문자",
    permissions: everyBoard((boardCode) => (boardCode === "free" ? [] : DEFAULT_BOARD_GRANT.guest)),
  },
  {
    roleCode: "member",
    roleName: "회원",
    permissions: [
      ...everyBoard((boardCode) =>
        DEFAULT_BOARD_GRANT.member.filter((action) => action !== "Write" || boardCode === "free"),
      ),
      "Alumni_Read",
      "CaseReport_Access",
    ],
  },
  {
    roleCode: "administrator",
    roleName: "관리자",
    permissions: [...everyBoard(() => DEFAULT_BOARD_GRANT.administrator), ...SITE_PERMISSIONS],
  },
];

export async function seedBase(d1: D1Database): Promise<void> {
  const db = connectDatabase(d1);
  const now = new Date();
  const site = {
    siteName: UNNAMED_SITE,
    productName: "",
    description: "",
    contact: { organization: "", address: "", phone: "", fax: "", email: "" },
    copyright: "",
  };
  const kind = FIRST_CERTIFICATE_KIND;
  const authentication = { authType: "IdAndPassword", roleCodeForGuest: "guest", signupApproval: false };
  await sendBatch(db, [
    // Once, as the office may delete it.
    db.insert(certificateKind).select(sql`SELECT ${kind.id}, ${kind.name}, ${kind.body}, '', '', '', false,
      ${kind.withPurpose}, ${kind.numberPattern}, 0, 0, ${kind.months}, ${kind.selfIssue}, 0, false, 1
      WHERE NOT EXISTS (SELECT 1 FROM site_setting)`),
    db
      .insert(siteSetting)
      .values([
        { key: "site", value: site, modifiedDate: now },
        { key: "authentication", value: authentication, modifiedDate: now },
      ])
      .onConflictDoNothing(),
    db
      .insert(role)
      .values(ROLES.map((row) => ({ ...row, isBuiltIn: true })))
      .onConflictDoNothing(),
    db
      .insert(board)
      .values(
        BOARDS.map((row, index) => ({
          ...row,
          fileMaxSize: DOCUMENT_BYTES,
          fileExtensions: DOCUMENT_EXTENSIONS,
          useSecret: row.boardCode === "free",
          sortOrder: index + 1,
        })),
      )
      .onConflictDoNothing(),
  ]);
}
