import { metric, namespace } from "./alarms.ts";
import { database } from "./database.ts";
import { api } from "./gateway.ts";
import { region } from "./stage.ts";

type Metric = (string | Record<string, string | number>)[];

/** A graph; three fit beside each other. */
function graph(at: number, title: string, metrics: Metric[], stat: string) {
  return {
    type: "metric",
    x: (at % 3) * 8,
    y: Math.floor(at / 3) * 6,
    width: 8,
    height: 6,
    properties: { title, region, view: "timeSeries", stat, period: 300, metrics },
  };
}

/** Every function of the stage by its own line: whichever stands out is the one. */
function byFunction(metricName: string, stat: string): Metric[] {
  // Words that stand in the name of every function of the stage.
  const own = `${$app.name} ${$app.stage}`;
  const search = `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metricName}" ${own}', '${stat}', 300)`;
  return [[{ expression: search, id: metricName.toLowerCase(), label: "" }]];
}

/** What to look at first when something is wrong, and when nothing is. */
export function show(): void {
  new aws.cloudwatch.Dashboard("Dashboard", {
    dashboardName: `${$app.name}-${$app.stage}`,
    dashboardBody: $util
      .all([api.nodes.api.id, $util.output(database.identity)])
      .apply(([apiId, identity]) => {
        const gateway = (metricName: string, more: Record<string, string> = {}): Metric => [
          "AWS/ApiGateway",
          metricName,
          "ApiId",
          apiId,
          more,
        ];
        const cluster = identity.startsWith("arn:") ? (identity.split("/").at(-1) ?? "") : undefined;
        const onCluster = (metricName: string, stat: string): Metric => [
          {
            expression: `SEARCH('Namespace="AWS/AuroraDSQL" MetricName="${metricName}" "${cluster}"', '${stat}', 300)`,
            id: metricName.toLowerCase(),
            label: metricName,
          },
        ];
        const graphs: [title: string, metrics: Metric[], stat: string][] = [
          ["Requests", [gateway("Count"), gateway("4xx"), gateway("5xx")], "Sum"],
          [
            "Answers in ms",
            [gateway("Latency", { stat: "p50" }), gateway("Latency", { stat: "p99" })],
            "p99",
          ],
          ["Rates: banks whose table is too old", [[namespace, metric.staleSources]], "Maximum"],
          ["Errors by function", byFunction("Errors", "Sum"), "Sum"],
          ["Throttles by function", byFunction("Throttles", "Sum"), "Sum"],
          ["Duration by function in ms, p99", byFunction("Duration", "p99"), "p99"],
          ["Functions at once", [["AWS/Lambda", "ConcurrentExecutions"]], "Maximum"],
          ...(cluster === undefined
            ? []
            : ([
                ["Database: lost races", [onCluster("OccConflicts", "Sum")], "Sum"],
                ["Database: commit in ms", [onCluster("CommitLatency", "Average")], "Average"],
              ] as [string, Metric[], string][])),
        ];
        return JSON.stringify({ widgets: graphs.map((one, at) => graph(at, ...one)) });
      }),
  });
}
