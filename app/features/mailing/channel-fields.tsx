import { lookUp } from "#worker/contract/kernel/labels.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { SITE_LINK_FIELD, SITE_NAME_FIELD } from "#worker/contract/mail/templates.ts";
import { ALIMTALK_LIMITS } from "#worker/contract/mail/text-message.ts";
import { Fieldset, Radio } from "#app/ui/choice.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { MESSAGE_CHANNEL_NAMES, MESSAGE_CHANNELS, type MessageChannel } from "#worker/contract/mail/mail.ts";
import type { MailingView } from "#worker/domain/mailing/mailing.server.ts";

interface AlimtalkFieldsProps {
  mailing: MailingView;
  code: string;
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
  busy: boolean;
  onChange: (changes: Partial<Pick<MailingView, "templateCode" | "templateValues">>) => void;
}

export function AlimtalkFields({ mailing, code, values, errors, busy, onChange }: AlimtalkFieldsProps) {
  const filled = [...mailing.fields, SITE_NAME_FIELD, SITE_LINK_FIELD];
  const isRead = mailing.templateCode !== "" && mailing.templateCode === code;
  const names = isRead ? Object.keys(mailing.templateValues) : [];
  const own = names.filter((name) => !filled.includes(name));
  return (
    <>
      <Field
        label="템플릿 코드"
        required
        hint="알림톡 채널에서 승인받은 템플릿의 코드입니다. 글은 템플릿에 적힌 대로만 나갑니다."
        error={errors.templateCode}
      >
        <span className="flex gap-2">
          <Input
            value={code}
            onChange={(event) => onChange({ templateCode: event.target.value.trim() })}
            maxLength={ALIMTALK_LIMITS.templateCode}
            autoComplete="off"
          />
          <Button type="submit" value="save" className="shrink-0" busy={busy} disabled={code === ""}>
            불러오기
          </Button>
        </span>
      </Field>
      {isRead && (
        <section aria-label="템플릿의 글" className="rounded-lg border border-gray-20 bg-gray-5 p-4">
          <p className="whitespace-pre-wrap">{mailing.text}</p>
          {names.length > own.length && (
            <p className="mt-3 text-sm text-gray-60">
              {names
                .filter((name) => filled.includes(name))
                .map((name) => `{{${name}}}`)
                .join(", ")}
              에는 받는 사람에 맞는 값이 저절로 들어갑니다.
            </p>
          )}
        </section>
      )}
      {own.map((name, at) => (
        <Field key={name} label={`#{${name}}`} required error={at === 0 ? errors.templateValues : undefined}>
          <Input
            value={lookUp(values, name) ?? lookUp(mailing.templateValues, name) ?? ""}
            onChange={(event) =>
              onChange({ templateValues: { ...mailing.templateValues, ...values, [name]: event.target.value } })
            }
            maxLength={ALIMTALK_LIMITS.value}
          />
        </Field>
      ))}
    </>
  );
}

interface ChannelChoiceProps extends Pick<MailingView, "isSetUp"> {
  channel: MessageChannel;
  error: string | undefined;
  onChange: (channel: MessageChannel) => void;
}

export function ChannelChoice({ channel, isSetUp, error, onChange }: ChannelChoiceProps) {
  const missing = MESSAGE_CHANNELS.filter((each) => !isSetUp[each]);
  return (
    <Fieldset
      legend="보내는 방법"
      required
      error={error}
      hint={
        missing.length > 0 && (
          <>
            {missing.map((each) => MESSAGE_CHANNEL_NAMES[each]).join("·")} 발송은 설정되지 않았습니다. 무엇을 설정해야
            하는지는 <TextLink to="/Admin/Configuration">설치 설정</TextLink>에서 볼 수 있습니다.
          </>
        )
      }
    >
      <div className="flex flex-wrap gap-x-6">
        {MESSAGE_CHANNELS.map((each) => (
          <Radio
            key={each}
            name="channel"
            value={each}
            label={`${MESSAGE_CHANNEL_NAMES[each]}${isSetUp[each] ? "" : " (설정되지 않음)"}`}
            disabled={!isSetUp[each]}
            checked={each === channel}
            onChange={() => onChange(each)}
          />
        ))}
      </div>
    </Fieldset>
  );
}
