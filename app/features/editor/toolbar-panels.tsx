import type { Editor, JSONContent } from "@tiptap/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { focusedCommands } from "#app/features/editor/focused-commands.ts";
import { Button } from "#app/ui/button.tsx";
import { FieldError, Input } from "#app/ui/field.tsx";
import { safeHref } from "#worker/contract/kernel/rich-text.ts";

interface PanelProps {
  editor: Editor;
  /** Returns the focus to the tool that opened the panel. */
  onClose: () => void;
  onDone: () => void;
}

const closeOnEscape = (onClose: () => void) => (event: KeyboardEvent) => {
  if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  onClose();
};

// Text colours on white and black on marker colours reach a contrast of 4.5:1 or better.
const COLORS = [
  ["#a61d24", "빨강"],
  ["#9d3a07", "주황"],
  ["#0f6039", "초록"],
  ["#0f5f79", "청록"],
  ["#1d4ed8", "파랑"],
  ["#6b21a8", "보라"],
  ["#4b5a63", "회색"],
] as const;
const MARKERS = [
  ["#ffebb8", "노랑"],
  ["#d6eedf", "초록"],
  ["#dcedf2", "하늘"],
  ["#fbdfe0", "분홍"],
  ["#eaeff1", "회색"],
] as const;

export function ColorPanel({ kind, editor, onClose, onDone }: PanelProps & { kind: "color" | "marker" }) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const attribute = kind === "color" ? "color" : "backgroundColor";
  const set = (value: string | null) => {
    focusedCommands(editor)
      .setMark("textStyle", { [attribute]: value })
      .removeEmptyTextStyle()
      .run();
    onDone();
  };
  const label = kind === "color" ? "글자색" : "글자 배경색";
  return (
    <div role="group" aria-label={label} className="editor-panel" onKeyDown={closeOnEscape(onClose)}>
      <button ref={first} type="button" className="editor-tool px-2 text-sm" onClick={() => set(null)}>
        기본
      </button>
      {(kind === "color" ? COLORS : MARKERS).map(([value, name]) => (
        <button
          key={value}
          type="button"
          className="editor-tool"
          aria-label={name}
          title={name}
          aria-pressed={editor.isActive("textStyle", { [attribute]: value })}
          onClick={() => set(value)}
        >
          <span className="size-6 rounded-full border border-gray-40" style={{ backgroundColor: value }} />
        </button>
      ))}
    </div>
  );
}

export function LinkPanel({ editor, onClose, onDone }: PanelProps) {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => input.current?.select(), []);
  const save = () => {
    const typed = (input.current?.value ?? "").trim();
    // Accepts addresses without a scheme.
    const href = safeHref(/^[\w-]+(?:\.[\w-]+)+(?:[/?#].*)?$/.test(typed) ? `https://${typed}` : typed);
    if (href === null || typed === "") {
      setError("https:// 로 시작하는 주소를 입력해 주십시오.");
      input.current?.focus();
      return;
    }
    const chain = focusedCommands(editor);
    const { empty } = editor.state.selection;
    if (empty && !editor.isActive("link"))
      chain.insertContent({ type: "text", text: typed, marks: [{ type: "link", attrs: { href } }] }).run();
    // Collapses the selection so that further typing does not replace the link text.
    else {
      chain
        .extendMarkRange("link")
        .setLink({ href })
        .command(({ tr, commands }) => commands.setTextSelection(tr.selection.to))
        .run();
    }
    onDone();
  };
  return (
    <div role="group" aria-label="링크" className="editor-panel" onKeyDown={closeOnEscape(onClose)}>
      <div className="min-w-0 flex-1 basis-60">
        <Input
          ref={input}
          type="url"
          aria-label="링크 주소"
          aria-invalid={error !== null}
          aria-describedby={error ? "link-error" : undefined}
          placeholder="https://"
          defaultValue={String(editor.getAttributes("link").href ?? "")}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            if (!event.nativeEvent.isComposing) save();
          }}
        />
        {error && <FieldError id="link-error">{error}</FieldError>}
      </div>
      <Button size="sm" variant="primary" onClick={save}>
        적용
      </Button>
      {editor.isActive("link") && (
        <Button
          size="sm"
          onClick={() => {
            focusedCommands(editor).extendMarkRange("link").unsetLink().run();
            onDone();
          }}
        >
          링크 없애기
        </Button>
      )}
    </div>
  );
}

const TABLE_TOOLS: [label: string, run: (editor: Editor) => void][] = [
  ["위에 행", (editor) => focusedCommands(editor).addRowBefore().run()],
  ["아래에 행", (editor) => focusedCommands(editor).addRowAfter().run()],
  ["왼쪽에 열", (editor) => focusedCommands(editor).addColumnBefore().run()],
  ["오른쪽에 열", (editor) => focusedCommands(editor).addColumnAfter().run()],
  ["행 삭제", (editor) => focusedCommands(editor).deleteRow().run()],
  ["열 삭제", (editor) => focusedCommands(editor).deleteColumn().run()],
  ["칸 합치기·나누기", (editor) => focusedCommands(editor).mergeOrSplit().run()],
  ["머리 행", (editor) => focusedCommands(editor).toggleHeaderRow().run()],
  ["머리 열", (editor) => focusedCommands(editor).toggleHeaderColumn().run()],
  ["표 삭제", (editor) => focusedCommands(editor).deleteTable().run()],
];

export function TablePanel({ editor }: { editor: Editor }) {
  return (
    <div role="group" aria-label="표" className="editor-panel gap-0.5">
      {TABLE_TOOLS.map(([label, run]) => (
        <button key={label} type="button" className="editor-tool px-2 text-sm" onClick={() => run(editor)}>
          {label}
        </button>
      ))}
    </div>
  );
}

interface ImagePanelProps {
  editor: Editor;
  picture: { src: string; width: number | null };
  onAlt: (src: string) => void;
}

export function ImagePanel({ editor, picture, onAlt }: ImagePanelProps) {
  const { src, width } = picture;
  return (
    <div role="group" aria-label="그림" className="editor-panel gap-0.5">
      <button type="button" className="editor-tool px-2 text-sm" onClick={() => onAlt(src)}>
        그림 설명
      </button>
      <button type="button" className="editor-tool px-2 text-sm" onClick={() => captionPicture(editor)}>
        그림 제목
      </button>
      {PICTURE_WIDTHS.map(([label, pixels]) => (
        <button
          key={label}
          type="button"
          className="editor-tool px-2 text-sm"
          aria-label={pixels === null ? label : `그림 ${label}`}
          aria-pressed={(width ?? null) === pixels}
          onClick={() => void setPictureWidth(editor, pixels)}
        >
          {label}
        </button>
      ))}
      <button
        type="button"
        className="editor-tool px-2 text-sm"
        onClick={() => focusedCommands(editor).deleteSelection().run()}
      >
        그림 삭제
      </button>
    </div>
  );
}

/** Widths in px; null is the picture's own. */
const PICTURE_WIDTHS: [label: string, width: number | null][] = [
  ["작게", 240],
  ["중간", 480],
  ["크게", 720],
  ["원래 크기", null],
];

let presses = 0;

/** Sets width and height to prevent layout shift, and waits until the picture has loaded. */
async function setPictureWidth(editor: Editor, width: number | null): Promise<void> {
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
function captionPicture(editor: Editor): void {
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
