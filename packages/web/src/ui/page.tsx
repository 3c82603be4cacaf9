import { type ReactNode, useEffect, useRef } from "react";

/** The frame of every page: its title in the window and as the one heading of level 1, which gets the focus after a change of page. */
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
    // Not on the first page, where the reading begins at the top; nor out of what was opened while this page was loaded.
    if (navigated && !document.activeElement?.closest('[role="menu"], dialog')) heading.current?.focus();
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
