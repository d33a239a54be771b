import { PreviewWait } from "#app/features/file/preview/preview-wait.tsx";
import { useFilePreview } from "#app/features/file/preview/use-file-preview.ts";
import { readFileText } from "#app/features/file/upload/file-text.ts";
import type { ItemFile } from "#worker/contract/file/view.ts";

/** Longer texts are cut; the file holds the rest. */
const SHOWN_LETTERS = 100_000;

const readWords = async (bytes: ArrayBuffer, fileName: string): Promise<string> =>
  (await readFileText(new File([bytes], fileName))) ?? "";

export function WordsPages({ file }: { file: ItemFile }) {
  const state = useFilePreview(file, readWords);
  if (state.kind !== "open") return <PreviewWait state={state} />;
  const text = state.content.trim();
  return (
    <>
      <p className="mb-3 text-sm text-gray-60" role="status">
        글자만 보여 드립니다.{text.length > SHOWN_LETTERS && " 긴 문서라 앞부분만 보입니다."}
      </p>
      <p className="rounded-md border border-gray-20 px-5 py-4 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {text.slice(0, SHOWN_LETTERS) || "글자가 없는 문서입니다."}
      </p>
    </>
  );
}
