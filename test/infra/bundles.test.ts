import { App, Duration, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiFunction } from '../../infra/aws/api-function.ts'
import { contextWith, temporaryFolder, type Resource } from './synthesised.ts'

const entries = { Chat: 'chat/handlers.ts', Health: 'health/handlers.ts' }

/** Where esbuild, run by the library with the product's own options, put each bundle. */
const bundles = new Map<string, string>()

beforeAll(() => {
  const outdir = temporaryFolder()
  const app = new App({ context: contextWith({ 'aws:cdk:bundling-stacks': ['**'] }), outdir })
  const stack = new Stack(app, 'bundles')
  for (const [id, entry] of Object.entries(entries)) {
    new ApiFunction(stack, id, {
      entry,
      description: id,
      memoryMb: 256,
      timeout: Duration.seconds(10),
      logRetentionDays: 30,
      environment: {},
    })
  }
  app.synth()
  const functions = Template.fromStack(stack).findResources('AWS::Lambda::Function') as Record<
    string,
    Resource
  >
  for (const id of Object.keys(entries)) {
    const [found] = Object.entries(functions).flatMap(([logicalId, fn]) =>
      logicalId.startsWith(id) ? [fn] : [],
    )
    if (!found) throw new Error(`no function ${id}`)
    const { S3Key } = found.Properties['Code'] as { S3Key: string }
    bundles.set(id, join(outdir, `asset.${S3Key.replace('.zip', '')}`))
  }
})

const bundle = (id: keyof typeof entries) => join(bundles.get(id) ?? '', 'index.mjs')

describe('bundles', () => {
  it('INFRA-07 are made without Docker and hold one module and its source map', () => {
    expect(readdirSync(bundles.get('Health') ?? '').toSorted()).toEqual(['index.mjs', 'index.mjs.map'])
  })

  it('INFRA-07 answer as they are: the health function, run from its bundle alone', async () => {
    const script = `
      const { handler } = await import(process.env.BUNDLE)
      const event = { httpMethod: 'GET', resource: '/api/health', path: '/api/health', headers: {}, requestContext: { requestId: 'r' } }
      const { statusCode, body } = await handler(event, { awsRequestId: 'r', getRemainingTimeInMillis: () => 1000 })
      process.stdout.write('\\nANSWER ' + statusCode + ' ' + body)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: bundles.get('Health'),
      env: { BUNDLE: pathToFileURL(bundle('Health')).href, PRODUCT_VERSION: '9.8.7' },
    })
    expect(stdout.split('\n').at(-1)).toBe('ANSWER 200 {"ok":true,"version":"9.8.7"}')
  })

  it('INFRA-07 need nothing beside them: what is left out would be imported only without credentials in the environment', () => {
    const code = readFileSync(bundle('Chat'), 'utf8')
    const imported = (pattern: RegExp) => [
      ...new Set([...code.matchAll(pattern)].map(([, name]) => name ?? '')),
    ]
    const own = (name: string) => name.startsWith('node:') || isBuiltin(name)
    expect(imported(/(?:from|import) ?"([\w@./:-]+)"/g).filter((name) => !own(name))).toEqual([])
    expect(
      imported(/import\("([^"]+)"\)/g)
        .filter((name) => !own(name))
        .toSorted(),
    ).toEqual([
      '@aws-sdk/credential-provider-ini',
      '@aws-sdk/credential-provider-process',
      '@aws-sdk/credential-provider-sso',
      '@aws-sdk/credential-provider-web-identity',
      '@smithy/credential-provider-imds',
    ])
  })

  it('INFRA-08 the chat function, its SDK included, stays within 800 KB', () => {
    const { size } = statSync(bundle('Chat'))
    expect(size).toBeGreaterThan(100 * 1024)
    expect(size).toBeLessThanOrEqual(800 * 1024)
  })
})
