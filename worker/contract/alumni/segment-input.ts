import { z } from "zod";
import { idField, reasonField } from "../kernel/fields.ts";
import { exportAlumniInput } from "./input.ts";

const { ids: _ids, ...filterShape } = exportAlumniInput.shape.filter.unwrap().shape;

/** Those who are ticked, or all whom a view of the address book shows: what mail, paper, files and figures take alike. */
export const alumniSegment = z.union([
  z.object({ ids: z.array(idField).min(1, "한 명 이상 선택해 주십시오.").max(1000) }),
  z.object({ filter: z.object(filterShape) }),
]);

export type AlumniSegment = z.output<typeof alumniSegment>;

export const segmentFiguresInput = z.object({ segment: alumniSegment, reason: reasonField });

export type SegmentFiguresInput = z.output<typeof segmentFiguresInput>;
