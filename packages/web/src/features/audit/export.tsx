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

/** Exports all matching entries as one file. Loads the file in parts, and saves nothing if a part fails. */
export function Export({ path }: { path: (format: Format) => string }) {
  const [rows, setRows] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const request = useRef<AbortController>(undefined);

  async function exportAs(format: Format): Promise<void> {
    const controller = new AbortController();
    request.current = controller;
    setFailure(undefined);
    setRows(0);
    try {
      const { type, rows: count } = formats[format];
      const parts: string[] = [];
      let loaded = 0;
      for (let next: string | undefined = path(format); next; ) {
        const part = await getFilePart(next, { signal: controller.signal });
        // Every part of a CSV starts with the header row.
        parts.push(format === "csv" && parts.length > 0 ? part.text.replace(/^.*\r\n/, "") : part.text);
        loaded += count(part.text);
        setRows(loaded);
        next = part.next;
      }
      saveFile(`audit-log.${format}`, new Blob(parts, { type }));
      toast(`${number(loaded)} rows exported.`);
    } catch (error) {
      if (error instanceof Problem) setFailure(`The export failed. Nothing was saved. ${error.message}`);
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
            <Button key={format} data-size="small" onClick={() => void exportAs(format)}>
              Export as {formats[format].label}
            </Button>
          ))}
        </div>
      ) : (
        <div className="actions">
          <Progress label={`${number(rows)} rows loaded`} share={undefined} />
          <Button data-size="small" onClick={() => request.current?.abort()}>
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
