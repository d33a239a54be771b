import type { Editor } from "@tiptap/core";
import { useEditorState } from "@tiptap/react";
import AlignCenter from "lucide-react/icons/text-align-center";
import AlignEnd from "lucide-react/icons/text-align-end";
import AlignJustify from "lucide-react/icons/text-align-justify";
import AlignStart from "lucide-react/icons/text-align-start";
import Baseline from "lucide-react/icons/baseline";
import Bold from "lucide-react/icons/bold";
import Highlighter from "lucide-react/icons/highlighter";
import ImagePlus from "lucide-react/icons/image-plus";
import LinkIcon from "lucide-react/icons/link";
import List from "lucide-react/icons/list";
import ListOrdered from "lucide-react/icons/list-ordered";
import Minus from "lucide-react/icons/minus";
import Redo from "lucide-react/icons/redo-2";
import RemoveFormatting from "lucide-react/icons/remove-formatting";
import Strikethrough from "lucide-react/icons/strikethrough";
import Subscript from "lucide-react/icons/subscript";
import Superscript from "lucide-react/icons/superscript";
import TableIcon from "lucide-react/icons/table";
import TextQuote from "lucide-react/icons/text-quote";
import Underline from "lucide-react/icons/underline";
import Undo from "lucide-react/icons/undo-2";
import { type ComponentType, Fragment, type KeyboardEvent, type ComponentProps, useRef, useState } from "react";
import { focusedCommands } from "#app/features/editor/focused-commands.ts";
import { ColorPanel, ImagePanel, LinkPanel, TablePanel } from "#app/features/editor/toolbar-panels.tsx";
import { PICTURE_TYPES } from "#app/features/editor/picture-inserter.ts";

type PanelName = "color" | "marker" | "link";

interface Tool {
  name: string;
  label: string;
  icon?: ComponentType<{ className?: string }>;
  /** Shown where no icon says it. */
  text?: string;
  run(editor: Editor): void;
  pressed?(editor: Editor): boolean;
  possible?(editor: Editor): boolean;
  panel?: PanelName;
}

const markTool = (name: string, label: string, icon: Tool["icon"]): Tool => ({
  name,
  label,
  icon,
  run: (editor) => focusedCommands(editor).toggleMark(name).run(),
  pressed: (editor) => editor.isActive(name),
});
const headingTool = (level: 2 | 3 | 4, text: string): Tool => ({
  name: `heading${level}`,
  label: text,
  text,
  run: (editor) => focusedCommands(editor).toggleHeading({ level }).run(),
  pressed: (editor) => editor.isActive("heading", { level }),
});
const alignTool = (textAlign: string, label: string, icon: Tool["icon"]): Tool => ({
  name: `align-${textAlign}`,
  label,
  icon,
  run: (editor) => focusedCommands(editor).toggleTextAlign(textAlign).run(),
  pressed: (editor) => editor.isActive({ textAlign }),
});
const panelTool = (name: PanelName, label: string, icon: Tool["icon"], pressed: Tool["pressed"]): Tool => ({
  name,
  label,
  icon,
  panel: name,
  run: () => {},
  ...(pressed ? { pressed } : {}),
});

const GROUPS: Tool[][] = [
  [
    {
      name: "undo",
      label: "실행 취소",
      icon: Undo,
      run: (editor) => focusedCommands(editor).undo().run(),
      possible: (editor) => editor.can().undo(),
    },
    {
      name: "redo",
      label: "다시 실행",
      icon: Redo,
      run: (editor) => focusedCommands(editor).redo().run(),
      possible: (editor) => editor.can().redo(),
    },
  ],
  [headingTool(2, "제목1"), headingTool(3, "제목2"), headingTool(4, "제목3")],
  [
    markTool("bold", "굵게", Bold),
    markTool("underline", "밑줄", Underline),
    markTool("strike", "취소선", Strikethrough),
    panelTool("color", "글자색", Baseline, (editor) => Boolean(editor.getAttributes("textStyle").color)),
    panelTool("marker", "글자 배경색", Highlighter, (editor) =>
      Boolean(editor.getAttributes("textStyle").backgroundColor),
    ),
    markTool("superscript", "위 첨자", Superscript),
    markTool("subscript", "아래 첨자", Subscript),
    {
      name: "clear",
      label: "서식 지우기",
      icon: RemoveFormatting,
      run: (editor) => focusedCommands(editor).unsetAllMarks().clearNodes().run(),
    },
  ],
  [
    alignTool("left", "왼쪽 정렬", AlignStart),
    alignTool("center", "가운데 정렬", AlignCenter),
    alignTool("right", "오른쪽 정렬", AlignEnd),
    alignTool("justify", "양쪽 정렬", AlignJustify),
  ],
  [
    {
      name: "bulletList",
      label: "글머리 기호 목록",
      icon: List,
      run: (editor) => focusedCommands(editor).toggleBulletList().run(),
      pressed: (editor) => editor.isActive("bulletList"),
    },
    {
      name: "orderedList",
      label: "번호 목록",
      icon: ListOrdered,
      run: (editor) => focusedCommands(editor).toggleOrderedList().run(),
      pressed: (editor) => editor.isActive("orderedList"),
    },
    {
      name: "blockquote",
      label: "인용",
      icon: TextQuote,
      run: (editor) => focusedCommands(editor).toggleBlockquote().run(),
      pressed: (editor) => editor.isActive("blockquote"),
    },
    {
      name: "rule",
      label: "구분선",
      icon: Minus,
      run: (editor) => focusedCommands(editor).setHorizontalRule().run(),
    },
  ],
  [
    panelTool("link", "링크", LinkIcon, (editor) => editor.isActive("link")),
    {
      name: "table",
      label: "표 넣기",
      icon: TableIcon,
      run: (editor) => focusedCommands(editor).insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
      possible: (editor) => !editor.isActive("table"),
    },
  ],
];
const TOOLS = GROUPS.flat();

interface EditorToolbarProps {
  editor: Editor;
  onPictures: (files: File[]) => void;
  onAlt: (src: string) => void;
}

/** One stop of the Tab key; the arrow keys go from tool to tool. */
export function EditorToolbar({ editor, onPictures, onAlt }: EditorToolbarProps) {
  const [open, setOpen] = useState<PanelName | null>(null);
  const [current, setCurrent] = useState("undo");
  const bar = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      pressed: TOOLS.filter((tool) => tool.pressed?.(now)).map((tool) => tool.name),
      impossible: TOOLS.filter((tool) => tool.possible?.(now) === false).map((tool) => tool.name),
      inTable: now.isActive("table"),
      image: now.isActive("image") ? String(now.getAttributes("image").src) : null,
    }),
  });
  const tools = () => [...(bar.current?.querySelectorAll<HTMLButtonElement>(".editor-tools .editor-tool") ?? [])];
  const move = (event: KeyboardEvent) => {
    const all = tools();
    const at = all.findIndex((tool) => tool === document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length]?.focus();
  };
  const close = () => {
    const opener = bar.current?.querySelector<HTMLButtonElement>(`[data-tool="${open}"]`);
    setOpen(null);
    opener?.focus();
  };
  const done = () => {
    setOpen(null);
    editor.view.focus();
  };
  const stop = (name: string) => ({ name, tabIndex: current === name ? 0 : -1, onFocus: () => setCurrent(name) });
  const render = (tool: Tool) => {
    const disabled = state.impossible.includes(tool.name);
    const Icon = tool.icon;
    return (
      <ToolButton
        key={tool.name}
        {...stop(tool.name)}
        label={tool.label}
        aria-pressed={tool.pressed ? state.pressed.includes(tool.name) : undefined}
        aria-expanded={tool.panel ? open === tool.panel : undefined}
        aria-disabled={disabled || undefined}
        onClick={() => {
          if (disabled) return;
          if (tool.panel) setOpen(open === tool.panel ? null : tool.panel);
          else tool.run(editor);
        }}
      >
        {Icon ? <Icon className="size-5" /> : <span className="px-1.5 text-sm font-semibold">{tool.text}</span>}
      </ToolButton>
    );
  };
  return (
    <div ref={bar} className="editor-toolbar">
      <div role="toolbar" aria-label="글 꾸미기" tabIndex={-1} className="editor-tools" onKeyDown={move}>
        {GROUPS.map((group, at) => (
          <Fragment key={group[0]?.name}>
            {at > 0 && <span aria-hidden="true" className="editor-gap" />}
            {group.map(render)}
          </Fragment>
        ))}
        <ToolButton {...stop("picture")} label="그림 넣기" onClick={() => input.current?.click()}>
          <ImagePlus className="size-5" />
        </ToolButton>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={PICTURE_TYPES}
        aria-label="그림 파일"
        onChange={(event) => {
          onPictures([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      {open === "link" && <LinkPanel editor={editor} onClose={close} onDone={done} />}
      {(open === "color" || open === "marker") && (
        <ColorPanel key={open} kind={open} editor={editor} onClose={close} onDone={done} />
      )}
      {state.inTable && <TablePanel editor={editor} />}
      {state.image && <ImagePanel editor={editor} src={state.image} onAlt={onAlt} />}
    </div>
  );
}

function ToolButton({ name, label, ...rest }: ComponentProps<"button"> & { label: string }) {
  return <button {...rest} type="button" data-tool={name} className="editor-tool" aria-label={label} title={label} />;
}
