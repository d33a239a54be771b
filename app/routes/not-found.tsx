import { pageLoader } from "#app/lib/page-loader.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

export const loader = pageLoader(async () => {
  throw new AppError("NOT_FOUND", { message: "주소가 바뀌었거나 삭제된 페이지입니다. 주소를 다시 확인해 주십시오." });
});

export default function NotFound() {
  return null;
}
