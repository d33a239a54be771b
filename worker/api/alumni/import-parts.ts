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
import { apiRoutes, writeCall, creatingCall, sent } from "../kernel/call.ts";

export const importPartsApi = apiRoutes()
  .use(requireAccess({ action: "Alumni_Import" }))
  .get("/open", writeCall(getOpenImport))
  .post("/open", creatingCall(openImport, sent.body(openImportInput)))
  .put(
    "/:importId/part/:partNo",
    writeCall(
      putImportPart,
      sent.path(importPartPath, "importId"),
      sent.path(importPartPath, "partNo"),
      sent.bodyWithin(ALUMNI_LIMITS.partBytes, importPartInput),
    ),
  )
  .patch(
    "/:importId/cells",
    writeCall(
      correctImportCells,
      sent.path(alumniImportPath, "importId"),
      sent.bodyWithin(ALUMNI_LIMITS.partBytes, correctCellsInput),
    ),
  )
  .post(
    "/:importId/plan",
    writeCall(previewReceivedImport, sent.path(alumniImportPath, "importId"), sent.body(previewImportInput)),
  )
  .post(
    "/:importId/commit",
    writeCall(commitReceivedImport, sent.path(alumniImportPath, "importId"), sent.body(commitImportInput)),
  )
  .delete("/:importId", writeCall(discardImport, sent.path(alumniImportPath, "importId"), sent.body(emptyInput)));
