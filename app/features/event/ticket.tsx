import { useRootData, useSection } from "#app/lib/page-language.ts";
import { KOREAN_REGISTER_TEXTS } from "#app/lib/texts/korean-register.ts";
import { QrCode } from "#app/ui/qr-code.tsx";

/** The ticket of a registration; the door opens its address. */
export function Ticket({ path }: { path: string }) {
  const texts = useSection("register", KOREAN_REGISTER_TEXTS);
  const origin = useRootData<{ origin: string }>()?.origin ?? "";
  return (
    <figure className="mt-6 grid justify-items-center gap-3 rounded-lg border border-gray-20 p-5">
      <QrCode text={origin + path} label={texts.ticket} border={2} className="size-56" />
      <figcaption className="text-center">{texts.ticketHow}</figcaption>
    </figure>
  );
}
