import { describe, expect, it } from "vitest";
import * as Trace from "./trace.ts";

const id = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = "00f067aa0ba902b7";
const wellFormed = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/;

describe("next", () => {
  it("keeps the trace and the sampling of its parent, in a new span", () => {
    const traceparent = Trace.next(`00-${id}-${span}-01`);
    expect(traceparent).toMatch(wellFormed);
    expect([Trace.idOf(traceparent), traceparent.slice(-2)]).toEqual([id, "01"]);
    expect(traceparent).not.toContain(span);
    expect(Trace.next(`00-${id}-${span}-00`).slice(-2)).toBe("00");
  });

  it("sends only the flag that version 00 defines", () => {
    expect(["ff", "fe"].map((flags) => Trace.next(`00-${id}-${span}-${flags}`).slice(-2))).toEqual([
      "01",
      "00",
    ]);
  });

  it.each([
    ["missing", undefined],
    ["null", null],
    ["empty", ""],
    ["in upper case", `00-${id.toUpperCase()}-${span}-01`],
    ["with a trace id of zeros", `00-${"0".repeat(32)}-${span}-01`],
    ["with a span id of zeros", `00-${id}-${"0".repeat(16)}-01`],
    ["of another version", `01-${id}-${span}-01`],
    ["of the forbidden version", `ff-${id}-${span}-01`],
    ["with a short trace id", `00-${id.slice(1)}-${span}-01`],
    ["with more fields", `00-${id}-${span}-01-00`],
    ["with a line break", `00-${id}-${span}-01\n`],
    ["that occurs twice", `00-${id}-${span}-01,00-${id}-${span}-01`],
  ])("begins another trace for a parent that is %s", (_, parent) => {
    const traceparent = Trace.next(parent);
    expect(traceparent).toMatch(wellFormed);
    expect(Trace.idOf(traceparent).toLowerCase()).not.toBe(id);
    expect(Trace.idOf(traceparent)).not.toBe(Trace.idOf(Trace.next(parent)));
  });
});

describe("run", () => {
  it("gives invocations at the same time a trace each, also after they have waited", async () => {
    const traces = [Trace.next(), Trace.next()];
    const wait = Promise.withResolvers<void>();
    const found = traces.map((trace) =>
      Trace.run(trace, async () => {
        await wait.promise;
        return Trace.current();
      }),
    );
    wait.resolve();
    expect(await Promise.all(found)).toEqual(traces);
    expect(Trace.current()).toBeUndefined();
  });
});
