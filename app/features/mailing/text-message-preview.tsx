import { describeTextLength } from "#app/features/mailing/text-message-bytes.tsx";
import type { MessageChannel } from "#worker/contract/mail/rules.ts";
import { textMessageBytes } from "#worker/contract/mail/text-message.ts";

export function TextMessagePreview({ channel, text }: { channel: MessageChannel; text: string }) {
  return (
    <section aria-label="미리보기">
      <div className="mb-2 flex items-baseline justify-between gap-3">
        <h2 className="text-lg">미리보기</h2>
        {channel === "sms" && (
          <span className="tabular text-sm text-gray-60">{describeTextLength(textMessageBytes(text))}</span>
        )}
      </div>
      <div className="rounded-lg border border-gray-20 bg-gray-5 p-4">
        <p className="max-w-sm rounded-lg border border-gray-20 bg-white p-4 whitespace-pre-wrap">{text}</p>
      </div>
    </section>
  );
}
