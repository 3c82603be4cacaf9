import { describe, expect, it } from "vitest";
import { readDuration, readTime } from "./time-text.ts";

describe("readDuration", () => {
  it.each([
    ["1:30", 5400],
    ["0:45", 2700],
    ["12:00", 43_200],
    ["1:30:15", 5415],
    ["1.5", 5400],
    ["1,5", 5400],
    [".25", 900],
    ["0,1", 360],
    ["90m", 5400],
    ["90 min", 5400],
    ["1h 30m", 5400],
    ["1h30m", 5400],
    ["1h 30m 5s", 5405],
    ["1.5h", 5400],
    ["1,5 h", 5400],
    ["2h", 7200],
    ["2 hours", 7200],
    ["45s", 45],
    ["90", 5400],
    ["5", 300],
    ["0", 0],
    [" 1:30 ", 5400],
  ])("reads %j as %i seconds", (text, seconds) => expect(readDuration(text)).toBe(seconds));

  it.each(["", " ", "abc", "1:75", "1:3", "-1", "1:30:99", "1.5.5", "h", "1m 2h", "1e3"])(
    "rejects %j",
    (text) => expect(readDuration(text)).toBeUndefined(),
  );
});

describe("readTime", () => {
  it.each([
    ["9", "09:00"],
    ["9:30", "09:30"],
    ["09.30", "09:30"],
    ["930", "09:30"],
    ["0930", "09:30"],
    ["9h30", "09:30"],
    ["9 h", "09:00"],
    ["23:59", "23:59"],
    ["9:30 pm", "21:30"],
    ["9p", "21:00"],
    ["12 am", "00:00"],
    ["12:15 p.m.", "12:15"],
    ["0:05", "00:05"],
  ])("reads %j as %s", (text, time) => expect(readTime(text)).toBe(time));

  it.each(["", "24:00", "9:60", "13 pm", "0 am", "noon", "9:3", "-1"])("rejects %j", (text) =>
    expect(readTime(text)).toBeUndefined(),
  );
});
