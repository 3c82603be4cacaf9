import type { Generate } from "@svc/core/report/generate";
import type { View as Report } from "@svc/core/report/report";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { post } from "../../base/api.ts";
import { dayTime, number } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Progress } from "../../ui/states.tsx";

const formats = ["pdf", "xlsx", "csv", "json"] as const;

/** A report as it is asked for, without how it is written. */
export type Wanted = Omit<Generate, "format" | "rounding"> & { rounding?: string };

/** Have the report made into a file, and download it. */
export function Export({ wanted, children }: { wanted: Wanted; children?: ReactNode }) {
  const made = useMutation({
    mutationFn: (format: Report["format"]) => post<Report>("/api/v1/reports/generate", { ...wanted, format }),
  });
  // A file of something else than what is shown must not be offered.
  const asked = JSON.stringify(wanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what counts is that something else is asked.
  useEffect(() => made.reset(), [asked]);
  return (
    <section aria-labelledby="export" className="report-export">
      <h2 id="export">Export</h2>
      <div className="row">
        {children}
        {formats.map((format) => (
          <Button key={format} busy={made.isPending} onClick={() => made.mutate(format)}>
            {format.toUpperCase()}
          </Button>
        ))}
      </div>
      <div role="status">
        {made.isPending && (
          <Progress label={`Making the ${made.variables.toUpperCase()} file…`} share={undefined} />
        )}
        {made.data && (
          <p className="notice">
            <a href={made.data.signedUrl} download>
              Download the {made.data.format.toUpperCase()} file
            </a>{" "}
            ({size(made.data.size)}). The link is good until {dayTime(made.data.expiresAt)}.
          </p>
        )}
      </div>
      <Failure error={made.error} />
    </section>
  );
}

function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${number(Math.ceil(bytes / 1000))} kB`;
}
