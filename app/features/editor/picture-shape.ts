import type { Editor, JSONContent } from "@tiptap/core";
import { focusedCommands } from "#app/features/editor/focused-commands.ts";

/** Widths in px; null is the picture's own. */
export const PICTURE_WIDTHS: [label: string, width: number | null][] = [
  ["작게", 240],
  ["중간", 480],
  ["크게", 720],
  ["원래 크기", null],
];

let presses = 0;

/** Sets width and height to prevent layout shift, and waits until the picture has loaded. */
export async function setPictureWidth(editor: Editor, width: number | null): Promise<void> {
  presses += 1;
  const press = presses;
  const { src } = editor.getAttributes("image");
  const picture = new Image();
  picture.src = String(src);
  // A picture that fails to load cannot be resized.
  if (width !== null && !(await picture.decode().then(ok, failed))) return;
  // The width was set again or another picture was selected meanwhile.
  if (press !== presses || editor.isDestroyed || editor.getAttributes("image").src !== src) return;
  const { naturalWidth, naturalHeight } = picture;
  const isSmaller = width !== null && width < naturalWidth;
  const size = isSmaller ? { width, height: Math.round((naturalHeight * width) / naturalWidth) } : NO_SIZE;
  const { from } = editor.state.selection;
  // Updating replaces the node, so it is selected again.
  focusedCommands(editor).updateAttributes("image", size).setNodeSelection(from).run();
}

const NO_SIZE = { width: null, height: null };
const ok = () => true;
const failed = () => false;

/** Wraps the selected picture in a figure if needed and moves the cursor to its caption. */
export function captionPicture(editor: Editor): void {
  const { $from, from, to } = editor.state.selection;
  const figureDepth = Array.from({ length: $from.depth }, (_each, at) => $from.depth - at).find(
    (depth) => $from.node(depth).type.name === "figure",
  );
  if (figureDepth !== undefined) {
    const figure = $from.node(figureDepth);
    const end = $from.end(figureDepth);
    if (figure.lastChild?.type.name === "figcaption")
      focusedCommands(editor)
        .setTextSelection(end - 1)
        .run();
    else
      focusedCommands(editor)
        .insertContentAt(end, { type: "figcaption" })
        .setTextSelection(end + 1)
        .run();
    return;
  }
  const paragraph = $from.parent;
  const offset = from - $from.start();
  const paragraphOf = (content: JSONContent[]): JSONContent[] =>
    content.length > 0 ? [{ type: "paragraph", attrs: paragraph.attrs, content }] : [];
  const part = (start: number, end: number) =>
    paragraphOf((paragraph.content.cut(start, end).toJSON() ?? []) as JSONContent[]);
  const before = part(0, offset);
  const figure = { type: "figure", content: [...part(offset, offset + to - from), { type: "figcaption" }] };
  const after = part(offset + to - from, paragraph.content.size);
  const start = $from.before();
  // Skips the text before the figure and the opening tokens of figure, paragraph and caption.
  const caption = start + (before.length > 0 ? offset + 2 : 0) + 1 + (to - from + 2) + 1;
  focusedCommands(editor)
    .insertContentAt({ from: start, to: $from.after() }, [...before, figure, ...after])
    .setTextSelection(caption)
    .run();
}
