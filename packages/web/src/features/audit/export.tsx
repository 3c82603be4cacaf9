import { useRef, useState } from "react";
import { Problem, svc } from "../../base/api.ts";
import { type Filters, queryFor } from "../../base/get-filtered.ts";
import { saveFile } from "../../base/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { Progress } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { messages } from "./messages.ts";

const formats = {
  csv: {
    type: "text/csv",
    rows: (text: string) => text.split("\r\n").length - (text.includes(",audit_log.checkpoint,") ? 3 : 2),
  },
  ndjson: {
    type: "application/x-ndjson",
    // The chain of hashes follows the entries.
    rows: (text: string) => text.split(/^\{"id":/m).length - 1,
  },
} as const;

type Format = keyof typeof formats;

/** Exports all matching entries as one file. Loads the file in parts, and saves nothing if a part fails. */
export function Export({ filters }: { filters: Filters<"/api/v1/audit-logs"> }) {
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
      // The browser may move a Blob out of memory, so that a file can be of any length.
      const parts: Blob[] = [];
      let loaded = 0;
      const query = queryFor("/api/v1/audit-logs", { ...filters, format });
      const options = { query, accept: type, signal: controller.signal };
      for await (const part of svc.pages("/api/v1/audit-logs", options)) {
        // Every part of a CSV starts with the header row.
        const text = format === "csv" && parts.length > 0 ? part.replace(/^.*\r\n/, "") : part;
        parts.push(new Blob([text]));
        loaded += count(part);
        setRows(loaded);
      }
      saveFile(`audit-log.${format}`, new Blob(parts, { type }));
      toast(messages.export.done(loaded));
    } catch (error) {
      if (error instanceof Problem) setFailure(messages.export.failed(error.message));
      else if (!controller.signal.aborted) throw error;
    } finally {
      setRows(undefined);
    }
  }

  return (
    <section aria-label={messages.export.title} className="export">
      {rows === undefined ? (
        <div className="actions">
          {(Object.keys(formats) as Format[]).map((format) => (
            <Button key={format} data-size="small" onClick={() => void exportAs(format)}>
              {messages.export[format]}
            </Button>
          ))}
        </div>
      ) : (
        <div className="actions">
          <Progress label={messages.export.loaded(rows)} share={undefined} />
          <Button data-size="small" onClick={() => request.current?.abort()}>
            {messages.export.cancel}
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
