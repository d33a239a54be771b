import { useMemo, useState } from "react";
import { useRevalidator } from "react-router";
import { type CellCorrections, combineSources } from "#app/features/alumni/import/import-table.ts";
import {
  type ColumnMappings,
  type DroppedFiles,
  findForm,
  formsOf,
  guessedMappings,
  type HiddenChoices,
  type ImportForm,
  readDroppedFiles,
} from "#app/features/alumni/import/dropped-files.ts";
import {
  commitSentImport,
  correctSentCells,
  type PeopleAnswers,
  type PreviewOptions,
  retryLostCalls,
  requestImportPreview,
  sendImportTable,
} from "#app/features/alumni/import/send-import.ts";
import { type BusyState, progressOf } from "./progress.tsx";
import { attemptSignedIn } from "#app/features/form/action.tsx";
import { useSigninGate, useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { api, callApi } from "#app/lib/api.ts";
import type { AlumniSettingsView } from "#worker/contract/alumni/alumni-settings.ts";
import { DEFAULT_IMPORT_OPTIONS } from "#worker/contract/alumni/import/cell-changes.ts";
import type { ImportResult } from "#worker/domain/alumni/import/import.server.ts";
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
const NO_ANSWERS: PeopleAnswers = {};

export function useImport(openImport: OpenImport | null, alumniView: AlumniSettingsView) {
  const [files, setFiles] = useState<DroppedFiles | null>(null);
  const [mappings, setMappings] = useState<ColumnMappings>({});
  const [hidden, setHidden] = useState<HiddenChoices>(NOTHING_HIDDEN);
  const [options, setOptions] = useState<PreviewOptions>({ mode: "upsert", ...DEFAULT_IMPORT_OPTIONS });
  const [history, setHistory] = useState<CellCorrections[]>([new Map()]);
  const [forms, setForms] = useState<ImportForm[]>([]);
  /** Answers about persons that the shown preview does not include. */
  const [people, setPeople] = useState(NO_ANSWERS);
  const [preview, setPreview] = useState<ShownPreview | null>(null);
  const [done, setDone] = useState<ImportResult | null>(null);
  const [busy, setBusy] = useState<BusyState | null>(null);
  const [error, setError] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  const askSignin = useSigninGate();
  const corrections = history.at(-1) ?? NO_CORRECTIONS;
  const table = useMemo(
    () => (files ? combineSources(files.sources, mappings, hidden, alumniView.own) : null),
    [files, mappings, hidden, alumniView.own],
  );

  const isCorrected = preview !== null && preview.corrections !== corrections;
  /** States or ticks of people that the shown preview does not include. */
  const isChosen =
    preview !== null && (preview.options.missing !== options.missing || preview.options.ended !== options.ended);
  // The server keeps a compared import, but not the choices before and the corrections after.
  useUnsavedCheck(() => isCorrected || (files !== null && preview === null));
  const run = async (label: string, work: () => Promise<void>, settle?: () => Promise<void>) => {
    setBusy({ label });
    setError(null);
    try {
      await attemptSignedIn(work, askSignin);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      await settle?.();
      setBusy(null);
    }
  };
  const compare = async (importId: string, how: PreviewOptions, known: CellCorrections, answers = NO_ANSWERS) => {
    const progress = progressOf("주소록과 비교하고 있습니다", performance.now());
    setBusy(progress(0));
    const remembered = formsOf(files?.sources ?? [], mappings, hidden, how);
    const sent = { ...how, forms: remembered, people: answers };
    const result = await requestImportPreview(importId, sent, (percent) => setBusy(progress(percent)));
    setPeople(NO_ANSWERS);
    setPreview({ importId, options: how, result, corrections: known });
  };
  /** After a reload the files are gone, so the rows on the server are corrected. */
  const send = async (how: PreviewOptions, answers: PeopleAnswers = people) => {
    if (table === null) {
      if (preview === null || openImport === null) return;
      if (corrections.size > 0) await correctSentCells(preview.importId, openImport, corrections);
      const none: CellCorrections = new Map();
      setHistory([none]);
      await compare(preview.importId, how, none, answers);
      return;
    }
    const progress = progressOf("보내고 있습니다", performance.now());
    const importId = await sendImportTable(table, corrections, (percent) => setBusy(progress(percent)));
    await compare(importId, how, corrections, answers);
  };
  /** Reads the files again, and keeps the other sheets as they were chosen. */
  const point = (key: string, row: number) =>
    run("파일을 읽고 있습니다", async () => {
      if (!files) return;
      const headRows = { ...files.headRows, [key]: row };
      const next = await readDroppedFiles(files.files, forms, headRows, () => undefined);
      const sources = next.sources.map((source) => {
        const before = files.sources.find((each) => each.key === source.key);
        if (source.key === key) return { ...source, isUsed: true };
        return before ? { ...source, isUsed: before.isUsed, fixed: before.fixed } : source;
      });
      setMappings({ ...guessedMappings(sources, alumniView, forms), ...mappings });
      setFiles({ ...next, sources });
    });
  const commit = (importId: string, skipInvalid: boolean) => {
    const work = async () => {
      const progress = progressOf("저장하고 있습니다", performance.now());
      setDone(
        await commitSentImport(importId, skipInvalid, (percent) => setBusy({ ...progress(percent), canLeave: true })),
      );
      setPreview(null);
      setFiles(null);
      setHistory([new Map()]);
    };
    // Reloads after a partial import too, because the history shows how far it came.
    return run("저장하고 있습니다", work, revalidate);
  };
  const change = () => {
    setPreview(null);
    setPeople(NO_ANSWERS);
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
    people,
    remembered: files?.sources.some((source) => source.isUsed && findForm(forms, source)) ?? false,
    canUndoCorrection: history.length > 1,
    isCorrected,
    isChosen,
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
        const known = await retryLostCalls(() => callApi(api.alumni.import.form.$get()));
        const found = await readDroppedFiles(dropped, known, {}, (count) =>
          setBusy(progress((count / dropped.length) * 100)),
        );
        const answers = found.sources.flatMap((source) => findForm(known, source)?.answers ?? []);
        setForms(known);
        setHidden({
          rows: answers.find(({ hidden: { rows } }) => rows)?.hidden.rows ?? null,
          columns: answers.find(({ hidden: { columns } }) => columns)?.hidden.columns ?? null,
        });
        setOptions({
          ...DEFAULT_IMPORT_OPTIONS,
          mode: options.mode,
          emptied: answers.find(({ emptied }) => emptied !== "byId")?.emptied ?? "byId",
          decisions: Object.assign({}, ...answers.map(({ decisions }) => decisions)),
        });
        setMappings(guessedMappings(found.sources, alumniView, known));
        setFiles(found);
      }),
    point,
    answer: (value: string, choice: string) => setPeople({ ...people, [value]: choice }),
    askAgain: (value: string) => run("주소록과 비교하고 있습니다", () => send(options, { ...people, [value]: "ask" })),
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
