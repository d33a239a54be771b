import { createRoot } from "react-dom/client";
import { HwpDialog } from "#app/features/file/preview/hwp-dialog.tsx";
import type { ItemFile } from "#worker/contract/file/view.ts";

/** The dialog of the application, in a page that has none. */
export function openHwpPreview(file: ItemFile): void {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  root.render(
    <HwpDialog
      file={file}
      onClose={() => {
        root.unmount();
        place.remove();
      }}
    />,
  );
}
