import { Hono } from "hono";
import { importPath, nothing } from "#worker/contract/alumni/input.ts";
import {
  correctCellsInput,
  importPartInput,
  importPartPath,
  landStagedInput,
  openImportInput,
  planStagedInput,
} from "#worker/contract/alumni/import-input.ts";
import { ALUMNI } from "#worker/contract/kernel/limits.ts";
import { correctCells } from "#worker/domain/alumni/import-correct.server.ts";
import {
  discardImport,
  landStaged,
  openImport,
  openImportOf,
  planStaged,
  putPart,
} from "#worker/domain/alumni/import-parts.server.ts";
import { type ApiEnv, body, ok, opened, path } from "../kernel/http.ts";

/** Files of any size, in parts that can be sent again after a lost connection. */
export const importPartsApi = new Hono<ApiEnv>()
  .get("/open", async (c) => ok(c, await openImportOf(await opened(c))))
  .post("/open", body(openImportInput), async (c) => ok(c, await openImport(await opened(c), c.req.valid("json"))))
  .put("/:importId/part/:partNo", path(importPartPath), body(importPartInput, ALUMNI.partBytes), async (c) => {
    const { importId, partNo } = c.req.valid("param");
    return ok(c, await putPart(await opened(c), importId, partNo, c.req.valid("json")));
  })
  .patch("/:importId/cells", path(importPath), body(correctCellsInput, ALUMNI.partBytes), async (c) =>
    ok(c, await correctCells(await opened(c), c.req.valid("param").importId, c.req.valid("json"))),
  )
  .post("/:importId/plan", path(importPath), body(planStagedInput), async (c) =>
    ok(c, await planStaged(await opened(c), c.req.valid("param").importId, c.req.valid("json"))),
  )
  .post("/:importId/land", path(importPath), body(landStagedInput), async (c) =>
    ok(c, await landStaged(await opened(c), c.req.valid("param").importId, c.req.valid("json"))),
  )
  .delete("/:importId", path(importPath), body(nothing), async (c) =>
    ok(c, await discardImport(await opened(c), c.req.valid("param").importId)),
  );
