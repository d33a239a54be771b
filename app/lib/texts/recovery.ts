import type { UserKeyType } from "#worker/contract/account/rules.ts";
import type { AroundName } from "#app/lib/texts/account.ts";

type AddressType = Exclude<UserKeyType, "Id">;

export interface RecoveryTexts {
  findId: {
    title: string;
    intro: (type: AddressType) => string;
    found: string;
    none: string;
    joined: AroundName;
    sentTo: (type: AddressType) => string;
    again: string;
  };
  reset: {
    title: string;
    hint: (type: AddressType) => string;
    newTitle: string;
    failed: string;
    choose: string;
    linkOver: string;
    byCode: string;
    otherAddress: string;
    sentTo: (address: string) => AroundName;
    doneTitle: string;
    done: string;
    notDone: string;
  };
}
