import { metric, namespace } from "./alarms.ts";
import { database } from "./database.ts";
import { api } from "./gateway.ts";
import { region } from "./stage.ts";

type Metric = (string | Record<string, string | number>)[];

/** Returns the widget for a graph. Three graphs fit in a row. */
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

/** Returns a metric with one line per function of the stage. */
function byFunction(metricName: string, stat: string): Metric[] {
  // The name of every function of the stage contains these words.
  const words = `${$app.name} ${$app.stage}`;
  const search = `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metricName}" ${words}', '${stat}', 300)`;
  return [[{ expression: search, id: metricName.toLowerCase(), label: "" }]];
}

/** Creates the dashboard of the stage. */
export function createDashboard(): void {
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
          [
            "Requests",
            [gateway("Count"), gateway("4xx"), gateway("5xx"), [namespace, metric.throttled]],
            "Sum",
          ],
          [
            "Response time in ms",
            [gateway("Latency", { stat: "p50" }), gateway("Latency", { stat: "p99" })],
            "p99",
          ],
          ["Central banks with stale rates", [[namespace, metric.staleSources]], "Maximum"],
          ["Errors by function", byFunction("Errors", "Sum"), "Sum"],
          ["Throttles by function", byFunction("Throttles", "Sum"), "Sum"],
          ["Duration by function in ms, p99", byFunction("Duration", "p99"), "p99"],
          ["Concurrent executions", [["AWS/Lambda", "ConcurrentExecutions"]], "Maximum"],
          ...(cluster === undefined
            ? []
            : ([
                ["Database: write conflicts", [onCluster("OccConflicts", "Sum")], "Sum"],
                ["Database: commit latency in ms", [onCluster("CommitLatency", "Average")], "Average"],
              ] as [string, Metric[], string][])),
        ];
        return JSON.stringify({ widgets: graphs.map((one, at) => graph(at, ...one)) });
      }),
  });
}
