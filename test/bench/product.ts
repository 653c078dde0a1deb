import { DynamoDBClient, QueryCommand as RawQueryCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { openStores, type Stores } from '../../functions/sessions/stores.ts'
import { itemBytes, storedItemOverheadBytes, type Item } from '../../infra/local/emulators/item-size.ts'
import { startChild } from './child.ts'
import type { Emulators } from './emulators-process.ts'

export interface Usage {
  cpuMs: number
  rssMb: number
  heapMb: number
}

/** The product under measurement: four processes, the emulators, the model, the handlers, and this one, which asks. */
export interface Product {
  readonly origin: string
  /** of the model, as OPENAI_BASE_URL has it */
  readonly modelUrl: string
  readonly user: Emulators['user']
  readonly accessToken: string
  /** the product's own repositories, to prepare conversations with */
  readonly stores: Stores
  /** checkpoints of a conversation that are in the table right now */
  checkpoints(sessionId: string): Promise<number>
  /**
   * The requests to the table that a reply waits for in turn, and nothing else: count the call, read the conversation, claim the run,
   * store the message.
   * @returns how long they took, in ms
   */
  tableSteps(sessionId: string): Promise<number>
  /** size of a conversation's messages in the table, as DynamoDB bills storage */
  messageBytes(sessionId: string): Promise<number>
  /** write units charged since the start */
  writeUnits(): Promise<number>
  /** read units charged since the start */
  readUnits(): Promise<number>
  /** bytes that functions have logged since the start */
  logBytes(): Promise<number>
  /** of the process with the handlers alone */
  usage(): Promise<Usage>
  /** the same after its garbage is collected */
  collected(): Promise<Usage>
  end(): Promise<void>
}

const tableName = 'bench'

/**
 * @param profileTo a folder: the handlers' process writes a CPU profile into it when it ends
 * @param env of the handlers' process, beside what every bench needs
 */
export async function startProduct(profileTo?: string, env: Record<string, string> = {}): Promise<Product> {
  const emulators = await startChild<Emulators>('emulators-process.ts')
  const model = await startChild<string>('model-process.ts')
  const { ready: at } = emulators
  const product = await startChild<string>('product-process.ts', {
    execArgv: [
      '--expose-gc',
      ...(profileTo === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileTo}`]),
    ],
    env: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: at.dynamodb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: at.secrets,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: at.cognito,
      AWS_ENDPOINT_URL_S3: at.s3,
      TABLE_NAME: tableName,
      UPLOADS_BUCKET: 'bench',
      TOKEN_ISSUER: at.issuer,
      JWKS_URI: at.jwksUri,
      USER_POOL_ID: at.userPoolId,
      CLIENT_ID: at.clientId,
      ASSISTANT_NAME: 'Juno',
      BRAND_NAME: 'Juno',
      PRODUCT_VERSION: '0.0.0',
      // the limits are counted, and never reached
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
    endpoint: at.dynamodb,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const client = DynamoDBDocumentClient.from(connection, { marshallOptions: { removeUndefinedValues: true } })
  return {
    origin: product.ready,
    modelUrl: model.ready,
    user: at.user,
    accessToken: at.accessToken,
    stores: openStores({ client, name: tableName }),
    async checkpoints(sessionId) {
      const { Count = 0 } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
          ExpressionAttributeValues: { ':pk': `U#${at.user.sub}`, ':prefix': `LOG#${sessionId}#` },
          Select: 'COUNT',
        }),
      )
      return Count
    },
    async tableSteps(sessionId) {
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
          ExpressionAttributeValues: { ':pk': `U#${at.user.sub}`, ':prefix': `M#${sessionId}#` },
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
            ':pk': { S: `U#${at.user.sub}` },
            ':prefix': { S: `M#${sessionId}#` },
          },
        }),
      )
      return Items.reduce((bytes, item) => bytes + itemBytes(item as Item) + storedItemOverheadBytes, 0)
    },
    writeUnits: () => emulators.call('writeUnits'),
    readUnits: () => emulators.call('readUnits'),
    logBytes: () => product.call('logBytes'),
    usage: () => product.call('usage'),
    collected: () => product.call('collected'),
    async end() {
      connection.destroy()
      // the handlers first: what they still have to write needs the others
      for (const child of [product, model, emulators]) await child.end()
    },
  }
}
