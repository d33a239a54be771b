import Paperclip from "lucide-react/icons/paperclip";
import { cx } from "#app/ui/cx.ts";
import { FileSize } from "#app/features/file/file-size.tsx";
import { LinkedText } from "#app/ui/linked-text.tsx";
import { Time } from "#app/ui/inline.tsx";
import type { InquiryMessage } from "#worker/domain/inquiry/inquiry.server.ts";

interface InquiryThreadProps<M extends InquiryMessage> {
  messages: readonly M[];
  nameOf: (message: M) => string;
}

export function InquiryThread<M extends InquiryMessage>({ messages, nameOf }: InquiryThreadProps<M>) {
  return (
    <ol aria-label="주고받은 글" className="space-y-4">
      {messages.map((message) => (
        <li
          key={message.id}
          className={cx(
            "rounded-lg border p-4 md:p-5",
            message.isOffice ? "border-primary-20 bg-primary-5" : "border-gray-20",
          )}
        >
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <strong className="text-gray-90">{nameOf(message)}</strong>
            <span className="text-sm text-gray-60">
              <Time date={message.createdDate} format="datetime" />
            </span>
          </p>
          <p className="mt-2 whitespace-pre-wrap">
            <LinkedText>{message.content}</LinkedText>
          </p>
          {message.files.length > 0 && (
            <ul aria-label="첨부파일" className="mt-3 space-y-1">
              {message.files.map(({ fileId, fileName, size, url }) => (
                <li key={fileId}>
                  <a
                    href={`${url}?download=true`}
                    className="inline-flex min-h-9 items-center gap-2 text-primary-70 underline-offset-4 hover:underline"
                  >
                    <Paperclip aria-hidden="true" className="size-4.5 shrink-0" />
                    <span className="min-w-0">{fileName}</span>
                    <span className="text-sm whitespace-nowrap text-gray-60">
                      <FileSize bytes={size} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}
