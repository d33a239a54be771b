import type { AppContext } from "#worker/domain/kernel/context.ts";
import { logError } from "#worker/log.ts";
import { checkArchives } from "./check.server.ts";
import { commitArchives } from "./commit-archives.server.ts";
import {
  claimMovingStep,
  findMovingWork,
  MOVING_STEP_BUDGET,
  type MovingBudget,
  type MovingStep,
  runMovingStep,
} from "./moving-step.server.ts";
import { undoMove } from "./undo.server.ts";

const WORK = { checking: checkArchives, committing: commitArchives, undoing: undoMove } as const;

/** Runs the next step of a pending move; called by the job and the progress page. */
export async function moveInSteps(ctx: AppContext, budget: MovingBudget = MOVING_STEP_BUDGET): Promise<void> {
  const row = await findMovingWork(ctx);
  const step = row && (await claimMovingStep(ctx, row, budget));
  if (!step) return;
  const work: (step: MovingStep) => Promise<void> = WORK[step.row.status as keyof typeof WORK];
  await runMovingStep(step, work);
}

/** Runs the first step after the response; the scheduled job retries a failure. */
export const beginMovingSteps = (ctx: AppContext): void =>
  ctx.defer(
    moveInSteps(ctx).catch((cause: unknown) =>
      logError({ requestId: ctx.requestId, path: "moving", code: "JOB", cause }),
    ),
  );
