import type { Editor } from "@tiptap/core";
import { Fragment, Slice } from "@tiptap/pm/model";
import { Selection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { EditorContent, useEditor, useEditorState } from "@tiptap/react";
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { cleanPastedHtml } from "#app/features/editor/clean-paste.ts";
import { newPictureToken, PictureInserter, type PictureProgress } from "#app/features/editor/picture-inserter.ts";
import { editorExtensions, editorHtml } from "#app/features/editor/editor-extensions.ts";
import { EditorToolbar } from "#app/features/editor/toolbar.tsx";
import { cx } from "#app/ui/cx.ts";
import { ProgressBar } from "#app/ui/progress.tsx";
import "./editor.css";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Field, Textarea } from "#app/ui/field.tsx";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

export interface EditorHandle {
  focus(): void;
  isBusy(): boolean;
}

interface RichEditorProps {
  id: string;
  label: string;
  initial: string;
  describedBy?: string | undefined;
  invalid: boolean;
  ref: Ref<EditorHandle>;
  onChange: (html: string) => void;
  onSignedOut: () => void;
  /** Receives dropped files that are not pictures; without it they are refused. */
  onFiles?: (files: File[]) => void;
  isPage?: boolean;
}

const isPictureFile = (file: File) => file.type.startsWith("image/");
const PASTED_PICTURE_LOST = "그림은 파일로 첨부해 주세요";

export default function RichEditor(props: RichEditorProps) {
  const { id, label, initial, describedBy, invalid, ref, onChange, onSignedOut, onFiles, isPage = false } = props;
  const [progress, setProgress] = useState<PictureProgress | null>(null);
  const [problems, setProblems] = useState<string[]>([]);
  const [altOf, setAltOf] = useState<string | null>(null);
  const leaving = useRef(false);
  const frame = useRef<HTMLDivElement>(null);
  const pictures = useRef<PictureInserter | null>(null);
  const listeners = useRef({ onChange, onSignedOut, onFiles });
  useEffect(() => {
    listeners.current = { onChange, onSignedOut, onFiles };
  });

  const editor = useEditor({
    immediatelyRender: false,
    shouldRerenderOnTransaction: false,
    extensions: editorExtensions("내용을 입력해 주십시오."),
    content: initial,
    onUpdate: ({ editor: current }) => listeners.current.onChange(editorHtml(current)),
    editorProps: {
      attributes: {
        class: "article",
        translate: "no",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        id,
      },
      transformPastedHTML(html) {
        const pasted = cleanPastedHtml(html, newPictureToken);
        pictures.current?.send(pasted.pictures);
        if (pasted.lost > 0)
          setProblems((known) => [
            ...known,
            `붙여 넣은 그림 ${pasted.lost}개를 넣지 못했습니다. ${PASTED_PICTURE_LOST}.`,
          ]);
        return pasted.html;
      },
      // By default the editor merges several line breaks.
      clipboardTextParser(text, context, _plain, { state: { schema } }) {
        const lines = text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
        const paragraphs = lines.map((line) =>
          schema.node("paragraph", null, line ? [schema.text(line, context.marks())] : []),
        );
        return new Slice(Fragment.from(paragraphs), 1, 1);
      },
      handlePaste(view, event, slice) {
        const files = [...(event.clipboardData?.files ?? [])].filter(isPictureFile);
        if (files.length === 0 || hasTextOrTable(event.clipboardData?.getData("text/html") ?? ""))
          return pasteBlocks(view, slice);
        pictures.current?.insert(files);
        return true;
      },
      handleDrop(view, event, _slice, moved) {
        const files = [...(event.dataTransfer?.files ?? [])];
        if (moved || files.length === 0) return false;
        const others = files.filter((file) => !isPictureFile(file));
        if (others.length > 0 && listeners.current.onFiles) listeners.current.onFiles(others);
        else if (others.length > 0) setProblems((known) => [...known, "이 글에는 그림만 넣을 수 있습니다."]);
        pictures.current?.insert(
          files.filter(isPictureFile),
          view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos,
        );
        return true;
      },
      handleDOMEvents: {
        // Tab stays in lists and tables; after Esc it leaves them, which avoids a keyboard trap.
        keydown(_view, event) {
          if (event.key === "Escape" && !event.isComposing) leaving.current = true;
          else if (event.key === "Tab" && leaving.current) {
            leaving.current = false;
            return true;
          } else if (event.key !== "Shift") leaving.current = false;
          if (event.key === "F10" && event.altKey) {
            event.preventDefault();
            frame.current?.querySelector<HTMLElement>('.editor-tool[tabindex="0"]')?.focus();
            return true;
          }
          return false;
        },
      },
    },
  });

  useEffect(() => {
    if (!editor) return;
    const own = new PictureInserter(editor, {
      onProgress: setProgress,
      onProblem: (text) => setProblems((known) => [...known, text]),
      onSignedOut: () => listeners.current.onSignedOut(),
    });
    pictures.current = own;
    return () => own.stop();
  }, [editor]);
  useEffect(() => {
    const area = editor?.view.dom;
    area?.setAttribute("aria-invalid", String(invalid));
    area?.setAttribute("aria-describedby", cx(`${id}-keys`, describedBy));
  }, [editor, invalid, describedBy, id]);
  const undescribed = useEditorState({
    editor,
    selector: ({ editor: now }) => (now ? findPictureWithoutAlt(now) : ""),
  });
  useImperativeHandle(
    ref,
    () => ({
      focus() {
        editor?.commands.focus("start");
        // Focuses synchronously: the command waits a frame, in which typed keys go to the title.
        editor?.view.focus();
      },
      isBusy: () => Boolean(editor?.getHTML().includes("data-pending-image")),
    }),
    [editor],
  );

  if (!editor) return <EditorSkeleton />;
  return (
    <div ref={frame} className={cx("editor-frame", invalid && "editor-invalid")}>
      <EditorToolbar
        editor={editor}
        onPictures={(files) => pictures.current?.insert(files)}
        onAlt={(src) => setAltOf(src)}
        isPage={isPage}
      />
      <EditorContent editor={editor} />
      <p id={`${id}-keys`} className="sr-only">
        Alt와 F10 키를 누르면 도구 모음으로, Esc 키를 누른 뒤 Tab 키를 누르면 다음 항목으로 이동합니다.
      </p>
      <div className="editor-foot">
        {progress && (
          <div className="flex items-center gap-3 px-4 py-2 text-sm text-gray-70">
            <span className="tabular shrink-0">
              그림 올리는 중 {progress.index} / {progress.total}
            </span>
            <ProgressBar label="그림 올리기" value={progress.percent} className="max-w-60" />
          </div>
        )}
        {undescribed && (
          <p className="flex flex-wrap items-center gap-x-2 px-4 py-1 text-sm text-gray-60">
            설명(대체 텍스트)이 없는 그림이 있습니다.
            <button type="button" className="min-h-8 px-1 underline" onClick={() => setAltOf(undescribed)}>
              설명 입력
            </button>
          </p>
        )}
        <div role="status">
          {problems.length > 0 && (
            <div className="flex items-start justify-between gap-3 bg-warning-5 px-4 py-2 text-sm text-warning-60">
              <ul className="min-w-0 flex-1 py-1">
                {problems.map((text, at) => (
                  <li key={`${at}-${text}`}>{text}</li>
                ))}
              </ul>
              <button type="button" className="min-h-8 px-2 font-semibold underline" onClick={() => setProblems([])}>
                확인
              </button>
            </div>
          )}
        </div>
      </div>
      <AltDialog editor={editor} src={altOf} onClose={() => setAltOf(null)} />
    </div>
  );
}

function findPictureWithoutAlt(editor: Editor): string {
  let src = "";
  editor.state.doc.descendants((node) => {
    if (src === "" && node.type.name === "image" && !node.attrs.alt) src = String(node.attrs.src);
    return src === "";
  });
  return src;
}

/** Replaces the empty line with pasted blocks; merging would lose the first block's alignment. */
function pasteBlocks(view: EditorView, { content }: Slice): boolean {
  const { $from, empty } = view.state.selection;
  const blank = empty && $from.parent.type.name === "paragraph" && $from.parent.content.size === 0;
  if ($from.depth > 0 && $from.node(-1).type.spec.tableRole !== undefined) return false;
  const isBlock = content.firstChild?.isBlock === true && content.size > 0;
  const at = $from.depth > 0 ? $from.index($from.depth - 1) : 0;
  if (!blank || !isBlock || !$from.node(-1).canReplace(at, at + 1, content)) return false;
  const tr = view.state.tr.replaceWith($from.before(), $from.after(), content);
  tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map($from.after())), -1));
  view.dispatch(tr.scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste"));
  return true;
}

/** Office programs add a picture of the copied text; it must not replace the text. */
function hasTextOrTable(html: string): boolean {
  if (html === "") return false;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return (body.textContent ?? "").trim() !== "" || body.querySelector("table") !== null;
}

export function EditorSkeleton() {
  return (
    <div className="flex min-h-100 items-center justify-center rounded-md border border-gray-40 text-gray-60">
      편집기를 불러오는 중입니다.
    </div>
  );
}

function AltDialog({ editor, src, onClose }: { editor: Editor; src: string | null; onClose: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const save = () => {
    const alt = (field.current?.value ?? "").normalize("NFC").replace(/\s+/g, " ").trim();
    editor
      .chain()
      .command(({ tr }) => {
        tr.doc.descendants((node, pos) => {
          if (node.type.name === "image" && node.attrs.src === src) tr.setNodeAttribute(pos, "alt", alt);
        });
        return true;
      })
      .run();
    onClose();
  };
  return (
    // Has no form element because it is rendered inside the writing form.
    <Dialog
      title="그림 설명(대체 텍스트)"
      size="md"
      open={src !== null}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>취소</Button>
          <Button variant="primary" onClick={save}>
            저장
          </Button>
        </>
      }
    >
      {src && <img src={src} alt="" className="mb-4 max-h-48 rounded-md border border-gray-20" />}
      <Field
        label="그림 설명"
        hint="그림을 볼 수 없는 사람에게 읽어 줄 내용입니다. 꾸밈을 위한 그림이면 비워 두십시오."
      >
        <Textarea ref={field} rows={2} maxLength={SIZE_LIMITS.imageAltLength} defaultValue={findAltText(editor, src)} />
      </Field>
    </Dialog>
  );
}

function findAltText(editor: Editor, src: string | null): string {
  let alt = "";
  editor.state.doc.descendants((node) => {
    if (node.type.name === "image" && node.attrs.src === src) alt = String(node.attrs.alt ?? "");
  });
  return alt;
}
