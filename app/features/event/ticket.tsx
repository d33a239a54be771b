import { useRootData } from "#app/lib/page-language.ts";
import { QrCode } from "#app/ui/qr-code.tsx";

/** The ticket of a registration; the door opens its address. */
export function Ticket({ path }: { path: string }) {
  const origin = useRootData<{ origin: string }>()?.origin ?? "";
  return (
    <figure className="mt-6 grid justify-items-center gap-3 rounded-lg border border-gray-20 p-5">
      <QrCode text={origin + path} label="입장권의 QR 그림" border={2} className="size-56" />
      <figcaption className="text-center">행사장 입구에서 이 QR 그림을 보여 주십시오.</figcaption>
    </figure>
  );
}
