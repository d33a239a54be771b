import { readPagePath } from "#app/lib/page-loader.server.ts";
import { itemPath } from "#worker/contract/board/input.ts";
import { REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";

/** The item in the address of a page. @throws AppError NOT_FOUND */
export const readEventPath = (params: { boardCode: string; itemNo: string }) =>
  readPagePath(itemPath, { ...params, boardCode: params.boardCode.toLowerCase() }, REGISTRATION_MESSAGES.missing);
