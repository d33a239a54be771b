import { isPortablePassword } from "#worker/adapters/password.server.ts";
import { koreanDateTime, koreanDay } from "#worker/contract/kernel/korea.ts";
import { exportedPath, type MemberRow, type OldNoteRow, type WholeItem } from "./site-rows.server.ts";
import { escapeHtml } from "./old-text.server.ts";

// Records of RDX 1.0; its importers require every property.

const digits = (time: number | Date) => koreanDateTime(new Date(time)).replaceAll(/\D/g, "");
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

const memberKey = ({ userId, email, id }: Pick<MemberRow, "id" | "userId" | "email">) => userId ?? email ?? id;

const RDX_STATUS = {
  active: "APPROVED",
  retired: "DELETED",
  blocked: "DENIED",
  refused: "DENIED",
  waiting: "UNAUTHED",
} as const;

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
  extra_vars: { ...(JSON.parse(row.profile) as Record<string, unknown>), ...(row.dues && { 회비: row.dues }) },
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

const fileRecord = (file: WholeItem["files"][number]) => ({
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

const koreanMinutes = (time: Date) => koreanDateTime(time).slice(0, 16);

/** Other programs have no events but show extra fields, so the names are readable. */
function eventFields({ eventStart, eventEnd, isEventAllDay, eventPlace }: WholeItem["item"]): Record<string, string> {
  if (eventStart === null || eventEnd === null) return {};
  const show = (time: Date) => (isEventAllDay ? koreanDay(time) : koreanMinutes(time));
  // An all-day event ends at the following midnight.
  const last = isEventAllDay ? new Date(eventEnd.getTime() - 1) : eventEnd;
  const times = show(eventStart) === show(last) ? show(eventStart) : `${show(eventStart)} ~ ${show(last)}`;
  return { 일시: times, ...(eventPlace !== "" && { 장소: eventPlace }) };
}

export function documentRecord({ item, comments, files }: WholeItem, now: Date) {
  const pictures = new Map(files.map((file) => [file.id, exportedPath(file)]));
  const content = item.content.replaceAll(
    /\/api\/file\/([0-9a-f-]{36})/g,
    (address, id: string) => pictures.get(id) ?? address,
  );
  // Scheduled items must not be published early elsewhere.
  const isClosed = item.isSecret || item.createdDate > now;
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
    ...author(item.writerId, item.createdUserName),
    allow_comment: flag(!item.isCommentClosed),
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
      id: comment.no,
      parent_id: comment.parentNo,
      content: escapeHtml(comment.content).replaceAll("\n", "<br>"),
      ...counts(0, 0),
      regdate: digits(comment.createdDate),
      last_update: digits(comment.createdDate),
      ...author(comment.writerId, comment.createdUserName),
      notify_message: "N",
      status: "PUBLIC",
      extra_vars: {},
      files: [],
    })),
  };
}
