import { lookUp } from "#worker/contract/kernel/labels.ts";
import { Parser } from "htmlparser2";
import { HTML_LIMITS } from "#worker/adapters/clean-html.server.ts";
import { escapeHtml } from "./old-text.server.ts";

export type OldElement =
  /** Addresses of the same picture, most likely first. */
  | { kind: "picture"; addresses: string[]; alt: string }
  | { kind: "media"; tag: string; addresses: string[]; title: string }
  | { kind: "link"; address: string }
  | { kind: "link-end"; address: string }
  /** Old ids of the item's pictures; null for all. */
  | { kind: "gallery"; ids: number[] | null }
  | { kind: "dropped"; tag: string; address: string };

export type OldPiece = string | OldElement;

export const addressesIn = (pieces: readonly OldPiece[] | null): string[] =>
  (pieces ?? []).flatMap((piece) => {
    if (typeof piece === "string") return [];
    if (piece.kind === "link") return [piece.address];
    return piece.kind === "picture" || piece.kind === "media" ? piece.addresses : [];
  });

const VOID = new Set("br hr col wbr img input embed source track area param link meta base frame".split(" "));
/** Attributes that the sanitiser keeps. */
const KEPT_ATTRIBUTES = ["style", "colspan", "rowspan", "scope", "span", "start"];
const MEDIA = new Set(["iframe", "object", "video", "audio", "applet"]);
const SILENT = new Set([
  "script",
  "style",
  "textarea",
  "select",
  "svg",
  "canvas",
  "math",
  "title",
  "template",
  "noembed",
]);
/** Reported in place; their text stays unless they are silent too. */
const DROPPED = new Set(
  "script style textarea select svg canvas math template form input button area link meta base frame".split(" "),
);
/** Blocks that the sanitiser unwraps: their texts would run together. */
const UNWRAPPED = new Set(
  "details summary section article aside header footer main nav fieldset legend address center dl dt dd hgroup menu dir".split(
    " ",
  ),
);
const BREAKS =
  /^<\/?(?:br|p|div|h[1-6]|[uo]l|li|table|caption|t(?:head|body|foot|[rdh])|blockquote|pre|fig(?:ure|caption)|hr)\b[^<>]*>$/;
const ADDRESS_ATTRIBUTES = ["src", "href", "action", "data", "value", "name", "id"];
const LAZY_SOURCES = ["data-src", "data-original", "data-lazy-src", "src"];
const STYLE_PICTURE = /url\(\s*["']?([^"')]+)/i;

/** Splits a text into HTML and elements. @returns null for a text that is too complex */
export function parseOldBody(html: string, isWordPress: boolean): OldPiece[] | null {
  const reader = new BodyReader(isWordPress);
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    onclosetag: (name, isImplied) => reader.close(name, isImplied),
    ontext: (text) => reader.text(text),
    oncomment: (text) => reader.comment(text),
  });
  // Parses in chunks, so that parsing stops at the limits.
  for (let at = 0; at < html.length && !reader.isTooComplex; at += PIECE) parser.write(html.slice(at, at + PIECE));
  if (!reader.isTooComplex) parser.end();
  reader.flush();
  return reader.isTooComplex ? null : reader.pieces;
}
const PIECE = 65_536;

const isShown = (piece: OldPiece) =>
  typeof piece === "string" ? piece.trim() !== "" : piece.kind !== "dropped" && piece.kind !== "link-end";

class BodyReader {
  pieces: OldPiece[] = [];
  isTooComplex = false;
  #isWordPress: boolean;
  #nodes = 0;
  #depth = 0;
  #frames: { name: string; addresses: string[]; title: string; before: OldPiece[] }[] = [];
  #links: string[] = [];
  #silence: string | null = null;
  #silenceDepth = 0;
  #isInShortcodeBlock = false;
  #text: string[] = [];
  /** True after an unwrapped shortcode: the next text begins a line. */
  #isParted = false;
  #noscript = 0;
  #shown = new Set<string>();

  constructor(isWordPress: boolean) {
    this.#isWordPress = isWordPress;
  }

  open(name: string, attributes: Record<string, string>): void {
    this.flush();
    this.#nodes += 1 + Object.keys(attributes).length;
    this.#depth += 1;
    if (this.#nodes > HTML_LIMITS.nodes || this.#depth > HTML_LIMITS.depth) this.isTooComplex = true;
    if (this.isTooComplex) return;
    if (this.#silence !== null) {
      if (name === this.#silence) this.#silenceDepth += 1;
      return;
    }
    if (name === "noscript") this.#noscript += 1;
    const background = attributes.background ?? STYLE_PICTURE.exec(attributes.style ?? "")?.[1];
    if (background) this.#add({ kind: "dropped", tag: "배경 그림", address: background });
    if (DROPPED.has(name)) {
      const address = ADDRESS_ATTRIBUTES.map((key) => lookUp(attributes, key)).find(Boolean) ?? "";
      this.#add({ kind: "dropped", tag: name, address });
    }
    if (SILENT.has(name)) {
      this.#silence = name;
      this.#silenceDepth = 1;
    } else if (name === "img" || name === "image") this.#picture(attributes);
    else if (MEDIA.has(name)) this.#openFrame(name, attributes);
    else if (name === "embed" || name === "source" || name === "param") this.#source(name, attributes);
    else if (name === "a") this.#openLink(attributes.href ?? "");
    else if (UNWRAPPED.has(name)) this.#openTag("div", attributes);
    else if (name !== "noscript" && !DROPPED.has(name)) this.#openTag(name, attributes);
  }

  close(name: string, isImplied: boolean): void {
    this.flush();
    this.#depth -= 1;
    if (this.isTooComplex) return;
    if (this.#silence !== null) {
      if (name === this.#silence) this.#silenceDepth -= 1;
      if (this.#silenceDepth === 0) this.#silence = null;
    } else if (name === "noscript") this.#noscript -= 1;
    else if (MEDIA.has(name)) this.#closeFrame(isImplied);
    else if (name === "a") {
      const address = this.#links.pop() ?? "";
      this.#add({ kind: "link-end", address });
    } else if (UNWRAPPED.has(name)) this.#add("</div>");
    else if (!VOID.has(name) && !DROPPED.has(name)) this.#add(`</${name}>`);
  }

  text(text: string): void {
    if (!this.isTooComplex && this.#silence === null) this.#text.push(text);
  }

  flush(): void {
    const text = this.#text.join("");
    this.#text = [];
    if (text === "") return;
    if (this.#isWordPress) this.#shortcodes(text);
    else this.#plain(text);
  }

  /** WordPress blocks are comments; a self-closing one has no other content. */
  comment(given: string): void {
    this.flush();
    const text = given.trim();
    const [, end, name = ""] = /^(\/?)wp:([\w-]+(?:\/[\w-]+)?)/.exec(text) ?? [];
    const closesItself = text.endsWith("/");
    const json = text.includes("{") ? text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1) : "";
    if (this.isTooComplex || this.#silence !== null || name === "") return;
    if (name === "shortcode") this.#isInShortcodeBlock = end === "";
    if (!closesItself) return;
    const address = /"(?:url|src|href)"\s*:\s*"([^"]*)"/.exec(json)?.[1]?.replaceAll("\\/", "/") ?? "";
    if (address === "") this.#add({ kind: "dropped", tag: `wp:${name}`, address: json.slice(0, 300) });
    else this.#add({ kind: "media", tag: `wp:${name}`, addresses: [address], title: "" });
  }

  #add(piece: OldPiece): void {
    if (piece === "") return;
    if (this.#isParted && isShown(piece)) {
      this.#isParted = false;
      const last = this.pieces.findLast(isShown);
      if (last !== undefined && ![last, piece].some((each) => typeof each === "string" && BREAKS.test(each)))
        this.pieces.push("<br>");
    }
    this.pieces.push(piece);
  }

  #openTag(name: string, attributes: Record<string, string>): void {
    const kept = KEPT_ATTRIBUTES.flatMap((key) =>
      lookUp(attributes, key) === undefined ? [] : [` ${key}="${escapeHtml(lookUp(attributes, key) ?? "")}"`],
    );
    if (/^[a-z][a-z0-9]*$/.test(name)) this.#add(`<${name}${kept.join("")}>`);
  }

  #openLink(address: string): void {
    this.#links.push(address);
    this.#add({ kind: "link", address });
  }

  #picture(attributes: Record<string, string>): void {
    const { alt = "", multimedia_src: film, images_list: list, editor_component: component } = attributes;
    // XE writes films, galleries and polls as `img`.
    if (film) return this.#add({ kind: "media", tag: "img", addresses: [film], title: alt });
    if (list) {
      for (const address of list.split(/\s+/).filter(Boolean))
        this.#add({ kind: "picture", addresses: [address], alt });
      return;
    }
    const sources = LAZY_SOURCES.map((key) => lookUp(attributes, key)?.trim() ?? "");
    const set = (attributes.srcset ?? attributes["data-srcset"] ?? "")
      .split(",")
      .map((each) => each.trim().split(/\s/)[0] ?? "");
    const addresses = [...new Set([...sources, ...(/^data:/i.test(sources.join("")) ? [] : set)])].filter(Boolean);
    if (addresses.length === 0 || (component && component !== "image_link"))
      this.#add({ kind: "dropped", tag: component ? `img(${component})` : "img", address: addresses[0] ?? alt });
    else if (this.#noscript === 0 || !addresses.some((each) => this.#shown.has(each)))
      this.#add({ kind: "picture", addresses, alt });
    for (const each of addresses) this.#shown.add(each);
  }

  #openFrame(name: string, attributes: Record<string, string>): void {
    const addresses = [attributes.src, attributes.data, attributes["data-src"]].filter((each) => each !== undefined);
    const title = attributes.title ?? attributes["aria-label"] ?? "";
    this.#frames.push({
      name,
      addresses: addresses.map((each) => each.trim()).filter(Boolean),
      title,
      before: this.pieces,
    });
    this.pieces = [];
  }

  /** Drops text inside a frame: it is only a fallback. */
  #closeFrame(isImplied: boolean): void {
    const frame = this.#frames.pop();
    if (!frame) return;
    const { name: tag, title, before } = frame;
    const inside = isImplied ? this.pieces : this.pieces.filter((piece) => typeof piece !== "string");
    this.pieces = before;
    const addresses = [...new Set(frame.addresses.map((address) => videoAddress(address) ?? address))];
    if (addresses.length > 0) this.#add({ kind: "media", tag, addresses, title });
    else if (!inside.some((piece) => typeof piece !== "string")) this.#add({ kind: "dropped", tag, address: title });
    for (const piece of inside) this.#add(piece);
  }

  #source(name: string, attributes: Record<string, string>): void {
    const isAddress = name !== "param" || /^(?:movie|src|url|filename)$/i.test(attributes.name ?? "");
    const address = (name === "param" ? attributes.value : attributes.src)?.trim() ?? "";
    const frame = this.#frames.at(-1);
    if (frame && isAddress && address !== "") frame.addresses.push(address);
    else if (name === "embed" && address !== "")
      this.#add({ kind: "media", tag: name, addresses: [address], title: attributes.title ?? "" });
    else if (name === "embed") this.#add({ kind: "dropped", tag: name, address });
  }

  /** A bare video address becomes the video, as in WordPress. */
  #plain(text: string): void {
    if (this.#links.length > 0) return this.#add(escapeHtml(text));
    let done = 0;
    for (const { 0: found, index } of text.matchAll(/https?:\/\/[^\s<>"'[\]]+/g)) {
      const address = found.replace(/(?<![.,;:!?)])[.,;:!?)]+$/, "");
      if (videoAddress(address) === null) continue;
      this.#add(escapeHtml(text.slice(done, index)));
      this.#add({ kind: "media", tag: "url", addresses: [address], title: "" });
      done = index + address.length;
    }
    this.#add(escapeHtml(text.slice(done)));
  }

  #shortcodes(text: string): void {
    let done = 0;
    let embed = "";
    const closed = new Set([...text.matchAll(/\[\/([a-z][a-z0-9_-]*)\]/gi)].map(([, name = ""]) => name.toLowerCase()));
    for (const match of text.matchAll(/\[(\/?)([a-z][a-z0-9_-]*)((?:[\s=:][^[\]]*)?)\]/gi)) {
      const [whole, end = "", name = "", rest = ""] = match;
      const code = name.toLowerCase();
      const between = text.slice(done, match.index);
      if (!this.#isShortcode(code, rest) && !closed.has(code)) continue;
      done = match.index + whole.length;
      if (end === "" || code !== embed || between.trim() === "") this.#plain(between);
      else this.#add({ kind: "media", tag: `[${code}]`, addresses: [between.trim()], title: "" });
      embed = end === "" && (code === "embed" || FILMS.test(code)) ? code : "";
      if (end === "") this.#shortcode(code, rest, whole);
      if (BLOCK_SHORTCODE.test(code)) this.#isParted = true;
    }
    this.#plain(text.slice(done));
  }

  /** Brackets are text unless they are a core shortcode or have its syntax. */
  #isShortcode(code: string, rest: string): boolean {
    return (
      CORE_SHORTCODE.test(code) || FILMS.test(code) || this.#isInShortcodeBlock || /=/.test(rest) || /[_-]/.test(code)
    );
  }

  #shortcode(code: string, rest: string, whole: string): void {
    if (code === "caption" || code === "wp_caption" || code === "embed") return;
    if (code === "gallery") {
      const ids = /\b(?:ids|include)\s*=\s*["'”“]?([\d,\s]+)/.exec(rest)?.[1];
      return this.#add({ kind: "gallery", ids: ids?.split(",").map(Number).filter(Boolean) ?? null });
    }
    const addresses = [...rest.matchAll(/(?:https?:\/\/|(?<==["'”“]?)\/)[^\s"'”“]+/g)].map(([address]) => address);
    if (addresses.length > 0) this.#add({ kind: "media", tag: `[${code}]`, addresses, title: "" });
    else if (!FILMS.test(code)) this.#add({ kind: "dropped", tag: `[${code}]`, address: whole });
  }
}

const CORE_SHORTCODE = /^(?:caption|wp_caption|gallery|playlist|audio|video|embed)$/;
const BLOCK_SHORTCODE =
  /^(?:wp_)?caption$|(?:^|_)(?:row|col|columns?|section|container|box|block|text|tabs?|tta|accordion|toggle|panel|slider?|grid|list|heading|title|half|third|thirds|fourth|fifth|blurb|message|quote|spoiler|note|inner)(?:_|$)/;
const FILMS = /^(?:youtube|vimeo|kakaotv|navertv)$/;

const HOST = /^(?:https?:)?\/\/(?:www\.|m\.)?([a-z0-9.-]+)(?::\d+)?(\/[^\s]*)?$/i;

/** Converts an embed address into the watch page; null for unknown hosts. */
export function videoAddress(address: string): string | null {
  const [, host = "", rest = "/"] = HOST.exec(address.trim()) ?? [];
  const page = HOSTS.get(host.toLowerCase());
  if (!page || !URL.canParse(rest, "https://host.invalid")) return null;
  const url = new URL(rest.replaceAll("&amp;", "&"), "https://host.invalid");
  return page(url.pathname, url.searchParams);
}

type Page = (path: string, query: URLSearchParams) => string | null;

const youtube: Page = (path, query) => {
  const list = query.get("list");
  const id = /^\/(?:embed|v|e|shorts|live)\/([\w-]{3,})/.exec(path)?.[1] ?? query.get("v");
  const start = query.get("start") ?? query.get("t");
  if (id && id !== "videoseries" && /^[\w-]+$/.test(id))
    return `https://www.youtube.com/watch?v=${id}${start ? `&t=${encodeURIComponent(start)}` : ""}`;
  return list ? `https://www.youtube.com/playlist?list=${encodeURIComponent(list)}` : null;
};

const found = (pattern: RegExp, place: (id: string) => string): Page => {
  return (path) => {
    const id = pattern.exec(path)?.[1];
    return id === undefined ? null : place(id);
  };
};

const kakao = found(
  /^\/(?:embed\/player\/cliplink|v|channel\/\d+\/cliplink|player\/cliplink)\/(\w+)/,
  (id) => `https://tv.kakao.com/v/${id}`,
);

const HOSTS = new Map<string, Page>(
  Object.entries({
    "youtube.com": youtube,
    "youtube-nocookie.com": youtube,
    "youtu.be": (path, query) => youtube(`/embed${path}`, query),
    "vimeo.com": found(/^\/((?:channels\/\w+\/)?\d+)/, (id) => `https://vimeo.com/${id}`),
    "player.vimeo.com": (path, query) => {
      const id = /^\/video\/(\d+)/.exec(path)?.[1];
      const key = query.get("h");
      return id === undefined ? null : `https://vimeo.com/${id}${key && /^\w+$/.test(key) ? `/${key}` : ""}`;
    },
    "tv.naver.com": found(/^\/(?:embed|v|h)\/(\d+)/, (id) => `https://tv.naver.com/v/${id}`),
    "tvcast.naver.com": found(/^\/(?:embed|v)\/(\d+)/, (id) => `https://tv.naver.com/v/${id}`),
    "tv.kakao.com": kakao,
    "play-tv.kakao.com": kakao,
    "tvpot.daum.net": found(/^\/v\/(\w+)/, (id) => `https://tvpot.daum.net/v/${id}`),
  }),
);
