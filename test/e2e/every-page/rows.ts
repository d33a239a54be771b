import { CONSOLE_AREAS, CONSOLE_SCREENS } from "#worker/contract/kernel/console/console-pages.ts";
import { PAGE_PATHS } from "../../calls/page-paths.ts";
import { PUBLIC_PATHS } from "../../calls/public-paths.ts";
import { CONSOLE_SAMPLE_ID, consoleAddress, UNKNOWN_ID } from "../../calls/sample-paths.ts";
import type { PlacedQuestion } from "./placed.ts";

/** Each reader has a session; a phone and a wide screen of a guest have their own caches. */
export type Reader = "a guest on a phone" | "a guest on a wide screen" | "a member" | "an administrator";

export interface PageRow {
  reader: Reader;
  path: string;
  width: number;
  /** The questions of all such pages. */
  kind: "public" | "application" | "console" | "placed";
  /** The questions of this page alone. */
  placed: readonly PlacedQuestion[];
}

export const HEIGHTS: Record<number, number> = { 390: 844, 768: 1024, 1280: 900, 1920: 1080 };
export const DESK_WIDTH = 1280;
export const PHONE_WIDTH = 390;

const guestAt = (width: number): Reader => (width < 768 ? "a guest on a phone" : "a guest on a wide screen");
const EVERY_WIDTH = [390, 768, 1280, 1920];

type Placed = [path: string, widths: readonly number[], questions: readonly PlacedQuestion[]];
const OF_GUESTS: Placed[] = [
  ["/", EVERY_WIDTH, ["popup"]],
  ["/en", EVERY_WIDTH, ["popup"]],
  ...["/en", "/pid/organization", "/en/pid/organization"].map((path): Placed => [
    path,
    [768, 1024, 1100, 1280],
    ["words"],
  ]),
  ...["/en", "/en/pid/about", "/en/pid/center", "/en/board/notice/List/"].map((path): Placed => [
    path,
    [DESK_WIDTH],
    ["header"],
  ]),
  ["/pid/residence", EVERY_WIDTH, ["tabs", "map"]],
  ["/board/notice/List/", EVERY_WIDTH, ["sizes"]],
  ["/Registry", EVERY_WIDTH, ["signin"]],
  ["/pid/center/jeju", EVERY_WIDTH, ["telephone"]],
  ["/board/help/List/", EVERY_WIDTH, ["answer"]],
  ["/board/notice/View/60", [390], ["article"]],
  ["/board/notice/View/52", [390], ["article"]],
];
const OF_MEMBERS: Placed[] = [
  ["/Mypage", EVERY_WIDTH, ["tabs"]],
  ...["/board/notice/List/", "/board/reference/List/", "/Alumni", "/search?keyword=연구"].map((path): Placed => [
    path,
    [DESK_WIDTH],
    ["paging"],
  ]),
];
const OF_ADMINISTRATORS: Placed[] = ["/Admin/Members", "/Admin/Audit"].map((path) => [path, [DESK_WIDTH], ["paging"]]);

const APPLICATION_PATHS = [
  ...PAGE_PATHS.filter((path) => !path.startsWith("/admin") && !/\.(?:xml|txt|ics|webmanifest)$/.test(path)).map(
    (path) => path.replace(UNKNOWN_ID, () => CONSOLE_SAMPLE_ID),
  ),
  "/search?keyword=안내",
];

/** One row for each page, reader and width, with the questions of all that name it. */
export function listRows(memberId: string | null): PageRow[] {
  const rows = new Map<string, PageRow>();
  const add = (reader: Reader, path: string, width: number, kind: PageRow["kind"], placed: Placed[2] = []) => {
    const key = `${reader} ${path} ${width}`.toLowerCase();
    const row = rows.get(key);
    rows.set(key, row ? { ...row, placed: [...row.placed, ...placed] } : { reader, path, width, kind, placed });
  };
  // The regions differ in their texts only.
  const isOtherRegion = (path: string) => path.startsWith("/pid/center/") && !path.endsWith("/seoul");
  for (const path of PUBLIC_PATHS) {
    add(guestAt(DESK_WIDTH), path, DESK_WIDTH, "public");
    if (!isOtherRegion(path)) add(guestAt(PHONE_WIDTH), path, PHONE_WIDTH, "public");
  }
  for (const { path } of CONSOLE_SCREENS)
    add("an administrator", consoleAddress(path, memberId), DESK_WIDTH, "console");
  add("an administrator", "/Account/Agreements/terms", DESK_WIDTH, "console");
  for (const path of APPLICATION_PATHS)
    for (const reader of [guestAt(DESK_WIDTH), "a member", "an administrator"] as const)
      add(reader, path, DESK_WIDTH, "application");
  for (const [path, widths, questions] of OF_GUESTS)
    for (const width of widths) add(guestAt(width), path, width, "placed", questions);
  for (const [path, widths, questions] of OF_MEMBERS)
    for (const width of widths) add("a member", path, width, "placed", questions);
  for (const [path, widths, questions] of OF_ADMINISTRATORS)
    for (const width of widths) add("an administrator", path, width, "placed", questions);
  return [...rows.values()];
}

const WITHOUT_LIST = new Set(
  [
    "",
    "Setup",
    "Guide",
    "AlumniFigures",
    "Simulator",
    "Site",
    "Identity",
    "Signup",
    "Limits",
    "Alumni",
    "Moving",
    "Deposits",
    "Voters",
  ].map((path) => `/admin/${path}`.replace(/\/$/, "").toLowerCase()),
);

/** Console screens that list rows, in lower case. */
export const LISTS: ReadonlySet<string> = new Set([
  "/admin/privacy/destructions",
  ...CONSOLE_AREAS.flatMap(({ pages }) =>
    pages.map(({ path }) => `/admin/${path}`.replace(/\/$/, "").toLowerCase()),
  ).filter((address) => !WITHOUT_LIST.has(address)),
]);
