import { messages } from "./messages.ts";

/** The mark of the product, a clock. The same drawing as public/icon.svg. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="7" />
      <path d="M12 5.75A6.25 6.25 0 1 1 5.75 12M12 8.8V12l2.1 1.5" />
    </svg>
  );
}

/** The mark with the name of the product. */
export function WordMark() {
  return (
    <span className="word-mark">
      <Mark />
      {messages.product}
    </span>
  );
}
