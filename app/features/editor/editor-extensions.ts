import { type Editor, type Extensions, Mark, Node } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import Link from "@tiptap/extension-link";
import BaseParagraph from "@tiptap/extension-paragraph";
import { Table, TableCell, TableHeader, TableRow } from "@tiptap/extension-table";
import TextAlign from "@tiptap/extension-text-align";
import { BackgroundColor, Color, TextStyle } from "@tiptap/extension-text-style";
import { Placeholder } from "@tiptap/extensions";
import StarterKit from "@tiptap/starter-kit";
import { RICH_TEXT_RULES, safeHref } from "#worker/contract/kernel/rich-text.ts";

const toHexColor = (parts: string[]) =>
  `#${parts.map((part) => Math.min(Number(part), 255).toString(16).padStart(2, "0")).join("")}`;

/** Returns null for colours that the server's sanitizer would drop. */
function readColor(element: HTMLElement, property: "color" | "backgroundColor"): string | null {
  const value = element.style[property].trim();
  return RICH_TEXT_RULES.color.test(value) ? value : null;
}
const parseColor = (property: "color" | "backgroundColor") => (element: HTMLElement) => readColor(element, property);

/** Spans keep only their colours. */
const ColoredText = TextStyle.extend({
  parseHTML: () => [
    {
      tag: "span",
      consuming: false,
      getAttrs: (element) => (readColor(element, "color") || readColor(element, "backgroundColor") ? null : false),
    },
  ],
});
const TextColor = Color.extend({
  addGlobalAttributes() {
    const [group] = this.parent?.() ?? [];
    if (!group?.attributes.color) return [];
    return [{ ...group, attributes: { color: { ...group.attributes.color, parseHTML: parseColor("color") } } }];
  },
});
const MarkerColor = BackgroundColor.extend({
  addGlobalAttributes() {
    const [group] = this.parent?.() ?? [];
    const own = group?.attributes.backgroundColor;
    if (!group || !own) return [];
    const attributes = { backgroundColor: { ...own, parseHTML: parseColor("backgroundColor") } };
    return [{ types: [...group.types, "tableCell", "tableHeader"], attributes }];
  },
});

const scriptMark = (name: "subscript" | "superscript", tag: "sub" | "sup") =>
  Mark.create({
    name,
    excludes: "subscript superscript",
    parseHTML: () => [{ tag }],
    renderHTML: () => [tag, 0],
  });

const FigureNode = Node.create({
  name: "figure",
  group: "block",
  content: "block+ figcaption?",
  parseHTML: () => [{ tag: "figure" }],
  renderHTML: () => ["figure", 0],
});
const FigcaptionNode = Node.create({
  name: "figcaption",
  content: "inline*",
  parseHTML: () => [{ tag: "figcaption" }],
  renderHTML: () => ["figcaption", 0],
});

/** Drops column widths, which the sanitizer removes, and keeps the caption as an attribute. */
const CaptionedTable = Table.extend({
  addAttributes: () => ({
    caption: {
      default: "",
      parseHTML: (element: HTMLElement) => element.querySelector(":scope > caption")?.textContent?.trim() ?? "",
      rendered: false,
    },
  }),
  parseHTML: () => [{ tag: "table" }, { tag: "caption", ignore: true }],
  renderHTML({ node }) {
    const caption = String(node.attrs.caption ?? "");
    return caption ? ["table", ["caption", caption], ["tbody", 0]] : ["table", ["tbody", 0]];
  },
  addNodeView: () => null,
});
const ScopedHeader = TableHeader.extend({
  addAttributes() {
    return {
      ...this.parent?.(),
      scope: { default: null, parseHTML: (element: HTMLElement) => element.getAttribute("scope") },
    };
  },
});

const OwnImage = Image.extend({
  addAttributes: () => ({
    src: { default: null },
    alt: { default: "", renderHTML: ({ alt }) => ({ alt: alt ?? "" }) },
    width: { default: null },
    height: { default: null },
  }),
  parseHTML: () => [
    {
      tag: "img[src]",
      getAttrs: (element) => (RICH_TEXT_RULES.image.test(element.getAttribute("src") ?? "") ? null : false),
    },
    { tag: "img", ignore: true },
  ],
  addInputRules: () => [],
});

/** A placeholder while a picture is uploading; never stored. */
const PendingImage = Node.create({
  name: "pendingImage",
  group: "inline",
  inline: true,
  atom: true,
  addAttributes: () => ({
    token: {
      default: "",
      parseHTML: (element: HTMLElement) => element.getAttribute("data-pending-image"),
      renderHTML: ({ token }) => ({ "data-pending-image": token }),
    },
  }),
  parseHTML: () => [{ tag: "span[data-pending-image]" }],
  renderHTML: ({ HTMLAttributes }) => ["span", HTMLAttributes],
});

const HOLDS_BLOCKS = "p,div,ul,ol,table,h1,h2,h3,h4,h5,h6,blockquote,pre,figure,hr";

const Paragraph = BaseParagraph.extend({
  parseHTML: () => [{ tag: "p" }, { tag: `div:not(:has(${HOLDS_BLOCKS}))` }],
});

/** Allows the same content as the server's sanitizer (worker/contract/kernel/rich-text.ts). */
export function editorExtensions(placeholder: string): Extensions {
  return [
    StarterKit.configure({
      heading: { levels: [...RICH_TEXT_RULES.headings] },
      link: false,
      paragraph: false,
      dropcursor: { color: "#0f5f79", width: 2 },
      trailingNode: { notAfter: ["paragraph", "heading", "bulletList", "orderedList", "blockquote"] },
    }),
    Paragraph,
    // Autolink is off because its input rules interrupt IME composition.
    Link.configure({
      openOnClick: false,
      autolink: false,
      HTMLAttributes: { target: null, rel: null, class: null },
      isAllowedUri: (url) => safeHref(url ?? "") !== null,
    }),
    ColoredText,
    TextColor,
    MarkerColor,
    scriptMark("subscript", "sub"),
    scriptMark("superscript", "sup"),
    TextAlign.configure({ types: ["heading", "paragraph"] }),
    CaptionedTable,
    TableRow,
    ScopedHeader,
    TableCell,
    OwnImage.configure({ inline: true }),
    PendingImage,
    FigureNode,
    FigcaptionNode,
    Placeholder.configure({ placeholder }),
  ];
}

/** Browsers serialize colours differently, so they are written as chosen. */
export function editorHtml(editor: Editor): string {
  if (editor.isEmpty) return "";
  return editor
    .getHTML()
    .replace(/<[^<>]+>/g, (tag) =>
      tag.includes(' style="')
        ? tag.replace(/rgb\((\d+), (\d+), (\d+)\)/g, (_color, ...parts: string[]) => toHexColor(parts.slice(0, 3)))
        : tag,
    );
}
