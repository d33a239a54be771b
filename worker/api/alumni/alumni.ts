import { Hono } from "hono";
import {
  alumniBinQuery,
  alumniPath,
  createAlumniInput,
  deleteAlumniInput,
  distinctInput,
  exportAlumniInput,
  exportPath,
  importAlumniInput,
  importPath,
  importUploadInput,
  listAlumniQuery,
  mergeAlumniInput,
  mergePath,
  nothing,
  twinQuery,
  updateAlumniInput,
} from "#worker/contract/alumni/input.ts";
import { destroySeveral, listAlumniBin, restoreSeveral } from "#worker/domain/alumni/deleted.server.ts";
import { listTwins, setDistinct } from "#worker/domain/alumni/duplicate.server.ts";
import { listMerges, mergeAlumni, undoMerge } from "#worker/domain/alumni/merge.server.ts";
import { exportAlumni, importTemplate } from "#worker/domain/alumni/export.server.ts";
import { importAlumni, importUploadUrl } from "#worker/domain/alumni/import.server.ts";
import { listImports, undoImport } from "#worker/domain/alumni/import-undo.server.ts";
import { listAlumni } from "#worker/domain/alumni/list.server.ts";
import { sheetToServe } from "#worker/domain/alumni/stored-file.server.ts";
import {
  createAlumni,
  deleteAlumni,
  deleteSeveral,
  restoreAlumni,
  updateAlumni,
} from "#worker/domain/alumni/write.server.ts";
import { fetchStored } from "#worker/domain/file/read.server.ts";
import { fileHeaders } from "../file/file.ts";
import { disposition } from "../kernel/download.ts";
import { importPartsApi } from "./import-parts.ts";
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";

const TEMPLATE_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export const alumniApi = new Hono<ApiEnv>()
  .get("/", query(listAlumniQuery), async (c) => ok(c, await listAlumni(c.var.door, c.req.valid("query"))))
  .put("/", body(createAlumniInput), async (c) => ok(c, await createAlumni(await opened(c), c.req.valid("json"))))
  .patch("/:id", path(alumniPath), body(updateAlumniInput), async (c) =>
    ok(c, await updateAlumni(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", path(alumniPath), async (c) => ok(c, await deleteAlumni(await opened(c), c.req.valid("param").id)))
  .post("/delete-data", body(deleteAlumniInput), async (c) =>
    ok(c, await deleteSeveral(await opened(c), c.req.valid("json").ids)),
  )
  .get("/bin", query(alumniBinQuery), async (c) => ok(c, await listAlumniBin(c.var.door, c.req.valid("query"))))
  .post("/restore-data", body(deleteAlumniInput), async (c) =>
    ok(c, await restoreSeveral(await opened(c), c.req.valid("json").ids)),
  )
  .post("/destroy-data", body(deleteAlumniInput), async (c) =>
    ok(c, await destroySeveral(await opened(c), c.req.valid("json").ids)),
  )
  .get("/duplicate", query(twinQuery), async (c) => ok(c, await listTwins(await opened(c), c.req.valid("query"))))
  .post("/distinct", body(distinctInput), async (c) => ok(c, await setDistinct(await opened(c), c.req.valid("json"))))
  .get("/merge", async (c) => ok(c, await listMerges(await opened(c))))
  .post("/merge", body(mergeAlumniInput), async (c) => ok(c, await mergeAlumni(await opened(c), c.req.valid("json"))))
  .post("/merge/:mergeId/undo", path(mergePath), body(nothing), async (c) =>
    ok(c, await undoMerge(await opened(c), c.req.valid("param").mergeId)),
  )
  .post("/:id/restore", path(alumniPath), body(nothing), async (c) =>
    ok(c, await restoreAlumni(await opened(c), c.req.valid("param").id)),
  )
  .post("/export-data", body(exportAlumniInput), async (c) =>
    ok(c, await exportAlumni(await opened(c), c.req.valid("json"))),
  )
  .get("/export-data/:ticket", path(exportPath), async (c) => {
    const file = await sheetToServe(c.var.door, c.req.valid("param").ticket);
    const headers = fileHeaders(file, true);
    headers.set("Content-Length", String(file.size));
    return new Response(await fetchStored(c.env.FILES, file.storageKey, null), { headers });
  })
  .get("/import-template", async (c) => {
    const template = await importTemplate(await opened(c));
    const headers = {
      "Content-Type": TEMPLATE_TYPE,
      "Content-Disposition": disposition("attachment", "동문주소록_양식.xlsx"),
    };
    return new Response(template, { headers });
  })
  .post("/upload-url", body(importUploadInput), async (c) =>
    ok(c, await importUploadUrl(await opened(c), c.req.valid("json"))),
  )
  .post("/import-data", body(importAlumniInput), async (c) =>
    ok(c, await importAlumni(await opened(c), c.req.valid("json"))),
  )
  .get("/import", async (c) => ok(c, await listImports(await opened(c))))
  .route("/import", importPartsApi)
  .post("/import/:importId/undo", path(importPath), body(nothing), async (c) =>
    ok(c, await undoImport(await opened(c), c.req.valid("param").importId)),
  );
