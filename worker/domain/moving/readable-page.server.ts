import { Element, Text } from "domhandler";
import { DomUtils } from "htmlparser2";
import { cleanFileName, extensionOf } from "#worker/contract/file/rules.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { readHtml, writeHtml } from "../kernel/html-tree.server.ts";
import { escapeHtml } from "./old-text.server.ts";
import { groupedBy } from "./site-rows.server.ts";
import { type CommentRow, eventFields, type FileRow, type ItemRow, koreanMinutes } from "./rdx-write.server.ts";

// Pages for a browser without a server: no scripts, no external resources, relative links only.

export interface BoardName {
  boardCode: string;
  boardName: string;
}

export interface ListedItem extends Omit<
  ItemRow,
  "id" | "boardCode" | "content" | "userId" | "eventStart" | "eventEnd" | "isEventAllDay" | "eventPlace"
> {
  commentCount: number;
  fileCount: number;
}

/** Pages are split by item number, so that their names never change. */
export const LIST_ROWS = 500;
/** File systems limit names to 255 bytes, which are 85 Korean letters. */
const FILE_NAME_LETTERS = 60;
const FOLDER_NAME_LETTERS = 40;

export const boardFolder = ({ boardCode, boardName }: BoardName): string =>
  `게시판/${cleanFileName(boardName).slice(0, FOLDER_NAME_LETTERS).trim()} (${boardCode})`;

export const listName = (itemNo: number): string => {
  const first = Math.floor((itemNo - 1) / LIST_ROWS) * LIST_ROWS + 1;
  return `목록 ${first}-${first + LIST_ROWS - 1}.html`;
};

export const itemName = (itemNo: number): string => `${itemNo}.html`;

export function attachmentName(itemNo: number, { no, fileName }: { no: number; fileName: string }): string {
  const name = cleanFileName(fileName);
  const extension = extensionOf(name);
  const short = name.length <= FILE_NAME_LETTERS ? name : `${name.slice(0, FILE_NAME_LETTERS - 10)}.${extension}`;
  return `첨부/${itemNo}/${no}_${short}`;
}

const linkTo = (path: string) => path.split("/").map(encodeURIComponent).join("/").replaceAll("%2E%2E", "..");

const STYLE =
  "body{font:16px/1.7 system-ui,'Malgun Gothic','Apple SD Gothic Neo',sans-serif;color:#1e2124;max-width:56rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}" +
  "nav,.facts{color:#58616a;font-size:.9rem}h1{font-size:1.5rem;line-height:1.4}h2{font-size:1.15rem;margin-top:2rem}a{color:#0b50d0}img{max-width:100%;height:auto}" +
  "table{border-collapse:collapse;width:100%}th,td{border:1px solid #cdd1d5;padding:.3rem .5rem;text-align:left;vertical-align:top}article{margin:1.5rem 0;overflow-x:auto}" +
  "ol.comments{list-style:none;padding:0}ol.comments ol{list-style:none;padding-left:1.5rem}.comments p{margin:.2rem 0 .8rem}";

/** Blocks scripts in programs that are less strict than a browser. */
const POLICY = "default-src 'none'; img-src 'self' file: data:; style-src 'unsafe-inline'; form-action 'none'";

export function pageHtml(title: string, trail: readonly [text: string, path: string][], body: string): string {
  const links = trail.map(([text, path]) => `<a href="${linkTo(path)}">${escapeHtml(text)}</a>`);
  const nav = links.length > 0 ? `<nav>${links.join(" › ")}</nav>` : "";
  return `<!doctype html>
<html lang="ko"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body>${nav}<main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`;
}

export function indexPage(title: string, boards: readonly (BoardName & { itemCount: number; lastItemNo: number })[]) {
  const rows = boards.map((board) => {
    const path = linkTo(`${boardFolder(board)}/${listName(Math.max(1, board.lastItemNo))}`);
    const sheet = linkTo(`${boardFolder(board)}/목록.csv`);
    return `<tr><td><a href="${path}">${escapeHtml(board.boardName)}</a></td><td>${board.itemCount}</td><td><a href="${sheet}">목록.csv</a></td></tr>`;
  });
  const table = `<table><thead><tr><th scope="col">게시판</th><th scope="col">글</th><th scope="col">엑셀로 볼 목록</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
  return pageHtml(
    title,
    [],
    `<p>내려받은 묶음을 모두 이 폴더에 함께 풀면 글과 그림, 첨부파일이 이어집니다. 회원은 회원.csv에 있습니다.</p>${table}`,
  );
}

const marks = (item: Pick<ListedItem, "isPinned" | "isSecret">) =>
  `${item.isPinned ? "[공지] " : ""}${item.isSecret ? "[비밀글] " : ""}`;

export function listPage(board: BoardName & { lastItemNo: number }, first: number, items: readonly ListedItem[]) {
  const rows = items.map(
    (item) =>
      `<tr id="n${item.itemNo}"><td>${item.itemNo}</td><td>${escapeHtml(item.category)}</td><td>${marks(item)}<a href="${itemName(item.itemNo)}">${escapeHtml(item.title)}</a></td><td>${escapeHtml(item.userName)}</td><td>${koreanDay(new Date(item.createdDate))}</td><td>${item.viewCount}</td><td>${item.commentCount}</td><td>${item.fileCount}</td></tr>`,
  );
  const heads = ["번호", "분류", "제목", "작성자", "작성일", "조회", "댓글", "첨부"].map(
    (name) => `<th scope="col">${name}</th>`,
  );
  const table =
    items.length === 0
      ? "<p>글이 없습니다.</p>"
      : `<table><thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
  const beside = [
    first + LIST_ROWS <= board.lastItemNo && (["다음 글들", listName(first + LIST_ROWS)] as const),
    first > 1 && (["이전 글들", listName(first - LIST_ROWS)] as const),
  ].flatMap((each) => (each ? [`<a href="${linkTo(each[1])}">${each[0]}</a>`] : []));
  const body = `${table}${beside.length > 0 ? `<p>${beside.join(" · ")}</p>` : ""}`;
  return pageHtml(board.boardName, [["처음", "../../index.html"]], body);
}

interface ItemPageData {
  board: BoardName;
  item: ItemRow;
  comments: CommentRow[];
  files: FileRow[];
  folders: ReadonlyMap<string, string>;
  origin: string;
  now: number;
}

export function itemPage(data: ItemPageData): string {
  const { board, item, comments, files, now } = data;
  const facts = [
    `${item.itemNo}번`,
    item.category,
    item.userName,
    koreanMinutes(item.createdDate),
    item.modifiedDate > item.createdDate && `고침 ${koreanMinutes(item.modifiedDate)}`,
    `조회 ${item.viewCount}`,
    item.createdDate > now && "아직 게시되지 않음",
  ].filter(Boolean);
  const attachments = files.filter(({ purpose }) => purpose === "board");
  const parts = [
    `<p class="facts">${escapeHtml(facts.join(" · "))}</p>`,
    eventLine(item),
    `<article>${localContent(data)}</article>`,
    attachments.length > 0 &&
      `<h2>첨부파일</h2><ul>${attachments.map((file) => `<li><a href="${linkTo(attachmentName(item.itemNo, file))}">${escapeHtml(file.fileName)}</a> (${formatBytes(file.size)})</li>`).join("")}</ul>`,
    comments.length > 0 && `<h2>댓글 ${comments.length}</h2>${commentList(comments)}`,
  ];
  const trail: [string, string][] = [
    ["처음", "../../index.html"],
    [board.boardName, listName(item.itemNo)],
  ];
  return pageHtml(`${marks(item)}${item.title}`, trail, parts.filter(Boolean).join("\n"));
}

function eventLine(item: ItemRow): string {
  const facts = Object.entries(eventFields(item)).map(([name, text]) => `<b>${name}</b> ${escapeHtml(text)}`);
  return facts.length === 0 ? "" : `<p>${facts.join(" · ")}</p>`;
}

/** Answers to a deleted comment take its place. */
function commentList(comments: readonly CommentRow[]): string {
  const below = groupedBy(comments, ({ parentId }) => parentId);
  const listOf = (parentId: number | null): string =>
    (below.get(parentId) ?? [])
      .map((comment) => {
        const text = escapeHtml(comment.content).replaceAll("\n", "<br>");
        const answers = below.has(comment.id) ? `<ol>${listOf(comment.id)}</ol>` : "";
        return `<li><p class="facts">${escapeHtml(comment.userName)} · ${koreanMinutes(comment.createdDate)}</p><p>${text}</p>${answers}</li>`;
      })
      .join("");
  return `<ol class="comments">${listOf(null)}</ol>`;
}

const fileIdOf = (address = "") => /^\/api\/file\/([0-9a-f-]{36})$/.exec(address)?.[1] ?? "";

function localContent({ item, files, folders, origin }: ItemPageData): string {
  const paths = new Map(files.map((file) => [file.id, linkTo(attachmentName(item.itemNo, file))]));
  const document = readHtml(item.content);
  for (const picture of DomUtils.getElementsByTagName("img", document)) {
    const path = paths.get(fileIdOf(picture.attribs.src));
    if (path === undefined) DomUtils.replaceElement(picture, new Element("i", {}, [new Text("[보관되지 않은 그림]")]));
    else picture.attribs.src = path;
  }
  for (const link of DomUtils.getElementsByTagName("a", document)) {
    const address = link.attribs.href ?? "";
    if (!address.startsWith("/")) continue;
    const [, code = "", itemNo = ""] = /^\/board\/([a-z][a-z0-9-]*)\/View\/(\d+)/i.exec(address) ?? [];
    const folder = folders.get(code);
    link.attribs.href =
      folder !== undefined && itemNo !== ""
        ? linkTo(`../../${folder}/${itemName(Number(itemNo))}`)
        : (paths.get(fileIdOf(address)) ?? `${origin}${address}`);
  }
  return writeHtml(document);
}
