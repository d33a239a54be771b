import { contactCards } from "#app/features/file/contact-cards.ts";
import { findTextLinks } from "#app/lib/text-links.ts";
import { KOREAN_TEXTS, type SiteTexts } from "#app/lib/texts/korean.ts";
import { CONTACTS_CAPTION } from "#worker/contract/kernel/rich-text.ts";

/** What is added to a text, in the language of its page. */
export type ArticleTexts = SiteTexts["article"];

const TAG_OR_TEXT = /<[^<>]*>|[^<]+|</g;
const EXTERNAL = 'rel="noopener noreferrer nofollow" target="_blank"';

/**
 * Adds what a reader needs and a writer need not know, in one pass over what the server cleaned: tables in a named frame of
 * their own, a word on links that leave, and links around numbers and addresses that stand as text.
 */
export function decorateArticle(html: string, texts: ArticleTexts = KOREAN_TEXTS.article): string {
  const out: string[] = [];
  let heading = "";
  let inHeading = false;
  let unlinked = 0;
  let tables = 0;
  let open = 0;
  let cards: ReturnType<typeof contactCards> | null = null;
  for (const { 0: part, index } of html.matchAll(TAG_OR_TEXT)) {
    if (!part.startsWith("<")) {
      if (inHeading) heading += part;
      cards?.text(part);
      const text = open > 0 ? keepDatesWhole(part) : part;
      out.push(unlinked > 0 ? text : linkText(text, texts));
    } else if (/^<table\b/.test(part)) {
      tables++;
      open++;
      const caption = captionAfter(html, index + part.length);
      const name = caption || (heading ? texts.tableOf(heading) : texts.table(tables));
      if (caption === CONTACTS_CAPTION && open === 1) {
        cards = contactCards();
        out.push(`<div class="table-frame contacts">${part.replace("<table", '<table role="table"')}`);
      } else out.push(`<div class="table-frame" role="region" aria-label="${attribute(name)}" tabindex="0">${part}`);
    } else if (part === "</table>") {
      open--;
      if (open === 0) cards = null;
      out.push(`${part}</div>`);
    } else {
      if (/^<\/?h[2-4]\b/.test(part)) {
        inHeading = part[1] !== "/";
        if (inHeading) heading = "";
      }
      if (/^<(?:a|code|pre)\b/.test(part)) unlinked++;
      else if (/^<\/(?:a|code|pre)>/.test(part)) unlinked--;
      out.push(decorateTag(cards ? cards.tag(part) : part, texts));
    }
  }
  return out.join("");
}

/** "2026. 12. 11." in a narrow column stands on one line. */
const keepDatesWhole = (text: string) =>
  text.replace(
    /\b((?:19|20)\d{2}\.) (\d{1,2}\.)(?: (\d{1,2}\.))?/g,
    (_whole, year: string, month: string, day?: string) => [year, month, day].filter(Boolean).join("\u00a0"),
  );

function decorateTag(tag: string, { newWindow }: ArticleTexts): string {
  if (tag.startsWith("<img ")) return tag.replace("<img ", '<img loading="lazy" decoding="async" ');
  return tag.startsWith("<a ") && tag.includes('target="_blank"')
    ? tag.replace("<a ", `<a title="${newWindow}" `)
    : tag;
}

/** The first text of a caption that begins a table. */
const captionAfter = (html: string, from: number) =>
  /^\s*<caption[^<>]*>(?:<[^<>]*>)*([^<]+)/.exec(html.slice(from, from + 600))?.[1]?.trim();

/** Text of HTML as a value of an attribute: its entities stay what they are. */
const attribute = (text: string) => text.replaceAll('"', "&quot;").trim().slice(0, 120);

function linkText(text: string, { newWindow }: ArticleTexts): string {
  const links = findTextLinks(text);
  if (links.length === 0) return text;
  const last = links.at(-1)?.end ?? 0;
  const linked = links.map(({ start, end, href }, index) => {
    const leaves = href.startsWith("http") ? ` title="${newWindow}" ${EXTERNAL}` : "";
    return `${text.slice(links[index - 1]?.end ?? 0, start)}<a href="${href}" data-found${leaves}>${text.slice(start, end)}</a>`;
  });
  return linked.join("") + text.slice(last);
}
