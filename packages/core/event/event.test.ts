import { describe, expectTypeOf, it } from "vitest";
import type { Published, Recorded } from "./event.ts";

type Target = Recorded["target"];

describe("record", () => {
  it("does not accept an event type that is sent to webhooks", () => {
    expectTypeOf<{ action: "project.created"; target: Target }>().toExtend<Recorded>();
    expectTypeOf<{
      action: "project.archived";
      target: Target;
      workspaceId: string;
    }>().not.toExtend<Recorded>();
  });
});

describe("publish", () => {
  type Archived = Extract<Published, { action: "project.archived" }>;

  it("requires the data of the event type and a workspace", () => {
    expectTypeOf<Omit<Archived, "data">>().not.toExtend<Published>();
    expectTypeOf<Omit<Archived, "workspaceId">>().not.toExtend<Published>();
    expectTypeOf<Omit<Archived, "data"> & { data: { projectId: string } }>().not.toExtend<Published>();
  });

  it("does not accept the data of another event type", () => {
    type Other = Extract<Published, { action: "security.suspicious_login" }>;
    expectTypeOf<Omit<Archived, "data"> & Pick<Other, "data">>().not.toExtend<Published>();
  });
});
