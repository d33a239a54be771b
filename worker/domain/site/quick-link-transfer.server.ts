import { asc } from "drizzle-orm";
import { quickLink } from "#db/schema/site.ts";
import type { CreateQuickLinkInput } from "#worker/contract/site/input.ts";
import { lastPlace } from "../kernel/ordered-rows.server.ts";
import { type RowTransfer, stampOf } from "../kernel/row-transfer.server.ts";
import { linkFormProblem } from "./link.server.ts";

export const quickLinkTransfer: RowTransfer<typeof quickLink.$inferSelect, CreateQuickLinkInput> = {
  select: (db) => db.select().from(quickLink).orderBy(asc(quickLink.sortOrder), asc(quickLink.id)),
  stamp: stampOf(quickLink, quickLink.id, quickLink.version),
  documentOf: ({ label, note, href, englishLabel, englishNote }) => ({ label, note, englishLabel, englishNote, href }),
  keyOf: ({ label, href }) => `${label} ${href}`,
  rowKeyOf: ({ label, href }) => `${label} ${href}`,
  nameOf: ({ label }) => label,
  problems: (documents) =>
    Object.fromEntries(
      documents.flatMap(({ href }, at) => {
        const problem = linkFormProblem(href);
        return problem ? [[`${at}.href`, problem]] : [];
      }),
    ),
  write: (ctx, document) => [
    ctx.db.insert(quickLink).values({ ...document, id: crypto.randomUUID(), sortOrder: lastPlace(quickLink) }),
  ],
  also: ({ db }) => [db.delete(quickLink)],
  isWhole: true,
};
