import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startS3Emulator } from '../../infra/local/emulators/s3/start-s3-emulator.ts'
import { testCredentials } from './credentials.ts'

const region = 'eu-central-1'

/** The S3 emulator in a temporary folder, and the variables by which the SDK finds it. */
export async function startTestStore(bucket: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-store-'))
  const s3 = await startS3Emulator({ dataDir, bucket, credentials: testCredentials, region, corsOrigins: [] })
  return {
    variables: {
      AWS_REGION: region,
      AWS_ENDPOINT_URL_S3: s3.url,
      AWS_ACCESS_KEY_ID: testCredentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
      AWS_SESSION_TOKEN: testCredentials.sessionToken,
    },
    async close() {
      await s3.close()
      await rm(dataDir, { recursive: true })
    },
  }
}
