import { App, Duration, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { ApiFunction } from '../../infra/aws/api-function.ts'
import { modulesAtStart, sizeOfModules } from '../support/function-bundle.ts'
import { kb, median, ms, percentile, type Bench } from './figures.ts'

const budget = { bytes: 600 * 1024, importMs: 60 }
const importRuns = 21

/** Bundles the chat function as the deployment does. @returns the module's path */
export async function bundleChat(outdir: string): Promise<string> {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': ['**'] }, outdir })
  const stack = new Stack(app, 'bundle')
  new ApiFunction(stack, 'Chat', {
    entry: 'chat/handlers.ts',
    description: 'chat',
    memoryMb: 512,
    timeout: Duration.seconds(300),
    logRetentionDays: 30,
    environment: {},
  })
  app.synth()
  const [found] = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function')) as {
    Properties: { Code: { S3Key: string } }
  }[]
  return join(outdir, `asset.${found?.Properties.Code.S3Key.replace('.zip', '')}`, 'index.mjs')
}

const script = `
  globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: { from: (stream) => stream } }
  const startedAt = performance.now()
  await import(process.env.MODULE)
  process.stdout.write(String(performance.now() - startedAt))`

const environment = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  TABLE_NAME: 'bench',
  UPLOADS_BUCKET: 'bench',
  TOKEN_ISSUER: 'https://issuer.invalid/pool',
  JWKS_URI: 'https://issuer.invalid/pool/.well-known/jwks.json',
  ASSISTANT_NAME: 'Juno',
  OPENAI_MODEL: 'bench',
  MODEL_KEY_SECRET: 'bench',
}

/** Imports a module in a fresh process. @returns how long the import took, and the whole process, in ms */
async function importOnce(module: string, options: string): Promise<{ importMs: number; processMs: number }> {
  const startedAt = performance.now()
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...environment, NODE_OPTIONS: options, MODULE: pathToFileURL(module).href },
  })
  return { importMs: Number(stdout), processMs: performance.now() - startedAt }
}

export const bundleBench: Bench = {
  name: 'bundle',
  title: 'The chat function',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'juno-bundle-'))
    try {
      const bundle = await bundleChat(join(folder, 'cdk.out'))
      const empty = join(folder, 'empty.mjs')
      await writeFile(empty, 'export {}\n')
      const size = sizeOfModules(dirname(bundle), modulesAtStart(dirname(bundle)))
      const times = { empty: [] as number[], bundle: [] as number[], maps: [] as number[] }
      const processes = { empty: [] as number[], bundle: [] as number[] }
      for (let run = -1; run < importRuns; run += 1) {
        const nothing = await importOnce(empty, '')
        const plain = await importOnce(bundle, '')
        const mapped = await importOnce(bundle, '--enable-source-maps')
        if (run < 0) continue
        times.empty.push(nothing.importMs)
        times.bundle.push(plain.importMs)
        times.maps.push(mapped.importMs)
        processes.empty.push(nothing.processMs)
        processes.bundle.push(plain.processMs)
      }
      const findLeast = (values: number[]) => percentile(values, 0)
      const formatSpread = (values: number[]) => `${ms(findLeast(values))} / ${ms(median(values))}`
      return [
        {
          what: 'Modules loaded at start, minified, SDK included',
          measured: kb(size),
          budget: `≤ ${kb(budget.bytes)}`,
          met: size <= budget.bytes,
        },
        {
          what: `Import in a fresh process, least / median of ${importRuns}`,
          measured: formatSpread(times.bundle),
          budget: `≤ ${budget.importMs} ms`,
          met: median(times.bundle) <= budget.importMs,
        },
        {
          what: 'The same with source maps on, as deployed',
          measured: formatSpread(times.maps),
          budget: `≤ ${budget.importMs} ms`,
          met: median(times.maps) <= budget.importMs,
        },
        { what: 'Import of an empty module', measured: formatSpread(times.empty) },
        {
          what: 'Whole process with the bundle over one with the empty module, medians',
          measured: (median(processes.bundle) / median(processes.empty)).toFixed(2),
        },
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
