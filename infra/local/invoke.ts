import './load-env.ts'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type PathParams, type RouteName, routePath, routes } from '#shared/routes.ts'
import { pageConfig } from '../operate/stage.ts'
import { newPassword, signInBySrp } from '../operate/sign-in.ts'
import { createUser } from '../operate/smoke/temporary-user.ts'
import { applyProxy } from '../operate/apply-proxy.ts'
import { divertFunctionLogs } from './function-logs.ts'
import { readSettings } from './settings.ts'
import { startLocal } from './start-local.ts'

/**
 * `npm run invoke -- <route or function> ['<json body>'] [--name=value …]`: calls one handler as a signed-in user of a temporary
 * product, and prints the response; the log of the call goes to standard error. Path parameters are options: `--sessionId=…`; `--stream` asks for events.
 */

const usage = `npm run invoke -- <name> ['<json body>'] [--sessionId=…] [--stream]
names: ${Object.entries(routes)
  .map(([name, { path }]) => (path.startsWith('/functions/') ? `${name} (${path.split('/').at(-1)})` : name))
  .join(', ')}`

/** A route by its name, or by the last part of a function's path. */
function findRoute(name: string | undefined): RouteName | undefined {
  const found = Object.entries(routes).find(
    ([route, { path }]) => route === name || (path.startsWith('/functions/') && path.endsWith(`/${name}`)),
  )
  return found?.[0] as RouteName | undefined
}

/** Why the route cannot be called with these arguments, in sentences. */
function listProblems(name: RouteName, values: Record<string, unknown>, body: string | undefined): string[] {
  const { method, path } = routes[name]
  const missing = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, key = '']) =>
    typeof values[key] === 'string' ? [] : `--${key}=…`,
  )
  return [
    ...(missing.length > 0 ? [`${name} needs ${missing.join(' ')}.`] : []),
    ...(method === 'GET' && body !== undefined ? [`${name} takes no body.`] : []),
  ]
}

/** Creates a user in the local user pool. @returns an access token */
async function signInDeveloper(origin: string): Promise<string> {
  const config = pageConfig.parse(await (await fetch(`${origin}/config.json`)).json())
  const developer = { email: 'developer@example.com', password: newPassword() }
  // the local product's environment points to its own user pool
  const client = new CognitoIdentityProviderClient({})
  await createUser(client, config.userPoolId, developer, AbortSignal.timeout(10_000))
  client.destroy()
  return signInBySrp(config, developer)
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, strict: false })
  const name = findRoute(positionals[0])
  if (!name) {
    process.stderr.write(`${usage}\n`)
    return 2
  }
  const body = positionals[1]
  const problems = listProblems(name, values, body)
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`)
    return 2
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-invoke-'))
  const settings = readSettings({
    // nothing listens there, so the registry's daily sync fails at once
    GITHUB_API_URL: 'http://127.0.0.1:9',
    MCP_REGISTRY_URL: 'http://127.0.0.1:9',
    ...process.env,
    PORT: '0',
    LOCAL_DATA_DIR: dataDir,
  })
  const proxyProblem = applyProxy([settings.model?.baseUrl])
  if (proxyProblem !== undefined) process.stderr.write(`${proxyProblem}\n`)
  let isCalled = false
  divertFunctionLogs((chunk) => {
    // what the daily jobs of the start have to say is of no interest
    if (isCalled) process.stderr.write(chunk)
  })
  const product = await startLocal(settings, {
    page: async () => async (_, response) => void response.writeHead(404).end(),
  })
  try {
    const accessToken = await signInDeveloper(product.origin)
    isCalled = true
    const response = await fetch(product.origin + routePath(name, values as PathParams<RouteName>), {
      method: routes[name].method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(values['stream'] && { accept: 'text/event-stream' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    })
    process.stderr.write(`${response.status} ${response.headers.get('content-type') ?? ''}\n`)
    for await (const chunk of response.body ?? []) process.stdout.write(chunk as Uint8Array)
    process.stdout.write('\n')
    return response.ok ? 0 : 1
  } finally {
    await product.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

process.exitCode = await main()
