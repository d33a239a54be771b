import { type ReactNode, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { type DraftAct, DraftDialogs, type PublishChoice } from "#app/features/content/edit/draft-dialogs.tsx";
import { formatDateTime } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { useAction } from "#app/features/form/action.tsx";

interface DraftFormProps {
  className: string;
  savedDate: string | null;
  canDrop: boolean;
  canWithdraw?: boolean;
  hasDay?: boolean;
  busy: boolean;
  waits?: boolean;
  isReady?: () => boolean;
  onSave: () => void;
  /** @returns the preview's address, or null if the draft could not be saved */
  onPreview: () => Promise<string | null>;
  /** @returns whether it succeeded */
  onPublish: (choice: PublishChoice) => Promise<boolean>;
  onAct: (act: DraftAct) => Promise<boolean>;
  children: ReactNode;
}

export function DraftForm(props: DraftFormProps) {
  const { savedDate, canDrop, canWithdraw = false, busy, waits = false, isReady = () => true, onSave } = props;
  const [asking, setAsking] = useState<"publish" | DraftAct | null>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  const finish = async (work: Promise<boolean>) => {
    const done = await work;
    setAsking(null);
    if (done) await revalidate();
  };
  return (
    <>
      <form
        noValidate
        data-own-guard
        className={props.className}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady()) onSave();
        }}
      >
        {props.children}
        <DraftBar
          {...{ savedDate, canDrop, canWithdraw, busy, waits }}
          onAct={setAsking}
          onPreview={async () => {
            if (isReady()) setPreview(await props.onPreview());
          }}
          onPublish={() => {
            if (isReady()) setAsking("publish");
          }}
        />
      </form>
      <DraftDialogs
        {...{ asking, preview, busy }}
        hasDay={props.hasDay ?? false}
        onClose={() => setAsking(null)}
        onClosePreview={() => setPreview(null)}
        onPublish={(choice) => finish(props.onPublish(choice))}
        onAct={(act) => finish(props.onAct(act))}
      />
    </>
  );
}

interface DraftBarProps {
  savedDate: string | null;
  canDrop: boolean;
  canWithdraw: boolean;
  busy: boolean;
  waits: boolean;
  onAct: (act: DraftAct) => void;
  onPreview: () => void;
  onPublish: () => void;
}

function DraftBar(props: DraftBarProps) {
  const { savedDate, canDrop, canWithdraw, busy, waits, onAct, onPreview, onPublish } = props;
  const hydrated = useIsHydrated();
  const disabled = !hydrated || waits;
  return (
    <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center gap-2 border-t border-gray-20 bg-white/97 px-1 py-4">
      <p role="status" className="mr-auto text-sm text-gray-60">
        {savedDate && `초안 저장됨 ${formatDateTime(savedDate).slice(11)}`}
      </p>
      {canWithdraw && (
        <Button size="sm" variant="quiet" onClick={() => onAct("withdraw")}>
          게시 내리기
        </Button>
      )}
      {canDrop && (
        <Button size="sm" variant="quiet" onClick={() => onAct("drop")}>
          초안 버리기
        </Button>
      )}
      <Button size="sm" onClick={onPreview} disabled={disabled}>
        미리보기
      </Button>
      <Button size="sm" type="submit" busy={busy} disabled={disabled}>
        초안 저장
      </Button>
      <Button size="sm" variant="primary" disabled={disabled} onClick={onPublish}>
        게시
      </Button>
    </div>
  );
}

interface RevisionOptions<Stored> {
  /** The loaded version; 0 for a page that does not exist yet. */
  version: number;
  reread: () => Promise<Stored>;
}

/** Each step uses the version that the previous step returned. */
type RevisionStep = (version: number) => Promise<{ version: number }>;

/** Detects edit conflicts by an optimistic lock and asks before it overwrites. */
export function useRevision<Stored extends { version: number }>({ version, reread }: RevisionOptions<Stored>) {
  const current = useRef(version);
  const [stored, setStored] = useState<Stored | null>(null);
  const { run, ...action } = useAction({
    reloads: "never",
    async onFailure({ code }) {
      const found = code === "CONFLICT" ? await reread().catch(() => null) : null;
      setStored(found);
      return found !== null || code === "UNAUTHORIZED";
    },
  });
  /** @returns whether every step succeeded */
  const runSteps = (steps: readonly RevisionStep[], done: string | null) => {
    const left = [...steps];
    const work = async () => {
      for (let step = left[0]; step; step = left[0]) {
        current.current = (await step(current.current)).version;
        left.shift();
      }
    };
    return run(work, done);
  };
  return {
    ...action,
    run: runSteps,
    stored,
    overwrite(step: RevisionStep, done: string) {
      if (stored) current.current = stored.version;
      setStored(null);
      return runSteps([step], done);
    },
    closeConflict: () => setStored(null),
  };
}
