import * as input from "#worker/contract/proposal/input.ts";
import * as calls from "#worker/domain/proposal/call.server.ts";
import * as office from "#worker/domain/proposal/office.server.ts";
import * as own from "#worker/domain/proposal/own.server.ts";
import * as projects from "#worker/domain/proposal/project.server.ts";
import * as reviews from "#worker/domain/proposal/review.server.ts";
import * as writes from "#worker/domain/proposal/write.server.ts";
import { requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, creatingCall, readCall, sent, writeCall } from "../kernel/call.ts";

/** For everybody. */
export const projectApi = apiRoutes().get(
  "/",
  readCall(projects.listApprovedProjects, sent.query(input.listProjectsQuery)),
);

export const proposalApi = apiRoutes()
  .use(requireSignIn)
  .get("/", readCall(own.getOwnProposals))
  .post("/", creatingCall(writes.startProposal, sent.body(input.startProposalInput)))
  .get("/:id", readCall(own.getProposalView, sent.id))
  .get("/:id/draft", readCall(own.getProposalDraft, sent.id))
  .patch("/:id", writeCall(writes.saveProposal, sent.id, sent.body(input.saveProposalInput)))
  .post("/:id/submit", writeCall(writes.submitProposal, sent.id, sent.body(input.submitProposalInput)))
  .post("/:id/withdraw", writeCall(writes.withdrawProposal, sent.id, sent.body(input.withdrawProposalInput)))
  .get("/:id/review", readCall(reviews.getReviewPage, sent.id))
  .patch("/:id/review", writeCall(reviews.scoreReview, sent.id, sent.body(input.scoreReviewInput)))
  .post("/:id/review/accept", writeCall(reviews.acceptReview, sent.id, sent.body(input.answerReviewInput)))
  .post("/:id/review/recuse", writeCall(reviews.recuseReview, sent.id, sent.body(input.recuseReviewInput)))
  .post("/:id/review/submit", writeCall(reviews.submitReview, sent.id, sent.body(input.answerReviewInput)));

export const adminProposalApi = apiRoutes()
  .use(requireAccess({ action: "Research_Manage" }, { action: "Research_Decide" }))
  .get("/", readCall(office.listProposals, sent.query(input.listProposalsQuery)))
  .get("/:id", readCall(office.getProposalCase, sent.id))
  .post("/:id/check", writeCall(office.checkProposal, sent.id, sent.body(input.checkProposalInput)))
  .post("/:id/return", writeCall(office.returnProposal, sent.id, sent.body(input.returnProposalInput)))
  .post("/:id/reviewer", creatingCall(office.nameReviewer, sent.id, sent.body(input.nameReviewerInput)))
  .delete("/:id/reviewer/:reviewId", writeCall(office.dropReviewer, sent.path(input.reviewerPath)))
  .post("/:id/review", writeCall(office.startReview, sent.id, sent.body(input.startReviewInput)))
  .post("/:id/decision", writeCall(office.decideProposal, sent.id, sent.body(input.decideProposalInput)));

export const adminProposalCallApi = apiRoutes()
  .use(requireAccess({ action: "Research_Manage" }))
  .get("/", readCall(calls.listProposalCalls))
  .post("/", creatingCall(calls.createProposalCall, sent.body(input.createCallInput)))
  .get("/:id", readCall(calls.getProposalCall, sent.id))
  .patch("/:id", writeCall(calls.updateProposalCall, sent.id, sent.body(input.updateCallInput)))
  .delete("/:id", writeCall(calls.deleteProposalCall, sent.id, sent.version));
