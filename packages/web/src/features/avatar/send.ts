import type { UploadedAvatar } from "@svc/client";
import { Problem, svc } from "../../base/api.ts";
import type { Photo } from "./photo.ts";

type Options = { signal: AbortSignal; onProgress: (share: number) => void; idempotencyKey: string };

/**
 * Uploads a picture: the file itself if the API accepts it and the user has not changed the cut, otherwise the pixels of the
 * preview. A file that the browser shows but the API cannot decode is sent again as its pixels. Throws a `Problem`, or the
 * signal's reason when aborted.
 */
export async function sendPhoto(
  { original }: Photo,
  uncropped: boolean,
  preview: HTMLCanvasElement | null,
  options: Options,
): Promise<UploadedAvatar> {
  if (original && uncropped) {
    try {
      return await send(original, options);
    } catch (problem) {
      if (!(problem instanceof Problem && problem.code === "image_invalid")) throw problem;
    }
  }
  // Another key, because a key belongs to one content.
  return send(await pixelsOf(preview), { ...options, idempotencyKey: `${options.idempotencyKey}-pixels` });
}

function send(file: Blob, options: Options): Promise<UploadedAvatar> {
  const body = new FormData();
  // Without the name of the file, which may say more than the user wants to share.
  body.append("avatar", file, "picture");
  return svc.post("/api/upload/avatar", { body, ...options });
}

/** Returns the preview as a PNG, so that its pixels are stored unchanged. */
async function pixelsOf(preview: HTMLCanvasElement | null): Promise<Blob> {
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  if (preview) preview.toBlob(resolve, "image/png");
  else resolve(null);
  const file = await promise;
  if (!file) throw new Error("The browser could not encode the picture.");
  return file;
}
