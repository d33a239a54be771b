import { Hono } from "hono";
import {
  alumniPath,
  createAlumniInput,
  deleteAlumniInput,
  listAlumniQuery,
  nothing,
  updateAlumniInput,
} from "#worker/contract/alumni.ts";
import { listAlumni } from "#worker/domain/alumni/list.server.ts";
import {
  createAlumni,
  deleteAlumni,
  deleteSeveral,
  restoreAlumni,
  updateAlumni,
} from "#worker/domain/alumni/write.server.ts";
import { type ApiEnv, body, ok, opened, path, query } from "./http.ts";

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
  .post("/:id/restore", path(alumniPath), body(nothing), async (c) =>
    ok(c, await restoreAlumni(await opened(c), c.req.valid("param").id)),
  );
