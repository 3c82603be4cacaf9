import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from "react";
import { usePrinting } from "./printing.ts";

/** A list that scrolls with the page and renders only its visible rows, and all of them for printing. For thousands of rows. */
export function VirtualList<Item>({
  label,
  items,
  itemKey,
  rowHeight,
  children,
}: {
  label: string;
  items: readonly Item[];
  /** Returns the key of an item. A function that stays the same keeps the measured places of a long list. */
  itemKey: (item: Item) => string;
  /** Estimated height of a row in pixels, before it is rendered. */
  rowHeight: number | ((item: Item) => number);
  children: (item: Item) => ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  // The content above the list may change its height.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0));
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => (typeof rowHeight === "number" ? rowHeight : rowHeight(items[index] as Item)),
    overscan: 8,
    scrollMargin: top,
    getItemKey: useCallback((index: number) => itemKey(items[index] as Item), [itemKey, items]),
  });
  if (usePrinting())
    return (
      <ul key="printed" ref={list} className="plain-list" aria-label={label}>
        {items.map((item) => (
          <li key={itemKey(item)}>{children(item)}</li>
        ))}
      </ul>
    );
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
