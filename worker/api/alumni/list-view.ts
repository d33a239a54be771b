import { emptyInput } from "#worker/contract/alumni/input.ts";
import { createAlumniViewInput, updateAlumniViewInput } from "#worker/contract/alumni/list-view-input.ts";
import { idPath, versionQuery } from "#worker/contract/kernel/fields.ts";
import {
  createAlumniView,
  deleteAlumniView,
  restoreAlumniView,
  updateAlumniView,
} from "#worker/domain/alumni/list-view.server.ts";
import { apiRoutes, contextCall, creatingCall, fromBody, fromPath, fromQuery } from "../kernel/call.ts";

/** Views of the list that are kept under a name. */
export const alumniViewApi = apiRoutes()
  .put("/", creatingCall(createAlumniView, fromBody(createAlumniViewInput)))
  .patch("/:id", contextCall(updateAlumniView, fromPath(idPath, "id"), fromBody(updateAlumniViewInput)))
  .delete("/:id", contextCall(deleteAlumniView, fromPath(idPath, "id"), fromQuery(versionQuery, "version")))
  .post("/:id/restore", contextCall(restoreAlumniView, fromPath(idPath, "id"), fromBody(emptyInput)));
