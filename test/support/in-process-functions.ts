import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { ApiFunctionName } from '#shared/routes.ts'
import { openConversationStores } from '../../functions/conversations/store/conversation-stores.ts'
import { customToolRepository } from '../../functions/integrations/store/custom-tool-repository.ts'
import { fileRepository } from '../../functions/files/file-repository.ts'
import { openObjectStore } from '../../functions/platform/s3/object-store.ts'
import { startLambdaEmulator } from '../../infra/local/emulators/lambda-invoke.ts'
import { startSecretsEmulator } from '../../infra/local/emulators/secrets.ts'
import {
  documentParserName,
  documentReaderName,
  invokedFunctions,
} from '../../infra/local/function-modules.ts'
import { createGateway } from '../../infra/local/gateway.ts'
import { type Handlers, installLambdaRuntime } from '../../infra/local/lambda.ts'
import { listen } from '../../infra/local/listen.ts'
import { saveSecret, writeSiteConfig } from '../../infra/local/provision.ts'
import { caller } from './caller.ts'
import { testCredentials } from './credentials.ts'
import { startFakeModel } from './fake-model-server.ts'
import { putGroups } from './groups.ts'
import { startTestIssuer } from './invoke.ts'
import { openTestTable } from './table.ts'
import { startTestStore } from './test-store.ts'

const bucket = 'uploads'
const sealingKey = 'a sealing key of tests, long enough'

/** Parts of a request to the table by which tests recognize it. */
interface TableInput {
  Key?: Record<string, string>
  Item?: Record<string, unknown>
  UpdateExpression?: string
}

/**
 * Calls `look` for every request to the table, until the test ends.
 * @param look returns the error with which the request fails, or nothing
 */
export function watchTable(look: (command: { input: object }) => Error | undefined): void {
  const send = Reflect.get(DynamoDBDocumentClient.prototype, 'send') as () => unknown
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(function (
    this: DynamoDBDocumentClient,
    command: { input: object },
  ) {
    const error = look(command)
    return (error ? Promise.reject(error) : Reflect.apply(send, this, [command])) as never
  })
}

/**
 * Delays requests to the table, until the test ends.
 * @param hold each request goes when it resolves, and fails when it rejects
 */
export function delayTable(hold: (command: string, input: TableInput) => Promise<void>): void {
  const send = Reflect.get(DynamoDBDocumentClient.prototype, 'send') as () => unknown
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(function (
    this: DynamoDBDocumentClient,
    command: { input: object },
  ) {
    return hold(command.constructor.name, command.input).then(() =>
      Reflect.apply(send, this, [command]),
    ) as never
  })
}

/**
 * Makes requests to the table fail, until the test ends or `times` have failed.
 * @param matches selects requests by the command's name and its input
 */
export function failTable(
  matches: (command: string, input: TableInput) => boolean,
  times = Number.POSITIVE_INFINITY,
): void {
  let failures = 0
  watchTable((command) => {
    if (failures >= times || !matches(command.constructor.name, command.input)) return undefined
    failures += 1
    return new Error('the table did not answer')
  })
}

/**
 * The conversation functions in this process, behind the local gateway: called over HTTP like a client does, with a separate table,
 * object store and model server. One per file: handlers read their environment when they load.
 * @param env further variables of the functions' environment
 */
export async function startInProcessFunctions(env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-functions-'))
  const [table, storeEmulator, issuer, model] = await Promise.all([
    openTestTable(),
    startTestStore(bucket),
    startTestIssuer(),
    startFakeModel(),
  ])
  const region = storeEmulator.variables.AWS_REGION
  const [secrets, lambda] = await Promise.all([
    startSecretsEmulator({ dataDir, region, credentials: testCredentials }),
    startLambdaEmulator({ functions: invokedFunctions, region, credentials: testCredentials }),
  ])
  Object.assign(process.env, {
    ...storeEmulator.variables,
    ...issuer.environment,
    AWS_ENDPOINT_URL_DYNAMODB: table.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    LOG_LEVEL: 'silent',
    TABLE_NAME: table.name,
    UPLOADS_BUCKET: bucket,
    PRODUCT_VERSION: '1.0.0',
    AWS_ENDPOINT_URL_LAMBDA: lambda.url,
    DOCUMENT_READER_FUNCTION: documentReaderName,
    DOCUMENT_PARSER_FUNCTION: documentParserName,
    BUCKET_ORIGIN: storeEmulator.variables.AWS_ENDPOINT_URL_S3,
    ASSISTANT_NAME: 'Juno',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'test-model',
    MODEL_KEY_SECRET: 'model-key',
    SEALING_KEY_SECRET: 'sealing-key',
    VAULT: 'table',
    USER_POOL_ID: 'eu-central-1_test',
    ...env,
  })
  await Promise.all([
    saveSecret('model-key', 'key-of-the-model'),
    saveSecret('sealing-key', sealingKey),
    writeSiteConfig(table, { origin: 'https://juno.example', clientId: issuer.clientId, bucketOrigin: '' }),
  ])
  installLambdaRuntime()
  const [chat, sessions] = await Promise.all([
    import('../../functions/chat/handlers.ts'),
    import('../../functions/conversations/handlers.ts'),
  ])
  const handlers: Partial<Record<ApiFunctionName, unknown>> = {
    chat: chat.handler,
    sessions: sessions.handler,
  }
  const gateway = createGateway(handlers as Handlers, (error) => {
    throw error
  })
  const server = await listen(
    createServer((request, response) => {
      void gateway.respond(request, response, new URL(request.url ?? '', 'http://127.0.0.1'))
    }),
  )
  const attached = { files: fileRepository(table), store: openObjectStore(bucket) }
  const putRow = async (item: Record<string, unknown>): Promise<void> => {
    await table.client.send(new PutCommand({ TableName: table.name, Item: item }))
  }

  return {
    model,
    table,
    attached,
    stores: openConversationStores(table, attached),
    /** for `interceptCalls`: services by port */
    services: new Map([[table.port, 'dynamodb']]),
    /** A signed-in user of this test alone. @param claims of the access token besides the usual ones */
    async newUser(claims: Record<string, unknown> = {}) {
      const sub = crypto.randomUUID()
      return { sub, ...caller(server.url, await issuer.token(sub, claims)) }
    },
    putGroups: (limits: Record<string, GroupLimits>) => putGroups(table, limits),
    /** An access token, for calls of other functions. */
    issueToken: issuer.token,
    /** The same user with a new token: the test may have moved its clock past the end of the first one. */
    signInAgain: async ({ sub }: { sub: string }, claims: Record<string, unknown> = {}) => ({
      sub,
      ...caller(server.url, await issuer.token(sub, claims)),
    }),
    /** Writes a row directly. */
    putRow,
    /** Adds an MCP server as a user's custom tool. */
    async addCustomTool({ sub }: { sub: string }, name: string, url: string): Promise<void> {
      const custom = customToolRepository(table)
      const id = crypto.randomUUID()
      await custom.reserveSlot(sub, id)
      await custom.add(sub, {
        id,
        name,
        description: '',
        server_url: url,
        masks: {},
        is_active: true,
        created_at: new Date().toISOString(),
      })
    },
    /** Every row of a user, counters aside. */
    async readRows({ sub }: { sub: string }): Promise<Record<string, unknown>[]> {
      const { Items = [] } = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'PK = :pk',
          ExpressionAttributeValues: { ':pk': `U#${sub}` },
          ConsistentRead: true,
        }),
      )
      return Items
    },
    /** calls of functions that have not ended yet */
    countRunning: () => gateway.countRunning(),
    async close() {
      await server.close()
      model.close()
      issuer.close()
      await Promise.all([table.close(), storeEmulator.close(), secrets.close(), lambda.close()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

type InProcessFunctions = Awaited<ReturnType<typeof startInProcessFunctions>>
export type InProcessUser = Awaited<ReturnType<InProcessFunctions['newUser']>>
