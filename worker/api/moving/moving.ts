import { Hono } from "hono";
import { noInput } from "#worker/contract/kernel/fields.ts";
import * as input from "#worker/contract/moving/input.ts";
import { completeArchive, openArchive, putArchivePart, removeArchive } from "#worker/domain/moving/archive.server.ts";
import * as moving from "#worker/domain/moving/moving.server.ts";
import { exportSite, listSiteExport } from "#worker/domain/moving/site-export.server.ts";
import { startMoving } from "#worker/domain/moving/start-moving.server.ts";
import { creatingCall, sent } from "../kernel/call.ts";
import { type ApiEnv, fileResponse, openContext, sendData, validateBody, validatePath } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/access.ts";

export const adminMovingApi = new Hono<ApiEnv>()
  .get("/", async (c) => sendData(c, await moving.getMovingPage(c.var.scope, null)))
  .put("/", creatingCall(moving.openMoving, sent.body(input.openMovingInput)))
  .post("/export/parts", recentSecondFactor, validateBody(noInput), async (c) =>
    sendData(c, await listSiteExport(await openContext(c))),
  )
  .post("/export", recentSecondFactor, validateBody(input.siteExportInput), async (c) =>
    fileResponse(await exportSite(await openContext(c), c.req.valid("json"))),
  )
  .get("/:id", validatePath(input.movingPath), async (c) =>
    sendData(c, await moving.getMovingPage(c.var.scope, c.req.valid("param").id)),
  )
  .put("/:id/archive", validatePath(input.movingPath), validateBody(input.openArchiveInput), async (c) =>
    sendData(c, await openArchive(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .put("/:id/archive/:archiveId/part/:partNo", validatePath(input.archivePartPath), async (c) => {
    const { id, archiveId, partNo } = c.req.valid("param");
    const length = c.req.header("Content-Length");
    const part = { body: c.req.raw.body, contentLength: length === undefined ? null : Number(length) };
    return sendData(c, await putArchivePart(await openContext(c), id, archiveId, partNo, part));
  })
  .post("/:id/archive/:archiveId/complete", validatePath(input.archivePath), validateBody(noInput), async (c) => {
    const { id, archiveId } = c.req.valid("param");
    return sendData(c, await completeArchive(await openContext(c), id, archiveId));
  })
  .delete("/:id/archive/:archiveId", validatePath(input.archivePath), async (c) => {
    const { id, archiveId } = c.req.valid("param");
    return sendData(c, await removeArchive(await openContext(c), id, archiveId));
  })
  .post("/:id/check", validatePath(input.movingPath), validateBody(noInput), async (c) =>
    sendData(c, await moving.checkMoving(await openContext(c), c.req.valid("param").id)),
  )
  .post("/:id/blocked", validatePath(input.movingPath), validateBody(input.blockedMembersInput), async (c) =>
    sendData(c, await moving.setBlockedMembers(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .post(
    "/:id/start",
    recentSecondFactor,
    validatePath(input.movingPath),
    validateBody(input.startMovingInput),
    async (c) => sendData(c, await startMoving(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/:id/step", validatePath(input.movingPath), validateBody(noInput), async (c) =>
    sendData(c, await moving.advanceMoving(await openContext(c), c.req.valid("param").id)),
  )
  .post("/:id/retry", validatePath(input.movingPath), validateBody(noInput), async (c) =>
    sendData(c, await moving.retryMoving(await openContext(c), c.req.valid("param").id)),
  )
  .post("/:id/cancel", validatePath(input.movingPath), validateBody(noInput), async (c) =>
    sendData(c, await moving.cancelMoving(await openContext(c), c.req.valid("param").id)),
  )
  .post(
    "/:id/undo",
    recentSecondFactor,
    validatePath(input.movingPath),
    validateBody(input.undoMovingInput),
    async (c) =>
      sendData(c, await moving.undoMoving(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/:id/issues", recentSecondFactor, validatePath(input.movingPath), validateBody(noInput), async (c) =>
    fileResponse(await moving.exportMovingIssues(await openContext(c), c.req.valid("param").id)),
  );
