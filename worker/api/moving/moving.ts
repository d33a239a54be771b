import { Hono } from "hono";
import { noInput } from "#worker/contract/kernel/fields.ts";
import {
  archivePartPath,
  archivePath,
  listSiteExportInput,
  movingPath,
  openArchiveInput,
  openMovingInput,
  siteExportInput,
  startMovingInput,
  undoMovingInput,
} from "#worker/contract/moving/input.ts";
import { completeArchive, openArchive, putArchivePart, removeArchive } from "#worker/domain/moving/archive.server.ts";
import {
  advanceMoving,
  cancelMoving,
  checkMoving,
  exportMovingIssues,
  getMovingPage,
  openMoving,
  retryMoving,
  undoMoving,
} from "#worker/domain/moving/moving.server.ts";
import { exportSite, listSiteExport } from "#worker/domain/moving/site-export.server.ts";
import { startMoving } from "#worker/domain/moving/start-moving.server.ts";
import { creatingCall, sent } from "../kernel/call.ts";
import { fileResponse } from "../kernel/download.ts";
import { type ApiEnv, openContext, sendData, validateBody, validatePath } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminMovingApi = new Hono<ApiEnv>()
  .get("/", async (c) => sendData(c, await getMovingPage(c.var.scope, null)))
  .put("/", creatingCall(openMoving, sent.body(openMovingInput)))
  .post("/export/parts", recentSecondFactor, validateBody(listSiteExportInput), async (c) =>
    sendData(c, await listSiteExport(await openContext(c), c.req.valid("json"))),
  )
  .post("/export", recentSecondFactor, validateBody(siteExportInput), async (c) =>
    fileResponse(await exportSite(await openContext(c), c.req.valid("json"))),
  )
  .get("/:id", validatePath(movingPath), async (c) =>
    sendData(c, await getMovingPage(c.var.scope, c.req.valid("param").id)),
  )
  .put("/:id/archive", validatePath(movingPath), validateBody(openArchiveInput), async (c) =>
    sendData(c, await openArchive(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .put("/:id/archive/:archiveId/part/:partNo", validatePath(archivePartPath), async (c) => {
    const { id, archiveId, partNo } = c.req.valid("param");
    const length = c.req.header("Content-Length");
    const part = { body: c.req.raw.body, contentLength: length === undefined ? null : Number(length) };
    return sendData(c, await putArchivePart(await openContext(c), id, archiveId, partNo, part));
  })
  .post("/:id/archive/:archiveId/complete", validatePath(archivePath), validateBody(noInput), async (c) => {
    const { id, archiveId } = c.req.valid("param");
    return sendData(c, await completeArchive(await openContext(c), id, archiveId));
  })
  .delete("/:id/archive/:archiveId", validatePath(archivePath), async (c) => {
    const { id, archiveId } = c.req.valid("param");
    return sendData(c, await removeArchive(await openContext(c), id, archiveId));
  })
  .post("/:id/check", validatePath(movingPath), validateBody(noInput), async (c) =>
    sendData(c, await checkMoving(await openContext(c), c.req.valid("param").id)),
  )
  .post("/:id/start", recentSecondFactor, validatePath(movingPath), validateBody(startMovingInput), async (c) =>
    sendData(c, await startMoving(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/:id/step", validatePath(movingPath), validateBody(noInput), async (c) =>
    sendData(c, await advanceMoving(await openContext(c), c.req.valid("param").id)),
  )
  .post("/:id/retry", validatePath(movingPath), validateBody(noInput), async (c) =>
    sendData(c, await retryMoving(await openContext(c), c.req.valid("param").id)),
  )
  .post("/:id/cancel", validatePath(movingPath), validateBody(noInput), async (c) =>
    sendData(c, await cancelMoving(await openContext(c), c.req.valid("param").id)),
  )
  .post("/:id/undo", recentSecondFactor, validatePath(movingPath), validateBody(undoMovingInput), async (c) =>
    sendData(c, await undoMoving(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/:id/issues", validatePath(movingPath), validateBody(noInput), async (c) =>
    fileResponse(await exportMovingIssues(await openContext(c), c.req.valid("param").id)),
  );
