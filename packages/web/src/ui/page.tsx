import { type ReactNode, useEffect, useRef } from "react";

/** The heading of a page, which is also the document title. It receives the focus after navigation. */
export function Page({
  title,
  actions,
  children,
}: {
  title: string;
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
      <title>{`${title} · svc`}</title>
      <div className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className="row">{actions}</div>}
      </div>
      {children}
    </>
  );
}

let navigated = false;
