import type { Editor } from "@tiptap/core";
import { useEditorState } from "@tiptap/react";
import ImagePlus from "lucide-react/icons/image-plus";
import { Fragment, type KeyboardEvent, type ComponentProps, useRef, useState } from "react";
import { ColorPanel, ImagePanel, LinkPanel, TablePanel } from "#app/features/editor/toolbar-panels.tsx";
import { PAGE_TOOLS, type PanelName, type Tool, TOOL_GROUPS } from "#app/features/editor/toolbar-tools.ts";
import { PICTURE_TYPES } from "#app/features/editor/picture-inserter.ts";

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
