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
        void navigate(location.pathname + location.search + location.hash, {
          replace: true,
          preventScrollReset: true,
        });
      }),
    [navigate],
  );
  return null;
}
