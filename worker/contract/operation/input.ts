import { z } from "zod";

export const jobPath = z.object({ name: z.string().regex(/^[a-z-]{1,40}$/) });
