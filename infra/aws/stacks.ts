import { PermissionsBoundary, Tags, type App, type StackProps } from 'aws-cdk-lib'
import { RegionInfo } from 'aws-cdk-lib/region-info'
import { ApiStack } from './api-stack.ts'
import { AuthStack } from './auth-stack.ts'
import { readConfig } from './config.ts'
import { DataStack } from './data-stack.ts'
import { needsEdge } from './edge-region.ts'
import { EdgeStack } from './edge-stack.ts'
import { OperatorError } from './operator-error.ts'
import { WebStack } from './web-stack.ts'

/**
 * The whole product: `<brand>-<stage>-data`, `-auth`, `-api` and `-web`. Dependencies run only data → auth → api → web: the web
 * stack writes what the others need of the site (its origin, the app client) into the table. A domain without a certificate,
 * the WAF or the outside check adds `-edge`, which web depends on.
 * @param siteFolder the built site, `web/dist`
 * @param region of the deployment, if the command line knows it
 * @throws OperatorError when the context is wrong, naming the key, or when the site is not built
 */
export function addStacks(
  app: App,
  { siteFolder, region }: { siteFolder: string; region?: string | undefined },
) {
  const config = readConfig(app.node)
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging-legacy-s3.html
  if (config.accessLogs && region && RegionInfo.get(region).isOptInRegion)
    throw new OperatorError(
      `Context accessLogs must be off in ${region}: CloudFront delivers no logs to regions that an account has to opt in to. (npx cdk … -c accessLogs=off)`,
    )
  // the conditions of operators' policies name them (infra/operate/policy)
  const tags = { brand: config.brand, stage: config.stage }
  for (const [key, value] of Object.entries(tags)) Tags.of(app).add(key, value)
  const buildStackProps = (name: string, description: string): StackProps & { stackName: string } => ({
    stackName: `${config.prefix}-${name}`,
    description: `${config.brandName} (${config.stage}): ${description}`,
    tags,
    ...(config.permissionsBoundary && {
      permissionsBoundary: PermissionsBoundary.fromName(config.permissionsBoundary),
    }),
  })

  // a `destroy` in the wrong shell leaves what holds people's data, and a later deployment goes on with it
  const protection = { terminationProtection: config.keepData }
  const data = new DataStack(app, `${config.prefix}-data`, {
    ...buildStackProps('data', 'table, uploads, secrets'),
    ...protection,
    config,
  })
  const auth = new AuthStack(app, `${config.prefix}-auth`, {
    ...buildStackProps('auth', 'user pool and its triggers'),
    ...protection,
    config,
    table: data.table,
  })
  const api = new ApiStack(app, `${config.prefix}-api`, {
    ...buildStackProps('api', 'functions, gateway, schedule'),
    config,
    data,
    userPool: auth.userPool,
  })
  const edge = needsEdge(config)
    ? new EdgeStack(app, `${config.prefix}-edge`, {
        ...buildStackProps('edge', 'certificate, WAF, outside check'),
        config,
      })
    : undefined
  const web = new WebStack(app, `${config.prefix}-web`, {
    ...buildStackProps('web', 'site, distribution, app client'),
    config,
    data,
    auth,
    api: api.api,
    edge,
    siteFolder,
  })
  if (edge) web.addStackDependency(edge)
  return { data, auth, api, web, ...(edge && { edge }) }
}
