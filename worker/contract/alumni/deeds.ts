import type { SitePermission } from "../kernel/permissions.ts";
import { formatCount, particleOf } from "../kernel/wording.ts";

// Deeds on the address book and its dues that can be undone. Free of zod for the browser.

/** The facts that the texts of a deed name. */
export interface DeedFacts {
  /** Of the file, field, person or due. */
  name: string;
  added: number;
  changed: number;
}

interface DeedRule {
  label: string;
  /** All are needed to undo it. */
  rights: readonly SitePermission[];
  /** The finished work. */
  done: (deed: DeedFacts) => string;
  /** The work of its undo. */
  undoes: (deed: DeedFacts) => string;
  /** Later changes that its undo leaves. */
  leaves: string;
  danger?: true;
}

const people = (count: number) => `${formatCount(count)}명`;
const rows = (count: number) => `${formatCount(count)}건`;
const joined = (parts: readonly (string | false)[], by: string) => parts.filter(Boolean).join(by);

const DUE_RIGHTS: DeedRule["rights"] = ["ADMIN_Access", "Dues_Manage"];
const LATER_DUES = "그 뒤에 내거나 고친 회비는 그대로 두고 알려 드립니다.";

export const DEEDS = {
  import: {
    label: "가져오기",
    rights: ["Alumni_Import"],
    done: ({ name, added, changed }) =>
      `‘${name}’: ${joined([added > 0 && `${people(added)} 추가`, changed > 0 && `${people(changed)} 변경`], ", ")}`,
    undoes: ({ name, added, changed }) =>
      joined(
        [
          `‘${name}’${particleOf(name, "을/를")} 되돌립니다.`,
          added > 0 && `추가한 ${people(added)}은 주소록에서 지웁니다.`,
          changed > 0 && `변경한 ${people(changed)}은 가져오기 전의 내용으로 돌아갑니다.`,
        ],
        " ",
      ),
    leaves:
      "바뀐 값을 그 뒤에 다시 고친 사람, 회비나 증명서가 있거나 휴지통에 있는 새 사람은 그대로 두고 알려 드립니다.",
    danger: true,
  },
  change: {
    label: "한꺼번에 바꾸기",
    rights: ["Alumni_Write"],
    done: ({ name, changed }) => `${name}: ${people(changed)}`,
    undoes: ({ name, changed }) =>
      `‘${name}’${particleOf(name, "을/를")} 되돌립니다. 바꾼 ${people(changed)}은 바꾸기 전의 내용으로 돌아갑니다.`,
    leaves: "바꾼 값을 그 뒤에 다시 고친 사람은 그대로 두고 알려 드립니다.",
    danger: true,
  },
  merge: {
    label: "합치기",
    rights: ["Alumni_Write", "Alumni_Delete"],
    done: ({ name, changed }) => `${name ? `${name}: ` : ""}${people(changed)}을 하나로`,
    undoes: ({ changed }) => `합치기 전의 ${people(changed)}으로 돌아갑니다.`,
    leaves: "합친 값을 그 뒤에 다시 고친 사람, 그 뒤에 쓴 회비와 입금은 그대로 두고 알려 드립니다.",
  },
  charge: {
    label: "회비 청구",
    rights: DUE_RIGHTS,
    done: ({ name, added }) => `${name}: ${rows(added)}`,
    undoes: ({ name, added }) => `‘${name}’ 청구 ${rows(added)}을 되돌립니다.`,
    leaves: LATER_DUES,
  },
  bank: {
    label: "입금 파일",
    rights: DUE_RIGHTS,
    done: ({ name, added, changed }) => `‘${name}’: 입금 ${rows(added)}, 맞춘 회비 ${rows(changed)}`,
    undoes: ({ name, added }) => `‘${name}’의 입금 ${rows(added)}과 맞춘 것을 되돌립니다.`,
    leaves: "손으로 맞춘 입금, ‘회비 아님’으로 닫거나 메모를 적은 입금은 그대로 두고 알려 드립니다.",
  },
  other: {
    label: "회비 아님으로 두기",
    rights: DUE_RIGHTS,
    done: ({ name, added }) => `${name}: ${rows(added)}`,
    undoes: ({ name, added }) =>
      `‘${name}’ ${rows(added)}을 다시 확인할 입금으로 되돌리고, 기억한 내용이 있으면 잊습니다.`,
    leaves: "그 뒤에 다시 열어 회비에 맞춘 입금은 그대로입니다.",
  },
  begin: {
    label: "지난 회비 옮기기",
    rights: DUE_RIGHTS,
    done: ({ name, added }) => `${name}: ${rows(added)}`,
    undoes: ({ name, added }) => `옮긴 ‘${name}’ ${rows(added)}을 되돌립니다.`,
    leaves: LATER_DUES,
  },
  list: {
    label: "납부자 명단 확정",
    rights: DUE_RIGHTS,
    done: ({ name, added }) => `${name}: ${people(added)}`,
    undoes: ({ name, added }) => `확정한 ‘${name}’ ${people(added)}의 명단을 지웁니다.`,
    leaves: "회비는 그대로입니다.",
  },
  voters: {
    label: "선거인 명부 확정",
    rights: DUE_RIGHTS,
    done: ({ name, added }) => `${name}: ${people(added)}`,
    undoes: ({ name, added }) => `확정한 ‘${name}’ ${people(added)}의 명부를 지웁니다.`,
    leaves: "회비는 그대로입니다.",
  },
} as const satisfies Record<string, DeedRule>;

export type DeedKind = keyof typeof DEEDS;

export const deedRule = (kind: DeedKind): DeedRule => DEEDS[kind];
