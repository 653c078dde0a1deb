import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { OperatorError } from '../aws/operator-error.ts'

/** The file that the local product writes for commands in other processes. */
const localEndpoints = z.looseObject({
  dynamodb: z.url(),
  secrets: z.url(),
  cognito: z.url(),
  table: z.string(),
  credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: z.string() }),
})
type LocalEndpoints = z.output<typeof localEndpoints>

/** The data folder that `npm start` uses with the same environment. */
export const localDataDir = (): string =>
  resolve(import.meta.dirname, '../..', process.env['LOCAL_DATA_DIR'] || '.local')

/**
 * Reads the endpoints and credentials of the local product on a data folder.
 * @throws OperatorError when it has not run there
 */
export async function readLocalEndpoints(dataDir: string): Promise<LocalEndpoints> {
  const text = await readFile(join(dataDir, 'endpoints.json'), 'utf8').catch((error: unknown) => {
    throw new OperatorError(`No local product has run on ${dataDir}: start it with npm start.`, {
      cause: error,
    })
  })
  const endpoints = localEndpoints.safeParse(JSON.parse(text))
  if (endpoints.success) return endpoints.data
  throw new OperatorError(`The product that ran on ${dataDir} is older than this command: start it again.`, {
    cause: endpoints.error,
  })
}

/** Variables that make the SDK call the local product only. */
export const localEnvironment = ({ dynamodb, secrets, cognito, credentials }: LocalEndpoints) => ({
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_SESSION_TOKEN: credentials.sessionToken,
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets,
  AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: cognito,
})
