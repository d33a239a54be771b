import { RetireForm } from "#app/features/privacy/retire-form.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { checkedLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";

export const loader = checkedLoader(requireSignedIn);

export const meta = titledMeta("탈퇴", "마이페이지");

export default function MypageRetire() {
  return <RetireForm />;
}
