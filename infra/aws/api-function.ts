import { AssetHashType, DockerImage, RemovalPolicy, type Duration } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acknowledgeWildcard } from './acknowledge.ts'
import { OwnRole } from './own-role.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const buildFunction = fileURLToPath(new URL('./function-build/build-function.ts', import.meta.url))

export interface ApiFunctionProps {
  /** the module that exports `handler`, relative to `functions/` */
  readonly entry: string
  readonly description: string
  readonly memoryMb: number
  readonly timeout: Duration
  /** variables without a value are left out */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly logRetentionDays: number
  /** namespace of its metrics; absent: no metrics */
  readonly metricsNamespace?: string | undefined
  /** modules of threads and child processes, relative to `functions/` */
  readonly workers?: readonly string[]
  /** every call leaves a trace; by default yes */
  readonly isTraced?: boolean
  /** reserved from the account's concurrency; undefined: no reservation */
  readonly reservedConcurrency?: number | undefined
}

/**
 * Bundles a function in a separate process, because esbuild runs plugins asynchronously and constructs are synchronous.
 * @throws Error when the code does not bundle
 */
const functionCode = (entry: string, workers: readonly string[]) =>
  Code.fromAsset(join(repository, 'functions'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('unused'),
      // also the key of a bundle in the CDK's cache
      command: [entry, ...workers],
      local: {
        tryBundle(folder) {
          execFileSync(process.execPath, [buildFunction, entry, folder, ...workers], { stdio: 'inherit' })
          return true
        },
      },
    },
  })

/** A Lambda function with its own log group and its own role, which may only write to that group until granted more. */
export class ApiFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: ApiFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      // CloudWatch's periods are numbers of days, as is the type behind them
      retention: props.logRetentionDays as RetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const role = new OwnRole(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: props.description,
    })
    role.addToPolicy(
      new PolicyStatement({
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logGroup.logGroupArn],
      }),
    )
    const { isTraced = true } = props
    if (isTraced)
      acknowledgeWildcard(
        role,
        '*',
        'X-Ray’s two actions for writing traces know no resources (Service Authorization Reference); nothing else in a role of a function names all resources but Lambda’s own actions for a network (isolateParser), as test/infra/permissions.test.ts checks.',
      )
    const environment = Object.entries({
      ...props.environment,
      METRICS_NAMESPACE: props.metricsNamespace,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined)
    super(scope, id, {
      code: functionCode(props.entry, props.workers ?? []),
      handler: 'index.handler',
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
      // not at the gateway, whose traces contain full URLs and IP addresses
      tracing: isTraced ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { NODE_OPTIONS: '--enable-source-maps', ...Object.fromEntries(environment) },
    })
  }
}
