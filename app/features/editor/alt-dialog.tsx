import type { Editor } from "@tiptap/core";
import { useRef } from "react";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Field } from "#app/ui/field.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

interface AltDialogProps {
  editor: Editor;
  src: string | null;
  onClose: () => void;
}

export function AltDialog({ editor, src, onClose }: AltDialogProps) {
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
