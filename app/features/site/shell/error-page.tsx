import { useEffect } from "react";
import { isRouteErrorResponse, useRevalidator } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";

interface PageProblem {
  status: number;
  message?: string | undefined;
  requestId?: string | undefined;
}

const TITLES: Record<number, string> = {
  400: "요청하신 주소를 다시 확인해 주십시오",
  401: "로그인이 필요합니다",
  403: "접근 권한이 없습니다",
  404: "페이지를 찾을 수 없습니다",
  429: "요청이 너무 많습니다",
  503: "잠시 이용하실 수 없습니다",
};
/** Where the answer says nothing itself, as it does of a 401 and a 403. */
const HELP: Record<number, string> = {
  400: "주소에 잘못된 값이 있습니다. 홈에서 다시 찾아가 주십시오.",
  404: "주소가 바뀌었거나 삭제된 페이지입니다. 주소를 다시 확인해 주십시오.",
};

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

function toPageProblem(error: unknown): PageProblem {
  if (!isRouteErrorResponse(error)) return { status: 500 };
  const data = (typeof error.data === "object" && error.data !== null ? error.data : {}) as Record<string, unknown>;
  return { status: error.status, message: nonEmptyText(data.message), requestId: nonEmptyText(data.requestId) };
}

/** A page that was asked for by the browser and never came; a page that the Worker rendered has come. */
const isOffline = (error: unknown) =>
  typeof window !== "undefined" && !isRouteErrorResponse(error) && (!navigator.onLine || isFetchFailure(error));
/** In the words of the three engines. */
const isFetchFailure = (error: unknown) =>
  error instanceof TypeError && /fetch|network|load failed|imported module/i.test(error.message);
const OFFLINE_TITLE = "인터넷에 연결되어 있지 않습니다";

export function errorPageTitle(error: unknown): string {
  if (isOffline(error)) return OFFLINE_TITLE;
  return TITLES[toPageProblem(error).status] ?? "일시적인 오류가 발생했습니다";
}

/** Comes back by itself when the connection does. */
function OfflinePage() {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    const retry = () => void revalidate();
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [revalidate]);
  return (
    <div className="container-page flex flex-col items-center py-20 text-center md:py-32">
      <h1 className="text-2xl">{OFFLINE_TITLE}</h1>
      <p className="mt-4 max-w-xl text-gray-60">
        페이지를 불러오지 못하였습니다. 연결을 확인하시고 다시 시도해 주십시오. 다시 연결되면 저절로 불러옵니다.
      </p>
      <div className="mt-10 flex flex-wrap justify-center gap-3">
        <Button onClick={() => history.back()}>이전 화면으로</Button>
        <Button variant="primary" busy={state === "loading"} onClick={() => void revalidate()}>
          다시 시도
        </Button>
      </div>
    </div>
  );
}

/** What the person sees in place of a page that could not be shown. */
export function ErrorPage({ error }: { error: unknown }) {
  if (isOffline(error)) return <OfflinePage />;
  const { status, message, requestId } = toPageProblem(error);
  // What a single value of the address lacks is no sentence for a whole page.
  const said = status > 400 && status < 500 ? message : undefined;
  return (
    <div className="container-page flex flex-col items-center py-20 text-center md:py-32">
      <p aria-hidden="true" className="tabular text-display font-extrabold tracking-tight text-primary-40">
        {status}
      </p>
      <h1 className="mt-4 text-2xl">{errorPageTitle(error)}</h1>
      <p className="mt-4 max-w-xl text-gray-60">
        {said ?? HELP[status] ?? "잠시 후 다시 시도해 주십시오. 같은 일이 되풀이되면 관리자에게 알려 주시기 바랍니다."}
      </p>
      {requestId && status >= 500 && <p className="mt-2 text-sm text-gray-60">문의 번호 {requestId}</p>}
      <div className="mt-10 flex flex-wrap justify-center gap-3">
        {status >= 500 && <Button onClick={() => location.reload()}>다시 시도</Button>}
        {status === 401 && <ButtonLink to="/Account/Signin">로그인</ButtonLink>}
        <ButtonLink to="/" variant="primary">
          홈으로
        </ButtonLink>
      </div>
    </div>
  );
}
