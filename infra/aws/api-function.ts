import { AssetHashType, DockerImage, RemovalPolicy, type Duration } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
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
import { acknowledgeStar } from './acknowledge.ts'

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
  /** where its metrics go; absent: it measures nothing */
  readonly metricsNamespace?: string | undefined
  /** modules of threads that the function starts, relative to `functions/` */
  readonly workers?: readonly string[]
  /** how many of it may run at once, taken from what the account may run; undefined: as many as there is room for */
  readonly reservedConcurrency?: number | undefined
}

/**
 * Bundles a function in a process of its own, because esbuild runs its plugins asynchronously and constructs are made synchronously.
 * @throws Error when the code does not bundle
 */
const functionCode = (entry: string, workers: readonly string[]) =>
  Code.fromAsset(join(repository, 'functions'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('unused'),
      // tells the bundles apart in the library's cache, too
      command: [entry, ...workers],
      local: {
        tryBundle(folder) {
          execFileSync(process.execPath, [buildFunction, entry, folder, ...workers], { stdio: 'inherit' })
          return true
        },
      },
    },
  })

/** A Lambda function with its own log group and its own role, which may write into that group and nothing else until granted. */
export class ApiFunction extends LambdaFunction {
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
      // here and not at the gateway, whose traces hold whole addresses, of people and of pages
      tracing: Tracing.ACTIVE,
      environment: { NODE_OPTIONS: '--enable-source-maps', ...Object.fromEntries(environment) },
    })
  }
}
