import { expect, test } from "vitest";
import type { Decision, ProposalStatus, ReviewStatus } from "#worker/contract/proposal/proposal.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import * as office from "#worker/domain/proposal/office.server.ts";
import * as reviews from "#worker/domain/proposal/review.server.ts";
import * as writes from "#worker/domain/proposal/write.server.ts";
import { createTestProposal, openTestCall, SCORES } from "../../calls/proposal-world.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { randomFrom } from "../../support/random.ts";
import { contextFor } from "../../support/request-scope.ts";
import { FIRST_SEED, isFull } from "../../support/sample.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";

interface Step {
  name: string;
  reviewer: 0 | 1;
  at: number;
}

interface Review {
  status: ReviewStatus;
  round: number;
  isScored: boolean;
  version: number;
}

const MINUTE = 60_000;
const WRITTEN: ProposalStatus[] = ["draft", "returned", "second"];
const DECISIONS: Record<string, ProposalStatus> = { approve: "approved", second: "second", refuse: "refused" };

/** The rules of the desk in a few lines. */
class Model {
  status: ProposalStatus = "draft";
  round = 1;
  version = 1;
  closesAt: number;
  /** Of each reviewer, the last one last. */
  reviews: [Review[], Review[]] = [[], []];
  constructor(closesAt: number) {
    this.closesAt = closesAt;
  }
  copy(): Model {
    return Object.assign(new Model(this.closesAt), structuredClone({ ...this }));
  }
  private is(...states: ProposalStatus[]): boolean {
    return states.includes(this.status);
  }
  private current(): Review[] {
    return this.reviews.flat().filter(({ round }) => round === this.round);
  }
  /** Whether it succeeds. @param seen the versions that its caller saw */
  run({ name, reviewer, at }: Step, seen: Model): boolean {
    const own = this.reviews[reviewer];
    const last = own.at(-1);
    const isRecused = own.some(({ status }) => status === "recused");
    const isNow = last !== undefined && last.round === this.round && !isRecused;
    const isFresh = this.version === seen.version;
    const isSame = last?.version === seen.reviews[reviewer].at(-1)?.version;
    const move = (isAllowed: boolean, to = this.status) => {
      if (!isAllowed) return false;
      this.status = to;
      this.version += 1;
      return true;
    };
    const answer = (isAllowed: boolean, change: Partial<Review>) => {
      if (!isAllowed || !isSame || !last) return false;
      Object.assign(last, change, { version: last.version + 1 });
      return true;
    };
    switch (name) {
      case "save":
        return move(isFresh && this.is(...WRITTEN));
      case "submit": {
        const isAgain = this.is("second");
        if (!move(isFresh && this.is(...WRITTEN) && (!this.is("draft") || at < this.closesAt + MINUTE), "submitted"))
          return false;
        if (isAgain) {
          for (const each of this.reviews)
            if (each.at(-1)?.round === this.round && each.at(-1)?.status !== "recused")
              each.push({ status: "asked", round: this.round + 1, isScored: false, version: 1 });
          this.round += 1;
        }
        return true;
      }
      case "withdraw":
        return move(isFresh && this.is(...WRITTEN, "submitted", "review"), "withdrawn");
      case "return":
        return move(isFresh && this.is("submitted"), "returned");
      case "name":
        if (!move(this.is("submitted", "review") && !isRecused && last?.round !== this.round)) return false;
        own.push({ status: "asked", round: this.round, isScored: false, version: 1 });
        return true;
      case "drop":
        if (!move(this.is("submitted", "review") && isNow && ["asked", "accepted"].includes(last.status))) return false;
        own.pop();
        return true;
      case "start":
        return move(
          isFresh && this.is("submitted") && this.current().some(({ status }) => status !== "recused"),
          "review",
        );
      case "accept":
        return answer(isNow && this.is("submitted", "review") && last.status === "asked", { status: "accepted" });
      case "recuse":
        return answer(isNow && this.is("submitted", "returned", "review"), { status: "recused", isScored: false });
      case "score":
        return answer(isNow && this.is("review") && last.status !== "asked", { isScored: true });
      case "finish":
        return answer(isNow && this.is("review") && last.status === "accepted" && last.isScored, {
          status: "submitted",
        });
      default:
        return move(
          isFresh && this.is("review") && this.current().some(({ status }) => status === "submitted"),
          DECISIONS[name],
        );
    }
  }
  state(): unknown {
    return [this.status, this.round, this.reviews.map((each) => each.map(({ status, round }) => [status, round]))];
  }
}

/** The way to a decision twice, so that most steps are possible. */
const LIKELY = "save submit name start accept score finish approve".split(" ");
const OTHERS = "withdraw return drop recuse second refuse second recuse score name".split(" ");

const SEED = FIRST_SEED;
const SEQUENCES = isFull ? 1_000 : 60;
const STEPS = 9;

test(`random sequences match a model (seed ${SEED})`, { tags: "sampled", timeout: 900_000 }, async () => {
  const [lead, one, other, clerk] = [
    await createMemberSession(),
    await createMemberSession(),
    await createMemberSession(),
    await createAdministratorSession(),
  ];
  const people = [one, other] as const;
  const closesAt = Date.now() + 3_600_000;
  const callId = await openTestCall({ closeDate: closesAt });
  const random = randomFrom(SEED);
  let wrong = 0;
  let succeeded = 0;
  for (let sequence = 0; sequence < SEQUENCES && wrong === 0; sequence += 1) {
    const { id } = await createTestProposal({ lead, callId });
    const contexts = {
      lead: await contextFor(lead),
      clerk: await contextFor(clerk),
      reviewers: [await contextFor(one), await contextFor(other)] as const,
    };
    let model = new Model(closesAt);
    const perform = async ({ name, reviewer, at }: Step, seen: Model): Promise<boolean> => {
      const on = (ctx: AppContext) => ({ ...ctx, now: () => new Date(at) });
      const { version } = seen;
      const reviewId = await readRow<{ id: string }>(
        "SELECT id FROM proposal_review WHERE proposal_id = ? AND user_id = ? ORDER BY round DESC LIMIT 1",
        id,
        people[reviewer].user.id,
      );
      const own = { version: seen.reviews[reviewer].at(-1)?.version ?? 1 };
      const [author, office1, judge] = [on(contexts.lead), on(contexts.clerk), on(contexts.reviewers[reviewer])];
      const saved = {
        title: "제목",
        englishTitle: "",
        affiliation: "하늘대학교",
        answers: { q1: "목적" },
        applicants: [],
      };
      const acts: Record<string, () => Promise<unknown>> = {
        save: () => writes.saveProposal(author, id, { ...saved, files: [], hasStatement: true, version }),
        submit: () => writes.submitProposal(author, id, { version, callVersion: 1 }),
        withdraw: () => writes.withdrawProposal(author, id, { version }),
        return: () => office.returnProposal(office1, id, { reason: "까닭", version }),
        name: () => office.nameReviewer(office1, id, { who: people[reviewer].user.email }),
        drop: () => office.dropReviewer(office1, { id, reviewId: reviewId?.id ?? id }),
        start: () => office.startReview(office1, id, { version }),
        accept: () => reviews.acceptReview(judge, id, own),
        recuse: () => reviews.recuseReview(judge, id, { ...own, reason: "까닭" }),
        score: () => reviews.scoreReview(judge, id, { ...own, scores: SCORES, opinion: "의견" }),
        finish: () => reviews.submitReview(judge, id, own),
      };
      const decide = () => office.decideProposal(office1, id, { decision: name as Decision, reason: "까닭", version });
      try {
        await (acts[name] ?? decide)();
        return true;
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        return false;
      }
    };
    const stored = async () => {
      const row = await readRow<{ status: string; round: number }>(
        "SELECT status, round FROM proposal WHERE id = ?",
        id,
      );
      const all = await readRows<{ user_id: string; status: string; round: number }>(
        "SELECT user_id, status, round FROM proposal_review WHERE proposal_id = ? ORDER BY round",
        id,
      );
      const of = ({ user }: { user: { id: string } }) =>
        all.filter((each) => each.user_id === user.id).map(({ status, round }) => [status, round]);
      return [row?.status, row?.round, people.map(of)];
    };
    for (let at = 0; at < STEPS; at += 1) {
      const step = (): Step => ({
        name: random.below(10) < 8 ? (LIKELY[at % LIKELY.length] as string) : random.pick(OTHERS),
        reviewer: random.below(5) === 0 ? 1 : 0,
        at: random.pick([closesAt, closesAt + MINUTE - 1, closesAt - MINUTE, closesAt + MINUTE]),
      });
      const steps =
        random.below(6) === 0 ? [step(), { ...step(), name: random.pick([...LIKELY, ...OTHERS]) }] : [step()];
      const seen = model.copy();
      const results = await Promise.all(steps.map((each) => perform(each, seen)));
      const orders =
        steps.length === 1
          ? [[0]]
          : [
              [0, 1],
              [1, 0],
            ];
      const state = JSON.stringify(await stored());
      const fitting = orders.flatMap((order) => {
        const after = model.copy();
        const fits = order.every((index) => after.run(steps[index] as Step, seen) === results[index]);
        return fits && JSON.stringify(after.state()) === state ? [after] : [];
      });
      if (!fitting[0]) {
        wrong += 1;
        expect({ sequence, steps, results, state, model: model.state() }).toBe("a state of the model");
        break;
      }
      succeeded += results.filter(Boolean).length;
      model = fitting[0];
    }
    await runSql("DELETE FROM rate_limit");
  }
  expect(wrong).toBe(0);
  expect(succeeded).toBeGreaterThan(SEQUENCES * 3);
});
