import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { noteEarlyInput } from "#app/lib/early-input.ts";

// Browsers below the supported floor keep the server-rendered page.
if (!globalThis.isOldBrowser) {
  noteEarlyInput(document);
  startTransition(() => {
    hydrateRoot(document, <HydratedRouter />, {
      // Extensions and translators cause hydration mismatches; React recovers and the user notices nothing.
      onRecoverableError: (error) => console.warn(error),
    });
  });
}
