/** Creates a provider for resources outside the stage's region. */
export function providerIn(name: string, region: aws.Region): aws.Provider {
  return new aws.Provider(name, {
    region,
    defaultTags: { tags: { "sst:app": $app.name, "sst:stage": $app.stage } },
  });
}
