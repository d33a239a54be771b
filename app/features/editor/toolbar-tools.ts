import type { Editor } from "@tiptap/core";
import AlignCenter from "lucide-react/icons/text-align-center";
import AlignEnd from "lucide-react/icons/text-align-end";
import AlignJustify from "lucide-react/icons/text-align-justify";
import AlignStart from "lucide-react/icons/text-align-start";
import Baseline from "lucide-react/icons/baseline";
import Bold from "lucide-react/icons/bold";
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
import Undo from "lucide-react/icons/undo-2";
import type { ComponentType } from "react";
import { focusedCommands } from "#app/features/editor/focused-commands.ts";

export type PanelName = "color" | "marker" | "link";

export interface Tool {
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

/** In groups, as they stand beside one another. */
export const TOOL_GROUPS: readonly Tool[][] = [
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
