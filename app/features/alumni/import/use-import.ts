import { useMemo, useState } from "react";
import { useRevalidator } from "react-router";
import { type CellCorrections, combineSources } from "#app/features/alumni/import/import-table.ts";
import {
  type ColumnMappings,
  type DroppedFiles,
  guessedMappings,
  type HiddenChoices,
  readDroppedFiles,
} from "#app/features/alumni/import/dropped-files.ts";
import {
  commitSentImport,
  correctSentCells,
  type PreviewOptions,
  requestImportPreview,
  sendImportTable,
} from "#app/features/alumni/import/send-import.ts";
import { type BusyState, progressOf } from "./progress.tsx";
import { api, callApi } from "#app/lib/api.ts";
import type { AlumniSettingsView } from "#worker/contract/alumni/alumni-settings.ts";
import { DEFAULT_IMPORT_OPTIONS } from "#worker/contract/alumni/import/cell-changes.ts";
import type { ImportResult } from "#worker/contract/alumni/view.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { OpenImport } from "#worker/domain/alumni/import/parts.server.ts";

export interface ShownPreview {
  importId: string;
  options: PreviewOptions;
  result: ImportResult;
  /** The corrections that the preview includes. */
  corrections: CellCorrections;
}

const NO_CORRECTIONS: CellCorrections = new Map();
const NOTHING_HIDDEN: HiddenChoices = { rows: null, columns: null };
export function useImport(openImport: OpenImport | null, alumniView: AlumniSettingsView) {
  const [files, setFiles] = useState<DroppedFiles | null>(null);
  const [mappings, setMappings] = useState<ColumnMappings>({});
  const [hidden, setHidden] = useState<HiddenChoices>(NOTHING_HIDDEN);
  const [options, setOptions] = useState<PreviewOptions>({ mode: "upsert", ...DEFAULT_IMPORT_OPTIONS });
  const [history, setHistory] = useState<CellCorrections[]>([new Map()]);
  const [preview, setPreview] = useState<ShownPreview | null>(null);
  const [done, setDone] = useState<ImportResult | null>(null);
  const [busy, setBusy] = useState<BusyState | null>(null);
  const [error, setError] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  const corrections = history.at(-1) ?? NO_CORRECTIONS;
  const table = useMemo(
    () => (files ? combineSources(files.sources, mappings, hidden, alumniView.own) : null),
    [files, mappings, hidden, alumniView.own],
  );

  const run = async (label: string, work: () => Promise<void>) => {
    setBusy({ label });
    setError(null);
    try {
      await work();
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setBusy(null);
    }
  };
  const compare = async (importId: string, how: PreviewOptions, known: CellCorrections) => {
    const progress = progressOf("주소록과 비교하고 있습니다", performance.now());
    setBusy(progress(0));
    const result = await requestImportPreview(importId, how, (percent) => setBusy(progress(percent)));
    setPreview({ importId, options: how, result, corrections: known });
  };
  /** After a reload the files are gone, so the rows on the server are corrected. */
  const send = async (how: PreviewOptions) => {
    if (table === null) {
      if (preview === null || openImport === null) return;
      if (corrections.size > 0) await correctSentCells(preview.importId, openImport, corrections);
      const none: CellCorrections = new Map();
      setHistory([none]);
      await compare(preview.importId, how, none);
      return;
    }
    const progress = progressOf("보내고 있습니다", performance.now());
    const importId = await sendImportTable(table, corrections, (percent) => setBusy(progress(percent)));
    await compare(importId, how, corrections);
  };
  const commit = (importId: string, skipInvalid: boolean) =>
    run("저장하고 있습니다", async () => {
      const progress = progressOf("저장하고 있습니다", performance.now());
      try {
        setDone(
          await commitSentImport(importId, skipInvalid, (percent) => setBusy({ ...progress(percent), canLeave: true })),
        );
        setPreview(null);
        setFiles(null);
        setHistory([new Map()]);
      } finally {
        // Reloads after a partial import too, because the history shows how far it came.
        await revalidate();
      }
    });
  const change = () => {
    setPreview(null);
    setError(null);
  };
  return {
    files,
    mappings,
    hidden,
    options,
    corrections,
    table,
    preview,
    done,
    busy,
    error,
    canUndoCorrection: history.length > 1,
    isCorrected: preview !== null && preview.corrections !== corrections,
    read: (dropped: readonly File[]) =>
      run("파일을 읽고 있습니다", async () => {
        setDone(null);
        change();
        setFiles(null);
        setHistory([new Map()]);
        setHidden(NOTHING_HIDDEN);
        setOptions({ mode: options.mode, ...DEFAULT_IMPORT_OPTIONS });
        const size = dropped.reduce((sum, file) => sum + file.size, 0);
        if (size > ALUMNI_LIMITS.importBytes)
          throw new Error("파일이 너무 큽니다. 한 번에 20MB까지 가져올 수 있습니다.");
        const progress = progressOf("파일을 읽고 있습니다", performance.now());
        const found = await readDroppedFiles(dropped, (count) => setBusy(progress((count / dropped.length) * 100)));
        setMappings(guessedMappings(found.sources, alumniView));
        setFiles(found);
      }),
    changeFiles: (next: DroppedFiles) => {
      setFiles(next);
      change();
    },
    map: (next: ColumnMappings) => {
      setMappings(next);
      change();
    },
    answerHidden: (next: HiddenChoices) => {
      setHidden(next);
      change();
    },
    choose: (next: PreviewOptions) => setOptions(next),
    back: change,
    correct: (key: string, value: string) => setHistory([...history, new Map(corrections).set(key, value)]),
    undoCorrection: () => setHistory(history.length > 1 ? history.slice(0, -1) : history),
    look: () => run("보내고 있습니다", () => send(options)),
    decide: (next: PreviewOptions) => {
      setOptions(next);
      return run("주소록과 비교하고 있습니다", () => send(next));
    },
    resume: () =>
      run("주소록과 비교하고 있습니다", async () => {
        if (openImport)
          await compare(openImport.importId, { ...options, mode: openImport.mode ?? options.mode }, corrections);
      }),
    discard: () =>
      run("지우고 있습니다", async () => {
        if (!openImport) return;
        const param = { importId: openImport.importId };
        await callApi(api.alumni.import[":importId"].$delete({ param, json: {} }));
        await revalidate();
      }),
    commit: async (skipInvalid: boolean) => {
      if (preview) await commit(preview.importId, skipInvalid);
    },
    /** Continues a half-committed import. */
    finish: async () => {
      if (openImport) await commit(openImport.importId, true);
    },
  };
}

export type ImportState = ReturnType<typeof useImport>;
