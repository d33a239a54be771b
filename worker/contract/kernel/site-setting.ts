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
});

export const siteSettings = withDefaults(siteFields);

export type SiteSettings = z.output<typeof siteSettings>;
