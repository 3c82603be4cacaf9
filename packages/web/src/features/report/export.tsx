import type { NewReport, Report } from "@svc/client";
import { useMutation } from "@tanstack/react-query";
import { ChevronDown, Download, LoaderCircle } from "lucide-react";
import { svc } from "../../base/api.ts";
import { fileSize } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Menu, type MenuChoice } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { messages } from "./messages.ts";

const text = messages.export;

/** The request for a report file, without its format. */
export type ExportRequest = Omit<NewReport, "format" | "bom" | "rounding"> & { rounding?: string };

/** Generates a file of the report and downloads it: PDF with one click, other formats from a menu. */
export function Export({ request, contents }: { request: ExportRequest; contents?: MenuChoice }) {
  const generated = useMutation({
    mutationFn: ({ format, bom = true }: { format: Report["format"]; bom?: boolean }) =>
      svc.post("/api/v1/reports/generate", {
        body: { ...request, format, ...(format === "csv" && { bom }) },
      }),
    onSuccess: ({ signedUrl, format, size }) => {
      download(signedUrl);
      toast(text.created(format.toUpperCase(), fileSize(size)));
    },
  });
  const item = (label: string, format: Report["format"], bom?: boolean) => ({
    label,
    onSelect: () => generated.mutate({ format, ...(bom !== undefined && { bom }) }),
  });
  return (
    <>
      <div className="split-button">
        <Button busy={generated.isPending} onClick={() => generated.mutate({ format: "pdf" })}>
          {generated.isPending ? <LoaderCircle className="spinner-icon" /> : <Download />}
          {text.button}
        </Button>
        <Menu
          label={text.other}
          className="button split-menu"
          {...(contents && { choices: [contents] })}
          items={[
            item(text.xlsx, "xlsx"),
            item(text.csv, "csv"),
            item(text.plainCsv, "csv", false),
            item(text.json, "json"),
          ]}
        >
          <ChevronDown />
        </Menu>
      </div>
      <span role="status" className="visually-hidden">
        {generated.isPending && text.creating(generated.variables.format.toUpperCase())}
      </span>
      <Failure error={generated.error} />
    </>
  );
}

/** The bucket sends the file as an attachment, so the page stays open. */
function download(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
