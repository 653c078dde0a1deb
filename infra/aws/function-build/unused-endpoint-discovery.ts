import type { Plugin } from 'esbuild'

/**
 * Leaves the cache of DynamoDB's endpoint discovery out of a bundle. The client creates one always, and uses it only where
 * `AWS_ENABLE_ENDPOINT_DISCOVERY` is set, which the functions do not set
 * (https://docs.aws.amazon.com/sdkref/latest/guide/feature-endpoint-discovery.html). If it is used anyway, it throws.
 */
export const unusedEndpointDiscovery: Plugin = {
  name: 'unused-endpoint-discovery',
  setup(build) {
    build.onResolve({ filter: /^@aws-sdk\/endpoint-cache$/ }, ({ path }) => ({
      path,
      namespace: 'endpoint-discovery',
    }))
    build.onLoad({ filter: /.*/, namespace: 'endpoint-discovery' }, () => ({
      contents: `export class EndpointCache {
        constructor() {
          return new Proxy({}, { get() { throw new Error('endpoint discovery is not part of this bundle') } })
        }
      }`,
    }))
  },
}
