import { z } from "zod";
import { roleCode } from "../access/input.ts";
import { profileFieldCode } from "../account/setting-input.ts";
import { optionalParameter, pageFields } from "../kernel/fields.ts";
import { exportInput, filterShape, sortParameter } from "../kernel/row-input.ts";
import { MEMBER_COLUMNS, MEMBER_FILTERS } from "./list.ts";

export const memberFilterShape = {
  ...filterShape(MEMBER_FILTERS),
  roleCode: optionalParameter(roleCode),
  profileCode: optionalParameter(profileFieldCode),
};

export const listMembersQuery = z.object({
  ...memberFilterShape,
  sort: sortParameter(MEMBER_COLUMNS, "createdDate,DESC"),
  ...pageFields(20),
});

export const exportMembersInput = exportInput(memberFilterShape);
