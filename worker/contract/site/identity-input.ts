import { SIZE_LIMITS } from "../kernel/limits.ts";
import { z } from "zod";
import { documentShape, fieldShape } from "../kernel/row-input.ts";
import { IDENTITY_FIELDS } from "../kernel/setting/site-fields.ts";
import { flagField, lineField, requiredLineField, textField } from "../kernel/fields.ts";
import { HOME_PARTS } from "../kernel/setting/site-setting.ts";
import { PRODUCT_WORD_MAX, PRODUCT_WORD_NAMES } from "../kernel/wording.ts";
import { SYNONYM_TEXT_MAX, synonymProblem } from "../kernel/setting/synonyms.ts";
import { hasAddress, NAME_WITH_ADDRESS } from "../mail/addresses.ts";
import { PALETTE_NAMES } from "../kernel/setting/palette.ts";
import {
  ENGLISH_LABEL_MAX,
  FOOTER_LINKS_MAX,
  HOME_ACTIONS_MAX,
  HOME_BOARDS_MAX,
  LOGO_LIMITS,
  LOGO_NAMES,
  MENU_LABEL_MAX,
} from "./rules.ts";

const linkField = z.object({
  label: requiredLineField(MENU_LABEL_MAX),
  href: requiredLineField(SIZE_LIMITS.linkLength),
  english: lineField(ENGLISH_LABEL_MAX).default(""),
});

const single = fieldShape(IDENTITY_FIELDS);
const english = fieldShape(IDENTITY_FIELDS.english.fields);
const englishSite = z
  .object({ ...english, siteName: english.siteName.refine((name) => !hasAddress(name), NAME_WITH_ADDRESS) })
  .refine(({ siteName, ...rest }) => siteName !== "" || Object.values(rest).every((text) => text === ""), {
    path: ["siteName"],
    message: "영문 사이트 이름을 적어 주십시오.",
  });

const identityShape = {
  words: z.partialRecord(
    z.enum(PRODUCT_WORD_NAMES),
    lineField(PRODUCT_WORD_MAX).refine((word) => !hasAddress(word), NAME_WITH_ADDRESS),
  ),
  ...single,
  color: z.enum(PALETTE_NAMES, "색을 다시 골라 주십시오."),
  home: z
    .array(z.object({ part: z.enum(HOME_PARTS), isHidden: flagField }))
    .refine(
      (parts) => HOME_PARTS.every((part) => parts.filter((each) => each.part === part).length === 1),
      "첫 화면의 부분이 빠졌거나 두 번 있습니다.",
    ),
  actions: z.array(linkField).max(HOME_ACTIONS_MAX).nullable(),
  homeBoards: z.array(z.string().max(50)).max(HOME_BOARDS_MAX),
  footerLinks: z.array(linkField).max(FOOTER_LINKS_MAX),
  /** Optional, because older settings files have no English pages and no synonyms. */
  english: englishSite.optional(),
  synonyms: textField(SYNONYM_TEXT_MAX)
    .superRefine((text, { addIssue }) => {
      const message = synonymProblem(text);
      if (message) addIssue({ code: "custom", message });
    })
    .optional(),
};

const { english: _english, ...carried } = documentShape(IDENTITY_FIELDS);

/** Everything except the logo, which is a separate setting. */
export const identityDocument = z.object({ ...identityShape, ...carried });

const settingVersion = z.number().int().min(0);

export const updateIdentityInput = z.object({ ...identityShape, version: settingVersion });

export type UpdateIdentityInput = z.output<typeof updateIdentityInput>;

const picture = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, "그림을 다시 골라 주십시오.");

/** PNG in base64, rendered by the browser; `dark` may be empty. */
const logoShape = Object.fromEntries(LOGO_NAMES.map((name) => [name, picture(LOGO_LIMITS[name])])) as Record<
  (typeof LOGO_NAMES)[number],
  ReturnType<typeof picture>
>;

export const logoDocument = z.object(logoShape);

export type LogoDocument = z.output<typeof logoDocument>;

export const updateLogoInput = z.object({ pictures: logoDocument.nullable(), version: settingVersion });

export type UpdateLogoInput = z.output<typeof updateLogoInput>;

export const logoPath = z.object({ picture: z.enum(LOGO_NAMES) });
