import { emptyInput } from "#worker/contract/alumni/input.ts";
import { createAlumniViewInput, updateAlumniViewInput } from "#worker/contract/alumni/list-view-input.ts";
import {
  createAlumniView,
  deleteAlumniView,
  restoreAlumniView,
  updateAlumniView,
} from "#worker/domain/alumni/list-view.server.ts";
import { apiRoutes, contextCall, creatingCall, fromBody, pathId, queryVersion } from "../kernel/call.ts";

/** Views of the list that are kept under a name. */
export const alumniViewApi = apiRoutes()
  .put("/", creatingCall(createAlumniView, fromBody(createAlumniViewInput)))
  .patch("/:id", contextCall(updateAlumniView, pathId, fromBody(updateAlumniViewInput)))
  .delete("/:id", contextCall(deleteAlumniView, pathId, queryVersion))
  .post("/:id/restore", contextCall(restoreAlumniView, pathId, fromBody(emptyInput)));
