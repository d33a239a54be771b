import { eq } from "drizzle-orm";
import { user, userKey } from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import { AppError } from "#worker/contract/errors.ts";
import type { UserKeyType, UserType } from "#worker/contract/user.ts";
import { permit } from "../access.server.ts";

export interface UserView {
  id: string;
  userName: string;
  userType: UserType;
  roleCode: string;
  userKeys: { userKeyType: UserKeyType; userKeyCode: string; verified: boolean }[];
  profile: Record<string, unknown>;
  createdDate: string;
  version: number;
}

/** The person himself or an administrator; for others nobody is there. */
export async function getUser(ctx: AppContext, id: string): Promise<UserView> {
  permit(ctx, { action: "User.Read", userId: id }, ctx.actor.kind === "guest" ? "told" : "hidden");
  const [[row], keys] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, id)),
    ctx.db.select().from(userKey).where(eq(userKey.userId, id)),
  ]);
  if (!row || row.status === "retired") throw new AppError("NOT_FOUND");
  return {
    id: row.id,
    userName: row.userName,
    userType: row.userType,
    roleCode: row.roleCode,
    userKeys: keys.map((key) => ({
      userKeyType: key.userKeyType,
      userKeyCode: key.userKeyCode,
      verified: key.verifiedDate !== null,
    })),
    profile: row.profile,
    createdDate: row.createdDate.toISOString(),
    version: row.version,
  };
}
