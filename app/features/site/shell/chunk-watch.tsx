import { useEffect } from "react";
import { useNavigate } from "react-router";
import { CHUNK_MESSAGE, watchChunks } from "#app/lib/page-chunk.ts";
import { toast } from "#app/ui/toast.tsx";

/** Says that the next page does not come, and gives up the way to it: what was typed here stays. */
export function ChunkWatch() {
  const navigate = useNavigate();
  useEffect(
    () =>
      watchChunks(() => {
        toast(CHUNK_MESSAGE, "error");
        // A step within the page reads nothing, which would fail as well and take the page away.
        void navigate(location.pathname + location.search + (location.hash || "#main"), {
          replace: true,
          preventScrollReset: true,
        });
      }),
    [navigate],
  );
  return null;
}
