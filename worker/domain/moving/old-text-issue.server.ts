import type { MovingStep } from "./moving-step.server.ts";
import type { TextFindings } from "./old-text.server.ts";

export function noteTextFindings(step: MovingStep, subject: string, findings: TextFindings, detail = ""): void {
  if (findings.hasResidentNumber) step.addIssue("item-resident", subject, detail);
  if (findings.isRepaired) step.addIssue("text-repaired", subject, detail);
  if (findings.isCut) step.addIssue("text-cut", subject, detail);
  if (findings.isBroken) step.addIssue("text-broken", subject, detail);
}
