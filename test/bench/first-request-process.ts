import { pathToFileURL } from 'node:url'
import { apiFunctions, type RouteName, routes } from '#shared/routes.ts'
import { buildProxyEvent, testContext } from '../support/invoke.ts'
import { LambdaStream, lambdaRuntime } from '../support/lambda-stream.ts'

// The first request of a function in a fresh process: `index.mjs` of its bundle, the route, the token.

const [module = '', route = 'health', token = ''] = process.argv.slice(2)
Object.assign(globalThis, { awslambda: lambdaRuntime })
const { handler } = (await import(pathToFileURL(module).href)) as {
  handler: (...parameters: unknown[]) => Promise<unknown>
}
const { path, functionName } = routes[route as RouteName]
const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => [name, 'none'])
const event = buildProxyEvent(route as RouteName, {
  params: Object.fromEntries(names) as never,
  headers: { authorization: `Bearer ${token}` },
})

const before = process.cpuUsage()
const stream = new LambdaStream()
const response = apiFunctions[functionName].streaming
  ? await handler(event, stream, testContext)
  : await handler(event, testContext)
const { user, system } = process.cpuUsage(before)
const status = apiFunctions[functionName].streaming
  ? /"statusCode":(\d+)/.exec(stream.bytes().toString())?.[1]
  : (response as { statusCode: number }).statusCode
process.stdout.write(`\n${JSON.stringify({ cpuMs: (user + system) / 1_000, status: Number(status) })}`)
process.exit(0)
