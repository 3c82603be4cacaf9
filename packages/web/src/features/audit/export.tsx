import { useRef, useState } from "react";
import { getFilePart, Problem } from "../../base/api.ts";
import { number } from "../../base/format.ts";
import { saveFile } from "../../base/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { Progress } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

const formats = {
  csv: { label: "CSV", type: "text/csv", rows: (text: string) => text.split("\r\n").length - 2 },
  ndjson: {
    label: "NDJSON",
    type: "application/x-ndjson",
    rows: (text: string) => text.split("\n").length - 1,
  },
} as const;

type Format = keyof typeof formats;

/** All that fits the filters as one file, fetched part by part; nothing is saved when a part cannot be had. */
export function Export({ path }: { path: (format: Format) => string }) {
  const [rows, setRows] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const running = useRef<AbortController>(undefined);

  async function write(format: Format): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setFailure(undefined);
    setRows(0);
    try {
      const { type, rows: count } = formats[format];
      const parts: string[] = [];
      let fetched = 0;
      for (let next: string | undefined = path(format); next; ) {
        const part = await getFilePart(next, { signal: controller.signal });
        // Each part of a CSV begins with the line of names.
        parts.push(format === "csv" && parts.length > 0 ? part.text.replace(/^.*\r\n/, "") : part.text);
        fetched += count(part.text);
        setRows(fetched);
        next = part.next;
      }
      saveFile(`audit-log.${format}`, new Blob(parts, { type }));
      toast(`${number(fetched)} rows are saved.`);
    } catch (error) {
      if (error instanceof Problem) setFailure(`The export failed, and nothing was saved. ${error.message}`);
      else if (!controller.signal.aborted) throw error;
    } finally {
      setRows(undefined);
    }
  }

  return (
    <section aria-label="Export" className="export">
      {rows === undefined ? (
        <div className="actions">
          {(Object.keys(formats) as Format[]).map((format) => (
            <Button key={format} data-size="small" onClick={() => void write(format)}>
              Export as {formats[format].label}
            </Button>
          ))}
        </div>
      ) : (
        <div className="actions">
          <Progress label={`${number(rows)} rows so far`} share={undefined} />
          <Button data-size="small" onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        </div>
      )}
      <div role="alert">
        {failure && (
          <p className="notice" data-look="bad">
            {failure}
          </p>
        )}
      </div>
    </section>
  );
}
