import { LOGO_PIXELS } from "#worker/contract/site/rules.ts";
import type { LogoDocument } from "#worker/contract/site/identity-input.ts";

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
export async function drawLogo(
  light: File,
  onDark: File | null,
  { siteName, ground }: { siteName: string; ground: string },
): Promise<LogoDocument> {
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
