import { emptyInput } from "#worker/contract/alumni/input.ts";
import { createAlumniViewInput, updateAlumniViewInput } from "#worker/contract/alumni/list-view-input.ts";
import {
  createAlumniView,
  deleteAlumniView,
  restoreAlumniView,
  updateAlumniView,
} from "#worker/domain/alumni/list-view.server.ts";
import { apiRoutes, contextCall, creatingCall, sent } from "../kernel/call.ts";

/** Views of the list that are kept under a name. */
export const alumniViewApi = apiRoutes()
  .put("/", creatingCall(createAlumniView, sent.body(createAlumniViewInput)))
  .patch("/:id", contextCall(updateAlumniView, sent.id, sent.body(updateAlumniViewInput)))
  .delete("/:id", contextCall(deleteAlumniView, sent.id, sent.version))
  .post("/:id/restore", contextCall(restoreAlumniView, sent.id, sent.body(emptyInput)));
