import { api, call } from "#app/lib/api.ts";
import { AppError, ERRORS } from "#worker/contract/errors.ts";
import type { Failure } from "#worker/contract/envelope.ts";

/** Uploads canonical rows. @param onProgress percent. @returns the file's id */
export async function sendCsv(fileName: string, csv: Blob, onProgress: (percent: number) => void): Promise<string> {
  const name = fileName.replace(/\.[^.]*$/, "") || "동문";
  const ticket = await call(api.alumni["upload-url"].$post({ json: { fileName: `${name}.csv`, size: csv.size } }));
  await put(ticket.uploadUrl, csv, onProgress);
  return ticket.fileId;
}

/** XMLHttpRequest, because fetch tells nothing of how far an upload has come. */
function put(url: string, body: Blob, onProgress: (percent: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(Math.round((loaded / total) * 100)));
    request.addEventListener("error", () =>
      reject(new AppError("INTERNAL_ERROR", { message: "파일을 보내지 못했습니다. 연결을 확인해 주십시오." })),
    );
    request.addEventListener("load", () =>
      request.status < 300 ? resolve() : reject(failureOf(request.responseText)),
    );
    request.send(body);
  });
}

function failureOf(text: string): AppError {
  try {
    const { code, message } = JSON.parse(text) as Failure;
    return new AppError(Object.hasOwn(ERRORS, code) ? code : "INTERNAL_ERROR", { message });
  } catch {
    return new AppError("INTERNAL_ERROR");
  }
}
