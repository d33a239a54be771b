import { apiRoutes } from "../kernel/call.ts";
import { draftInput, draftPath, draftQuery } from "#worker/contract/board/input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { deleteItemDraft, getItemDraft, saveItemDraft } from "#worker/domain/board/draft.server.ts";
import { requireBoardAccess } from "../kernel/access.ts";
import { validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";

export const boardItemDraftApi = apiRoutes()
  .use("/:boardCode", requireBoardAccess("Write"))
  .get("/:boardCode", validatePath(draftPath), validateQuery(draftQuery), async (c) =>
    sendData(c, await getItemDraft(await openContext(c), { ...c.req.valid("param"), ...c.req.valid("query") })),
  )
  .put(
    "/:boardCode",
    validatePath(draftPath),
    validateQuery(draftQuery),
    validateBody(draftInput, SIZE_LIMITS.postBytes),
    async (c) =>
      sendData(
        c,
        await saveItemDraft(
          await openContext(c),
          { ...c.req.valid("param"), ...c.req.valid("query") },
          c.req.valid("json"),
        ),
      ),
  )
  .delete("/:boardCode", validatePath(draftPath), validateQuery(draftQuery), async (c) =>
    sendData(c, await deleteItemDraft(await openContext(c), { ...c.req.valid("param"), ...c.req.valid("query") })),
  );
