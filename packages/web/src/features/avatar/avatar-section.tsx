import { accept } from "@svc/core/avatar/accepted";
import type { Uploaded } from "@svc/core/avatar/upload";
import { useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { remove, upload } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Progress } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { drawSquare, openPhoto, type Photo, uploadBlob } from "./photo.ts";
import "./avatar.css";

/** Uploads and removes the user's picture. A file can be chosen, dropped or pasted, and is previewed before the upload. */
export function AvatarSection() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const [photo, setPhoto] = useState<Photo>();
  const [failure, setFailure] = useState<unknown>();
  const [over, setOver] = useState(false);
  const [removing, setRemoving] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);

  async function select(file: File | undefined): Promise<void> {
    if (!file) return;
    setFailure(undefined);
    setPhoto(undefined);
    await openPhoto(file).then(setPhoto, setFailure);
  }

  async function refresh(message: string): Promise<void> {
    await Promise.all([
      client.invalidateQueries({ queryKey: ["me"] }),
      client.invalidateQueries({ queryKey: ["members"] }),
    ]);
    toast(message);
  }

  const paste = useEffectEvent((event: ClipboardEvent) => void select(event.clipboardData?.files[0]));
  useEffect(() => {
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
  useEffect(() => () => photo?.bitmap.close(), [photo]);

  const dropping = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void select(event.dataTransfer.files[0]);
    },
  };
  return (
    <section aria-labelledby="picture">
      <h2 id="picture">Picture</h2>
      <Failure error={failure} />
      <div className="drop" data-over={over || undefined} {...dropping}>
        {photo ? (
          <Preview
            photo={photo}
            onDone={async () => {
              setPhoto(undefined);
              await refresh("Picture updated.");
            }}
            onCancel={() => setPhoto(undefined)}
          />
        ) : (
          <>
            <Avatar id={me.id} name={me.name} src={me.avatar} size={96} />
            <div className="drop-content">
              <div className="row">
                <Button onClick={() => chooser.current?.click()}>Choose picture</Button>
                {me.avatar !== "" && (
                  <Button look="quiet" onClick={() => setRemoving(true)}>
                    Remove
                  </Button>
                )}
              </div>
              <p className="hint">
                You can also drop or paste a file. JPEG, PNG, WebP, GIF or AVIF. Large photos are resized
                before the upload.
              </p>
            </div>
          </>
        )}
        <input
          ref={chooser}
          type="file"
          aria-label="Picture"
          hidden
          accept={accept}
          onChange={({ target }) => {
            void select(target.files?.[0]);
            // Lets the user select the same file again.
            target.value = "";
          }}
        />
      </div>
      {removing && (
        <ConfirmAction
          title="Remove your picture?"
          confirmLabel="Remove picture"
          action={() => remove("/user/avatar")}
          onDone={() => {
            setRemoving(false);
            void refresh("Picture removed.");
          }}
          onClose={() => setRemoving(false)}
        >
          <p>Other members will see your initials instead.</p>
        </ConfirmAction>
      )}
    </section>
  );
}

function Preview({
  photo,
  onDone,
  onCancel,
}: {
  photo: Photo;
  onDone: () => Promise<void>;
  onCancel: () => void;
}) {
  const [share, setShare] = useState<number>();
  const [failure, setFailure] = useState<unknown>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const uploading = useRef<AbortController>(undefined);
  const intro = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (canvas.current) drawSquare(photo.bitmap, canvas.current, 320);
    intro.current?.focus();
  }, [photo]);
  useEffect(() => () => uploading.current?.abort(), []);

  async function submit(): Promise<void> {
    const controller = new AbortController();
    uploading.current = controller;
    setFailure(undefined);
    setShare(0);
    try {
      const form = new FormData();
      form.append("avatar", await uploadBlob(photo), "picture");
      await upload<Uploaded>("/api/upload/avatar", form, { onProgress: setShare, signal: controller.signal });
      await onDone();
    } catch (problem) {
      if (!controller.signal.aborted) setFailure(problem);
      setShare(undefined);
    }
  }

  const busy = share !== undefined;
  return (
    <>
      <canvas ref={canvas} role="img" aria-label="Preview of the cropped picture" />
      <div className="drop-content">
        <p ref={intro} tabIndex={-1}>
          Other members will see it like this.
        </p>
        {photo.oversized && <p className="hint">The photo is too large, so it will be resized.</p>}
        <Failure error={failure} />
        {busy && (
          // At 1 the upload is complete and the server processes the picture.
          <Progress
            label={share < 1 ? "Uploading" : "Processing your picture…"}
            share={share < 1 ? share : undefined}
          />
        )}
        <div className="row">
          <Button look="primary" busy={busy} onClick={() => void submit()}>
            {failure ? "Try again" : "Use this picture"}
          </Button>
          <Button onClick={() => (busy ? uploading.current?.abort() : onCancel())}>
            {busy ? "Stop upload" : "Cancel"}
          </Button>
        </div>
      </div>
    </>
  );
}
