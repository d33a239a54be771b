import { ADMIN_CALLS } from "./console-calls.ts";

/** Who may make a call at all; the verb decides about the single thing. A route without a row here fails the tests. */
export type CallAccess =
  | "everyone"
  | "board permission"
  | "alumni permission"
  | "signed in"
  | "self"
  | "self or administrator"
  | "administrator"
  | "signed path"
  | "file's parent";

export const CALLS: Record<string, CallAccess> = {
  "GET /api/site-setting/info": "everyone",
  "GET /api/site-setting/authentication": "everyone",
  "POST /api/user/signup": "everyone",
  "POST /api/user/signin": "everyone",
  "POST /api/user/signin-by-refresh-token": "everyone",
  "POST /api/user/signout": "everyone",
  "POST /api/user/find-id": "everyone",
  "POST /api/user/reset-password-token": "everyone",
  "POST /api/user/reset-password": "everyone",
  "POST /api/user/change-password/:id": "self",
  "POST /api/user/change-user-key/:id": "self",
  "POST /api/user/retire": "signed in",
  "GET /api/user/privacy-request": "signed in",
  "POST /api/user/privacy-request": "signed in",
  "GET /api/user/:id": "self or administrator",
  "PATCH /api/user/:id": "self or administrator",
  "GET /api/user/:id/sessions": "self or administrator",
  "DELETE /api/user/:id/sessions/:sid": "self or administrator",
  "GET /api/user/:id/export": "self",
  "GET /api/user/:id/consents": "self",
  "PATCH /api/user/:id/consents": "self",
  "DELETE /api/user/:id/suspension": "self",
  "GET /api/user/:id/notices": "self",
  "PATCH /api/user/:id/notices": "self",
  "POST /api/user-key/check-exists": "everyone",
  "POST /api/user-key/check": "everyone",
  "POST /api/user-key/confirm": "everyone",
  "GET /api/board/:boardCode": "board permission",
  "PUT /api/board/:boardCode/follow": "board permission",
  "DELETE /api/board/:boardCode/follow": "signed in",
  "GET /api/board-item": "board permission",
  "GET /api/board-item/download-data/:boardCode": "board permission",
  "GET /api/board-item/bin/:boardCode": "board permission",
  "DELETE /api/board-item/bin/:boardCode": "board permission",
  "POST /api/board-item/:boardCode/bulk": "board permission",
  "POST /api/board-item/:boardCode/:itemNo/restore": "board permission",
  "GET /api/board-item/:boardCode/:itemNo/revision": "board permission",
  "GET /api/board-item/:boardCode/:itemNo/revision/:revision": "board permission",
  "POST /api/board-item/:boardCode/:itemNo/revision/:revision/restore": "board permission",
  "POST /api/board-item/search": "board permission",
  "PUT /api/board-item/images": "board permission",
  "GET /api/board-item/:boardCode/:itemNo": "board permission",
  "PUT /api/board-item/:boardCode": "board permission",
  "PATCH /api/board-item/:boardCode/:itemNo": "board permission",
  "DELETE /api/board-item/:boardCode/:itemNo": "board permission",
  "GET /api/board-item-file/upload-url": "board permission",
  "GET /api/board-item-file/:boardCode/:itemNo/archive": "board permission",
  "GET /api/board-item-draft/:boardCode": "board permission",
  "PUT /api/board-item-draft/:boardCode": "board permission",
  "DELETE /api/board-item-draft/:boardCode": "board permission",
  "GET /api/board-item-comment": "board permission",
  "PUT /api/board-item-comment/:boardCode/:itemNo": "board permission",
  "GET /api/board-item-report/:boardCode": "board permission",
  "PUT /api/board-item-report/:boardCode/:itemNo": "board permission",
  "POST /api/board-item-report/:boardCode/:itemNo": "board permission",
  "PATCH /api/board-item-comment/:boardCode/:itemNo/:commentId": "board permission",
  "DELETE /api/board-item-comment/:boardCode/:itemNo/:commentId": "board permission",
  "GET /api/mail/off/:token": "signed path",
  "POST /api/mail/off/:token": "signed path",
  "GET /api/file/upload-url": "signed in",
  "PUT /api/file/upload/:ticket": "signed path",
  "GET /api/file/:id": "file's parent",
  "GET /api/alumni": "alumni permission",
  "PUT /api/alumni": "alumni permission",
  "PATCH /api/alumni/:id": "alumni permission",
  "DELETE /api/alumni/:id": "alumni permission",
  "POST /api/alumni/delete-data": "alumni permission",
  "POST /api/alumni/:id/restore": "alumni permission",
  "GET /api/alumni/bin": "alumni permission",
  "POST /api/alumni/restore-data": "alumni permission",
  "POST /api/alumni/destroy-data": "alumni permission",
  "GET /api/alumni/duplicate": "alumni permission",
  "POST /api/alumni/distinct": "alumni permission",
  "GET /api/alumni/merge": "alumni permission",
  "POST /api/alumni/merge": "alumni permission",
  "POST /api/alumni/merge/:mergeId/undo": "alumni permission",
  "GET /api/case-report/subject-location-count": "everyone",
  "POST /api/case-report/token": "signed in",
  ...ADMIN_CALLS,
  "POST /api/alumni/export-data": "alumni permission",
  "GET /api/alumni/export-data/:ticket": "alumni permission",
  "GET /api/alumni/import-template": "alumni permission",
  "POST /api/alumni/upload-url": "alumni permission",
  "POST /api/alumni/import-data": "alumni permission",
  "GET /api/alumni/import": "alumni permission",
  "GET /api/alumni/import/open": "alumni permission",
  "POST /api/alumni/import/open": "alumni permission",
  "PUT /api/alumni/import/:importId/part/:partNo": "alumni permission",
  "PATCH /api/alumni/import/:importId/cells": "alumni permission",
  "POST /api/alumni/import/:importId/plan": "alumni permission",
  "POST /api/alumni/import/:importId/land": "alumni permission",
  "DELETE /api/alumni/import/:importId": "alumni permission",
  "POST /api/alumni/import/:importId/undo": "alumni permission",
};

const PATTERNS = Object.keys(CALLS).map(
  (call) => new RegExp(`^${call.split(" ")[1]?.replace(/:[A-Za-z]+/g, "[^/]+")}$`),
);

/** Is there a call at this path, by whatever method? */
export function callExists(path: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(path));
}
