/**
 * Where something of an item, its comments or its files can come out, by route: calls as `GET /api/…`, pages as
 * `page …`. The leak matrix asks every one of them; a route that stands in neither list fails `test/leak-routes.test.ts`.
 */
export const SURFACES: Record<string, string> = {
  "API item": "GET /api/board-item/:boardCode/:itemNo",
  "page of the item": "page board/:boardCode/view/:itemNo",
  comments: "GET /api/board-item-comment",
  file: "GET /api/file/:id",
  "file, its head": "GET /api/file/:id",
  "archive of the files": "GET /api/board-item-file/:boardCode/:itemNo/archive",
  "archive, its head": "GET /api/board-item-file/:boardCode/:itemNo/archive",
  picture: "GET /api/file/:id",
  "thumbnail, made": "GET /api/file/:id",
  "thumbnail, kept": "GET /api/file/:id",
  "thumbnail, its head": "GET /api/file/:id",
  "thumbnail of a file": "GET /api/file/:id",
  history: "GET /api/board-item/:boardCode/:itemNo/revision",
  "version of the history": "GET /api/board-item/:boardCode/:itemNo/revision/:revision",
  "page of the history": "page board/:boardCode/history/:itemNo",
  "page of the editor": "page board/:boardCode/write/:itemNo?",
  "draft of a change": "GET /api/board-item-draft/:boardCode",
  export: "GET /api/board-item/download-data/:boardCode",
  bin: "GET /api/board-item/bin/:boardCode",
  "page of the bin": "page board/:boardCode/bin",
  list: "GET /api/board-item",
  "list for the main page": "GET /api/board-item",
  "page of the list": "page board/:boardCode/list",
  home: "page /",
  previous: "GET /api/board-item/:boardCode/:itemNo",
  next: "GET /api/board-item/:boardCode/:itemNo",
  "previous, on the page": "page board/:boardCode/view/:itemNo",
  search: "POST /api/board-item/search",
  "search of the board": "POST /api/board-item/search",
  "search of file names": "POST /api/board-item/search",
  "page of the search": "page search",
  "page of the search of the board": "page board/:boardCode/list",
  RSS: "page board/:boardCode/rss.xml",
  sitemap: "page sitemap.xml",
};

/** Why the others cannot show one: by reason, the beginnings of their addresses. */
export const ELSEWHERE: Record<string, readonly string[]> = {
  "makes a path for an upload, reads nothing": ["GET /api/file/upload-url", "GET /api/board-item-file/upload-url"],
  "settings and rights of the site or a board, no items": ["GET /api/site-setting/", "GET /api/board/:boardCode"],
  "one's own account: what one wrote oneself (user-mypage.test.ts)": ["GET /api/user/", "page account/", "page mypage"],
  "turns one's own letters off by a signed link: a board's name at most": [
    "GET /api/mail/off/:token",
    "page mail/off/:token",
  ],
  "the address book, which has no items": ["GET /api/alumni", "page alumni"],
  "counts of another service": ["GET /api/case-report/"],
  "administrators alone (admin-access.test.ts)": ["GET /api/admin/", "page admin"],
  "texts that administrators publish, and centres": [
    "page :product/",
    "page registry",
    "page research/",
    "page terms",
    "page privacy",
    "page tos/",
  ],
  "the same text for everybody": ["page robots.txt", "page *"],
};
