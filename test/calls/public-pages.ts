const REGIONS =
  "chungbuk chungnam daegu daejeon gyungbuk gyungnam jeju jeonbuk jeonnam kangwon kwangju kyunggi pusan sejong seoul ulsan";
const INFO = [
  ...["about", "target", "registration", "center", "residence", "organization"].map((slug) => `/pid/${slug}`),
  ...REGIONS.split(" ").map((region) => `/pid/center/${region}`),
  "/Registry",
  "/research/proposal",
  "/research/rules",
  "/terms",
  "/privacy",
  "/privacy?version=2&compare=1",
];
const BOARD = ["/board/notice/List/", "/board/notice/View/60", "/board/reference/List/?page=2", "/search?keyword=안내"];
const ACCOUNT = ["/Account/Signin", "/Account/Signup", "/Account/FindId", "/Account/FindPassword"];

/** Pages without header and footer. */
export const BARE_PAGES = ["/TOS/Content/TermsContent", "/TOS/Content/PrivacyContent"];
export const MISSING_PAGE = "/nothing-here";
/** Pages that say where they are. */
export const PAGES_WITH_TRAIL = [...INFO, ...BOARD];
/** Every page that a visitor reads. */
export const PUBLIC_PAGES = ["/", ...INFO, ...BOARD, ...ACCOUNT, "/search", MISSING_PAGE, ...BARE_PAGES];

export const isOtherRegion = (path: string): boolean => path.startsWith("/pid/center/") && !path.endsWith("/seoul");
