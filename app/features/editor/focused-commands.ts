import type { ChainedCommands, Editor } from "@tiptap/core";

/** Focuses synchronously: Tiptap's focus() waits a frame and loses keys typed before it. */
export function focusedCommands(editor: Editor): ChainedCommands {
  editor.view.focus();
  return editor.chain().scrollIntoView();
}
