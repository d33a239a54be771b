import { type ComponentType, useEffect, useState } from "react";
import { setSecondFactorPrompt } from "#app/lib/second-factor-prompt.ts";
import type { VerifyDialogProps } from "./verify-dialog.tsx";

interface OpenPrompt extends VerifyDialogProps {
  Dialog: ComponentType<VerifyDialogProps>;
}

/** Asks again for the second factor while the action waits with its form. */
export function SecondFactorPrompt() {
  const [prompt, setPrompt] = useState<OpenPrompt | null>(null);
  useEffect(
    () =>
      setSecondFactorPrompt(async () => {
        const { VerifyDialog: Dialog } = await import("./verify-dialog.tsx");
        const shown = new Promise<boolean>((onClose) => setPrompt({ Dialog, onClose }));
        return shown.finally(() => setPrompt(null));
      }),
    [],
  );
  return prompt && <prompt.Dialog onClose={prompt.onClose} />;
}
