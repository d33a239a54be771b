import { eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { profileField } from "#db/schema/account.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
import { SIGNIN_KEY } from "#worker/contract/account/rules.ts";
import { authenticationSettings } from "#worker/contract/account/setting-input.ts";
import { usedFields } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { RETENTION_RULE_CODES, RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";
import { contentValue } from "#worker/contract/content/input.ts";
import { isLegalPage } from "#worker/contract/content/info-pages.ts";
import { PLACE_TO_FILL } from "#worker/contract/content/rules.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { formatCount, type ParticlePair, withParticle } from "#worker/contract/kernel/wording.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import { alumniSettings, ownFields } from "../alumni/setting.server.ts";
import { readPrivacySettings } from "../audit/retention-setting.server.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";
import { identityOf } from "#worker/domain/kernel/site-identity.server.ts";
import { followHtml, sharedBlocks } from "./html-text.server.ts";
import drafts from "./legal-draft.json" with { type: "json" };

export type LegalDraftCode = keyof typeof drafts;

/** Settings that the legal texts repeat; stored with a draft, which follows them until it is published. */
export type LegalFacts = View<typeof readLegalFacts>;

const KEY_FIELDS = {
  Id: ["아이디", "비밀번호", "이름", "이메일 주소"],
  Email: ["이메일 주소", "비밀번호", "이름"],
  Mobile: ["휴대전화번호", "비밀번호", "이름"],
} as const;

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function valuesOf(facts: LegalFacts): Record<string, string | boolean> {
  const names = (required: boolean) =>
    facts.profileFields.filter((field) => field.required === required).map((field) => escapeHtml(field.name));
  const kept = ({ since, days }: LegalFacts["retention"][number]) =>
    days === 0 ? `${since} 바로` : `${since}부터 ${formatCount(days)}일`;
  return {
    name: escapeHtml(facts.organization || facts.siteName),
    site: escapeHtml(facts.siteName),
    contact:
      [facts.address, facts.phone, facts.email].filter(Boolean).map(escapeHtml).join(", ") ||
      `${PLACE_TO_FILL} 주소, 전화, 이메일〕`,
    day: facts.day,
    requestDays: String(facts.requestDays),
    required: [...KEY_FIELDS[facts.signinKey], ...names(true)].join(", "),
    optional: names(false).join(", "),
    alumni: facts.alumniFields.map(escapeHtml).join(", "),
    retention: facts.retention.map((rule) => `<tr><td>${rule.label}</td><td>${kept(rule)}</td></tr>`).join("\n"),
    approval: facts.signupApproval,
    mail: facts.sendsMail,
    sms: facts.sendsSms,
    caseReport: facts.hasCaseReport,
  };
}

/**
 * Drafts a legal text from the site's configuration, for review. In a line, `[[alumni:…]]` is kept if the value is
 * not empty, `[[!alumni:…]]` if it is, and `{name 은/는}` is the value with its particle.
 */
export function writeLegalDraft(code: LegalDraftCode, facts: LegalFacts): { title: string; content: string } {
  const { title, lines } = drafts[code];
  const values = valuesOf(facts);
  const written = lines.map((line) =>
    line
      .replace(/\[\[(!?)(\w+):([^[\]]*)\]\]/g, (_all, not: string, key: string, text: string) =>
        Boolean(values[key]) === (not === "") ? text : "",
      )
      .replace(/\{(\w+)(?: ([^{}]+))?\}/g, (_all, key: string, particle?: ParticlePair) =>
        particle ? withParticle(String(values[key]), particle) : String(values[key]),
      ),
  );
  return { title, content: written.filter(Boolean).join("\n") };
}

const storedDraft = contentValue.extend({ facts: z.custom<LegalFacts>().optional() });

/** Carries changed settings into a draft of a legal page. Blocks that its editor changed follow a new name alone. */
export async function followSettings(ctx: AppContext, code: string, draft: Record<string, unknown>) {
  const text = storedDraft.parse(draft);
  if (!isLegalPage(code)) return text;
  const facts = await readLegalFacts(ctx);
  const before = text.facts ?? facts;
  const [older, newer] = [writeLegalDraft(code, before).content, writeLegalDraft(code, facts).content];
  const names = [
    [before.organization, facts.organization],
    [before.siteName, facts.siteName],
  ].flatMap(([old = "", now = ""]) => (old && now && old !== now ? [[cleanHtml(old), cleanHtml(now)] as const] : []));
  const longestFirst = names.toSorted(([one], [other]) => other.length - one.length);
  const renamed = (html: string) => outsideTags(html, (part) => rename(part, longestFirst));
  // An editor saves what was shown to them, which may have followed already.
  const isFollowed = sharedBlocks(text.content, newer) > sharedBlocks(text.content, older);
  const content = isFollowed ? text.content : followHtml(renamed(older), newer, renamed(text.content));
  return { ...text, content, facts };
}

const outsideTags = (html: string, change: (text: string) => string): string =>
  html.replace(/(<[^<>]*>)|[^<]+/g, (part, tag?: string) => (tag ? part : change(part)));

const PARTICLES = ["은/는", "이/가", "을/를", "과/와"] as const;

/** Renames in one pass, so that a name within another is not renamed twice, and corrects the particle after it. */
function rename(text: string, [pair, ...others]: (readonly [old: string, now: string])[]): string {
  if (!pair) return text;
  const [old, now] = pair;
  const [start = "", ...parts] = text.split(old);
  const named = parts.map((rest) => {
    const particle = PARTICLES.find((each) => each.split("/").includes(rest.charAt(0)) && !/^.[가-힣]/.test(rest));
    return particle
      ? `${withParticle(now, particle)}${rename(rest.slice(1), others)}`
      : `${now}${rename(rest, others)}`;
  });
  return rename(start, others) + named.join("");
}

export async function draftLegalText(ctx: AppContext, code: LegalDraftCode) {
  authorizeConsole(ctx);
  return writeLegalDraft(code, await readLegalFacts(ctx));
}

async function readLegalFacts(ctx: AppContext) {
  const [settings, profileFields] = await ctx.db.batch([
    ctx.db
      .select()
      .from(siteSetting)
      .where(inArray(siteSetting.key, ["site", "authentication"])),
    ctx.db
      .select({ name: profileField.name, required: profileField.required })
      .from(profileField)
      .where(eq(profileField.isClosed, false))
      .orderBy(profileField.sortOrder),
  ]);
  const valueOf = (key: string) => settings.find((row) => row.key === key)?.value ?? {};
  const { siteName, contact } = siteSettings.parse(valueOf("site"));
  const { authType, signupApproval } = authenticationSettings.parse(valueOf("authentication"));
  const { rules, requestDays } = await readPrivacySettings(ctx);
  return {
    siteName,
    ...contact,
    day: koreanDay(ctx.now())
      .split("-")
      .map((part) => `${Number(part)}.`)
      .join(" "),
    signinKey: SIGNIN_KEY[authType],
    signupApproval,
    profileFields,
    alumniFields: [
      ...usedFields(alumniSettings(ctx)).map((field) => ALUMNI_COLUMN_LABELS[field]),
      ...ownFields(ctx).map(({ name }) => name),
    ],
    retention: RETENTION_RULE_CODES.flatMap((rule) => {
      const { label, since } = RETENTION_RULES[rule];
      return rules[rule].on ? [{ label, since, days: rules[rule].days }] : [];
    }),
    requestDays,
    sendsMail: ctx.config.RESEND_API_KEY !== undefined,
    sendsSms: ctx.config.SMS_API_KEY !== undefined,
    hasCaseReport: ctx.config.CASE_REPORT_URL !== "" && identityOf(ctx).hasCaseReport,
  };
}
