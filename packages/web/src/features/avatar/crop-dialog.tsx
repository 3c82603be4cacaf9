import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  type LucideIcon,
  Minus,
  Plus,
  RotateCw,
} from "lucide-react";
import {
  type Dispatch,
  type KeyboardEvent,
  type RefObject,
  type SetStateAction,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import Cropper from "react-easy-crop";
import "react-easy-crop/react-easy-crop.css";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Progress } from "../../ui/states.tsx";
import {
  centered,
  cutOf,
  drawCut,
  isCentered,
  maxZoom,
  move,
  rotate,
  type Stage,
  type View,
  zoomTo,
} from "./cut.ts";
import type { Photo } from "./photo.ts";
import { sendPhoto } from "./send.ts";
import "./crop-dialog.css";
import { percent } from "../../base/format.ts";
import { RichText } from "../../ui/rich-text.tsx";
import { messages } from "./messages.ts";

type Change = (view: View, stage: Stage) => View;

/** How far a key or button moves the photo, in CSS pixels. */
const step = 10;

const zoomIn: Change = (view, stage) => zoomTo(view, view.zoom * 1.1, stage);
const zoomOut: Change = (view, stage) => zoomTo(view, view.zoom / 1.1, stage);
const moveBy =
  (x: number, y: number): Change =>
  (view, stage) =>
    move(view, x, y, stage);

const changesByKey: Record<string, Change> = {
  "+": zoomIn,
  "=": zoomIn,
  "-": zoomOut,
  _: zoomOut,
  r: rotate,
  R: rotate,
  ArrowLeft: moveBy(-step, 0),
  ArrowRight: moveBy(step, 0),
  ArrowUp: moveBy(0, -step),
  ArrowDown: moveBy(0, step),
};

const buttons: { label: string; Icon: LucideIcon; change: Change }[] = [
  { label: messages.crop.rotate, Icon: RotateCw, change: rotate },
  { label: messages.crop.moveLeft, Icon: ArrowLeft, change: moveBy(-step, 0) },
  { label: messages.crop.moveRight, Icon: ArrowRight, change: moveBy(step, 0) },
  { label: messages.crop.moveUp, Icon: ArrowUp, change: moveBy(0, -step) },
  { label: messages.crop.moveDown, Icon: ArrowDown, change: moveBy(0, step) },
];

/** Lets the user choose the square of a photo that becomes their picture, and uploads it. */
export default function CropDialog({
  photo,
  onDone,
  onClose,
}: {
  photo: Photo;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const [view, setView] = useState(centered);
  const [stage, setStage] = useState<Stage>();
  const preview = useRef<HTMLCanvasElement>(null);
  /** The key of the last upload, which is repeated with the same pixels. */
  const sent = useRef<{ view: View; stage: Stage | undefined; idempotencyKey: string }>(undefined);
  const { share, failure, send, cancel } = useUpload((options) => {
    if (sent.current?.view !== view || sent.current.stage !== stage)
      sent.current = { view, stage, idempotencyKey: crypto.randomUUID() };
    const { idempotencyKey } = sent.current;
    return sendPhoto(photo, isCentered(view), preview.current, { ...options, idempotencyKey });
  }, onDone);
  const busy = share !== undefined;
  return (
    <Dialog title={messages.crop.title} onClose={onClose}>
      <div className="crop">
        <div className="crop-tools">
          <CropArea photo={photo} view={view} stage={stage} setView={setView} setStage={setStage} />
          {stage && <CropButtons view={view} stage={stage} setView={setView} />}
        </div>
        <Previews photo={photo} view={view} stage={stage} large={preview} />
      </div>
      <Failure error={failure} />
      {busy && (
        // At 1 the upload is complete and the server processes the picture.
        <Progress
          label={share < 1 ? messages.crop.uploading : messages.crop.processing}
          share={share < 1 ? share : undefined}
        />
      )}
      <div className="row crop-actions">
        <Button look="primary" busy={busy} onClick={() => void send()}>
          {failure ? messages.crop.tryAgain : messages.crop.submit}
        </Button>
        <Button onClick={busy ? cancel : onClose}>{busy ? messages.crop.stop : messages.crop.cancel}</Button>
      </div>
    </Dialog>
  );
}

type SetView = Dispatch<SetStateAction<View>>;

/** The photo under a square. It is moved by dragging, zoomed by the wheel or two fingers, and changed by keys. */
function CropArea({
  photo,
  view,
  stage,
  setView,
  setStage,
}: {
  photo: Photo;
  view: View;
  stage: Stage | undefined;
  setView: SetView;
  setStage: Dispatch<SetStateAction<Stage | undefined>>;
}) {
  const hint = useId();
  const area = useRef<RefObject<HTMLDivElement | null>>(undefined);
  const size = useRef(photo.bitmap as { width: number; height: number });
  const ready = stage !== undefined;
  useEffect(() => {
    if (ready) area.current?.current?.focus();
  }, [ready]);

  function onKeyDown(event: KeyboardEvent): void {
    const change = event.ctrlKey || event.metaKey || event.altKey ? undefined : changesByKey[event.key];
    if (!change || !stage) return;
    event.preventDefault();
    setView((before) => change(before, stage));
  }

  return (
    <>
      <div className="crop-stage">
        <Cropper
          image={photo.url}
          crop={view}
          zoom={view.zoom}
          rotation={view.turns * 90}
          aspect={1}
          maxZoom={maxZoom}
          objectFit="cover"
          showGrid={false}
          classes={{ containerClassName: "crop-square", cropAreaClassName: "crop-area" }}
          cropperProps={{
            role: "application",
            "aria-label": messages.crop.photo,
            "aria-describedby": hint,
            onKeyDown,
          }}
          // The content security policy forbids styles in the page.
          disableAutomaticStylesInjection
          onCropChange={({ x, y }) => setView((before) => ({ ...before, x, y }))}
          onZoomChange={(zoom) => setView((before) => ({ ...before, zoom }))}
          setMediaSize={(rendered) => {
            size.current = rendered;
          }}
          setCropSize={({ width }) =>
            setStage({ photo: { width: size.current.width, height: size.current.height }, square: width })
          }
          setCropperRef={(ref) => {
            area.current = ref;
          }}
        />
      </div>
      <p id={hint} className="hint">
        <RichText
          text={messages.crop.hint}
          marks={{ keys: (text) => <span className="crop-keys">{text}</span> }}
        />
      </p>
    </>
  );
}

/** The same changes as by keys and gestures, for a mouse or finger without dragging (WCAG 2.5.7). */
function CropButtons({ view, stage, setView }: { view: View; stage: Stage; setView: SetView }) {
  const apply = (change: Change) => setView((before) => change(before, stage));
  return (
    <div className="crop-buttons">
      <div className="crop-zoom">
        <IconButton label={messages.crop.zoomOut} Icon={Minus} onClick={() => apply(zoomOut)} />
        <input
          type="range"
          aria-label={messages.crop.zoom}
          aria-valuetext={percent(view.zoom)}
          min={1}
          max={maxZoom}
          step={0.01}
          value={view.zoom}
          onChange={({ target }) => apply((before) => zoomTo(before, target.valueAsNumber, stage))}
        />
        <IconButton label={messages.crop.zoomIn} Icon={Plus} onClick={() => apply(zoomIn)} />
      </div>
      <div className="crop-moves">
        {buttons.map(({ label, Icon, change }) => (
          <IconButton key={label} label={label} Icon={Icon} onClick={() => apply(change)} />
        ))}
      </div>
    </div>
  );
}

function IconButton({ label, Icon, onClick }: { label: string; Icon: LucideIcon; onClick: () => void }) {
  return (
    <Button data-icon aria-label={label} title={label} onClick={onClick}>
      <Icon />
    </Button>
  );
}

/** The picture in three sizes. The largest canvas holds the pixels that are uploaded. */
function Previews({
  photo: { bitmap },
  view,
  stage,
  large,
}: {
  photo: Photo;
  view: View;
  stage: Stage | undefined;
  large: RefObject<HTMLCanvasElement | null>;
}) {
  const list = useRef<HTMLCanvasElement>(null);
  const row = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!large.current || !stage) return;
    drawCut(bitmap, cutOf(view, bitmap, stage), large.current);
    for (const { current } of [list, row]) {
      const context = current?.getContext("2d");
      if (!context) continue;
      context.imageSmoothingQuality = "high";
      context.clearRect(0, 0, context.canvas.width, context.canvas.height);
      context.drawImage(large.current, 0, 0, context.canvas.width, context.canvas.height);
    }
  }, [bitmap, view, stage, large]);
  return (
    <div className="crop-previews" role="img" aria-label={messages.crop.previews}>
      <canvas ref={large} width={400} height={400} />
      <canvas ref={list} width={96} height={96} />
      <canvas ref={row} width={48} height={48} />
    </div>
  );
}

type Send = (options: { onProgress: (share: number) => void; signal: AbortSignal }) => Promise<unknown>;

/** Runs an upload. `share` is undefined while none runs. Stops it when the component unmounts. */
function useUpload(upload: Send, onDone: () => Promise<void>) {
  const [share, setShare] = useState<number>();
  const [failure, setFailure] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  const cancel = () => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);

  async function send(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setFailure(undefined);
    setShare(0);
    try {
      await upload({ onProgress: setShare, signal: controller.signal });
      await onDone();
    } catch (problem) {
      if (!controller.signal.aborted) setFailure(problem);
    } finally {
      setShare(undefined);
    }
  }

  return { share, failure, send, cancel };
}
