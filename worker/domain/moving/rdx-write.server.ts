import { extensionOf } from "#worker/contract/file/rules.ts";
import { koreanDateTime } from "#worker/contract/kernel/korea.ts";
import type { MemberStatus } from "#worker/contract/member/status.ts";
import { escapeHtml } from "./old-text.server.ts";

// Records of the exchange format RDX, version 1.0, as its exporters write them.

export interface MemberRow {
  id: string;
  userName: string;
  userType: "Member" | "Admin";
  status: MemberStatus;
  /** JSON. */
  profile: string;
  createdDate: number;
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
  /** Of an item that is an event. */
  eventStart: number | null;
  eventEnd: number | null;
  isEventAllDay: number;
  eventPlace: string;
  /** Null for who has left. */
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

/** 20261122090500, as Korea's clocks show it. */
const digits = (time: number) => koreanDateTime(new Date(time)).replaceAll(/\D/g, "");
const flag = (value: unknown) => (value ? "Y" : "N");
const author = (userId: string | null, userName: string) => ({
  user_id: userId ?? "",
  user_name: userName,
  nick_name: userName,
  email_address: null,
  ipaddress: null,
});

/** Where a file stands in its archive: where Rhymix keeps it, so that other programs find it as well. */
export const exportedPath = ({ id, purpose, fileName }: { id: string; purpose: string; fileName: string }): string =>
  `files/attach/${purpose === "image" ? "images" : "binaries"}/${id}.${extensionOf(fileName) || "bin"}`;

/** By what records name a member. */
const memberKey = ({ userId, email, id }: Pick<MemberRow, "id" | "userId" | "email">) => userId ?? email ?? id;

const RDX_STATUS = { active: "APPROVED", retired: "DENIED", blocked: "DENIED", waiting: "UNAUTHED" } as const;

/** Passwords stay: they are sealed with a secret of this site, and open nothing elsewhere. */
export const memberRecord = (row: MemberRow) => ({
  user_id: memberKey(row),
  password: "",
  user_name: row.userName,
  nick_name: row.userName,
  email_address: row.email,
  phone_number: row.mobile,
  signup_date: digits(row.createdDate),
  is_admin: flag(row.userType === "Admin"),
  status: RDX_STATUS[row.status],
  denied_until_date: null,
  groups: [row.roleName],
  extra_vars: JSON.parse(row.profile) as Record<string, unknown>,
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
  file_size: file.size,
  mime_type: file.contentType,
  is_valid: "Y",
  is_cover_image: "N",
});

export function documentRecord(item: ItemRow, comments: CommentRow[], files: FileRow[], now: Date) {
  const pictures = new Map(files.map((file) => [file.id, exportedPath(file)]));
  const content = item.content.replaceAll(
    /\/api\/file\/([0-9a-f-]{36})/g,
    (address, id: string) => pictures.get(id) ?? address,
  );
  // What is not out yet must not be out elsewhere.
  const isClosed = item.isSecret || item.createdDate > now.getTime();
  return {
    id: item.itemNo,
    parent_id: null,
    category: item.category,
    title: item.title,
    content,
    tags: [],
    read_count: item.viewCount,
    comment_count: comments.length,
    regdate: digits(item.createdDate),
    last_update: digits(item.modifiedDate),
    ...author(item.userId, item.userName),
    is_notice: flag(item.isPinned),
    allow_comment: "Y",
    status: isClosed ? "SECRET" : "PUBLIC",
    extra_vars: {},
    links: [],
    files: files.filter(({ purpose }) => purpose === "board").map(fileRecord),
    comments: comments.map((comment) => ({
      id: comment.id,
      parent_id: comment.parentId,
      content: escapeHtml(comment.content).replaceAll("\n", "<br>"),
      regdate: digits(comment.createdDate),
      last_update: digits(comment.createdDate),
      ...author(comment.userId, comment.userName),
      status: "PUBLIC",
      files: [],
    })),
  };
}
