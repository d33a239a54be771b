import { Radio } from "#app/ui/choice.tsx";
import { Fieldset } from "#app/ui/fieldset.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { MESSAGE_CHANNEL_NAMES, MESSAGE_CHANNELS, type MessageChannel } from "#worker/contract/mail/rules.ts";
import type { MailingView } from "#worker/contract/mailing/view.ts";

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
