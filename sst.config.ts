/// <reference path="./.sst/platform/config.d.ts" />

export default $config({
  async app({ stage }) {
    const { region, isProduction } = await import("./stacks/stage.ts");
    const production = isProduction(stage);
    return {
      name: "svc",
      home: "aws",
      providers: { aws: { version: "7.20.0", region } },
      removal: production ? "retain" : "remove",
      protect: production,
    };
  },

  async run() {
    // The state stores environment variables as plain text, even those from secrets, unless they are marked as secret.
    $transform(aws.lambda.Function, (args) => {
      args.environment = $util.secret(args.environment) as typeof args.environment;
    });

    const { settings } = await import("./stacks/stage.ts");
    const { build } = await import("./stacks/bundles.ts");
    settings($app.stage);
    build();

    const { router } = await import("./stacks/router.ts");
    await import("./stacks/cors.ts");
    const { apiFunctions } = await import("./stacks/api.ts");
    const { jobFunctions } = await import("./stacks/schedules.ts");
    const { migrate } = await import("./stacks/migration.ts");
    migrate(jobFunctions.migrate, [...apiFunctions, ...Object.values(jobFunctions)]);
    await import("./stacks/web.ts");
    const { createAlarms } = await import("./stacks/alarms.ts");
    const { createDashboard } = await import("./stacks/dashboard.ts");
    createAlarms();
    createDashboard();

    return { address: router.url };
  },
});
