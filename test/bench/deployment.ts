import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { type Route, type RouteName, routes } from '#shared/routes.ts'
import { credentialVariables } from '../../infra/local/credentials.ts'
import { writeSiteConfig } from '../../infra/local/provision.ts'
import { projectRoot } from '../../infra/local/settings.ts'
import { configurations } from '../infra/configurations.ts'
import { modulesAtStart, modulesIn, sizeOfModules } from '../support/function-bundle.ts'
import { testCredentials } from '../support/credentials.ts'
import { startChild } from './child.ts'
import type { Emulators } from './emulators-process.ts'
import { kb, median, ms, type Bench, type Figure } from './figures.ts'

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const limits = { bytes: 1_000_000, resources: 500 }
/** With this much memory a function has one vCPU, with less a share of it (https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html). */
const oneProcessorMb = 1_769
const importRuns = 5

interface Template {
  readonly name: string
  readonly bytes: number
  readonly resources: Readonly<Record<string, { Type: string; Properties?: FunctionProperties }>>
}

interface FunctionProperties {
  readonly Description?: string
  readonly MemorySize: number
  readonly Code: { S3Key: string }
  readonly Environment?: { Variables: Record<string, unknown> }
}

/** `npx cdk synth` as an operator types it, without their credentials; the site is built with it. @returns seconds */
async function synthesise(context: Readonly<Record<string, unknown>>, outdir: string): Promise<number> {
  const startedAt = performance.now()
  const contextArgs = Object.entries(context).flatMap(([key, value]) => [
    '-c',
    `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ])
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'))
  await promisify(execFile)('npx', ['cdk', 'synth', '-q', '-o', outdir, ...contextArgs], {
    cwd: projectRoot,
    env: { ...Object.fromEntries(own), AWS_EC2_METADATA_DISABLED: 'true' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return (performance.now() - startedAt) / 1_000
}

async function templatesIn(outdir: string): Promise<Template[]> {
  const files = (await readdir(outdir)).filter((name) => name.endsWith('.template.json'))
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(outdir, file), 'utf8')
      const { Resources } = JSON.parse(text) as { Resources: Template['resources'] }
      const name = /-(\w+)\.template\.json$/.exec(file)?.[1] ?? file
      return { name, bytes: Buffer.byteLength(text), resources: Resources }
    }),
  )
}

const script = `
  globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: { from: (stream) => stream } }
  const before = process.cpuUsage()
  await import(process.env.MODULE)
  const { user, system } = process.cpuUsage(before)
  process.stdout.write(JSON.stringify({ cpuMs: (user + system) / 1000, peakKb: process.resourceUsage().maxRSS }))`

/** The function's environment in the template; values known only after a deployment become an unused address. */
const getVariables = ({ Environment }: FunctionProperties) =>
  Object.fromEntries(
    Object.entries(Environment?.Variables ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : 'https://bench.invalid/pool',
    ]),
  )

/** Imports a function's module in a fresh process whose heap has the function's memory. */
async function importOnce(
  module: string,
  properties: FunctionProperties,
): Promise<{ cpuMs: number; peakKb: number }> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [`--max-old-space-size=${properties.MemorySize}`, '--input-type=module', '-e', script],
    {
      env: {
        ...getVariables(properties),
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        MODULE: pathToFileURL(module).href,
      },
    },
  )
  return JSON.parse(stdout) as { cpuMs: number; peakKb: number }
}

/** A route of the function, preferably one that reads. A trigger has none. */
function findRoute(functionId: string): RouteName | undefined {
  const functionName = functionId.charAt(0).toLowerCase() + functionId.slice(1)
  const own = Object.entries(routes as Record<RouteName, Route>).filter(
    ([, route]) => route.functionName === functionName,
  )
  const [name] = own.find(([, { method }]) => method === 'GET') ?? own[0] ?? []
  return name as RouteName | undefined
}

/**
 * The first request of a fresh process, by a signed-in user: token, keys, table, the first use of each client. Routes that
 * write get no body, so the request is refused.
 */
async function requestOnce(
  module: string,
  {
    properties,
    route,
    emulators,
  }: { properties: FunctionProperties; route: RouteName; emulators: Emulators },
): Promise<{ cpuMs: number; status: number }> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      `--max-old-space-size=${properties.MemorySize}`,
      join(import.meta.dirname, 'first-request-process.ts'),
      module,
      route,
      emulators.accessToken,
    ],
    {
      env: {
        ...getVariables(properties),
        ...credentialVariables(testCredentials),
        AWS_REGION: 'us-east-1',
        AWS_ENDPOINT_URL_DYNAMODB: emulators.dynamodb,
        AWS_ENDPOINT_URL_S3: emulators.s3,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: emulators.secrets,
        AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: emulators.cognito,
        TABLE_NAME: 'bench',
        TOKEN_ISSUER: emulators.issuer,
        JWKS_URI: emulators.jwksUri,
        USER_POOL_ID: emulators.userPoolId,
        CLIENT_ID: emulators.clientId,
      },
    },
  )
  return JSON.parse(stdout.split('\n').at(-1) ?? '') as { cpuMs: number; status: number }
}

/** The size of each function and its cold start: INIT, and the request that waited for it. */
async function functionFigures(
  outdir: string,
  templates: readonly Template[],
  emulators: Emulators,
): Promise<Figure[]> {
  const figures: Figure[] = []
  const resources = templates.flatMap((template) => Object.entries(template.resources))
  for (const [id, { Type, Properties }] of resources) {
    if (Type !== 'AWS::Lambda::Function' || !Properties) continue
    const folder = join(outdir, `asset.${Properties.Code.S3Key.replace('.zip', '')}`)
    const files = await readdir(folder).catch((): string[] => [])
    // without the CDK's own functions, which run during a deployment
    if (!files.includes('index.mjs')) continue
    const atStart = kb(sizeOfModules(folder, modulesAtStart(folder)))
    const all = kb(sizeOfModules(folder, modulesIn(folder)))
    const runs = []
    for (let run = 0; run < importRuns; run += 1)
      runs.push(await importOnce(join(folder, 'index.mjs'), Properties))
    const cpuMs = median(runs.map((run) => run.cpuMs))
    const share = Math.min(1, Properties.MemorySize / oneProcessorMb)
    const peakMb = Math.max(...runs.map((run) => run.peakKb)) / 1024
    const name = id.replace(/[0-9A-F]{8}$/, '')
    const route = findRoute(name)
    const requests = []
    for (let run = 0; route && run < importRuns; run += 1)
      requests.push(
        await requestOnce(join(folder, 'index.mjs'), { properties: Properties, route, emulators }),
      )
    const requestMs = median(requests.map((request) => request.cpuMs))
    const first = route
      ? `first request (${route}, ${[...new Set(requests.map(({ status }) => status))].join()}) ${ms(requestMs)} → ${(requestMs / share).toFixed(0)} ms; `
      : ''
    figures.push({
      what: `${name}: ${atStart} at start, ${all} in all`,
      measured: `INIT ${ms(cpuMs)}; ${first}${peakMb.toFixed(0)} MB`,
      budget: `≤ ${Properties.MemorySize} MB`,
      met: peakMb <= Properties.MemorySize,
    })
  }
  return figures
}

/** Measures with the emulators of AWS running. */
async function measureFunctions(outdir: string, templates: readonly Template[]): Promise<Figure[]> {
  const emulators = await startChild<Emulators>('emulators-process.ts')
  const { dynamodb: endpoint, clientId, s3 } = emulators.ready
  const connection = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: testCredentials })
  try {
    const table = { client: DynamoDBDocumentClient.from(connection), name: 'bench' }
    await writeSiteConfig(table, { origin: 'https://bench.invalid', clientId, bucketOrigin: s3 })
    return await functionFigures(outdir, templates, emulators.ready)
  } finally {
    connection.destroy()
    await emulators.end()
  }
}

export const deploymentBench: Bench = {
  name: 'deployment',
  title: 'Deployment',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'juno-deployment-'))
    try {
      const figures: Figure[] = []
      let functions: Figure[] = []
      for (const [name, context] of Object.entries(configurations)) {
        const outdir = join(folder, String(figures.length))
        const seconds = await synthesise(context, outdir)
        const templates = await templatesIn(outdir)
        figures.push({ what: `\`npx cdk synth\`, ${name}`, measured: `${seconds.toFixed(1)} s` })
        for (const { name: stack, bytes, resources } of templates) {
          const count = Object.keys(resources).length
          figures.push({
            what: `Stack ${stack}, ${name}`,
            measured: `${kb(bytes)}, ${count} resources`,
            budget: `≤ 1 MB, ${limits.resources}`,
            met: bytes <= limits.bytes && count <= limits.resources,
          })
        }
        if (name === 'full') functions = await measureFunctions(outdir, templates)
      }
      return [...figures, ...functions]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
