import { useRef, useState } from "react";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { logoAddress } from "#app/features/site/shell/logo.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { LOGO_PIXELS } from "#worker/contract/site/rules.ts";

interface LogoFieldProps {
  logo: string;
  version: number;
  siteName: string;
  ground: string;
}

export function LogoField({ logo, version, siteName, ground }: LogoFieldProps) {
  const light = useRef<HTMLInputElement>(null);
  const dark = useRef<HTMLInputElement>(null);
  const [onDark, setOnDark] = useState<File | null>(null);
  const { busy, run, message, clear } = useAction();
  const save = (file: File | undefined) => {
    if (!file) return;
    clear();
    void run(async () => {
      const pictures = await drawLogo(file, onDark, { siteName, ground });
      await callApi(api.admin.setting.logo.$patch({ json: { pictures, version } }));
    }, "로고를 저장하였습니다.");
    if (light.current) light.current.value = "";
  };
  const remove = () =>
    void run(() => callApi(api.admin.setting.logo.$patch({ json: { pictures: null, version } })), "로고를 뺐습니다.");
  return (
    <ConsoleSection title="로고">
      <p className="mb-4 max-w-2xl text-gray-60">
        png, jpg, webp, svg 그림 하나를 고르면 위와 아래의 로고, 브라우저 탭의 아이콘, 주소를 공유할 때 나오는 그림을
        모두 만듭니다. 배경이 없는 그림이 알맞습니다. 고르는 즉시 저장합니다. 로고가 없으면 사이트 이름의 첫 글자가
        로고와 아이콘을 대신하고, 공유할 때 나오는 그림은 없습니다.
      </p>
      {logo && (
        <div className="mb-4 flex flex-wrap items-center gap-4">
          {(["light", "dark", "icon", "share"] as const).map((name) => (
            <span
              key={name}
              className={`rounded-md border border-gray-20 p-3 ${name === "dark" ? "bg-primary-90" : "bg-white"}`}
            >
              <img src={logoAddress(name, logo)} alt={LOGO_ALTS[name]} className="h-12 w-auto" />
            </span>
          ))}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={() => dark.current?.click()} disabled={busy}>
          {onDark ? `어두운 바탕: ${onDark.name}` : "어두운 바탕에 쓸 그림 먼저 고르기(선택)"}
        </Button>
        <Button size="sm" variant="primary" busy={busy} onClick={() => light.current?.click()}>
          {logo ? "로고 바꾸기" : "로고 올리기"}
        </Button>
        {logo && (
          <Button size="sm" variant="quiet" busy={busy} onClick={remove}>
            로고 빼기
          </Button>
        )}
      </div>
      <input
        ref={light}
        type="file"
        hidden
        accept="image/*"
        aria-label="로고 그림"
        onChange={(event) => save(event.target.files?.[0])}
      />
      <input
        ref={dark}
        type="file"
        hidden
        accept="image/*"
        aria-label="어두운 바탕의 로고 그림"
        onChange={(event) => setOnDark(event.target.files?.[0] ?? null)}
      />
      <ErrorAlert className="mt-4">{message}</ErrorAlert>
    </ConsoleSection>
  );
}

const LOGO_ALTS = {
  light: "밝은 바탕의 로고",
  dark: "어두운 바탕의 로고",
  icon: "사이트 아이콘",
  share: "공유할 때 나오는 그림",
} as const;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Fits the picture into the centre of the box and scales up at most twice. */
function fitted(picture: HTMLImageElement, box: Box): Box {
  const { naturalWidth, naturalHeight } = picture;
  const scale = Math.min(box.width / naturalWidth, box.height / naturalHeight, 2);
  const [width, height] = [Math.max(1, naturalWidth * scale), Math.max(1, naturalHeight * scale)];
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
}

/** @throws Error with a Korean message if the browser cannot show the picture */
async function openPicture(file: File): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.src = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(new Error("그림을 읽지 못했습니다.")));
    reader.readAsDataURL(file);
  });
  await picture.decode().catch((cause: unknown) => {
    throw new Error("그림을 열지 못했습니다. png, jpg, webp, svg 그림을 골라 주십시오.", { cause });
  });
  return picture;
}

function draw(size: { width: number; height: number }, paint: (context: CanvasRenderingContext2D) => void): string {
  const canvas = Object.assign(document.createElement("canvas"), size);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("이 브라우저에서는 로고를 만들 수 없습니다. 다른 브라우저로 해 보십시오.");
  context.imageSmoothingQuality = "high";
  paint(context);
  return canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, "");
}

function header(picture: HTMLImageElement, { width, height }: { width: number; height: number }): string {
  const scale = Math.min(width / picture.naturalWidth, height / picture.naturalHeight);
  const size = {
    width: Math.max(1, Math.round(picture.naturalWidth * scale)),
    height: Math.max(1, Math.round(picture.naturalHeight * scale)),
  };
  return draw(size, (context) => context.drawImage(picture, 0, 0, size.width, size.height));
}

/**
 * Draws all logo files as base64 PNG. @param onDark variant for dark backgrounds @throws Error with a Korean message
 */
async function drawLogo(light: File, onDark: File | null, { siteName, ground }: { siteName: string; ground: string }) {
  const picture = await openPicture(light);
  const darkPicture = onDark ? await openPicture(onDark) : null;
  const { icon, share } = LOGO_PIXELS;
  return {
    light: header(picture, LOGO_PIXELS.light),
    dark: darkPicture ? header(darkPicture, LOGO_PIXELS.dark) : "",
    icon: draw(icon, (context) => {
      context.fillStyle = "#ffffff";
      context.fillRect(0, 0, icon.width, icon.height);
      const box = fitted(picture, { x: 12, y: 12, width: icon.width - 24, height: icon.height - 24 });
      context.drawImage(picture, box.x, box.y, box.width, box.height);
    }),
    share: draw(share, (context) => {
      context.fillStyle = ground;
      context.fillRect(0, 0, share.width, share.height);
      context.fillStyle = "#ffffff";
      context.fillRect(0, 0, share.width, 400);
      const box = fitted(picture, { x: 200, y: 60, width: share.width - 400, height: 280 });
      context.drawImage(picture, box.x, box.y, box.width, box.height);
      context.font = `700 72px ${getComputedStyle(document.documentElement).fontFamily}`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(siteName, share.width / 2, 515, share.width - 120);
    }),
  };
}
