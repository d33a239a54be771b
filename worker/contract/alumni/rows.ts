import { choice, defineRow, flag, line, lines } from "../kernel/row.ts";
import { OWN_FIELD_ACCESS_LABELS, OWN_FIELD_KIND_LABELS, OWN_FIELD_LIMITS } from "./own-fields.ts";

export const alumniFieldRow = defineRow("alumni-field", {
  name: "주소록 항목",
  title: "name",
  closes: true,
  fields: {
    name: line("항목 이름", { required: true, max: OWN_FIELD_LIMITS.name }),
    kind: choice("적는 방법", OWN_FIELD_KIND_LABELS, "text", { isFixed: true, hint: "만든 뒤에는 바꿀 수 없습니다." }),
    choices: lines("고를 수 있는 말", { hint: "한 줄에 하나씩 적습니다." }),
    access: choice("볼 수 있는 사람", OWN_FIELD_ACCESS_LABELS, "office"),
    personEdits: flag("본인이 자기 정보에서 고칠 수 있습니다"),
    required: flag("반드시 적어야 합니다"),
    inList: flag("목록에 처음부터 열로 보입니다"),
  },
  example: { name: "생년월일", kind: "date", access: "office" },
});
