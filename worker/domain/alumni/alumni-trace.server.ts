import { alumni } from "#db/schema/alumni.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { keepDestroyedTraces } from "../audit/destroyed-trace.server.ts";

export const KNOWN_COLUMNS = {
  id: alumni.id,
  name: alumni.name,
  email: alumni.email,
  mobile: alumni.mobile,
  createdDate: alumni.createdDate,
};

type KnownPerson = Pick<typeof alumni.$inferSelect, keyof typeof KNOWN_COLUMNS>;

export const keepAlumniTraces = (ctx: AppContext, people: readonly KnownPerson[]) =>
  keepDestroyedTraces(
    ctx,
    people.map(({ id, name, email, mobile, createdDate }) => ({
      id,
      type: "alumni",
      since: createdDate,
      knownAs: [name, email, mobile],
    })),
  );
