import { noInput } from "#worker/contract/kernel/fields.ts";
import * as input from "#worker/contract/moving/input.ts";
import { completeArchive, openArchive, putArchivePart, removeArchive } from "#worker/domain/moving/archive.server.ts";
import * as moving from "#worker/domain/moving/moving.server.ts";
import { exportSite, listSiteExport } from "#worker/domain/moving/site-export.server.ts";
import { startMoving } from "#worker/domain/moving/start-moving.server.ts";
import { apiRoutes, creatingCall, fileCall, responseCall, readCall, sent, writeCall } from "../kernel/call.ts";
import { openContext, sendData } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/access.ts";

const id = sent.path(input.movingPath, "id");
const archive = [sent.path(input.archivePath, "id"), sent.path(input.archivePath, "archiveId")] as const;
/** The body is an empty object, which no function reads. */
const nothing = sent.body(noInput);

export const adminMovingApi = apiRoutes()
  .get(
    "/",
    readCall((scope) => moving.getMovingPage(scope, null)),
  )
  .put("/", creatingCall(moving.openMoving, sent.body(input.openMovingInput)))
  .post(
    "/export/parts",
    recentSecondFactor,
    writeCall((ctx, _nothing) => listSiteExport(ctx), sent.body(noInput)),
  )
  .post("/export", recentSecondFactor, fileCall(exportSite, sent.body(input.siteExportInput)))
  .get("/:id", readCall(moving.getMovingPage, id))
  .put("/:id/archive", writeCall(openArchive, id, sent.body(input.openArchiveInput)))
  .put(
    "/:id/archive/:archiveId/part/:partNo",
    responseCall(async (c, { id: movingId, archiveId, partNo }) => {
      const length = c.req.header("Content-Length");
      const part = { body: c.req.raw.body, contentLength: length === undefined ? null : Number(length) };
      return sendData(c, await putArchivePart(await openContext(c), movingId, archiveId, partNo, part));
    }, sent.path(input.archivePartPath)),
  )
  .post("/:id/archive/:archiveId/complete", writeCall(completeArchive, ...archive, nothing))
  .delete("/:id/archive/:archiveId", writeCall(removeArchive, ...archive))
  .post("/:id/check", writeCall(moving.checkMoving, id, nothing))
  .post("/:id/blocked", writeCall(moving.setBlockedMembers, id, sent.body(input.blockedMembersInput)))
  .post("/:id/start", recentSecondFactor, writeCall(startMoving, id, sent.body(input.startMovingInput)))
  .post("/:id/step", writeCall(moving.advanceMoving, id, nothing))
  .post("/:id/retry", writeCall(moving.retryMoving, id, nothing))
  .post("/:id/cancel", writeCall(moving.cancelMoving, id, nothing))
  .post("/:id/undo", recentSecondFactor, writeCall(moving.undoMoving, id, sent.body(input.undoMovingInput)))
  .post("/:id/issues", recentSecondFactor, fileCall(moving.exportMovingIssues, id, nothing));
