import { DynamoDBClient, QueryCommand as RawQueryCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversationStores } from '../../functions/conversations/store/conversation-stores.ts'
import { openStores } from '../support/conversations.ts'
import type { Item } from '../../infra/local/emulators/dynalite.ts'
import { itemBytes } from '../support/item-size.ts'
import { credentialVariables } from '../../infra/local/credentials.ts'
import { testCredentials } from '../support/credentials.ts'
import { findFreePort } from '../support/free-port.ts'
import { startChild } from './child.ts'
import type { TableRequest } from './dynamodb-proxy.ts'
import type { Emulators } from './emulators-process.ts'

/** Bytes billed for each stored item besides its own (the developer guide, "DynamoDB item sizes and formats"). */
const storedItemOverheadBytes = 100

export interface Usage {
  cpuMs: number
  rssMb: number
  heapMb: number
}

/** The measured product in four processes: the emulators, the model, the handlers, and this client. */
export interface Product {
  readonly origin: string
  /** the model's address, for OPENAI_BASE_URL */
  readonly modelUrl: string
  readonly user: Emulators['user']
  readonly accessToken: string
  /** the product's own repositories, to prepare conversations with */
  readonly stores: ConversationStores
  /** checkpoints of a conversation that are in the table right now */
  countCheckpoints(sessionId: string): Promise<number>
  /**
   * Only the sequential requests to the table that a reply waits for: count the call, load the conversation, claim the run,
   * save the message.
   * @returns how long they took, in ms
   */
  measureTableSteps(sessionId: string): Promise<number>
  /** size of a conversation's messages in the table, as DynamoDB bills storage */
  messageBytes(sessionId: string): Promise<number>
  /** write units charged since the start */
  writeUnits(): Promise<number>
  /** write units once all writes have ended: a reply releases its budgets after the end of its stream */
  settledWriteUnits(): Promise<number>
  /** sets the latency of the handlers' requests to the table; needs `tableProxy` */
  setTableLatency(ms: number): Promise<void>
  /** the handlers' requests to the table since the last call */
  takeTableRequests(): Promise<TableRequest[]>
  /** read units charged since the start */
  readUnits(): Promise<number>
  /** bytes that functions have logged since the start */
  logBytes(): Promise<number>
  /** usage of the handlers' process only */
  usage(): Promise<Usage>
  /** the same after its garbage is collected */
  usageAfterGc(): Promise<Usage>
  end(): Promise<void>
}

const tableName = 'bench'
/** after this long without a write a turn has written everything */
const settledMs = 500

/**
 * @param profileTo a folder for the CPU profile of the handlers' process
 * @param env further variables of the handlers' process
 * @param tableProxy whether the handlers reach the table over a link whose latency can be set
 */
export async function startProduct(
  profileTo?: string,
  env: Record<string, string> = {},
  tableProxy = false,
): Promise<Product> {
  // the user pool allows this origin only, and starts first
  const port = await findFreePort()
  const siteOrigin = `http://127.0.0.1:${port}`
  const emulators = await startChild<Emulators>('emulators-process.ts', { env: { SITE_ORIGIN: siteOrigin } })
  const model = await startChild<string>('model-process.ts')
  const { ready: endpoints } = emulators
  const product = await startChild<string>('product-process.ts', {
    execArgv: [
      '--expose-gc',
      ...(profileTo === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileTo}`]),
    ],
    env: {
      PORT: String(port),
      AWS_REGION: 'us-east-1',
      ...credentialVariables(testCredentials),
      AWS_ENDPOINT_URL_DYNAMODB: tableProxy ? endpoints.tableProxy : endpoints.dynamodb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secrets,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: endpoints.cognito,
      AWS_ENDPOINT_URL_S3: endpoints.s3,
      TABLE_NAME: tableName,
      UPLOADS_BUCKET: 'bench',
      // no bench has a document read by the product: `npm run bench -- documents` measures the reader itself
      DOCUMENT_READER_FUNCTION: 'none',
      DOCUMENT_PARSER_FUNCTION: 'none',
      TOKEN_ISSUER: endpoints.issuer,
      JWKS_URI: endpoints.jwksUri,
      USER_POOL_ID: endpoints.userPoolId,
      CLIENT_ID: endpoints.clientId,
      IDENTITY_PROVIDERS: '[]',
      PASSWORD_SIGN_IN: 'on',
      ASSISTANT_NAME: 'Juno',
      BRAND_NAME: 'Juno',
      SIGN_UP: 'open',
      // nothing listens there: benches run no schedules
      SCHEDULE_QUEUE_URL: 'http://127.0.0.1:1/queue',
      PRODUCT_VERSION: '0.0.0',
      // limits are counted but never reached
      SITE_TOKENS_PER_DAY: '1000000000000',
      RATE_LIMIT_FACTOR: '100000',
      OPENAI_BASE_URL: model.ready,
      OPENAI_MODEL: 'bench',
      MODEL_KEY_SECRET: 'juno/bench/model-key',
      SEALING_KEY_SECRET: 'juno/bench/sealing-key',
      VAULT_PREFIX: 'juno/bench/integrations',
      RECOVERY_DAYS: '35',
      METRICS_NAMESPACE: 'juno-bench',
      ...env,
    },
  })
  const connection = new DynamoDBClient({
    endpoint: endpoints.dynamodb,
    region: 'us-east-1',
    credentials: testCredentials,
  })
  const client = DynamoDBDocumentClient.from(connection, { marshallOptions: { removeUndefinedValues: true } })
  return {
    origin: product.ready,
    modelUrl: model.ready,
    user: endpoints.user,
    accessToken: endpoints.accessToken,
    stores: openStores({ client, name: tableName }),
    async countCheckpoints(sessionId) {
      const { Count = 0 } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
          ExpressionAttributeValues: { ':pk': `U#${endpoints.user.sub}`, ':prefix': `LOG#${sessionId}#` },
          Select: 'COUNT',
        }),
      )
      return Count
    },
    async measureTableSteps(sessionId) {
      const key = { PK: 'BENCH', SK: sessionId }
      const row = { TableName: tableName, Item: { ...key, text: 'x'.repeat(200) } }
      const startedAt = performance.now()
      await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: key,
          UpdateExpression: 'ADD calls :one',
          ExpressionAttributeValues: { ':one': 1 },
        }),
      )
      await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
          ExpressionAttributeValues: { ':pk': `U#${endpoints.user.sub}`, ':prefix': `M#${sessionId}#` },
          Limit: 100,
        }),
      )
      await client.send(new PutCommand(row))
      await client.send(new PutCommand(row))
      return performance.now() - startedAt
    },
    async messageBytes(sessionId) {
      const { Items = [] } = await connection.send(
        new RawQueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
          ExpressionAttributeValues: {
            ':pk': { S: `U#${endpoints.user.sub}` },
            ':prefix': { S: `M#${sessionId}#` },
          },
        }),
      )
      return Items.reduce((bytes, item) => bytes + itemBytes(item as Item) + storedItemOverheadBytes, 0)
    },
    writeUnits: () => emulators.call('writeUnits'),
    async settledWriteUnits() {
      let units = await emulators.call<number>('writeUnits')
      for (;;) {
        await sleep(settledMs)
        const now = await emulators.call<number>('writeUnits')
        if (now === units) return units
        units = now
      }
    },
    setTableLatency: (ms) => emulators.call('setTableLatency', ms),
    takeTableRequests: () => emulators.call('takeTableRequests'),
    readUnits: () => emulators.call('readUnits'),
    logBytes: () => product.call('logBytes'),
    usage: () => product.call('usage'),
    usageAfterGc: () => product.call('usageAfterGc'),
    async end() {
      connection.destroy()
      // the handlers first: their last writes need the other processes
      for (const child of [product, model, emulators]) await child.end()
    },
  }
}
