import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { DraftBar } from "#app/features/content/edit/draft-bar.tsx";
import { type DraftAct, DraftDialogs } from "#app/features/content/edit/draft-dialogs.tsx";
import type { PublishChoice } from "#app/features/content/edit/publish-dialog.tsx";

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
