const REGIONS =
  "chungbuk chungnam daegu daejeon gyungbuk gyungnam jeju jeonbuk jeonnam kangwon kwangju kyunggi pusan sejong seoul ulsan";
const INFO_PATHS = [
  ...["about", "target", "registration", "center", "residence", "organization"].map((slug) => `/pid/${slug}`),
  ...REGIONS.split(" ").map((region) => `/pid/center/${region}`),
  "/Registry",
  "/research/proposal",
  "/research/rules",
  "/terms",
  "/privacy",
  "/privacy?version=2&compare=1",
];
const BOARD_PATHS = [
  "/board/notice/List/",
  "/board/notice/View/60",
  "/board/reference/List/?page=2",
  "/search?keyword=안내",
];
const ACCOUNT_PATHS = ["/Account/Signin", "/Account/Signup", "/Account/FindId", "/Account/FindPassword"];

/** Pages with a trail from the home page. */
export const TRAIL_PATHS: readonly string[] = [...INFO_PATHS, ...BOARD_PATHS];
/** Texts for other sites, without header and footer. */
export const BARE_PATHS: readonly string[] = ["/TOS/Content/TermsContent", "/TOS/Content/PrivacyContent"];
export const MISSING_PATH = "/nothing-here";
/** Every Korean page of a guest. */
export const PUBLIC_PATHS: readonly string[] = [
  "/",
  ...TRAIL_PATHS,
  ...ACCOUNT_PATHS,
  "/search",
  MISSING_PATH,
  ...BARE_PATHS,
];
