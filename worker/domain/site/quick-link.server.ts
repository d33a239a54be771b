import { quickLink } from "#db/schema/site.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { quickLinkRow } from "#worker/contract/site/rows.ts";
import { rowsOf } from "../kernel/rows.server.ts";
import { linkFormProblem, linkProblem } from "./link.server.ts";

export const quickLinks = rowsOf(quickLinkRow, quickLink, {
  section: "quickLinks",
  async check(ctx, value) {
    const problem = await linkProblem(ctx, value.href);
    if (problem) throw invalidInput({ href: problem });
    return value;
  },
  wholeBy: ({ label, href }) => `${label} ${href}`,
  transfer: { problemsOf: ({ href }) => ({ href: linkFormProblem(href) }) },
});
