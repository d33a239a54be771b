import { useEffect } from "react";
import { useNavigate } from "react-router";
import { CHUNK_MESSAGE, watchChunks } from "#app/lib/page-chunk.ts";
import { toast } from "#app/ui/toast.tsx";

/** Reports a page that failed to load and cancels the navigation to keep typed text. */
export function ChunkWatch() {
  const navigate = useNavigate();
  useEffect(
    () =>
      watchChunks(() => {
        toast(CHUNK_MESSAGE, "error");
        // Navigates within the page only, because loading data would fail as well.
        void navigate(location.pathname + location.search + (location.hash || "#main"), {
          replace: true,
          preventScrollReset: true,
        });
      }),
    [navigate],
  );
  return null;
}
