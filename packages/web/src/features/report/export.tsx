import type { NewReport, Report } from "@svc/client";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { svc } from "../../base/api.ts";
import { dayTime, number } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Progress } from "../../ui/states.tsx";

const formats = ["pdf", "xlsx", "csv", "json"] as const;

/** The request for a report file, without its format. */
export type ExportRequest = Omit<NewReport, "format" | "bom" | "rounding"> & { rounding?: string };

/** Generates a file of the report and links to it. */
export function Export({ request, children }: { request: ExportRequest; children?: ReactNode }) {
  const [bom, setBom] = useState(true);
  const generated = useMutation({
    mutationFn: (format: Report["format"]) =>
      svc.post("/api/v1/reports/generate", {
        body: { ...request, format, ...(format === "csv" && { bom }) },
      }),
  });
  // Withdraw the link when the report changes, because the file no longer matches it.
  const requested = JSON.stringify({ ...request, bom });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect depends on the content of the request.
  useEffect(() => generated.reset(), [requested]);
  return (
    <section aria-labelledby="export" className="report-export">
      <h2 id="export">Export</h2>
      <div className="row">
        {children}
        {formats.map((format) => (
          <Button key={format} busy={generated.isPending} onClick={() => generated.mutate(format)}>
            Export {format.toUpperCase()}
          </Button>
        ))}
        <label className="check">
          <input type="checkbox" checked={bom} onChange={({ target }) => setBom(target.checked)} /> CSV for
          Excel (byte order mark)
        </label>
      </div>
      <div role="status">
        {generated.isPending && (
          <Progress label={`Creating the ${generated.variables.toUpperCase()} file…`} share={undefined} />
        )}
        {generated.data && (
          <p className="notice">
            <a href={generated.data.signedUrl} download>
              Download the {generated.data.format.toUpperCase()} file
            </a>{" "}
            ({size(generated.data.size)}). The link expires on {dayTime(generated.data.expiresAt)}.
          </p>
        )}
      </div>
      <Failure error={generated.error} />
    </section>
  );
}

function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${number(Math.ceil(bytes / 1000))} kB`;
}
