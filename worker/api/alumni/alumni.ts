import { Hono } from "hono";
import {
  deletedAlumniQuery,
  alumniIdPath,
  createAlumniInput,
  deleteAlumniInput,
  notDuplicateInput,
  exportAlumniInput,
  alumniExportPath,
  importAlumniInput,
  alumniImportPath,
  importUploadInput,
  listAlumniQuery,
  mergeAlumniInput,
  alumniMergePath,
  emptyInput,
  duplicatesQuery,
  updateAlumniInput,
} from "#worker/contract/alumni/input.ts";
import { destroySeveralAlumni, listDeletedAlumni, restoreSeveralAlumni } from "#worker/domain/alumni/deleted.server.ts";
import { listDuplicates, setNotDuplicate } from "#worker/domain/alumni/duplicate.server.ts";
import { listMerges, mergeAlumni, undoMerge } from "#worker/domain/alumni/merge.server.ts";
import { exportAlumni, createImportTemplate } from "#worker/domain/alumni/export.server.ts";
import { importAlumni, issueImportUploadUrl } from "#worker/domain/alumni/import.server.ts";
import { listImports, undoImport } from "#worker/domain/alumni/import-undo.server.ts";
import { listAlumni } from "#worker/domain/alumni/list.server.ts";
import { getSheetToServe } from "#worker/domain/alumni/stored-sheet.server.ts";
import {
  createAlumni,
  deleteAlumni,
  deleteSeveralAlumni,
  restoreAlumni,
  updateAlumni,
} from "#worker/domain/alumni/write.server.ts";
import type { AccessQuestion } from "#worker/domain/kernel/authorize.server.ts";
import { fetchStoredFile } from "#worker/domain/file/read.server.ts";
import { fileHeaders } from "../file/file.ts";
import { contentDisposition } from "../kernel/download.ts";
import { requireAccess } from "../kernel/access.ts";
import { readIdempotencyKey } from "../kernel/idempotency.ts";
import { importPartsApi } from "./import-parts.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

const TEMPLATE_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** A member corrects their own entry with Alumni_Read alone. */
const ALUMNI_QUESTIONS = [
  { action: "Alumni_Read" },
  { action: "Alumni_Write" },
  { action: "Alumni_Delete" },
  { action: "Alumni_Export" },
  { action: "Alumni_Import" },
] as const satisfies AccessQuestion[];
const requireImport = requireAccess({ action: "Alumni_Import" });

export const alumniApi = new Hono<ApiEnv>()
  .use(requireAccess(...ALUMNI_QUESTIONS))
  .get("/", validateQuery(listAlumniQuery), async (c) =>
    sendData(c, await listAlumni(c.var.scope, c.req.valid("query"))),
  )
  .put("/", validateBody(createAlumniInput), async (c) =>
    sendData(c, await createAlumni(await openContext(c), c.req.valid("json"), readIdempotencyKey(c))),
  )
  .patch("/:id", validatePath(alumniIdPath), validateBody(updateAlumniInput), async (c) =>
    sendData(c, await updateAlumni(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", validatePath(alumniIdPath), async (c) =>
    sendData(c, await deleteAlumni(await openContext(c), c.req.valid("param").id)),
  )
  .post("/delete-data", validateBody(deleteAlumniInput), async (c) =>
    sendData(c, await deleteSeveralAlumni(await openContext(c), c.req.valid("json").ids)),
  )
  .get("/bin", validateQuery(deletedAlumniQuery), async (c) =>
    sendData(c, await listDeletedAlumni(c.var.scope, c.req.valid("query"))),
  )
  .post("/restore-data", validateBody(deleteAlumniInput), async (c) =>
    sendData(c, await restoreSeveralAlumni(await openContext(c), c.req.valid("json").ids)),
  )
  .post("/destroy-data", validateBody(deleteAlumniInput), async (c) =>
    sendData(c, await destroySeveralAlumni(await openContext(c), c.req.valid("json").ids)),
  )
  .get("/duplicate", validateQuery(duplicatesQuery), async (c) =>
    sendData(c, await listDuplicates(await openContext(c), c.req.valid("query"))),
  )
  .post("/distinct", validateBody(notDuplicateInput), async (c) =>
    sendData(c, await setNotDuplicate(await openContext(c), c.req.valid("json"))),
  )
  .get("/merge", async (c) => sendData(c, await listMerges(await openContext(c))))
  .post("/merge", validateBody(mergeAlumniInput), async (c) =>
    sendData(c, await mergeAlumni(await openContext(c), c.req.valid("json"))),
  )
  .post("/merge/:mergeId/undo", validatePath(alumniMergePath), validateBody(emptyInput), async (c) =>
    sendData(c, await undoMerge(await openContext(c), c.req.valid("param").mergeId)),
  )
  .post("/:id/restore", validatePath(alumniIdPath), validateBody(emptyInput), async (c) =>
    sendData(c, await restoreAlumni(await openContext(c), c.req.valid("param").id)),
  )
  .post(
    "/export-data",
    requireAccess({ action: "Alumni_Export" }),
    recentSecondFactor,
    validateBody(exportAlumniInput),
    async (c) => sendData(c, await exportAlumni(await openContext(c), c.req.valid("json"))),
  )
  .get("/export-data/:ticket", validatePath(alumniExportPath), async (c) => {
    const file = await getSheetToServe(c.var.scope, c.req.valid("param").ticket);
    const headers = fileHeaders(file, true);
    headers.set("Content-Length", String(file.size));
    return new Response(await fetchStoredFile(c.env.FILES, file.storageKey, null), { headers });
  })
  .get("/import-template", async (c) => {
    const template = await createImportTemplate(await openContext(c));
    const headers = {
      "Content-Type": TEMPLATE_TYPE,
      "Content-Disposition": contentDisposition("attachment", "동문주소록_양식.xlsx"),
    };
    return new Response(template, { headers });
  })
  .post("/upload-url", requireImport, validateBody(importUploadInput), async (c) =>
    sendData(c, await issueImportUploadUrl(await openContext(c), c.req.valid("json"))),
  )
  .post("/import-data", requireImport, validateBody(importAlumniInput), async (c) =>
    sendData(c, await importAlumni(await openContext(c), c.req.valid("json"))),
  )
  .get("/import", async (c) => sendData(c, await listImports(await openContext(c))))
  .route("/import", importPartsApi)
  .post("/import/:importId/undo", validatePath(alumniImportPath), validateBody(emptyInput), async (c) =>
    sendData(c, await undoImport(await openContext(c), c.req.valid("param").importId)),
  );
