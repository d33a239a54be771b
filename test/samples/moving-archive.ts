import { strToU8, zipSync, type Zippable } from "fflate";

// Archives in the format of the gnuboard5 exporter (drivers/Gnuboard5.php): same property order, numeric dates, index
// last.

type Fields = Record<string, unknown>;

const GUEST = {
  ipaddress: "203.0.113.1",
  user_id: "",
  password: null,
  user_name: "손님",
  nick_name: "손님",
  email_address: null,
  homepage: null,
};
const NO_COUNTS = { upvote_count: 0, downvote_count: 0, comment_count: 0, trackback_count: 0, file_count: 0 };

export const oldMember = (userId: string, fields: Fields = {}): Fields => ({
  user_id: userId,
  password: "sha256:12000:c2FsdA==:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  user_name: "김옛날",
  nick_name: "옛날이",
  email_address: `${userId}@old.example.kr`,
  phone_number: "01012345678",
  phone_country: null,
  phone_type: "mobile",
  signup_date: "20150304050607",
  signup_ipaddress: "203.0.113.1",
  last_login_date: "20240101000000",
  last_login_ipaddress: "203.0.113.1",
  change_password_date: null,
  denied_until_date: null,
  is_admin: "N",
  admin_description: "",
  status: "APPROVED",
  homepage: null,
  blog: null,
  birthday: null,
  profile_image: null,
  signature: null,
  allow_mailing: "Y",
  allow_message: "Y",
  extra_vars: {},
  groups: [],
  points: 0,
  ...fields,
});

export const oldComment = (id: number, fields: Fields = {}): Fields => ({
  id,
  parent_id: null,
  content: "옛 댓글입니다.",
  ...NO_COUNTS,
  regdate: "20160102030405",
  last_update: null,
  ...GUEST,
  notify_message: "N",
  status: "PUBLIC",
  extra_vars: {},
  files: [],
  ...fields,
});

export const oldFile = (id: number, filename: string, url: string, fields: Fields = {}): Fields => ({
  id,
  filename,
  path: `rdx:${url}`,
  url,
  download_count: 0,
  regdate: "20160102030405",
  ipaddress: null,
  file_size: 10,
  mime_type: null,
  original_type: null,
  width: 0,
  height: 0,
  duration: null,
  is_valid: "Y",
  is_cover_image: "N",
  comment: null,
  extra_vars: {},
  ...fields,
});

export const oldDocument = (id: number, fields: Fields = {}): Fields => ({
  id,
  parent_id: null,
  category: "",
  lang_code: null,
  title: `옛 글 ${id}`,
  content: `<p>옛 글 ${id}의 내용입니다.</p>`,
  slug: null,
  tags: [],
  read_count: 12,
  ...NO_COUNTS,
  regdate: "20160102030405",
  last_update: "20160102030405",
  ...GUEST,
  allow_comment: "Y",
  allow_trackback: "N",
  notify_message: "N",
  is_notice: "N",
  title_bold: "N",
  title_color: null,
  status: "PUBLIC",
  extra_vars: {},
  comments: [],
  files: [],
  links: [],
  ...fields,
});

export const oldNote = (id: number, sender: string, recipient: string, fields: Fields = {}): Fields => ({
  id,
  title: null,
  content: "쪽지입니다.",
  sender_user_id: sender,
  recipient_user_id: recipient,
  sent_date: "20160102030405",
  read_date: null,
  ipaddress: null,
  folder: "Inbox",
  references: [],
  extra_vars: {},
  files: [],
  ...fields,
});

export interface OldSite {
  members?: Fields[];
  notes?: Fields[];
  boards?: Record<string, { title: string; documents: (Fields | string)[] }>;
  files?: Record<string, Uint8Array | string>;
  index?: Fields;
  perList?: number;
}

const lines = (records: (Fields | string)[]) =>
  strToU8(records.map((record) => `${typeof record === "string" ? record : JSON.stringify(record)}\n`).join(""));

export function rdxArchive(site: OldSite): Uint8Array<ArrayBuffer> {
  const { members = [], notes = [], boards = {}, files = {}, perList = 100 } = site;
  const entries: Fields[] = [];
  const zip: Zippable = {};
  const add = (name: (index: number) => string, type: string, title: string, records: (Fields | string)[]) => {
    for (let at = 0; at < records.length; at += perList) {
      const filename = name(at / perList + 1);
      const part = records.slice(at, at + perList);
      zip[filename] = lines(part);
      entries.push({ filename, type, title, range: `${at + 1}-${at + part.length}` });
    }
  };
  add((index) => `members/member_${index}.jsonl`, "member", "", members);
  add((index) => `messages/message_${index}.jsonl`, "message", "", notes);
  for (const [key, { title, documents }] of Object.entries(boards))
    add((index) => `boards/${encodeURIComponent(key)}_${index}.jsonl`, "board", title, documents);
  for (const [name, bytes] of Object.entries(files)) zip[name] = typeof bytes === "string" ? strToU8(bytes) : bytes;
  zip["index.json"] = strToU8(
    JSON.stringify({ version: "1.0", source: "Gnuboard5", tz: "Asia/Seoul", entries, ...site.index }, null, 4),
  );
  return zipSync(zip, { level: 6 }) as Uint8Array<ArrayBuffer>;
}

export const folderArchive = (files: Record<string, Uint8Array | string>): Uint8Array<ArrayBuffer> =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [name, typeof bytes === "string" ? strToU8(bytes) : bytes]),
    ),
  ) as Uint8Array<ArrayBuffer>;
