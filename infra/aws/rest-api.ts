import { RemovalPolicy } from 'aws-cdk-lib'
import {
  AccessLogFormat,
  EndpointType,
  LogGroupLogDestination,
  RestApi,
  type MethodDeploymentOptions,
} from 'aws-cdk-lib/aws-apigateway'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { audioTypes } from './audio-types.ts'
import { routes, type RouteName } from '#shared/routes.ts'
import { acknowledge } from './acknowledge.ts'
import type { Config } from './config.ts'

/**
 * Requests per second, and burst, of the routes without a token: no user's budget limits them. `share` is of the gateway's own limit. A
 * backup code costs a hash on 1 GB of memory, and a new account runs ten functions concurrently.
 */
const openRouteLimits: Readonly<Partial<Record<RouteName, { rate: number } | { share: number }>>> = {
  'mfa.verify': { rate: 5 },
  health: { rate: 10 },
  'shares.view': { share: 0.25 },
  // each open page asks once a minute
  'site.read': { share: 0.25 },
}

const buildMethodOptions = (requestsPerSecond: number): Record<string, MethodDeploymentOptions> =>
  Object.fromEntries(
    Object.entries(openRouteLimits).map(([name, limit]) => {
      const { path, method } = routes[name as RouteName]
      const rate = 'rate' in limit ? limit.rate : Math.ceil(limit.share * requestsPerSecond)
      return [`${path}/${method}`, { throttlingRateLimit: rate, throttlingBurstLimit: 2 * rate }]
    }),
  )

/** Adds the gateway with its access log; routes are mounted by `mountRoutes`. */
export function addRestApi(
  scope: Construct,
  {
    prefix,
    logRetentionDays,
    requestsPerSecond,
  }: Pick<Config, 'prefix' | 'logRetentionDays' | 'requestsPerSecond'>,
): RestApi {
  const accessLogs = new LogGroup(scope, 'AccessLogs', {
    retention: logRetentionDays as RetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const api = new RestApi(scope, 'Api', {
    restApiName: prefix,
    binaryMediaTypes: [...audioTypes],
    // edge-optimised gateways cut a stream after 30 s of silence, and the site has its own distribution
    endpointTypes: [EndpointType.REGIONAL],
    cloudWatchRole: true,
    deployOptions: {
      stageName: 'live',
      throttlingRateLimit: requestsPerSecond,
      // no account allows more at once (https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html)
      throttlingBurstLimit: Math.min(5_000, 2 * requestsPerSecond),
      methodOptions: buildMethodOptions(requestsPerSecond),
      accessLogDestination: new LogGroupLogDestination(accessLogs),
      // the route, never the path: paths contain ids
      accessLogFormat: AccessLogFormat.custom(
        JSON.stringify({
          requestId: '$context.requestId',
          time: '$context.requestTime',
          method: '$context.httpMethod',
          route: '$context.resourcePath',
          status: '$context.status',
          responseType: '$context.error.responseType',
          latencyMs: '$context.responseLatency',
          bytes: '$context.responseLength',
        }),
      ),
    },
  })
  acknowledge(api, {
    APIG2:
      'Functions check every path, query and body against the contract in shared/ and answer in the product’s own words; a second check here would answer first, in others.',
  })
  acknowledge(api.node.findChild('CloudWatchRole'), {
    'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
      'The role becomes a setting of the whole account in this region, with which every gateway there writes its logs; only API Gateway may take it. A narrower one would silence the others.',
  })
  acknowledge(api.deploymentStage, {
    APIG3:
      'The web ACL (context waf) stands before the distribution. Here it would see CloudFront’s addresses instead of users’. Direct calls of the gateway are limited by its throttle, the authorizer and the budgets of each user.',
    APIG6:
      'The access log above and the functions’ own logs tell what happened. Execution logs would write paths and values of requests, with ids of users’ things, into a log group that no stack owns and that keeps them for ever.',
  })
  return api
}
