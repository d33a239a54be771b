import type { ChainedCommands, Editor } from "@tiptap/core";

/** Commands with the cursor back in the text at once: Tiptap's own focus() waits for a frame, and what is typed before is lost. */
export function focusedCommands(editor: Editor): ChainedCommands {
  editor.view.focus();
  return editor.chain().scrollIntoView();
}
