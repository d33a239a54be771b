import { z } from "zod";
import { withDefaults } from "./fields.ts";

/** `site_setting.site`; a broken row falls back instead of failing every page. */
const siteFields = z.object({
  siteName: z.string().catch("회원"),
  productName: z.string().catch(""),
  description: z.string().catch(""),
  contact: z
    .object({ organization: z.string(), address: z.string(), phone: z.string(), fax: z.string(), email: z.string() })
    .catch({ organization: "", address: "", phone: "", fax: "", email: "" }),
  copyright: z.string().catch(""),
  /** Where answers to mails go; empty for the contact address. */
  replyTo: z.string().catch(""),
});

export const siteSettings = withDefaults(siteFields);

/** Without the address that only mails carry. */
export function publicSite(value: unknown) {
  const { replyTo: _, ...site } = siteSettings.parse(value ?? {});
  return site;
}

export type SiteSettings = z.output<typeof siteSettings>;
