import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handler as preTokenGeneration } from '../../functions/sign-in/pre-token-generation.ts'
import { startDynamoDbEmulator } from '../../infra/local/emulators/dynamodb.ts'
import { startS3Emulator } from '../../infra/local/emulators/s3/start-s3-emulator.ts'
import { startSecretsEmulator } from '../../infra/local/emulators/secrets.ts'
import { startTestPool } from '../support/cognito-pool.ts'
import { testCredentials } from '../support/credentials.ts'
import { chargedUnits } from '../support/metered-table.ts'
import { serveParent } from './child.ts'
import { startDynamodbProxy } from './dynamodb-proxy.ts'

// The emulators of AWS in a separate process, so that their work is not counted as the product's.

export interface Emulators {
  dynamodb: string
  /** the same table behind a proxy whose latency can be set */
  tableProxy: string
  s3: string
  secrets: string
  cognito: string
  userPoolId: string
  clientId: string
  issuer: string
  jwksUri: string
  user: { email: string; password: string; sub: string }
  /** valid for 15 minutes */
  accessToken: string
}

const region = 'us-east-1'
const dataDir = mkdtempSync(join(tmpdir(), 'juno-bench-'))
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
const dynamodb = await startDynamoDbEmulator({
  dataDir,
  tableName: 'bench',
  credentials: testCredentials,
  region,
})
const proxy = await startDynamodbProxy(dynamodb.url)
const s3 = await startS3Emulator({
  dataDir,
  bucket: 'bench',
  credentials: testCredentials,
  region,
  corsOrigins: [],
})
const secrets = await startSecretsEmulator({ dataDir, region, credentials: testCredentials })
// environment of the pool's trigger, which reads no row if nobody is in a group
Object.assign(process.env, { TABLE_NAME: 'bench', IDENTITY_PROVIDERS: '[]', PASSWORD_SIGN_IN: 'on' })
const pool = await startTestPool({
  dataDir,
  triggers: { preTokenGeneration },
  siteOrigins: [process.env['SITE_ORIGIN'] ?? ''],
})
const user = await pool.newUser()
const { tokens } = await pool.signIn(user)
const ready: Emulators = {
  dynamodb: dynamodb.url,
  tableProxy: proxy.url,
  s3: s3.url,
  secrets: secrets.url,
  cognito: pool.url,
  userPoolId: pool.userPoolId,
  clientId: pool.clientId,
  issuer: pool.issuer,
  jwksUri: pool.jwksUri,
  user,
  accessToken: tokens.access,
}
serveParent(ready as never, {
  writeUnits: () => chargedUnits(dynamodb.store).write,
  readUnits: () => chargedUnits(dynamodb.store).read,
  setTableLatency: (ms) => proxy.setLatency(Number(ms)),
  takeTableRequests: () => proxy.takeRequests(),
})
