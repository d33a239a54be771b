import { z } from "zod";
import { reasonField } from "../kernel/fields.ts";
import { alumniSelectionInput } from "./input.ts";

export const segmentFiguresInput = z.object({ segment: alumniSelectionInput, reason: reasonField });

export type SegmentFiguresInput = z.output<typeof segmentFiguresInput>;
