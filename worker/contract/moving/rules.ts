import { lookUp } from "../kernel/labels.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import type { SheetContent } from "../alumni/import/sheet-content.ts";

export const MOVING_STATUS_LABELS = {
  uploading: "파일 올리는 중",
  checking: "살펴보는 중",
  checked: "옮길 준비가 됨",
  committing: "옮기는 중",
  committed: "옮김",
  undoing: "되돌리는 중",
  undone: "되돌림",
  cancelled: "그만둠",
  failed: "읽을 수 없는 파일",
} as const;

export type MovingStatus = keyof typeof MOVING_STATUS_LABELS;

export type ArchiveKind = "rdx" | "files";

export type MovedKind = "member" | "board" | "item" | "comment" | "file" | "note" | "field";

/** Newest exporter format that can be read. */
export const RDX_VERSION = "1.0";

export const MOVING_LIMITS = {
  /** R2 allows 10,000 parts in one object. */
  partBytes: 8 * 1024 * 1024,
  archiveBytes: 64 * 1024 ** 3,
  archives: 5,
  siteName: 40,
  fileName: 200,
  indexBytes: 4 * 1024 * 1024,
  /** One item with its comments. */
  lineBytes: 8 * 1024 * 1024,
  /** Values in one record, and its nesting depth. */
  recordValues: 500_000,
  recordDepth: 64,
  entries: 100_000,
  named: 200,
  boards: 200,
  newFields: 30,
  issuesKept: 50_000,
  blocked: 10_000,
  undoDays: 30,
  /** Days after which an uncommitted move is abandoned. */
  abandonedDays: 30,
  profileText: 4000,
  commentLetters: 20_000,
  codeLength: SIZE_LIMITS.codeLength,
} as const;

/** Version of a consent that a member gave on the old site. */
export const MOVED_CONSENT = "이전 사이트";

/** Reasons for a missing or changed record; `isLoss` when it is missing entirely. */
export const MOVING_ISSUES = {
  "line-empty": { label: "글자가 깨져 내보내지 못한 기록", isLoss: true },
  "line-broken": { label: "읽을 수 없는 기록", isLoss: true },
  "line-long": { label: "지나치게 큰 기록(8MB나 값 50만 개 초과)", isLoss: true },
  "entry-missing": { label: "목록에는 있으나 압축 파일에 없는 자료", isLoss: true },
  "entry-bad": { label: "압축이 깨졌거나 수상하여 읽지 않은 파일", isLoss: true },
  "entry-unlisted": { label: "압축 파일에 있으나 목록(index.json)에 없거나 모르는 종류인 자료", isLoss: true },
  "member-no-key": { label: "아이디도 이메일도 쓸 수 없는 회원", isLoss: true },
  "member-twice": { label: "아이디가 겹치는 회원", isLoss: true },
  "member-left": {
    label: "이전 사이트에서 탈퇴하였거나 삭제된 회원(계정을 만들지 않습니다. 글은 ‘탈퇴한 회원’의 글로 남습니다)",
    isLoss: true,
  },
  "member-doubt": { label: "메모나 이름을 보고 어떻게 옮길지 정한 회원", isLoss: false },
  "member-id-taken": { label: "같은 아이디가 이미 있어 이메일로만 로그인하는 회원", isLoss: false },
  "member-mail-taken": { label: "이메일이 다른 회원과 겹쳐 이메일 없이 옮긴 회원", isLoss: false },
  "member-mail-bad": { label: "이메일 형식이 맞지 않아 이메일 없이 옮긴 회원", isLoss: false },
  "member-password": { label: "비밀번호를 알 수 없어 '비밀번호 찾기'로 새로 정할 회원", isLoss: false },
  "member-pepper": {
    label: "이 프로그램으로 만든 다른 사이트의 비밀번호이나 비밀값이 달라 '비밀번호 찾기'로 새로 정할 회원",
    isLoss: false,
  },
  "member-office": {
    label: "이메일이 같은 이곳의 계정에 관리 권한이 있어 잇지 않은 회원(글과 댓글은 이름만 남깁니다)",
    isLoss: true,
  },
  "member-admin": { label: "이전 관리자(일반 회원으로 옮깁니다)", isLoss: false },
  "member-denied": { label: "이전 사이트에서 막혀 있던 회원(차단 상태로 옮깁니다)", isLoss: false },
  "member-waiting": {
    label: "가입 승인을 기다리던 회원(대기 상태로 옮깁니다. 회원 관리에서 승인해 주십시오)",
    isLoss: false,
  },
  "member-resident": { label: "주민등록번호로 보이는 값을 뺀 회원", isLoss: false },
  "member-picture": { label: "프로필 사진이나 서명이 있던 회원(사진과 서명은 옮기지 않습니다)", isLoss: true },
  "board-skipped": { label: "옮기지 않기로 한 게시판의 글", isLoss: true },
  "item-empty": { label: "내용이 없는 글", isLoss: false },
  "item-hidden": {
    label:
      "공개되지 않던 글: 임시 저장, 비공개, 승인 대기, 예약, 휴지통(게시판 휴지통으로 옮깁니다. 되살리면 공개됩니다)",
    isLoss: false,
  },
  "item-twice": { label: "번호가 겹치는 글", isLoss: true },
  "item-long": { label: "본문이 지나치게 길거나 복잡한 글", isLoss: true },
  "item-date": { label: "날짜가 맞지 않아 고친 글·댓글", isLoss: false },
  "item-resident": { label: "주민등록번호 뒷자리를 가린 글·댓글·쪽지", isLoss: false },
  "item-reply": { label: "답글(독립된 글로 옮깁니다)", isLoss: false },
  "item-category": { label: "분류를 뺀 글(분류는 30개, 20자까지)", isLoss: false },
  "text-repaired": { label: "깨진 글자를 되살린 글·댓글·파일 이름·회원·쪽지", isLoss: false },
  "text-broken": { label: "되살리지 못한 깨진 글자가 있는 글·댓글·파일 이름·회원·쪽지", isLoss: false },
  "text-cut": { label: "길이 제한을 넘어 끝을 자른 제목·댓글·쪽지·이름", isLoss: true },
  "element-dropped": {
    label: "본문에서 뺀 요소(스크립트, 입력 양식, 지도, 배경 그림, 알 수 없는 단축 코드 등)",
    isLoss: true,
  },
  "element-link": { label: "링크로 바꾼 동영상·소리·다른 사이트의 화면", isLoss: false },
  "picture-outside": { label: "링크로 바꾼 다른 사이트의 그림", isLoss: false },
  "picture-inline": { label: "파일로 바꾼, 본문에 들어 있던 그림", isLoss: false },
  "comment-secret": { label: "비밀 댓글(공개되지 않도록 옮기지 않습니다)", isLoss: true },
  "comment-hidden": { label: "공개되지 않던 댓글: 승인 대기, 스팸, 휴지통(옮기지 않습니다)", isLoss: true },
  "comment-parent": { label: "어느 댓글의 답글인지 알 수 없어 댓글로 옮긴 답글", isLoss: false },
  "file-missing": { label: "목록에는 있으나 찾을 수 없는 첨부파일·그림", isLoss: true },
  "file-type": { label: "올릴 수 없는 형식의 첨부파일", isLoss: true },
  "file-broken": { label: "깨졌거나 이름과 내용이 다른 첨부파일·그림", isLoss: true },
  "note-owner": { label: "주인이 없는 쪽지", isLoss: true },
  "note-files": { label: "첨부파일이 있던 쪽지(글만 옮깁니다)", isLoss: true },
  "undo-kept": { label: "옮긴 뒤에 바뀌었거나 다른 이사에서도 쓰여 그대로 둔 자료", isLoss: false },
} as const satisfies Record<string, { label: string; isLoss: boolean }>;

export type MovingIssueCode = keyof typeof MOVING_ISSUES;

const OLD_FIELD_NAMES = new Map(
  `points 포인트, level 등급, mb_level 등급, admin_description 메모, nick_name 별명, phone_country 전화번호의 나라,
  phone_type 전화번호의 종류, signup_ipaddress 가입할 때의 IP 주소, last_login_date 마지막 로그인,
  last_login_ipaddress 마지막 로그인의 IP 주소, change_password_date 비밀번호를 바꾼 날,
  allow_mailing 메일 수신 표시, allow_message 쪽지 수신 표시, slug 짧은 주소, lang_code 언어, upvote_count 추천,
  downvote_count 비추천, trackback_count 트랙백, allow_trackback 트랙백 허용 표시, notify_message 댓글 알림 표시,
  title_bold 굵은 제목, title_color 제목 색, ipaddress IP 주소, password 비밀번호,
  homepage 홈페이지, blog 블로그, birthday 생일, address 주소, phone_number 전화번호, last_update 고친 날, download_count 내려받은 횟수, duration 재생 시간,
  is_cover_image 대표 그림 표시, comment 설명, references 이어진 쪽지`
    .split(/,\s+/)
    .map((pair) => pair.split(/ (.*)/) as [string, string]),
);
/** Gnuboard numbers the fields that a site added. */
export const oldFieldName = (name: string): string =>
  OLD_FIELD_NAMES.get(name) ?? (/^mb_\d{1,2}$/.test(name) ? `여분 항목 ${name.slice(3)}` : name);

const NO_CONSENT = "광고성 메일 수신 동의를 받는 프로그램이 아니어서 동의를 옮기지 않습니다.";

const NOT_IN_ARCHIVE: Record<string, string[]> = {
  Gnuboard5: [
    "접근을 차단한 회원에는 표시가 없어 보통 회원으로 보입니다.",
    "메모에 탈퇴·제명·작고 같은 말이 남지 않은 회원은 보통 회원으로 보입니다.",
    "신고나 블라인드로 가린 글과 댓글에는 표시가 없어 공개 글로 보입니다.",
    "1:1 문의, FAQ, 내용 페이지, 메뉴, 설문, 팝업, 스크랩, 쇼핑몰의 상품과 주문은 들어 있지 않습니다.",
  ],
  Rhymix: [
    "비밀 댓글과 ‘삭제된 댓글’에는 표시가 없어 공개 댓글로 보입니다. 비밀 댓글을 쓰던 게시판은 ‘관리자만’으로 옮겨 확인한 뒤에 여십시오.",
    "문서 페이지, 메뉴, 위젯, 설문, 팝업, 스크랩, 친구 목록, 쇼핑몰의 상품과 주문은 들어 있지 않습니다.",
  ],
  WordPress: [
    "비밀번호를 걸어 둔 글에는 표시가 없어 공개 글로 보입니다.",
    "스팸이나 삭제로 표시한 사용자(멀티사이트)는 알아볼 수 없습니다.",
    "고정 페이지, 메뉴, 위젯, 글의 카테고리와 태그, 문의 양식, 설문, 쇼핑몰의 상품과 주문은 들어 있지 않습니다.",
    NO_CONSENT,
  ],
  XE3: [
    "비밀글과 임시 저장한 글을 가릴 수 없어 모두 게시판 휴지통으로 옮깁니다.",
    "쪽지, 페이지, 메뉴, 위젯, 글의 분류와 태그, 설문, 쇼핑몰의 상품과 주문은 들어 있지 않습니다.",
    NO_CONSENT,
  ],
  Zeroboard: [
    "차단하거나 탈퇴한 회원과 비밀 댓글에는 표시가 없습니다.",
    "회원 등급, 메뉴, 페이지, 설문은 들어 있지 않습니다.",
  ],
};

export const notInArchive = (source: string): string[] =>
  lookUp(NOT_IN_ARCHIVE, source === "XE1" ? "Rhymix" : source) ?? [
    "차단하거나 탈퇴한 회원에 표시가 있는지 알 수 없습니다.",
    "1:1 문의, FAQ, 내용 페이지, 메뉴, 설문, 쇼핑몰의 상품과 주문은 들어 있지 않습니다.",
  ];

export const ARCHIVE_PROBLEMS = {
  "not-zip":
    "zip 파일이 아닙니다. RDX Exporter가 만든 zip을 고르십시오. phpMyAdmin 등에서 받은 .sql 파일은 읽지 못합니다: 이전 사이트에 RDX Exporter를 올려 먼저 RDX로 내보내십시오.",
  cut: "zip 파일이 끝까지 내려받아지지 않았습니다. 이전 사이트에서 다시 내려받아 올려 주십시오.",
  split: "여러 개로 나눈 zip은 읽지 못합니다. 하나의 zip으로 다시 만들어 주십시오.",
  locked: "암호가 걸린 zip입니다. RDX Exporter에서 zip 암호를 비우고 다시 내보내 주십시오.",
  method: "풀 수 없는 방식으로 압축한 파일입니다. 보통의 zip으로 다시 만들어 주십시오.",
  name: "압축 파일 안에 바깥 폴더를 가리키는 이름이 있어 읽지 않았습니다. RDX Exporter로 다시 내보내 주십시오.",
  "too-many": "압축 파일 안의 파일이 50만 개를 넘습니다. 나누어 내보내 주십시오.",
  bomb: "압축을 풀면 지나치게 커지는 파일이 있어 읽지 않았습니다. RDX Exporter로 다시 내보내 주십시오.",
  broken: "zip 파일이 손상되었습니다. 이전 사이트에서 다시 내보내어 올려 주십시오.",
  "no-index":
    "RDX 파일이 아닙니다(index.json이 없습니다). RDX Exporter가 만든 zip을 고르십시오. 첨부파일 폴더의 zip은 '첨부파일 폴더'에 올리십시오.",
  dump: "phpMyAdmin 등에서 받은 데이터베이스 백업(.sql)입니다. 먼저 RDX로 내보내십시오. 이전 사이트에 RDX Exporter를 올려 브라우저로 열고, 데이터베이스 비밀번호를 넣은 뒤 회원·쪽지·게시판을 골라 내보내면 됩니다. 이전 사이트가 이미 닫혔으면 백업을 되살린 곳에서 내보내십시오.",
  sheets:
    "명단(엑셀·CSV)으로 보입니다. 기수별 명단은 주소록의 '가져오기'에서 여러 파일을 함께 골라 올리십시오. zip으로 묶은 명단은 먼저 푸십시오.",
  "bad-index": "index.json을 읽을 수 없습니다. RDX Exporter로 다시 내보내 주십시오.",
  newer: `이 사이트가 아는 형식(${RDX_VERSION})보다 새로운 RDX입니다. 이 사이트를 먼저 새 버전으로 올려 주십시오.`,
  empty: "옮길 회원도 게시판도 들어 있지 않은 RDX입니다. 내보내기에서 종류를 고르고 다시 내보내 주십시오.",
} as const;

export type ArchiveProblemCode = keyof typeof ARCHIVE_PROBLEMS;

/** The choices for a member whose memo leaves open whether he is active. */
export const DOUBTFUL_CHOICES = {
  blocked: "차단 상태로 옮기기(나중에 풀 수 있습니다)",
  left: "옮기지 않기(글은 ‘탈퇴한 회원’의 글로 남습니다)",
  active: "보통 회원으로 옮기기",
} as const;

export type DoubtfulChoice = keyof typeof DOUBTFUL_CHOICES;

/** Access to choose for each board, because RDX does not contain the old one. */
export const BOARD_ACCESS = {
  public: { label: "누구나 읽고 회원이 쓰기", guest: ["List", "View", "Download"], member: "write" },
  publicRead: { label: "누구나 읽고 관리자만 쓰기", guest: ["List", "View", "Download"], member: "read" },
  members: { label: "회원만 읽고 쓰기", guest: [], member: "write" },
  membersRead: { label: "회원만 읽고 관리자만 쓰기", guest: [], member: "read" },
  office: { label: "관리자만", guest: [], member: "none" },
} as const;

export type BoardAccess = keyof typeof BOARD_ACCESS;

/** Additional file types of old sites, always served as a download. */
export const OLD_FILE_EXTENSIONS = [
  ..."mp3 mp4 m4a m4v wav wma ogg webm avi mov mkv wmv flv".split(" "),
  ..."7z rar alz egg tar gz tgz".split(" "),
  ..."rtf odt ods odp odg hml hcdt show hcell cell nxl hpt pages numbers key epub".split(" "),
  ..."bmp tif tiff heic heif psd ai eps dwg dxf".split(" "),
  ..."pps ppsx docm xlsm pptm dot dotx potx xlsb mht vsd pub mdb accdb".split(" "),
  ..."ics vcf srt smi ttf otf sav dta spss por r rdata".split(" "),
];

const ID_HEAD =
  /^(?:회원 ?)?(?:아이디|id|mb_id|user_?id|user_?login|login_?id|이메일|e-?mail(?:_address)?|user_email|mb_email)$/i;
/** Column for the date of a block in gnuboard; empty for members who are not blocked. */
const SINCE_HEAD = /^(?:mb_intercept_date|(?:접근 ?)?차단 ?일(?:자)?)$/i;

export const splitIds = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

/** Returns the IDs of the headed column, else of the first column or the only row. */
export function blockedIdsOf(sheets: readonly SheetContent[]): string[] {
  const cells = sheets.flatMap(({ rows }) => {
    const headAt = rows.findIndex((row) => row.cells.some((cell) => ID_HEAD.test(cell.trim())));
    const head = rows[headAt]?.cells ?? [];
    const idAt = head.findIndex((cell) => ID_HEAD.test(cell.trim()));
    const sinceAt = head.findIndex((cell) => SINCE_HEAD.test(cell.trim()));
    if (idAt < 0) return rows.length === 1 ? (rows[0]?.cells ?? []) : rows.map((row) => row.cells[0] ?? "");
    const below = rows.slice(headAt + 1).filter((row) => sinceAt < 0 || /[1-9]/.test(row.cells[sinceAt] ?? ""));
    return below.map((row) => row.cells[idAt] ?? "");
  });
  return splitIds(cells.join("\n"));
}
