import { RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { BucketDeployment, CacheControl, type ISource, Source } from 'aws-cdk-lib/aws-s3-deployment'
import type { Construct } from 'constructs'
import { diagramFramePath } from '#shared/diagram-frame.ts'
import { clientDocumentPath } from '#shared/oauth-client.ts'
import { webManifestPath } from './web-manifest.ts'
import { acknowledge, acknowledgeWildcard } from './acknowledge.ts'
import { helperRole } from './helper-role.ts'

const diagramAssets = `${diagramFramePath.slice(1)}assets/*`

/**
 * Deploys the site: first the files with a hash in their names, which are cached for ever, then the settings of this deployment, last the
 * page that names both. Old files stay for open tabs.
 */
export function deploySite(
  scope: Construct,
  {
    bucket,
    siteFolder,
    logRetentionDays,
    settings: sources,
  }: { bucket: IBucket; siteFolder: string; logRetentionDays: number; settings: ISource[] },
) {
  const logGroup = new LogGroup(scope, 'DeploymentLogs', {
    retention: logRetentionDays as RetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const role = helperRole(scope, 'DeploymentRole', logGroup)
  grantSiteWrite(role, bucket)
  const shared = {
    destinationBucket: bucket,
    prune: false,
    memoryLimit: 256,
    logGroup,
    // the CDK would grant more: deletion, and access to whole buckets
    role: role.withoutPolicyUpdates(),
  }
  const siteFiles = withReadGrant(role, Source.asset(siteFolder))
  const assets = new BucketDeployment(scope, 'Assets', {
    ...shared,
    sources: [siteFiles],
    exclude: ['*'],
    include: ['assets/*', diagramAssets],
    cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
  })
  const settings = new BucketDeployment(scope, 'Settings', {
    ...shared,
    sources: sources.map((source) => withReadGrant(role, source)),
    cacheControl: [CacheControl.noStore()],
  })
  const pages = new BucketDeployment(scope, 'Pages', {
    ...shared,
    sources: [siteFiles],
    exclude: [
      'assets/*',
      diagramAssets,
      '.*',
      'config.json',
      clientDocumentPath.slice(1),
      webManifestPath.slice(1),
    ],
    cacheControl: [CacheControl.noCache()],
  })
  settings.node.addDependency(assets)
  pages.node.addDependency(settings)
  const helper = scope.node.children.find(({ node }) => node.id.startsWith('Custom::CDKBucketDeployment'))
  if (helper)
    acknowledge(helper, {
      L1: 'The helper is the CDK’s, in the runtime that the CDK tests it with; it runs only while the stack is deployed, and changes with the CDK’s version.',
    })
}

/** Grants the deployment helper what `aws s3 sync` without `--delete` calls. */
function grantSiteWrite(role: Role, bucket: IBucket) {
  role.addToPolicy(new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }))
  role.addToPolicy(
    new PolicyStatement({
      actions: ['s3:AbortMultipartUpload', 's3:PutObject'],
      resources: [bucket.arnForObjects('*')],
    }),
  )
  acknowledgeWildcard(
    role,
    bucket.arnForObjects('*'),
    'The helper writes the site, whose file names change with every build, into a bucket that holds nothing else; it may neither read nor delete there.',
  )
}

/** The same source, with the helper granted to read its archive. */
function withReadGrant(role: Role, source: ISource): ISource {
  return {
    bind(scope, context) {
      const bound = source.bind(scope, context)
      const archives = bound.bucket.arnForObjects('*.zip')
      role.addToPolicy(new PolicyStatement({ actions: ['s3:GetObject'], resources: [archives] }))
      acknowledgeWildcard(
        role,
        archives,
        'The archives of a deployment are named by a hash of what is in them. Naming each would change the policy a moment before it is needed, and IAM’s changes take a while to be known everywhere: deployments would fail now and then.',
      )
      return bound
    },
  }
}
