import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { noteEarlyInput } from "#app/lib/early-input.ts";

// A browser below the floor keeps the page as the server wrote it.
if (!globalThis.isOldBrowser) {
  noteEarlyInput(document);
  startTransition(() => {
    hydrateRoot(document, <HydratedRouter />, {
      // React draws the page again where an extension or a translator changed it before; for the person nothing happened.
      onRecoverableError: (error) => console.warn(error),
    });
  });
}
