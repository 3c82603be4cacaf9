import "./toast.css";
import { X } from "lucide-react";
import {
  Button,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components/Toast";
import { messages } from "./messages.ts";

export type ToastAction = {
  label: string;
  onAction: () => void;
  /** Called when the toast disappears, after `onAction` if the user has chosen it. */
  onClose?: () => void;
};

const queue = new ToastQueue<{ text: string; action: ToastAction | undefined }>({ maxVisibleToasts: 3 });

/** Adds a toast. Callers use `toast`, which loads this module. */
export function show(text: string, action: ToastAction | undefined): void {
  queue.add(
    { text, action },
    {
      timeout: action ? 10_000 : 5000,
      ...(action?.onClose && { onClose: action.onClose }),
    },
  );
}

/** Renders the toasts in a landmark region, which F6 reaches. */
export default function Region() {
  return (
    <ToastRegion queue={queue} className="toasts" aria-label={messages.notifications}>
      {({ toast }) => (
        <Toast toast={toast} className="toast">
          <ToastContent className="toast-content">
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          {toast.content.action && (
            <Button
              className="toast-action"
              onPress={() => {
                toast.content.action?.onAction();
                queue.close(toast.key);
              }}
            >
              {toast.content.action.label}
            </Button>
          )}
          <Button slot="close" className="toast-close" aria-label={messages.dismiss}>
            <X />
          </Button>
        </Toast>
      )}
    </ToastRegion>
  );
}
