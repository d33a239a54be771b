import { isPortablePassword } from "#worker/adapters/password.server.ts";
import { extensionOf } from "#worker/contract/file/rules.ts";
import { koreanDateTime, koreanDay } from "#worker/contract/kernel/korea.ts";
import type { MemberStatus } from "#worker/contract/member/member.ts";
import { escapeHtml } from "./old-text.server.ts";

// Records of RDX 1.0; its importers require every property.

export interface MemberRow {
  id: string;
  userName: string;
  userType: "Member" | "Admin";
  status: MemberStatus;
  profile: string;
  createdDate: number;
  passwordHash: string;
  roleName: string;
  userId: string | null;
  email: string | null;
  mobile: string | null;
}
export interface ItemRow {
  id: number;
  boardCode: string;
  itemNo: number;
  title: string;
  content: string;
  category: string;
  isPinned: number;
  isSecret: number;
  userName: string;
  createdDate: number;
  modifiedDate: number;
  viewCount: number;
  eventStart: number | null;
  eventEnd: number | null;
  isEventAllDay: number;
  eventPlace: string;
  userId: string | null;
}
export interface CommentRow {
  id: number;
  itemId: number;
  parentId: number | null;
  content: string;
  userName: string;
  createdDate: number;
  userId: string | null;
}
export interface FileRow {
  no: number;
  id: string;
  itemId: number;
  purpose: "board" | "image";
  fileName: string;
  size: number;
  contentType: string;
  createdDate: number;
}

export interface OldNoteRow {
  no: number;
  folder: "inbox" | "sent";
  otherName: string;
  title: string;
  content: string;
  sentDate: number | null;
  readDate: number | null;
  ownerId: string;
  userId: string | null;
  email: string | null;
}

const digits = (time: number) => koreanDateTime(new Date(time)).replaceAll(/\D/g, "");
const flag = (value: unknown) => (value ? "Y" : "N");
const author = (userId: string | null, userName: string) => ({
  ipaddress: null,
  user_id: userId,
  password: null,
  user_name: userName,
  nick_name: userName,
  email_address: null,
  homepage: null,
});
const counts = (comments: number, files: number) => ({
  upvote_count: 0,
  downvote_count: 0,
  comment_count: comments,
  trackback_count: 0,
  file_count: files,
});

/** Rhymix's own path, so that other importers find the file. */
export const exportedPath = ({ id, purpose, fileName }: { id: string; purpose: string; fileName: string }): string =>
  `files/attach/${purpose === "image" ? "images" : "binaries"}/${id}.${extensionOf(fileName) || "bin"}`;

const memberKey = ({ userId, email, id }: Pick<MemberRow, "id" | "userId" | "email">) => userId ?? email ?? id;

const RDX_STATUS = { active: "APPROVED", retired: "DELETED", blocked: "DENIED", waiting: "UNAUTHED" } as const;

/** Password hashes are exported as stored; they are useless without this site's secret. */
export const memberRecord = (row: MemberRow) => ({
  user_id: memberKey(row),
  password: isPortablePassword(row.passwordHash) ? row.passwordHash : "",
  user_name: row.userName,
  nick_name: row.userName,
  email_address: row.email,
  phone_number: row.mobile,
  phone_country: null,
  phone_type: row.mobile === null ? null : "mobile",
  signup_date: digits(row.createdDate),
  signup_ipaddress: null,
  last_login_date: null,
  last_login_ipaddress: null,
  change_password_date: null,
  denied_until_date: null,
  is_admin: flag(row.userType === "Admin"),
  admin_description: "",
  status: RDX_STATUS[row.status],
  homepage: null,
  blog: null,
  birthday: null,
  profile_image: null,
  signature: null,
  // Consent to mailings was given to this site, so it must be asked again.
  allow_mailing: "N",
  allow_message: "Y",
  extra_vars: JSON.parse(row.profile) as Record<string, unknown>,
  groups: [row.roleName],
  points: 0,
});

export function noteRecord({ ownerId, userId, email, ...note }: OldNoteRow) {
  const owner = memberKey({ id: ownerId, userId, email });
  const isSent = note.folder === "sent";
  return {
    id: note.no,
    title: note.title || null,
    content: escapeHtml(note.content).replaceAll("\n", "<br>"),
    sender_user_id: isSent ? owner : note.otherName,
    recipient_user_id: isSent ? note.otherName : owner,
    sent_date: note.sentDate === null ? null : digits(note.sentDate),
    read_date: note.readDate === null ? null : digits(note.readDate),
    ipaddress: null,
    folder: isSent ? "Sent" : "Inbox",
    references: [],
    extra_vars: {},
    files: [],
  };
}

const fileRecord = (file: FileRow) => ({
  id: file.no,
  filename: file.fileName,
  path: `rdx:${exportedPath(file)}`,
  url: exportedPath(file),
  download_count: 0,
  regdate: digits(file.createdDate),
  ipaddress: null,
  file_size: file.size,
  mime_type: file.contentType,
  original_type: null,
  width: 0,
  height: 0,
  duration: 0,
  is_valid: "Y",
  is_cover_image: "N",
  comment: null,
  extra_vars: {},
});

const koreanMinutes = (time: number) => koreanDateTime(new Date(time)).slice(0, 16);

/** Other programs have no events but show extra fields, so the names are readable. */
function eventFields({ eventStart, eventEnd, isEventAllDay, eventPlace }: ItemRow): Record<string, string> {
  if (eventStart === null || eventEnd === null) return {};
  const show = (time: number) => (isEventAllDay ? koreanDay(new Date(time)) : koreanMinutes(time));
  // An all-day event ends at the following midnight.
  const last = isEventAllDay ? eventEnd - 1 : eventEnd;
  const times = show(eventStart) === show(last) ? show(eventStart) : `${show(eventStart)} ~ ${show(last)}`;
  return { 일시: times, ...(eventPlace !== "" && { 장소: eventPlace }) };
}

export function documentRecord(item: ItemRow, comments: CommentRow[], files: FileRow[], now: Date) {
  const pictures = new Map(files.map((file) => [file.id, exportedPath(file)]));
  const content = item.content.replaceAll(
    /\/api\/file\/([0-9a-f-]{36})/g,
    (address, id: string) => pictures.get(id) ?? address,
  );
  // Scheduled items must not be published early elsewhere.
  const isClosed = item.isSecret || item.createdDate > now.getTime();
  const attachments = files.filter(({ purpose }) => purpose === "board");
  return {
    id: item.itemNo,
    parent_id: null,
    category: item.category,
    lang_code: null,
    title: item.title,
    content,
    slug: null,
    tags: [],
    read_count: item.viewCount,
    ...counts(comments.length, attachments.length),
    regdate: digits(item.createdDate),
    last_update: digits(item.modifiedDate),
    ...author(item.userId, item.userName),
    allow_comment: "Y",
    allow_trackback: "N",
    notify_message: "N",
    is_notice: flag(item.isPinned),
    title_bold: "N",
    title_color: null,
    status: isClosed ? "SECRET" : "PUBLIC",
    extra_vars: eventFields(item),
    links: [],
    files: attachments.map(fileRecord),
    comments: comments.map((comment) => ({
      id: comment.id,
      parent_id: comment.parentId,
      content: escapeHtml(comment.content).replaceAll("\n", "<br>"),
      ...counts(0, 0),
      regdate: digits(comment.createdDate),
      last_update: digits(comment.createdDate),
      ...author(comment.userId, comment.userName),
      notify_message: "N",
      status: "PUBLIC",
      extra_vars: {},
      files: [],
    })),
  };
}
