import { startDynamoDbEmulator } from '../../infra/local/emulators/dynamodb.ts'
import { testCredentials } from '../support/credentials.ts'

// A table in a separate process, which a test can kill: its address is on standard output.

const [dataDir = '', tableName = ''] = process.argv.slice(2)
const { url } = await startDynamoDbEmulator({
  dataDir,
  tableName,
  credentials: testCredentials,
  region: 'us-east-1',
})
process.stdout.write(`${url}\n`)
