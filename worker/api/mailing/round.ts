import { mailingVersionInput } from "#worker/contract/mailing/input.ts";
import {
  createRoundInput,
  listRoundPeopleQuery,
  listRoundsQuery,
  repeatRoundInput,
  startRoundInput,
} from "#worker/contract/mailing/round-input.ts";
import {
  closeRound,
  createRound,
  deleteRound,
  previewRound,
  repeatRound,
  startRound,
} from "#worker/domain/mailing/round.server.ts";
import { getRound, listRoundPeople, listRounds } from "#worker/domain/mailing/round-figures.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

/** Rounds in which people of the address book are asked whether their entry is right. */
export const adminRoundApi = apiRoutes()
  .get("/", scopeCall(listRounds, sent.query(listRoundsQuery)))
  .put("/", creatingCall(createRound, sent.body(createRoundInput)))
  .get("/:id", scopeCall(getRound, sent.id))
  .delete("/:id", contextCall(deleteRound, sent.id, sent.version))
  .get("/:id/person", scopeCall(listRoundPeople, sent.id, sent.query(listRoundPeopleQuery)))
  .post("/:id/preview", scopeCall(previewRound, sent.id))
  .post("/:id/start", recentSecondFactor, contextCall(startRound, sent.id, sent.body(startRoundInput)))
  .post("/:id/repeat", contextCall(repeatRound, sent.id, sent.body(repeatRoundInput)))
  .post("/:id/close", contextCall(closeRound, sent.id, sent.body(mailingVersionInput, "version")));
