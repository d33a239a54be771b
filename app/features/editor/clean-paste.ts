interface CleanPaste {
  html: string;
  /** Embedded pictures; the HTML marks each place as `<span data-pending-image="token">`. */
  pictures: { token: string; file: File }[];
  /** The number of pictures that the browser may not read: local files and other sites. */
  lost: number;
}

const LIST_MARK =
  /^[\s\u00a0]*(?:[·•●○■□◆◇▪▫※§oü\-–Øv]|[\d]{1,3}|[가-하]|[a-zA-Z]|[ivxIVX]{1,4}|[①-⑳])[.)]?[\s\u00a0]+/u;
const NUMBERED = /^[\s\u00a0]*(?:\d{1,3}|[가-하]|[a-zA-Z]|[①-⑳])[.)]/u;

/** Converts Word, Excel and HWP markup to lists, tables and emphasis. */
export function cleanPastedHtml(html: string, newToken: () => string): CleanPaste {
  // An inert document loads nothing and runs no scripts.
  const doc = new DOMParser().parseFromString(html, "text/html");
  inlineClasses(doc);
  wordLists(doc);
  removeComments(doc);
  for (const node of doc.querySelectorAll("script,style,meta,link,title,xml,head>*")) node.remove();
  for (const node of doc.querySelectorAll("o\\:p")) unwrap(node);
  for (const [from, to] of [
    ["h1", "h2"],
    ["h5", "h4"],
    ["h6", "h4"],
  ] as const) {
    for (const node of doc.querySelectorAll(from)) renameElement(node, to);
  }
  spreadColors(doc);
  for (const node of doc.querySelectorAll<HTMLElement>("[style]")) tidyStyle(doc, node);
  const { pictures, lost } = pictureTokens(doc, newToken);
  return { html: doc.body.innerHTML, pictures, lost };
}

const KEPT_STYLES = ["font-weight", "text-decoration", "text-align", "color", "background-color", "vertical-align"];

/** Excel styles cells by class, so the kept properties are copied to the cells. */
function inlineClasses(doc: Document): void {
  for (const element of doc.querySelectorAll("style")) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync((element.textContent ?? "").replace(/<!--|-->/g, ""));
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSStyleRule) || !/^[a-z]*\.[\w-]+$/i.test(rule.selectorText)) continue;
      for (const node of doc.querySelectorAll<HTMLElement>(rule.selectorText)) {
        for (const name of KEPT_STYLES) {
          const value = rule.style.getPropertyValue(name);
          if (value && !node.style.getPropertyValue(name)) node.style.setProperty(name, value);
        }
      }
    }
  }
}

function moveChildren(from: Node, to: Node): void {
  while (from.firstChild) to.appendChild(from.firstChild);
}
function unwrap(node: Node): void {
  while (node.firstChild) node.parentNode?.insertBefore(node.firstChild, node);
  node.parentNode?.removeChild(node);
}

function removeComments(doc: Document): void {
  const walker = doc.createTreeWalker(doc, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
}

function renameElement(node: Element, name: string): void {
  const other = node.ownerDocument.createElement(name);
  const style = node.getAttribute("style");
  if (style) other.setAttribute("style", style);
  moveChildren(node, other);
  node.replaceWith(other);
}

function tidyStyle(doc: Document, node: HTMLElement): void {
  const { style } = node;
  const weight = style.fontWeight;
  const inline = /^(?:span|font|a|b|i|u|s|strong|em)$/i.test(node.tagName);
  if (inline || (/^t[dh]$/i.test(node.tagName) && !node.querySelector("p,div,ul,ol,table"))) {
    if (weight === "bold" || Number(weight) >= 600) wrapInside(doc, node, "strong");
    if (/underline/.test(style.textDecoration)) wrapInside(doc, node, "u");
    if (/line-through/.test(style.textDecoration)) wrapInside(doc, node, "s");
    if (style.verticalAlign === "super") wrapInside(doc, node, "sup");
    if (style.verticalAlign === "sub") wrapInside(doc, node, "sub");
  }
  keepColors(doc, node, inline);
}

const TEXT_BLOCKS = "p, li, td, th, h2, h3, h4, blockquote";

/** Moves colours to the text in the server's format; drops black on white and non-plain colours. */
function keepColors(doc: Document, node: HTMLElement, inline: boolean): void {
  const { style } = node;
  const isCell = /^t[dh]$/i.test(node.tagName);
  const [color, background] = [readPlainColor(style.color), readPlainColor(style.backgroundColor)];
  style.color = color === "#000000" ? "" : color;
  style.backgroundColor = background === "#ffffff" ? "" : background;
  if (style.color === "" || inline || node.querySelector(TEXT_BLOCKS)) return;
  const span = wrapInside(doc, node, "span");
  span.style.color = style.color;
  if (!isCell) span.style.backgroundColor = style.backgroundColor;
}

/** @returns #rrggbb, or "" for a transparent or inherited colour */
function readPlainColor(value: string): string {
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen || value === "") return "";
  const unread = "#010203";
  pen.fillStyle = unread;
  pen.fillStyle = value;
  const read = String(pen.fillStyle);
  return /^#[0-9a-f]{6}$/.test(read) && read !== unread ? read : "";
}

/** Copies the surrounding colour to each block and turns `<font color>` into a span. */
function spreadColors(doc: Document): void {
  for (const font of doc.querySelectorAll("font")) {
    font.style.color ||= font.getAttribute("color") ?? "";
    renameElement(font, "span");
  }
  for (const holder of doc.querySelectorAll<HTMLElement>("[style*=color]")) {
    for (const block of holder.querySelectorAll<HTMLElement>(TEXT_BLOCKS)) block.style.color ||= holder.style.color;
  }
}

function wrapInside(doc: Document, node: HTMLElement, tag: string): HTMLElement {
  const wrapper = doc.createElement(tag);
  moveChildren(node, wrapper);
  node.appendChild(wrapper);
  return wrapper;
}

/** Word writes lists as paragraphs with `mso-list` and the marker as text. */
function wordLists(doc: Document): void {
  let stack: { level: number; kind: string; list: Element }[] = [];
  let last: Element | null = null;
  for (const paragraph of doc.querySelectorAll<HTMLElement>("p[style*='mso-list'],h1[style*='mso-list']")) {
    const style = paragraph.getAttribute("style") ?? "";
    const listStyle = style.split(";").find((each) => /^\s*mso-list:/i.test(each)) ?? "";
    const level = Number(/level(\d)/i.exec(listStyle)?.[1] ?? 0);
    if (level === 0) continue;
    if (last === null || paragraph.previousElementSibling !== last) stack = [];
    while (stack.length > 0 && (stack.at(-1)?.level ?? 0) > level) stack.pop();
    const { mark, ordered } = takeListMark(paragraph);
    // Word gives bullets and numbers the same list id, so a mixed list is split.
    const kind = `${/lfo\d+/i.exec(listStyle)?.[0] ?? ""} ${ordered}`;
    if (stack.at(-1)?.level === level && stack.at(-1)?.kind !== kind) stack.pop();
    if (stack.length === 0 || (stack.at(-1)?.level ?? 0) < level) {
      const list = doc.createElement(ordered ? "ol" : "ul");
      const start = Number(/^\D*(\d{1,4})/.exec(mark)?.[1] ?? 1);
      if (ordered && start > 1) list.setAttribute("start", String(start));
      const parent = stack.at(-1)?.list.lastElementChild;
      if (parent) parent.appendChild(list);
      else paragraph.parentNode?.insertBefore(list, paragraph);
      stack.push({ level, kind, list });
    }
    const item = doc.createElement("li");
    const line = doc.createElement("p");
    moveChildren(paragraph, line);
    item.appendChild(line);
    stack.at(-1)?.list.appendChild(item);
    last = stack[0]?.list ?? null;
    paragraph.remove();
  }
}

function takeListMark(paragraph: HTMLElement): { mark: string; ordered: boolean } {
  const ignored = paragraph.querySelector<HTMLElement>("[style*='mso-list:Ignore'],[style*='mso-list: Ignore']");
  if (ignored) {
    const mark = (ignored.textContent ?? "").trim();
    ignored.remove();
    return { mark, ordered: NUMBERED.test(mark) };
  }
  const text = firstText(paragraph);
  const mark = LIST_MARK.exec(text?.data ?? "")?.[0] ?? "";
  if (text && mark) text.data = text.data.slice(mark.length);
  return { mark: mark.trim(), ordered: NUMBERED.test(mark) };
}

function firstText(node: Node): Text | null {
  const walker = node.ownerDocument?.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walker?.nextNode()) {
    const text = walker.currentNode as Text;
    if (text.data.trim() !== "") return text;
  }
  return null;
}

const DATA_IMAGE = /^data:image\/(png|jpeg|gif|webp);base64,([a-z0-9+/=\s]+)$/i;

function pictureTokens(doc: Document, newToken: () => string): Omit<CleanPaste, "html"> {
  const pictures: CleanPaste["pictures"] = [];
  let lost = 0;
  for (const image of doc.querySelectorAll("img,v\\:imagedata")) {
    const source = image.getAttribute("src") ?? "";
    const own = siteImagePath(source);
    if (own) {
      image.setAttribute("src", own);
      continue;
    }
    const file = pictureFile(source, pictures.length + 1);
    if (file) {
      const token = newToken();
      const pending = doc.createElement("span");
      pending.setAttribute("data-pending-image", token);
      image.replaceWith(pending);
      pictures.push({ token, file });
      continue;
    }
    if (source && !/1x1|spacer/i.test(source)) lost += 1;
    image.remove();
  }
  return { pictures, lost };
}

function siteImagePath(source: string): string | null {
  const path = source.startsWith(`${location.origin}/`) ? source.slice(location.origin.length) : source;
  return /^\/api\/file\/[0-9a-f-]{36}/.exec(path)?.[0] ?? null;
}

function pictureFile(source: string, number: number): File | null {
  const match = DATA_IMAGE.exec(source);
  if (!match) return null;
  try {
    const bytes = Uint8Array.from(atob((match[2] ?? "").replace(/\s/g, "")), (char) => char.charCodeAt(0));
    const extension = (match[1] ?? "png").toLowerCase().replace("jpeg", "jpg");
    return new File([bytes], `붙여 넣은 그림 ${number}.${extension}`, { type: `image/${match[1]?.toLowerCase()}` });
  } catch {
    return null;
  }
}
