import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { testCredentials } from '../support/credentials.ts'
import { startChild } from './child.ts'
import { median, type Bench, type Figure } from './figures.ts'

const TableName = 'bench'
const rounds = 8
const requestsPerRound = 250

interface Server {
  client: DynamoDBDocumentClient
  cpuMs(): Promise<number>
  end(): Promise<void>
}

async function startTable(store: 'sqlite' | 'leveldb', profileTo?: string): Promise<Server> {
  const child = await startChild<string>('table-process.ts', {
    args: [store],
    execArgv: profileTo === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileTo}`],
  })
  const connection = new DynamoDBClient({
    endpoint: child.ready,
    region: 'us-east-1',
    credentials: testCredentials,
  })
  return {
    client: DynamoDBDocumentClient.from(connection),
    cpuMs: () => child.call('cpuMs'),
    async end() {
      connection.destroy()
      await child.end()
    },
  }
}

type Request = (client: DynamoDBDocumentClient, n: number) => Promise<unknown>

const text = 'x'.repeat(600)
const key = (n: number) => ({ PK: `U#${n % 20}`, SK: `M#${String(n % 1_000).padStart(4, '0')}` })

const requests: readonly [what: string, request: Request][] = [
  ['PutItem', (client, n) => client.send(new PutCommand({ TableName, Item: { ...key(n), text, n } }))],
  ['GetItem', (client, n) => client.send(new GetCommand({ TableName, Key: key(n), ConsistentRead: true }))],
  [
    'BatchGetItem of 4',
    (client, n) =>
      client.send(
        new BatchGetCommand({
          RequestItems: { [TableName]: { Keys: [n, n + 1, n + 2, n + 3].map(key), ConsistentRead: true } },
        }),
      ),
  ],
  [
    'Query of 12 items',
    (client, n) =>
      client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
          ExpressionAttributeValues: { ':pk': key(n).PK, ':prefix': 'M#' },
          Limit: 12,
        }),
      ),
  ],
  [
    'UpdateItem with a condition, half of them refused',
    (client, n) =>
      client
        .send(
          new UpdateCommand({
            TableName,
            Key: key(n),
            UpdateExpression: 'SET n = n + :one',
            ConditionExpression: 'n < :limit',
            ExpressionAttributeValues: { ':one': 1, ':limit': n % 2 === 0 ? 1e9 : -1 },
          }),
        )
        .catch((error: unknown) => {
          if (!(error instanceof ConditionalCheckFailedException)) throw error
        }),
  ],
]

/** @returns the server's CPU time for one request and the caller's waiting time, in ms */
async function measure(server: Server, request: Request, first: number) {
  const before = await server.cpuMs()
  const startedAt = performance.now()
  for (let n = first; n < first + requestsPerRound; n += 1) await request(server.client, n)
  const waitedMs = (performance.now() - startedAt) / requestsPerRound
  return { cpuMs: ((await server.cpuMs()) - before) / requestsPerRound, waitedMs }
}

/** Alternates between both tables, so that other load on the machine affects both. */
export const tableBench: Bench = {
  name: 'table',
  title: 'The local table against dynalite over LevelDB',
  async run({ profileTo }) {
    const [own, level] = [await startTable('sqlite', profileTo), await startTable('leveldb')]
    try {
      const figures: Figure[] = []
      for (const [what, request] of requests) {
        const ratios: { cpu: number; waited: number }[] = []
        for (let round = -1; round < rounds; round += 1) {
          const run = (server: Server) => measure(server, request, (round + 1) * requestsPerRound)
          // the order alternates, too
          const first = await run(round % 2 === 0 ? own : level)
          const second = await run(round % 2 === 0 ? level : own)
          const [ours, theirs] = round % 2 === 0 ? [first, second] : [second, first]
          // the first round is a warm-up
          if (round >= 0)
            ratios.push({ cpu: ours.cpuMs / theirs.cpuMs, waited: ours.waitedMs / theirs.waitedMs })
        }
        const ratio = (kind: 'cpu' | 'waited') => median(ratios.map((round) => round[kind])).toFixed(2)
        figures.push({
          what: `${what}, ${rounds * requestsPerRound} each by the SDK one after another: processor time of the table / time its caller waits, over those of the same table on LevelDB`,
          measured: `${ratio('cpu')} / ${ratio('waited')}`,
        })
      }
      return figures
    } finally {
      await own.end()
      await level.end()
    }
  },
}
