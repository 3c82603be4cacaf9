import { ChartColumn, Gauge, Square, Timer } from "lucide-react";
import { messages } from "./messages.ts";
import "./pitch.css";

/** Says what the product is: a statement, three facts and a picture of a week. */
export function Pitch() {
  return (
    <div className="pitch">
      <p className="statement">{messages.statement}</p>
      <p className="lead">{messages.lead}</p>
      <ul className="pitch-facts">
        <li>
          <Timer aria-hidden="true" />
          {messages.facts.timer}
        </li>
        <li>
          <Gauge aria-hidden="true" />
          {messages.facts.budgets}
        </li>
        <li>
          <ChartColumn aria-hidden="true" />
          {messages.facts.reports}
        </li>
      </ul>
      <Scene />
    </div>
  );
}

type Part = readonly [project: string, percent: number];

/** Hours per day, with the share of each project from top to bottom, in percent of the height of the chart. */
const week: readonly { total: string; parts: readonly Part[] }[] = [
  {
    total: "7:30",
    parts: [
      ["slate", 8],
      ["pink", 25],
      ["blue", 50],
    ],
  },
  {
    total: "7:50",
    parts: [
      ["teal", 11],
      ["pink", 41],
      ["blue", 35],
    ],
  },
  {
    total: "7:00",
    parts: [
      ["slate", 12],
      ["violet", 18],
      ["pink", 48],
    ],
  },
  {
    total: "5:02",
    parts: [
      ["slate", 14],
      ["pink", 24],
      ["blue", 18],
    ],
  },
  {
    total: "7:30",
    parts: [
      ["slate", 7],
      ["teal", 31],
      ["pink", 17],
      ["blue", 28],
    ],
  },
];

/** A picture of a week and of a running timer. Decorative: it shows no data of the visitor. */
function Scene() {
  const { example } = messages;
  return (
    <div className="scene" aria-hidden="true">
      <div className="scene-card">
        <div className="scene-head">
          <strong>{example.week}</strong>
          <span>{example.total}</span>
        </div>
        <div className="scene-plot">
          {week.map(({ total, parts }, at) => (
            <div className="scene-day" key={example.days[at]}>
              <span>{total}</span>
              {parts.map(([project, percent]) => (
                <i key={project} style={{ height: `${percent}%`, background: `var(--project-${project})` }} />
              ))}
            </div>
          ))}
        </div>
        <div className="scene-days">
          {example.days.map((day) => (
            <span key={day}>{day}</span>
          ))}
        </div>
      </div>
      <div className="scene-timer">
        <span className="scene-dot" />
        {example.task}
        <strong>0:42:17</strong>
        <span className="scene-stop">
          <Square data-filled />
        </span>
      </div>
    </div>
  );
}
