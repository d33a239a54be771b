import { ownValue } from "#worker/contract/kernel/labels.ts";
import { sql } from "drizzle-orm";
import { csvPieces, type SheetColumn, type SheetValue } from "#worker/adapters/spreadsheet/write.server.ts";
import type { ZipEntry } from "#worker/adapters/zip.server.ts";
import { koreanDateTime, koreanDay } from "#worker/contract/kernel/korea.ts";
import { MEMBER_STATUS_NAMES } from "#worker/contract/member/status.ts";
import type { AppContext } from "../kernel/context.ts";
import { requirePresent } from "../kernel/require-present.ts";
import { profileValueText } from "../member/list.server.ts";
import {
  attachmentName,
  boardFolder,
  type BoardName,
  indexPage,
  itemName,
  itemPage,
  LIST_ROWS,
  type ListedItem,
  listName,
  listPage,
  pageHtml,
} from "./readable-page.server.ts";
import { bytesOf, encodeText, storedEntries, textEntry } from "./site-archive.server.ts";
import {
  type ItemRange,
  listFiles,
  listItemRanges,
  partNotFound,
  PART,
  type Range,
  readItems,
  readMembers,
  readProfileFields,
  type WholeItem,
} from "./site-rows.server.ts";

const column = (header: string): SheetColumn => ({ header, width: 18 });

export async function readableMemberEntries(ctx: AppContext, range: Range, partNo: number): Promise<ZipEntry[]> {
  const fields = await readProfileFields(ctx);
  const headers = ["아이디", "이름", "이메일", "휴대전화", "역할", "상태", "가입일", ...fields.map(({ name }) => name)];
  async function* rows(): AsyncGenerator<SheetValue[]> {
    for await (const row of readMembers(ctx, range)) {
      const profile = JSON.parse(row.profile) as Record<string, unknown>;
      yield [
        row.userId,
        row.userName,
        row.email,
        row.mobile,
        row.roleName,
        MEMBER_STATUS_NAMES[row.status],
        koreanDay(new Date(row.createdDate)),
        ...fields.map(({ code }) => profileValueText(ownValue(profile, code))),
      ];
    }
  }
  const name = partNo === 1 ? "회원.csv" : `회원 ${partNo}.csv`;
  return [textEntry(ctx, name, csvPieces(headers.map(column), rows()))];
}

type ExportedBoard = BoardName & { itemCount: number; lastItemNo: number };

const readBoards = (ctx: AppContext) =>
  ctx.db.all<ExportedBoard>(
    sql`SELECT board_code AS boardCode, board_name AS boardName, item_count AS itemCount, last_item_no AS lastItemNo FROM board ORDER BY sort_order`,
  );

export async function readableListEntries(ctx: AppContext, { first, last }: Range): Promise<Iterable<ZipEntry>> {
  const all = await readBoards(ctx);
  const boards = all.filter(({ boardCode }) => boardCode >= first && boardCode <= last);
  const numbers = boards.reduce((sum, { lastItemNo }) => sum + lastItemNo, 0);
  if (boards.length > PART.boards || (boards.length > 1 && numbers > 2 * PART.listed)) throw partNotFound();
  return listEntries(ctx, all, boards);
}

function* listEntries(ctx: AppContext, all: ExportedBoard[], boards: ExportedBoard[]): Generator<ZipEntry> {
  const title = `${koreanDay(ctx.now())}에 내보낸 사이트`;
  yield textEntry(ctx, "index.html", bytesOf(indexPage(title, all)));
  for (const board of boards) {
    const folder = boardFolder(board);
    const listed = new ListedItems(ctx, board.boardCode);
    yield textEntry(ctx, `${folder}/목록.csv`, csvPieces(LIST_COLUMNS.map(column), listRows(board, listed)));
    for (let first = 1; first <= Math.max(1, board.lastItemNo); first += LIST_ROWS)
      yield textEntry(ctx, `${folder}/${listName(first)}`, listBytes(board, first, listed));
  }
}

/** Reads one range for all pages inside it. */
class ListedItems {
  static readonly rangeSize = LIST_ROWS * 10;
  #ctx: AppContext;
  #boardCode: string;
  #from = 0;
  #items: ListedItem[] = [];

  constructor(ctx: AppContext, boardCode: string) {
    this.#ctx = ctx;
    this.#boardCode = boardCode;
  }

  async read(first: number, last: number): Promise<ListedItem[]> {
    const from = Math.floor((first - 1) / ListedItems.rangeSize) * ListedItems.rangeSize + 1;
    if (from !== this.#from) {
      this.#items = await this.#ctx.db.all<ListedItem>(sql`
        SELECT item_no AS itemNo, title, category, is_pinned AS isPinned, is_secret AS isSecret, created_user_name AS userName, created_date AS createdDate,
          modified_date AS modifiedDate, view_count AS viewCount, comment_count AS commentCount, file_count AS fileCount
        FROM board_item WHERE board_code = ${this.#boardCode} AND deleted_date IS NULL AND item_no BETWEEN ${from} AND ${from + ListedItems.rangeSize - 1} ORDER BY item_no DESC`);
      this.#from = from;
    }
    return this.#items.filter(({ itemNo }) => itemNo >= first && itemNo <= last);
  }
}

async function* listBytes(board: ExportedBoard, first: number, listed: ListedItems): AsyncGenerator<Uint8Array> {
  yield encodeText(listPage(board, first, await listed.read(first, first + LIST_ROWS - 1)));
}

const LIST_COLUMNS = "번호 분류 제목 작성자 작성일 수정일 조회 댓글 첨부 공지 비밀글 페이지".split(" ");

async function* listRows({ lastItemNo }: ExportedBoard, listed: ListedItems): AsyncGenerator<SheetValue[]> {
  const yes = (flag: number) => (flag ? "예" : "");
  for (let first = 1; first <= lastItemNo; first += ListedItems.rangeSize)
    for (const item of (await listed.read(first, first + ListedItems.rangeSize - 1)).toReversed())
      yield [
        item.itemNo,
        item.category,
        item.title,
        item.userName,
        koreanDateTime(new Date(item.createdDate)),
        koreanDateTime(new Date(item.modifiedDate)),
        item.viewCount,
        item.commentCount,
        item.fileCount,
        yes(item.isPinned),
        yes(item.isSecret),
        itemName(item.itemNo),
      ];
}

export async function readableItemEntries(ctx: AppContext, range: Range): Promise<Iterable<ZipEntry>> {
  const itemRanges = await listItemRanges(ctx, range, "id");
  const boards = await readBoards(ctx);
  return itemEntries(ctx, itemRanges, new Map(boards.map((board) => [board.boardCode, board])));
}

function* itemEntries(
  ctx: AppContext,
  itemRanges: readonly ItemRange[],
  boards: ReadonlyMap<string, ExportedBoard>,
): Generator<ZipEntry> {
  const folders = new Map([...boards].map(([code, board]) => [code, boardFolder(board)]));
  for (const itemRange of itemRanges) {
    let reading: Promise<Map<number, WholeItem>> | null = null;
    const read = async (id: number) => {
      reading ??= readItems(ctx, itemRange).then((whole) => new Map(whole.map((each) => [each.item.id, each])));
      return (await reading).get(id);
    };
    for (const [index, id] of itemRange.ids.entries()) {
      const board = requirePresent(boards.get(itemRange.boardCodes[index] ?? ""));
      const name = `${boardFolder(board)}/${itemName(itemRange.itemNos[index] ?? 0)}`;
      yield textEntry(
        ctx,
        name,
        itemBytes(ctx, board, folders, () => read(id)),
      );
    }
  }
}

async function* itemBytes(
  ctx: AppContext,
  board: BoardName,
  folders: ReadonlyMap<string, string>,
  read: () => Promise<WholeItem | undefined>,
): AsyncGenerator<Uint8Array> {
  const whole = await read();
  const data = { board, folders, origin: ctx.origin, now: ctx.now().getTime() };
  yield encodeText(
    whole
      ? itemPage({ ...whole, ...data })
      : pageHtml("지워진 글", [["처음", "../../index.html"]], "<p>내보내는 동안 지워진 글입니다.</p>"),
  );
}

export async function readableFileEntries(ctx: AppContext, range: Range): Promise<Iterable<ZipEntry>> {
  const rows = await listFiles(ctx, range);
  const boards = new Map((await readBoards(ctx)).map((board) => [board.boardCode, board]));
  return storedEntries(
    ctx,
    rows,
    (row) => `${boardFolder(requirePresent(boards.get(row.boardCode)))}/${attachmentName(row.itemNo, row)}`,
  );
}
