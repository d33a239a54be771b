import { Hono } from "hono";
import { alumniImportPath, emptyInput } from "#worker/contract/alumni/input.ts";
import {
  correctCellsInput,
  importPartInput,
  importPartPath,
  commitImportInput,
  openImportInput,
  previewImportInput,
} from "#worker/contract/alumni/import-input.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { correctImportCells } from "#worker/domain/alumni/import-correct.server.ts";
import {
  discardImport,
  commitReceivedImport,
  openImport,
  getOpenImport,
  previewReceivedImport,
  putImportPart,
} from "#worker/domain/alumni/import-parts.server.ts";
import { requireAccess } from "../kernel/access.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath } from "../kernel/http.ts";

/** Files of any size, in parts that can be sent again after a lost connection. */
export const importPartsApi = new Hono<ApiEnv>()
  .use(requireAccess({ action: "Alumni_Import" }))
  .get("/open", async (c) => sendData(c, await getOpenImport(await openContext(c))))
  .post("/open", validateBody(openImportInput), async (c) =>
    sendData(c, await openImport(await openContext(c), c.req.valid("json"))),
  )
  .put(
    "/:importId/part/:partNo",
    validatePath(importPartPath),
    validateBody(importPartInput, ALUMNI_LIMITS.partBytes),
    async (c) => {
      const { importId, partNo } = c.req.valid("param");
      return sendData(c, await putImportPart(await openContext(c), importId, partNo, c.req.valid("json")));
    },
  )
  .patch(
    "/:importId/cells",
    validatePath(alumniImportPath),
    validateBody(correctCellsInput, ALUMNI_LIMITS.partBytes),
    async (c) =>
      sendData(c, await correctImportCells(await openContext(c), c.req.valid("param").importId, c.req.valid("json"))),
  )
  .post("/:importId/plan", validatePath(alumniImportPath), validateBody(previewImportInput), async (c) =>
    sendData(c, await previewReceivedImport(await openContext(c), c.req.valid("param").importId, c.req.valid("json"))),
  )
  .post("/:importId/land", validatePath(alumniImportPath), validateBody(commitImportInput), async (c) =>
    sendData(c, await commitReceivedImport(await openContext(c), c.req.valid("param").importId, c.req.valid("json"))),
  )
  .delete("/:importId", validatePath(alumniImportPath), validateBody(emptyInput), async (c) =>
    sendData(c, await discardImport(await openContext(c), c.req.valid("param").importId)),
  );
