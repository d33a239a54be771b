import type { Editor } from "@tiptap/core";
import { useEditorState } from "@tiptap/react";
import ImagePlus from "lucide-react/icons/image-plus";
import { type ComponentProps, type ComponentType, Fragment, type KeyboardEvent, useRef, useState } from "react";
import { ColorPanel, ImagePanel, LinkPanel, TablePanel } from "#app/features/editor/toolbar-panels.tsx";
import { PICTURE_TYPES } from "#app/features/editor/picture-inserter.ts";
import AlignCenter from "lucide-react/icons/text-align-center";
import AlignEnd from "lucide-react/icons/text-align-end";
import AlignJustify from "lucide-react/icons/text-align-justify";
import AlignStart from "lucide-react/icons/text-align-start";
import Baseline from "lucide-react/icons/baseline";
import Bold from "lucide-react/icons/letter-b";
import Highlighter from "lucide-react/icons/highlighter";
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
import IdCard from "lucide-react/icons/id-card";
import Undo from "lucide-react/icons/undo-2";
import UserRound from "lucide-react/icons/user-round";
import { CONTACTS_CAPTION } from "#worker/contract/kernel/rich-text.ts";
import { focusedCommands } from "#app/features/editor/focused-commands.ts";

type PanelName = "color" | "marker" | "link";

interface Tool {
  name: string;
  label: string;
  icon?: ComponentType<{ className?: string }>;
  text?: string;
  run(editor: Editor): void;
  pressed?(editor: Editor): boolean;
  possible?(editor: Editor): boolean;
  panel?: PanelName;
  /** Asks for a picture, which is inserted at the cursor afterwards. */
  asksPicture?: true;
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
const blockTool = (
  name: string,
  label: string,
  icon: Tool["icon"],
  change: (commands: ReturnType<typeof focusedCommands>) => ReturnType<typeof focusedCommands>,
): Tool => ({
  name,
  label,
  icon,
  run: (editor) => change(focusedCommands(editor)).run(),
  pressed: (editor) => editor.isActive(name),
});
const panelTool = (name: PanelName, label: string, icon: Tool["icon"], pressed: Tool["pressed"]): Tool => ({
  name,
  label,
  icon,
  panel: name,
  run: () => {},
  ...(pressed ? { pressed } : {}),
});

const TOOL_GROUPS: readonly Tool[][] = [
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
    blockTool("bulletList", "글머리 기호 목록", List, (commands) => commands.toggleBulletList()),
    blockTool("orderedList", "번호 목록", ListOrdered, (commands) => commands.toggleOrderedList()),
    blockTool("blockquote", "인용", TextQuote, (commands) => commands.toggleBlockquote()),
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

const cells = (tag: "th" | "td", texts: readonly string[]) =>
  `<tr>${texts.map((text) => `<${tag}><p>${text}</p></${tag}>`).join("")}</tr>`;
const CONTACT_HEADS = ["이름", "담당", "전화", "이메일"];
const CONTACT_ROW = cells("td", ["이름", "", "", ""]);
const CONTACTS = `<table><caption>${CONTACTS_CAPTION}</caption><tbody>${cells("th", CONTACT_HEADS)}${CONTACT_ROW}${CONTACT_ROW}</tbody></table>`;
const GREETING = "<blockquote><p></p><p>인사말을 적어 주십시오.</p><p>직함과 이름</p></blockquote>";

/** Blocks of information pages, built only from markup that every text may hold. */
const PAGE_TOOLS: readonly Tool[] = [
  {
    name: "greeting",
    label: "인사말 넣기(사진과 글)",
    icon: UserRound,
    run(editor) {
      const from = editor.state.selection.from;
      focusedCommands(editor).insertContent(GREETING).run();
      const place = findEmptyParagraph(editor, from);
      if (place !== null) editor.commands.setTextSelection(place);
    },
    possible: (editor) => !editor.isActive("table") && !editor.isActive("blockquote"),
    asksPicture: true,
  },
  {
    name: "contacts",
    label: "연락처 카드 넣기",
    icon: IdCard,
    run: (editor) => focusedCommands(editor).insertContent(CONTACTS).run(),
    possible: (editor) => !editor.isActive("table"),
  },
];

/** Returns the first empty paragraph of a quotation after `from`. */
function findEmptyParagraph(editor: Editor, from: number): number | null {
  let found: number | null = null;
  editor.state.doc.nodesBetween(Math.max(0, from - 2), editor.state.doc.content.size, (node, at, parent) => {
    if (found === null && node.isTextblock && node.content.size === 0 && parent?.type.name === "blockquote")
      found = at + 1;
    return found === null;
  });
  return found;
}

const TOOLS = [...TOOL_GROUPS.flat(), ...PAGE_TOOLS];

interface EditorToolbarProps {
  editor: Editor;
  onPictures: (files: File[]) => void;
  onAlt: (src: string) => void;
  isPage: boolean;
}

/** The toolbar is one tab stop; arrow keys move between tools. */
export function EditorToolbar({ editor, onPictures, onAlt, isPage }: EditorToolbarProps) {
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
      picture: now.isActive("image")
        ? {
            src: String(now.getAttributes("image").src),
            width: Number(now.getAttributes("image").width) || null,
          }
        : null,
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
          if (tool.asksPicture) input.current?.click();
        }}
      >
        {Icon ? <Icon className="size-5" /> : <span className="px-1.5 text-sm font-semibold">{tool.text}</span>}
      </ToolButton>
    );
  };
  return (
    <div ref={bar} className="editor-toolbar">
      <div role="toolbar" aria-label="글 꾸미기" tabIndex={-1} className="editor-tools" onKeyDown={move}>
        {TOOL_GROUPS.map((group, at) => (
          <Fragment key={group[0]?.name}>
            {at > 0 && <span aria-hidden="true" className="editor-gap" />}
            {group.map(render)}
          </Fragment>
        ))}
        {isPage && PAGE_TOOLS.map(render)}
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
      {state.picture && <ImagePanel editor={editor} picture={state.picture} onAlt={onAlt} />}
    </div>
  );
}

function ToolButton({ name, label, ...rest }: ComponentProps<"button"> & { label: string }) {
  return <button {...rest} type="button" data-tool={name} className="editor-tool" aria-label={label} title={label} />;
}
