import { securityHeaders } from '../../infra/aws/security-headers.ts'
import { openTable } from '../../functions/platform/dynamodb/table.ts'
import { loadHandlers } from '../../infra/local/function-modules.ts'
import { createGateway } from '../../infra/local/gateway.ts'
import { installLambdaRuntime } from '../../infra/local/lambda.ts'
import { listen } from '../../infra/local/listen.ts'
import { saveSecret, writeSiteConfig } from '../../infra/local/provision.ts'
import { createLocalServer, type Site } from '../../infra/local/server.ts'
import { pageHandler } from '../../infra/local/page-handler.ts'
import { webDist } from '../../infra/local/web-build.ts'
import { serveParent } from './child.ts'

// The measured process: the handlers behind the local server, without the emulators, in Lambda's environment.

// standard output is only counted, not printed: on Lambda it would be the logs in CloudWatch
let logBytes = 0
process.stdout.write = (text: string | Uint8Array) => {
  logBytes += Buffer.byteLength(text)
  return true
}

const env = (name: string) => process.env[name] ?? ''

const site = Promise.withResolvers<Site>()
const { url: origin } = await listen(createLocalServer(site.promise), Number(env('PORT')))
installLambdaRuntime()
await saveSecret(env('MODEL_KEY_SECRET'), 'none')
await saveSecret(env('SEALING_KEY_SECRET'), 'a sealing key for tests, at least 48 characters long')
await writeSiteConfig(openTable(env('TABLE_NAME')), {
  origin,
  clientId: env('CLIENT_ID'),
  bucketOrigin: env('AWS_ENDPOINT_URL_S3'),
})
site.resolve({
  origin,
  gateway: createGateway(await loadHandlers(), (error) => process.stderr.write(`${String(error)}\n`)),
  page: pageHandler(webDist),
  mailbox: { list: () => [] },
  pushService: { list: () => [], receive: async () => 410 },
  subscribe: async () => false,
  config: {
    region: env('USER_POOL_ID').split('_')[0],
    userPoolId: env('USER_POOL_ID'),
    userPoolClientId: env('CLIENT_ID'),
    userPoolEndpoint: env('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER'),
    assistantName: env('ASSISTANT_NAME'),
    brandName: env('BRAND_NAME'),
    signUp: 'open',
    demo: { model: true, providers: true },
    version: '0.0.0',
  },
  headers: securityHeaders({
    connectOrigins: [env('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER')],
    imageOrigins: [],
  }),
})
const usage = () => {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return { cpuMs: (user + system) / 1_000, rssMb: rss / 1024 / 1024, heapMb: heapUsed / 1024 / 1024 }
}
serveParent(origin, {
  logBytes: () => logBytes,
  usage,
  usageAfterGc: () => {
    globalThis.gc?.()
    return usage()
  },
})
