import { eq } from "drizzle-orm";
import { userKey } from "#db/schema/account.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { BoardWritePage } from "#worker/contract/board/view.ts";
import { USER_KEY_TYPES } from "#worker/contract/account/rules.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";

export async function getItemWriter(ctx: AppContext): Promise<BoardWritePage["writer"]> {
  const { userId, userName } = requireSignedIn(ctx);
  const keys = await ctx.db.select().from(userKey).where(eq(userKey.userId, userId));
  const key = USER_KEY_TYPES.flatMap((type) => keys.filter((each) => each.userKeyType === type))[0];
  return { userId, userName, userKeyType: key?.userKeyType ?? "Id", userKeyCode: key?.userKeyCode ?? "" };
}
