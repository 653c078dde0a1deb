import { RemovalPolicy, type Duration } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda'
import { NodejsFunction, OutputFormat, type BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acknowledgeStar } from './acknowledge.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Where the SDK would look for credentials elsewhere than in a Lambda function, which finds them in its environment before it
 * comes to import one of these. They are a tenth of the chat function.
 */
const otherCredentials = [
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
]

/** What is CommonJS inside a bundle still finds a `require`. */
const requireBanner = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);"

/**
 * How every function is bundled. The SDK goes in, so that what runs is what was tested.
 */
const bundling: BundlingOptions = {
  format: OutputFormat.ESM,
  target: 'node24',
  minify: true,
  sourceMap: true,
  sourcesContent: false,
  mainFields: ['module', 'main'],
  bundleAwsSDK: true,
  externalModules: otherCredentials,
  tsconfig: join(repository, 'tsconfig.json'),
  banner: requireBanner,
}

export interface ApiFunctionProps {
  /** the module that exports `handler`, relative to `functions/` */
  readonly entry: string
  readonly description: string
  readonly memoryMb: number
  readonly timeout: Duration
  /** variables without a value are left out */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly logRetentionDays: number
  /** where its metrics go; absent: it measures nothing */
  readonly metricsNamespace?: string | undefined
  /** modules that become bundles of their own beside the entry's: threads, and what is seldom needed; relative to `functions/` */
  readonly ownBundles?: readonly string[]
  /** how many of it may run at once, taken from what the account may run; undefined: as many as there is room for */
  readonly reservedConcurrency?: number | undefined
}

/** Bundles these modules as the function itself; they find no bundler of their own at run time. */
function withOwnBundles(modules: readonly string[]): BundlingOptions {
  if (modules.length === 0) return bundling
  const esbuild = join(repository, 'node_modules/.bin/esbuild')
  return {
    ...bundling,
    commandHooks: {
      beforeInstall: () => [],
      beforeBundling: () => [],
      afterBundling: (_, outputDir) =>
        modules.map((module) =>
          [
            JSON.stringify(esbuild),
            JSON.stringify(join(repository, 'functions', module)),
            '--bundle --platform=node --format=esm --target=node24 --minify --main-fields=module,main',
            `--tsconfig=${JSON.stringify(join(repository, 'tsconfig.json'))}`,
            `--banner:js=${JSON.stringify(requireBanner)}`,
            `--outfile=${JSON.stringify(join(outputDir, basename(module).replace(/\.ts$/, '.mjs')))}`,
          ].join(' '),
        ),
    },
  }
}

/** A Lambda function with its own log group and its own role, which may write into that group and nothing else until granted. */
export class ApiFunction extends NodejsFunction {
  constructor(scope: Construct, id: string, props: ApiFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      // CloudWatch's periods are numbers of days, as is the type behind them
      retention: props.logRetentionDays as RetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: props.description,
    })
    role.addToPolicy(
      new PolicyStatement({
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logGroup.logGroupArn],
      }),
    )
    acknowledgeStar(
      role,
      '*',
      'X-Ray’s two actions for writing traces know no resources (Service Authorization Reference); nothing else in a role of a function names all resources, as test/infra/permissions.test.ts checks.',
    )
    const environment = Object.entries({
      ...props.environment,
      METRICS_NAMESPACE: props.metricsNamespace,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined)
    super(scope, id, {
      entry: join(repository, 'functions', props.entry),
      handler: 'handler',
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb,
      timeout: props.timeout,
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // here and not at the gateway, whose traces hold whole addresses, of people and of pages
      tracing: Tracing.ACTIVE,
      environment: { NODE_OPTIONS: '--enable-source-maps', ...Object.fromEntries(environment) },
      depsLockFilePath: join(repository, 'package-lock.json'),
      projectRoot: repository,
      bundling: withOwnBundles(props.ownBundles ?? []),
    })
  }
}
