import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'
import { DynamoDBDocumentClient, ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { openTable, type Table } from '../../functions/platform/dynamodb/table.ts'
import { readConfig } from '../aws/config.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { mergeContext, type Context } from '../aws/stage-file.ts'
import type { ProductStores } from './backup/create-backup.ts'
import { findVariable } from './env-file.ts'

export type { Context }

/**
 * Loads the context that `npx cdk` would give the app: cdk.json, overridden by the file of the stage, overridden by `-c`.
 * @param values the values of `-c`, each `key=value`
 * @throws OperatorError for a value without a key, or a file that is wrong
 */
export const loadContext = (values: readonly string[], stages?: string): Context =>
  mergeContext(parsePairs(values), stages)

/** @throws OperatorError for a value without a key */
export function parsePairs(values: readonly string[]): Record<string, string> {
  const pairs = values.map((pair) => {
    const [, key, value = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (key === undefined) throw new OperatorError(`-c ${pair} must have the form key=value.`)
    return [key, value] as const
  })
  return Object.fromEntries(pairs)
}

/** What `readConfig` reads. */
export const contextNode = (context: Context) => ({
  tryGetContext: (key: string): unknown => context[key],
  getAllContext: () => context,
})

/** Short timeouts, because these calls come before any work. */
const clientOptions = { requestHandler: { connectionTimeout: 5_000, requestTimeout: 15_000 } }

/**
 * The deployed stage of a context.
 * @param values the values of `-c`
 */
export function openStage(
  values: readonly string[],
  cloudFormation = new CloudFormationClient(clientOptions),
) {
  const config = readConfig(contextNode(loadContext(values)))
  const findStack = (name: string) =>
    describeStack(cloudFormation, name).catch((error: Error) => {
      // a command explains these itself
      if (error.name === 'CredentialsProviderError' || error.message === 'Region is missing') throw error
      throw new OperatorError(
        `The stack ${name} could not be read: ${error.message} (npm run doctor says what is missing)`,
        { cause: error },
      )
    })
  return {
    config,
    /**
     * Fetches an output of a stack.
     * @throws OperatorError when it does not exist or cannot be read
     */
    findOutput: async (stackName: string, key: string): Promise<string> => {
      const StackName = `${config.prefix}-${stackName}`
      const stack = await findStack(StackName)
      if (!stack)
        throw new OperatorError(
          `There is no stack ${StackName} in this account and region. Deploy it first, or give the same -c values as for the deployment.`,
        )
      const value = stack.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue
      if (value === undefined)
        throw new OperatorError(
          `The stack ${StackName} has no output ${key}: it is ${stack.StackStatus ?? 'unknown'}. Deploy it again.`,
        )
      return value
    },
    /** The outputs of a stack, without those that it exports for another; none if it does not exist. */
    listOutputs: async (stackName: string): Promise<{ key: string; value: string }[]> => {
      const stack = await findStack(`${config.prefix}-${stackName}`)
      return (stack?.Outputs ?? [])
        .filter(({ ExportName }) => ExportName === undefined)
        .map(({ OutputKey = '', OutputValue = '' }) => ({ key: OutputKey, value: OutputValue }))
    },
  }
}

/** @returns undefined if it does not exist */
export async function describeStack(client: CloudFormationClient, StackName: string) {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0]
  } catch (error) {
    if (isMissingStack(error)) return undefined
    throw error
  }
}

/** Whether an error of CloudFormation says that there is no such stack. */
export const isMissingStack = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist')

/** Options of commands that select the product. */
export interface Target {
  readonly context: readonly string[]
  readonly url?: string | undefined
  readonly local?: boolean | undefined
}

/** A running product: the deployment of a stage, or the local product. */
export interface Deployment {
  /** without a slash at its end */
  readonly origin: string
  readonly userPoolId: string
  /** client of the user pool with the operator's permissions */
  readonly pools: CognitoIdentityProviderClient
}

/** The address of the local product, when the options select it. */
function getLocalAddress({ url, local }: Target): string | undefined {
  const at = url ?? (local ? `http://127.0.0.1:${findVariable('PORT') ?? 4000}` : undefined)
  return at !== undefined && isLocal(at) ? at : undefined
}

/** Whether an address is of the local product, which needs no AWS credentials. */
const isLocal = (url: string) => /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/?$/.test(url)

/**
 * Finds the product that a command works on: the deployment of the context, by the outputs of its stacks, or the local product.
 * @throws OperatorError when there is none, or it cannot be read
 */
export async function findDeployment(
  target: Target,
  cloudFormation?: CloudFormationClient,
): Promise<Deployment> {
  const at = getLocalAddress(target)
  if (at !== undefined) return findLocalDeployment(at)
  const { findOutput } = openStage(target.context, cloudFormation)
  const origin = await findOutput('web', 'SiteUrl')
  const userPoolId = await findOutput('auth', 'UserPoolId')
  return {
    origin: parseOrigin(target.url ?? origin),
    userPoolId,
    pools: new CognitoIdentityProviderClient(clientOptions),
  }
}

/**
 * Finds the local product with its user pool.
 * @throws OperatorError when nothing responds there, or its data folder is another one
 */
async function findLocalDeployment(url: string): Promise<Deployment> {
  const origin = parseOrigin(url)
  const response = await fetch(`${origin}/config.json`).catch((error: unknown) => {
    throw new OperatorError(`Nothing answers at ${origin}. Start it first: npm start`, { cause: error })
  })
  const { data: config } = pageConfig.safeParse(await response.json().catch(() => undefined))
  if (!config?.userPoolEndpoint || !isLocal(config.userPoolEndpoint))
    throw new OperatorError(`What answers at ${origin} is not the product as npm start runs it.`)
  const { region, userPoolId } = config
  const { cognito, credentials } = await readLocalEndpoints()
  if (cognito !== config.userPoolEndpoint)
    throw new OperatorError(
      `What answers at ${origin} does not run on ${localDataDir()}: set LOCAL_DATA_DIR to its data folder.`,
    )
  return {
    origin,
    userPoolId,
    pools: new CognitoIdentityProviderClient({ ...clientOptions, region, endpoint: cognito, credentials }),
  }
}

function parseOrigin(url: string): string {
  const { origin = 'null' } = URL.parse(url) ?? {}
  if (!origin.startsWith('http'))
    throw new OperatorError(`--url ${url} is not an address such as https://chat.example.org`)
  return origin
}

/**
 * Finds the table of the context's deployment, or of the product on this machine.
 * @throws OperatorError when it does not exist, or AWS refuses access
 */
export async function findTable(target: Target): Promise<Table> {
  if (getLocalAddress(target) === undefined)
    return openTable(await openStage(target.context).findOutput('data', 'TableName'))
  const { dynamodb: endpoint, table: name, credentials } = await readLocalEndpoints()
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials })
  return { client: DynamoDBDocumentClient.from(client), name }
}

/**
 * Finds table, bucket and user pool of the context's deployment, or of the product on this machine.
 * @throws OperatorError when one does not exist, or cannot be read
 */
export async function findStores(target: Target): Promise<ProductStores> {
  if (getLocalAddress(target) === undefined) {
    const { findOutput } = openStage(target.context)
    return {
      table: { client: new DynamoDBClient({}), name: await findOutput('data', 'TableName') },
      bucket: { client: new S3Client({}), name: await findOutput('data', 'UploadsBucketName') },
      pool: { client: new CognitoIdentityProviderClient({}), id: await findOutput('auth', 'UserPoolId') },
    }
  }
  const { userPoolId, pools } = await findDeployment(target)
  const { dynamodb, s3, table, bucket, credentials } = await readLocalEndpoints()
  const options = { region: 'us-east-1', credentials }
  return {
    table: { client: new DynamoDBClient({ ...options, endpoint: dynamodb }), name: table },
    bucket: { client: new S3Client({ ...options, endpoint: s3, forcePathStyle: true }), name: bucket },
    pool: { client: pools, id: userPoolId },
  }
}

/** Reads the whole table, which no function may do. */
export async function* scanTable(
  { client, name: TableName }: Table,
  input: Omit<ScanCommandInput, 'TableName' | 'ConsistentRead' | 'ExclusiveStartKey'>,
): AsyncGenerator<Record<string, unknown>> {
  let start: ScanCommandInput['ExclusiveStartKey']
  do {
    const page = await client.send(
      new ScanCommand({
        ...input,
        TableName,
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    )
    yield* page.Items ?? []
    start = page.LastEvaluatedKey
  } while (start)
}

/** The file that the local product writes for commands in other processes. */
const localEndpoints = z.looseObject({
  dynamodb: z.url(),
  s3: z.url(),
  secrets: z.url(),
  cognito: z.url(),
  table: z.string(),
  bucket: z.string(),
  credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: z.string() }),
})

/** The data folder that `npm start` uses with the same environment. */
const localDataDir = (): string =>
  resolve(import.meta.dirname, '../..', findVariable('LOCAL_DATA_DIR') || '.local')

/**
 * Reads the endpoints and credentials of the local product.
 * @throws OperatorError when it has not run on this data folder
 */
export async function readLocalEndpoints(dataDir = localDataDir()): Promise<z.output<typeof localEndpoints>> {
  const text = await readFile(join(dataDir, 'endpoints.json'), 'utf8').catch((error: unknown) => {
    throw new OperatorError(
      `No local product has run on ${dataDir}: start it with npm start. If it runs on another folder, set LOCAL_DATA_DIR to that.`,
      {
        cause: error,
      },
    )
  })
  const endpoints = localEndpoints.safeParse(JSON.parse(text))
  if (endpoints.success) return endpoints.data
  throw new OperatorError(`The product that ran on ${dataDir} is older than this command: start it again.`, {
    cause: endpoints.error,
  })
}

/** The fields of the page's config.json that commands read. */
export const pageConfig = z.object({
  dictation: z.boolean().optional(),
  region: z.string(),
  userPoolId: z.string(),
  userPoolClientId: z.string(),
  userPoolEndpoint: z.string().optional(),
  /** absent: passwords are enabled */
  passwordSignIn: z.boolean().optional(),
  signUp: z.string().optional(),
  version: z.string(),
})
export type PageConfig = z.output<typeof pageConfig>

/** @throws OperatorError if the page belongs to another user pool */
export async function fetchPageConfig({
  origin,
  userPoolId,
}: Pick<Deployment, 'origin' | 'userPoolId'>): Promise<PageConfig> {
  const config = pageConfig.parse(await (await fetch(`${origin}/config.json`)).json())
  if (config.userPoolId !== userPoolId)
    throw new OperatorError(
      `${origin} signs in at another user pool than ${userPoolId}: deploy the web stack again.`,
    )
  return config
}
