import { throttling } from "./stage.ts";

/** The HTTP API. The functions handle CORS, 404 and 405. */
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
