import { useWords } from "#app/lib/page-language.ts";
import { useAction } from "#app/features/form/action.tsx";
import { useRevalidator } from "react-router";
import { dropFromSelection } from "#app/features/alumni/selection-store.ts";
import { showUndoToast } from "#app/features/alumni/undo-toast.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";

interface DeleteAlumniDialogProps {
  people: readonly AlumniRow[];
  /** Null if the bin is never emptied. */
  binDays: number | null;
  open: boolean;
  onClose: () => void;
  onDone: () => unknown;
}

export function DeleteAlumniDialog({ people, binDays, open, onClose, onDone }: DeleteAlumniDialogProps) {
  const say = useWords();
  const { busy, run, message } = useAction();
  const { revalidate } = useRevalidator();
  const first = people[0];
  const who = people.length === 1 ? `${first?.name}님` : `${first?.name}님 외 ${people.length - 1}명`;
  const remove = () =>
    run(async () => {
      const ids = people.map((person) => person.id);
      const { deleted } = await callApi(api.alumni["delete-data"].$post({ json: { ids } }));
      const undo = async () => {
        const { restored } = await callApi(api.alumni["restore-data"].$post({ json: { ids } }));
        return `${restored}명을 주소록으로 되돌렸습니다.`;
      };
      showUndoToast({ text: `${deleted}명을 휴지통으로 옮겼습니다.`, undo, reload: revalidate });
      dropFromSelection(ids);
      onClose();
      await onDone();
    }, null);
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={say(`{동문} ${people.length}명을 삭제하시겠습니까?`)}
      confirmLabel={`${people.length}명 삭제`}
      danger
      busy={busy}
      error={message}
      onConfirm={() => void remove()}
    >
      <p>
        {who}의 정보가 휴지통으로 옮겨지고
        {binDays === null ? ", 휴지통을 비울 때까지 남아 있습니다." : `, ${binDays}일 뒤에 완전히 지워집니다.`}
      </p>
    </ConfirmDialog>
  );
}
