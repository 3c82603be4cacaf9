import "./page.css";
import { type ReactNode, useEffect, useRef } from "react";
import { messages } from "./messages.ts";

/** The heading of a page, which is also the document title. It receives the focus after navigation. */
export function Page({
  title,
  hint,
  actions,
  children,
}: {
  title: string;
  /** A short text beside the title, such as the date. Phones do not show it. */
  hint?: ReactNode;
  /** The tools at the right, with the primary action last. */
  actions?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Leaves the focus alone on the first page, and in a menu or dialog that was opened while this page was loading.
    if (navigated && !document.activeElement?.closest('[role="menu"], [role="dialog"], [role="alertdialog"]'))
      heading.current?.focus();
    navigated = true;
  }, []);
  return (
    <>
      <title>{messages.documentTitle(title)}</title>
      <div className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {hint && <p className="page-hint">{hint}</p>}
        {actions && <div className="page-tools">{actions}</div>}
      </div>
      {children}
    </>
  );
}

let navigated = false;
