import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";

/** A list that scrolls with the page and of which only what is in sight is drawn: for thousands of rows. */
export function VirtualList<Item>({
  label,
  items,
  itemKey,
  rowHeight,
  children,
}: {
  label: string;
  items: readonly Item[];
  itemKey: (item: Item) => string;
  /** Height of a row in pixels, as far as is known before it is drawn. */
  rowHeight: number;
  children: (item: Item) => ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  // What stands above may grow and shrink.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0));
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => itemKey(items[index] as Item),
  });
  return (
    <ul ref={list} className="virtual-list" aria-label={label} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((row) => (
        <li
          key={row.key}
          ref={virtual.measureElement}
          data-index={row.index}
          aria-setsize={items.length}
          aria-posinset={row.index + 1}
          style={{ transform: `translateY(${row.start - top}px)` }}
        >
          {children(items[row.index] as Item)}
        </li>
      ))}
    </ul>
  );
}
