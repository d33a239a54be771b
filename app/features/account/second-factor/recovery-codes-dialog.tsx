import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.tsx";

/** Recovery codes are shown only once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[] | null; onClose: () => void }) {
  const copy = async () => {
    await navigator.clipboard.writeText((codes ?? []).join("\n"));
    toast("복구 코드를 복사하였습니다.", "success");
  };
  const save = () => {
    const text = `2단계 인증 복구 코드 (하나에 한 번씩 씁니다)\r\n\r\n${(codes ?? []).join("\r\n")}\r\n`;
    const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: "복구코드.txt" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <Dialog
      open={codes !== null}
      hasNoCross
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => void copy()}>복사</Button>
          <Button onClick={save}>파일로 저장</Button>
          <Button variant="primary" onClick={onClose}>
            적어 두었습니다
          </Button>
        </>
      }
      title="복구 코드를 적어 두십시오"
      size="md"
    >
      <p className="mb-4">
        휴대전화나 컴퓨터를 잃어버렸을 때 로그인하는 코드입니다. 하나에 한 번씩 쓸 수 있습니다. 이 화면을 닫으면 다시 볼
        수 없으니, 종이에 적거나 파일로 저장하여 안전한 곳에 두십시오.
      </p>
      <ul
        aria-label="복구 코드"
        className="grid gap-x-8 gap-y-2 rounded-lg bg-gray-5 p-5 font-mono text-lg md:grid-cols-2"
      >
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}
