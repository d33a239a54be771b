import { type ChildNode, Element, isTag, isText, Text } from "domhandler";
import { DomUtils } from "htmlparser2";
import type { ArticleLook, ArticleSection } from "#app/ui/article.tsx";
import { findTextLinks } from "#app/ui/linked-text.tsx";
import { ENGLISH_TEXTS } from "#app/lib/texts/english.ts";
import { KOREAN_TEXTS } from "#app/lib/texts/korean.ts";
import { type PicturePlace, thumbnailSourceSet, thumbnailUrl } from "#worker/contract/file/view.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { CONTACTS_CAPTION, EXTERNAL_LINK_ATTRIBUTES } from "#worker/contract/kernel/rich-text.ts";
import { htmlToText, readHtml, writeHtml } from "#worker/domain/kernel/html-text.server.ts";

interface ArticleOptions {
  pictures?: readonly PicturePlace[] | undefined;
  language?: Language;
  look?: ArticleLook | undefined;
}

/** The text column's width in px. */
const COLUMN_PX = 960;
const BEGINS_WITH_YEAR = /^\s*(?:[A-Z][a-z]{2,8} (?:19|20)\d{2}|(?:19|20)\d{2}[.년])/;

/** Adds table frames, link titles, found links and picture sizes to sanitized HTML. */
export function decorateArticle(html: string, options: ArticleOptions = {}): string {
  return decorate(html, new ArticleDecoration(options));
}

function decorate(html: string, decoration: ArticleDecoration): string {
  const document = readHtml(html);
  document.children = decoration.nodes(document.children, {});
  return writeHtml(document);
}

interface ArticleView {
  content: string;
  pictures: readonly PicturePlace[];
}

export function withArticle<T extends ArticleView>(view: T, options: Omit<ArticleOptions, "pictures"> = {}): T {
  return { ...view, content: decorateArticle(view.content, { ...options, pictures: view.pictures }), pictures: [] };
}

/** Also lists the headings of a page, which get an ID as link targets. */
export function withSections<T extends ArticleView>(
  view: T,
  options: Omit<ArticleOptions, "pictures"> = {},
): T & { sections: ArticleSection[] } {
  const sections: ArticleSection[] = [];
  const content = decorate(view.content, new ArticleDecoration({ ...options, pictures: view.pictures }, sections));
  return { ...view, content, sections, pictures: [] };
}

interface Place {
  isUnlinked?: boolean;
  isInTable?: boolean;
  heads?: string[];
}

class ArticleDecoration {
  readonly #texts;
  readonly #pictures;
  readonly #look;
  readonly #sections;
  #heading = "";
  #tables = 0;

  constructor({ pictures = [], language = "ko", look }: ArticleOptions, sections?: ArticleSection[]) {
    this.#texts = (language === "en" ? ENGLISH_TEXTS : KOREAN_TEXTS).article;
    this.#pictures = new Map(pictures.map((each) => [`/api/file/${each.fileId}`, each]));
    this.#look = look;
    this.#sections = sections;
  }

  nodes(nodes: ChildNode[], place: Place): ChildNode[] {
    return nodes.flatMap((node) =>
      isText(node) ? this.#text(node.data, place) : isTag(node) ? this.#element(node, place) : [],
    );
  }

  #text(text: string, { isInTable, isUnlinked }: Place): ChildNode[] {
    const shown = isInTable ? keepDatesWhole(text) : text;
    const links = isUnlinked ? [] : findTextLinks(shown);
    let end = 0;
    const nodes: ChildNode[] = links.flatMap((link) => {
      const before = new Text(shown.slice(end, link.start));
      const leaves = link.href.startsWith("http") ? { title: this.#texts.newWindow, ...EXTERNAL_LINK_ATTRIBUTES } : {};
      end = link.end;
      const words = new Text(shown.slice(link.start, link.end));
      return [before, new Element("a", { href: link.href, "data-found": "", ...leaves }, [words])];
    });
    return [...nodes, new Text(shown.slice(end))];
  }

  #element(element: Element, place: Place): ChildNode {
    const { name, attribs } = element;
    if (name === "table") return this.#table(element, place);
    if (name === "img") return this.#picture(element);
    if (/^h[2-4]$/.test(name)) this.#heading = DomUtils.textContent(element);
    if (name === "h2" && this.#sections) {
      attribs.id = `section-${this.#sections.length + 1}`;
      this.#sections.push({ id: attribs.id, title: htmlToText(DomUtils.getInnerHTML(element)) });
    }
    if (name === "a" && attribs.target) attribs.title = this.#texts.newWindow;
    if (this.#look === "chart") drawChart(element);
    if (place.heads && name === "tr") nameCells(element, place.heads);
    const isUnlinked = place.isUnlinked || name === "a" || name === "code" || name === "pre";
    element.children = this.nodes(element.children, { ...place, isUnlinked });
    return element;
  }

  #table(table: Element, place: Place): ChildNode {
    this.#tables++;
    const caption = table.children.find((node) => isTag(node) && node.name === "caption");
    const name = caption ? DomUtils.textContent(caption).trim() : "";
    const isContacts = name === CONTACTS_CAPTION && !place.isInTable;
    const label = name || (this.#heading ? this.#texts.tableOf(this.#heading) : this.#texts.table(this.#tables));
    const first = DomUtils.findOne((each) => each.name === "td", table.children);
    const isDated = this.#look === "timeline" && first && BEGINS_WITH_YEAR.test(DomUtils.textContent(first));
    if (isContacts) table.attribs.role = "table";
    const heads = isContacts
      ? DomUtils.getElementsByTagName("th", table).map((head) => DomUtils.textContent(head).trim())
      : place.heads;
    table.children = this.nodes(table.children, { ...place, isInTable: true, ...(heads && { heads }) });
    return new Element(
      "div",
      isContacts
        ? { class: "table-frame contacts" }
        : {
            class: isDated ? "table-frame timeline" : "table-frame",
            role: "region",
            "aria-label": label.trim().slice(0, 120),
            tabindex: "0",
          },
      [table],
    );
  }

  /** Sets the picture's size to prevent layout shift and adds a smaller source. */
  #picture(image: Element): ChildNode {
    const { attribs } = image;
    Object.assign(attribs, { loading: "lazy", decoding: "async" });
    const picture = this.#pictures.get(attribs.src ?? "");
    if (!picture) return image;
    const shown = /^\d{1,5}$/.test(attribs.width ?? "") ? Number(attribs.width) : picture.width;
    if (attribs.width === undefined && attribs.height === undefined)
      Object.assign(attribs, { width: String(picture.width), height: String(picture.height) });
    const srcset = thumbnailSourceSet(picture.fileId, picture);
    if (srcset) Object.assign(attribs, { srcset, sizes: `min(100vw, ${Math.min(shown, COLUMN_PX)}px)` });
    if (!picture.isAnimated) return image;
    // Thumbnails hold only the first frame, so an animation stops under reduced motion.
    const still = { media: "(prefers-reduced-motion:reduce)", srcset: thumbnailUrl(picture.fileId, 1280) };
    return new Element("picture", {}, [new Element("source", still), image]);
  }
}

/** Keeps "2026. 12. 11." on one line. */
const keepDatesWhole = (text: string) =>
  text.replace(
    /\b((?:19|20)\d{2}\.) (\d{1,2}\.)(?: (\d{1,2}\.))?/g,
    (_whole, year: string, month: string, day?: string) => [year, month, day].filter(Boolean).join("\u00a0"),
  );

/** Restores role and column header of each cell, which a table drawn as cards loses. */
function nameCells(row: Element, heads: readonly string[]): void {
  row.attribs.role = "row";
  const cells = row.children.filter(isTag);
  for (const head of cells.filter(({ name }) => name === "th")) head.attribs.role = "columnheader";
  for (const [column, cell] of cells.filter(({ name }) => name === "td").entries())
    Object.assign(cell.attribs, { role: "cell", "data-head": heads[column] ?? "" });
}

/** Wraps each entry's text in a box; `role` keeps the list semantics for screen readers. */
function drawChart(element: Element): void {
  if (element.name === "ul") element.attribs.role = "list";
  if (element.name !== "li") return;
  const lists = element.children.findIndex((node) => isTag(node) && (node.name === "ul" || node.name === "ol"));
  const words = element.children.slice(0, lists < 0 ? undefined : lists);
  element.children = [new Element("div", { class: "node" }, words), ...element.children.slice(words.length)];
}
