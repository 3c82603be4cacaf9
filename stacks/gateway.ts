import { throttling } from "./stage.ts";

/** CORS, 404 and 405 are answered by our own functions, which know the routes; an HTTP API knows neither. */
export const api = new sst.aws.ApiGatewayV2("Api", {
  cors: false,
  accessLog: { retention: "1 month" },
  transform: {
    api: (args) => {
      args.corsConfiguration = undefined;
    },
    stage: (args) => {
      args.defaultRouteSettings = throttling;
    },
  },
});
