import "#app/lib/floor.js";
import { createRoot } from "react-dom/client";
import { PreviewDialog, type PreviewOfFile } from "#app/features/file/preview/preview-dialog.tsx";

export function openPreview(preview: PreviewOfFile): void {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  root.render(
    <PreviewDialog
      {...preview}
      onClose={() => {
        root.unmount();
        place.remove();
      }}
    />,
  );
}
