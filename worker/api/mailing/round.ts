import { mailingVersionInput } from "#worker/contract/mailing/input.ts";
import * as input from "#worker/contract/mailing/round-input.ts";
import * as rounds from "#worker/domain/mailing/round.server.ts";
import { getRound, listRoundPeople, listRounds } from "#worker/domain/mailing/round-figures.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminRoundApi = apiRoutes()
  .get("/", scopeCall(listRounds, sent.query(input.listRoundsQuery)))
  .put("/", creatingCall(rounds.createRound, sent.body(input.createRoundInput)))
  .get("/:id", scopeCall(getRound, sent.id))
  .delete("/:id", contextCall(rounds.deleteRound, sent.id, sent.version))
  .get("/:id/person", scopeCall(listRoundPeople, sent.id, sent.query(input.listRoundPeopleQuery)))
  .post("/:id/preview", scopeCall(rounds.previewRound, sent.id))
  .post("/:id/start", recentSecondFactor, contextCall(rounds.startRound, sent.id, sent.body(input.startRoundInput)))
  .post("/:id/repeat", recentSecondFactor, contextCall(rounds.repeatRound, sent.id, sent.body(input.repeatRoundInput)))
  .post("/:id/close", contextCall(rounds.closeRound, sent.id, sent.body(mailingVersionInput, "version")));
