import type { MessageChannel } from "#worker/contract/mail/mail.ts";
import {
  TEXT_MESSAGE_BYTES,
  textMessageBytes,
  textMessageType,
  unsendableLetters,
} from "#worker/contract/mail/text-message.ts";
import { formatCount } from "#app/lib/format.ts";

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

const TYPE_NAMES = { SMS: "단문(SMS)", LMS: "장문(LMS)" } as const;

export function describeTextLength(bytes: number): string {
  const type = textMessageType(bytes);
  const most = type === "SMS" ? TEXT_MESSAGE_BYTES.sms : TEXT_MESSAGE_BYTES.lms;
  return `${TYPE_NAMES[type]} ${formatCount(bytes)}/${formatCount(most)}바이트`;
}

/** Shows the message's bytes and the characters that phones cannot display. */
export function TextMessageBytes({ text }: { text: string }) {
  const bytes = textMessageBytes(text);
  const letters = unsendableLetters(text);
  const isTooLong = bytes > TEXT_MESSAGE_BYTES.lms;
  return (
    <div className="text-sm text-gray-70">
      <p className={isTooLong ? "tabular font-semibold text-danger-70" : "tabular font-semibold"}>
        {describeTextLength(bytes)}
      </p>
      <p className="mt-1">
        넣은 항목은 받는 사람의 값으로 바뀌므로, 가장 길 때의 바이트 수는 미리보기에서 보여 드립니다.
      </p>
      {letters.length > 0 && (
        <p className="mt-1 text-danger-70">문자로 보낼 수 없는 글자: {letters.slice(0, 10).join(" ")}</p>
      )}
    </div>
  );
}
