import { App, Duration, Stack } from 'aws-cdk-lib'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { routes, type Route } from '#shared/routes.ts'
import { ApiFunction } from '../../infra/aws/api-function.ts'
import { buildFunction } from '../../infra/aws/function-build/build-function.ts'
import { entries, workers, type FunctionId as Name } from '../support/function-entries.ts'
import { modulesAtStart, modulesIn, sizeOfModules } from '../support/function-bundle.ts'
import { parseStreamed } from '../support/lambda-stream.ts'
import { configurations } from './configurations.ts'
import { contextWith, synthesise, temporaryFolder, type StackName, type Synthesised } from './synthesised.ts'

const names = Object.keys(entries) as Name[]
const findStack = (name: Name): StackName => (entries[name].startsWith('sign-in/') ? 'auth' : 'api')

const outdir = temporaryFolder()
const folder = (name: Name) => join(outdir, name)
/** In this process: the CDK would start two processes for each function. */
const build = (name: Name) => buildFunction(entries[name], workers[name] ?? [], folder(name))

const read = (name: Name, file: string) => readFileSync(join(folder(name), file), 'utf8')
const listModules = (name: Name) => modulesIn(folder(name))
const readCode = (name: Name) =>
  listModules(name)
    .map((file) => read(name, file))
    .join('\n')

/** Runs a script with a bundle in a separate Node process, with exactly the environment of the template. */
function runBundle(name: Name, script: string): string {
  const { Environment } = synthesise(configurations.full).named(
    findStack(name),
    'AWS::Lambda::Function',
    name,
  ).Properties
  const { Variables } = Environment as { Variables: Record<string, string> }
  const streams = 'globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: {} }'
  const load = `const { handler } = await import(${JSON.stringify(pathToFileURL(join(folder(name), 'index.mjs')).href)})`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `${streams}\n${load}\n${script}`],
    { cwd: folder(name), encoding: 'utf8', env: { ...Variables, AWS_REGION: 'eu-west-1' } },
  )
  // Node prints the failing line, which in a bundle is the whole file
  const error = stderr.split('\n').filter((line) => line.length < 500)
  return stdout.split('\n').at(-1) || error.join('\n')
}

it('INFRA-08 the chat function loads at most 600 KB when it starts, including its SDK', async () => {
  await build('Chat')
  const atStart = modulesAtStart(folder('Chat'))
  expect(sizeOfModules(folder('Chat'), atStart)).toBeGreaterThan(100 * 1024)
  expect(sizeOfModules(folder('Chat'), atStart)).toBeLessThanOrEqual(600 * 1024)
  // the guard of outbound calls, the MCP client and the S3 client are loaded on demand
  for (const marker of ['192.88.99.0', 'mcp-session-id', 'CopyObject']) {
    expect([marker, listModules('Chat').some((file) => read('Chat', file).includes(marker))]).toEqual([
      marker,
      true,
    ])
    expect([marker, [...atStart].some((file) => read('Chat', file).includes(marker))]).toEqual([
      marker,
      false,
    ])
  }
})

describe('bundles', { tags: ['long'] }, () => {
  let app: Synthesised
  // one after another, which needs less memory and processor time
  beforeAll(async () => {
    app = synthesise(configurations.full)
    for (const name of names) if (!existsSync(folder(name))) await build(name)
  })

  it('are tested for every function of the product', () => {
    const functions = (['auth', 'api'] as const).flatMap((stack) =>
      app.resources(stack, 'AWS::Lambda::Function'),
    )
    expect(names.toSorted()).toEqual(functions.map(({ id }) => id).toSorted())
  })

  it('INFRA-07 are built without Docker: modules with a working require, each with its source map, and data that they read', () => {
    for (const name of names) {
      expect(listModules(name)).toContain('index.mjs')
      // the CMaps of Chinese, Japanese and Korean PDFs, the decoders of their pictures, and what makes pictures smaller
      const data = name === 'DocumentParser' ? ['cmaps.zip', 'decoders.zip', 'photon_rs_bg.wasm'] : []
      expect(readdirSync(folder(name)).toSorted()).toEqual(
        [...data, ...listModules(name).flatMap((file) => [file, `${file}.map`])].toSorted(),
      )
      for (const file of listModules(name))
        expect(read(name, file)).toMatch(/^import\{createRequire as \w+\}from'node:module';const require=/)
    }
  })

  it('INFRA-07 are what the CDK deploys', () => {
    const assembly = temporaryFolder()
    const bundlingApp = new App({
      context: contextWith({ 'aws:cdk:bundling-stacks': ['**'] }),
      outdir: assembly,
      builtinCloudFormationValidation: false,
    })
    // with a thread, and chunks that both load
    const name = 'DocumentParser'
    new ApiFunction(new Stack(bundlingApp, 'bundles'), name, {
      entry: entries[name],
      workers: workers[name] ?? [],
      description: name,
      memoryMb: 256,
      timeout: Duration.seconds(10),
      logRetentionDays: 30,
      environment: {},
    })
    bundlingApp.synth()
    const [asset = ''] = readdirSync(assembly).filter((file) => file.startsWith('asset.'))
    const contents = (files: string) =>
      Object.fromEntries(modulesIn(files).map((file) => [file, readFileSync(join(files, file), 'utf8')]))
    expect(contents(join(assembly, asset))).toEqual(contents(folder(name)))
    expect(readdirSync(join(assembly, asset)).toSorted()).toEqual(readdirSync(folder(name)).toSorted())
  })

  it.each(names)('INFRA-07 %s starts with its bundle and its environment only', (name) => {
    expect(runBundle(name, `process.stdout.write('\\nHANDLER ' + typeof handler)`)).toBe('HANDLER function')
  })

  it.each(['IDENTITY_PROVIDERS', 'PASSWORD_SIGN_IN'])(
    'DEC-191 every function that reads %s gets it, even if no identity provider is configured',
    (variable) => {
      const readers = names.filter((name) => readCode(name).includes(variable))
      expect(readers).not.toEqual([])
      for (const synthesised of [app, synthesise(configurations.minimal)]) {
        const functions = (['auth', 'api'] as const).flatMap((stack) =>
          synthesised.resources(stack, 'AWS::Lambda::Function'),
        )
        const receivers = functions.filter(({ Properties: { Environment } }) => {
          const { Variables = {} } = (Environment ?? {}) as { Variables?: Record<string, string> }
          return variable in Variables
        })
        // one without its model is not deployed
        const deployed = readers.filter((name) => functions.some(({ id }) => id === name))
        expect(receivers.map(({ id }) => id).toSorted()).toEqual(deployed.toSorted())
      }
    },
  )

  it('INFRA-07 health answers', () => {
    const response = runBundle(
      'Health',
      `const event = { httpMethod: 'GET', resource: '/api/health', path: '/api/health', headers: {}, requestContext: { requestId: 'r' } }
       const { statusCode, body } = await handler(event, { awsRequestId: 'r', getRemainingTimeInMillis: () => 1000 })
       process.stdout.write('\\n' + statusCode + ' ' + JSON.parse(body).ok)`,
    )
    expect(response).toBe('200 true')
  })

  it('log the name that an error has in the sources, although they are minified', () => {
    const name = runBundle(
      'Sessions',
      `const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
       const token = [encode({ alg: 'RS256', kid: 'k' }), encode({}), 'signature'].join('.')
       const { stdout } = process
       const write = stdout.write.bind(stdout)
       let log = ''
       stdout.write = (text) => Boolean((log += text))
       await handler(
         { httpMethod: 'GET', resource: '/api/sessions', path: '/api/sessions', headers: { authorization: 'Bearer ' + token } },
         { getRemainingTimeInMillis: () => 1000 },
       )
       write('\\n' + JSON.parse(log.split('\\n')[0]).error.name)`,
    )
    expect(name).toBe('SignInUnavailable')
  })

  it.each(['Chat', 'Account', 'ManualSync'] as const)(
    'INFRA-08 %s streams the bytes that API Gateway expects: metadata, eight zero bytes, body',
    (name) => {
      const { method, path } =
        Object.values<Route>(routes).find(
          ({ functionName }) => functionName.toLowerCase() === name.toLowerCase(),
        ) ?? {}
      const runtime = new URL('../support/lambda-stream.ts', import.meta.url).href
      const bytes = runBundle(
        name,
        `const { LambdaStream, lambdaRuntime } = await import(${JSON.stringify(runtime)})
         Object.assign(awslambda, lambdaRuntime)
         const stream = new LambdaStream()
         const event = { httpMethod: ${JSON.stringify(method)}, resource: ${JSON.stringify(path)}, headers: {}, requestContext: { requestId: 'r' } }
         await handler(event, stream, { awsRequestId: 'r', getRemainingTimeInMillis: () => 1000 })
         process.stdout.write('\\n' + stream.bytes().toString('base64'))`,
      )
      const { statusCode, headers, body } = parseStreamed(Buffer.from(bytes, 'base64'))
      expect([statusCode, headers['www-authenticate']]).toEqual([401, 'Bearer'])
      expect(JSON.parse(body.toString())).toMatchObject({ code: 'not_signed_in', requestId: 'r' })
    },
  )

  it('the parser of untrusted documents has no AWS client in its bundle (M7)', () => {
    expect(readCode('DocumentParser')).not.toMatch(/@aws-sdk|@smithy|AWS4-HMAC/)
    // and no other bundle contains the readers
    for (const name of names.filter((one) => one !== 'DocumentParser'))
      expect([name, /getDocumentProxy|extractRawText/.test(readCode(name))]).toEqual([name, false])
  })

  it.each(names.filter((name) => name !== 'DocumentParser'))(
    'INFRA-07 %s leaves out only what the SDK imports without credentials in its environment',
    (name) => {
      const listImports = (pattern: RegExp) =>
        [...new Set([...readCode(name).matchAll(pattern)].map(([, module]) => module ?? ''))].filter(
          // an error message of the SDK names this one: it is for signatures that are not used here
          (module) => !isBuiltin(module) && module !== '@aws-sdk/signature-v4-crt',
        )
      expect(listImports(/(?:from|import) ?"([\w@][\w@./:-]*)"/g)).toEqual([])
      expect(listImports(/import\("([^."][^"]*)"\)/g).toSorted()).toEqual(
        // Health makes no calls
        name === 'Health'
          ? []
          : [
              '@aws-sdk/credential-provider-ini',
              '@aws-sdk/credential-provider-process',
              '@aws-sdk/credential-provider-sso',
              '@aws-sdk/credential-provider-web-identity',
              '@smithy/credential-provider-imds',
            ],
      )
    },
  )

  it('INFRA-07 the process that reads documents runs from its own bundle', () => {
    const child = pathToFileURL(join(folder('DocumentParser'), 'extract-child.mjs')).href
    const chinesePdf = fileURLToPath(new URL('../fixtures/files/pdf/chinese.pdf', import.meta.url))
    const script = `const { fork } = await import('node:child_process')
      const read = (kind, bytes) => new Promise((resolve, reject) => {
        const reader = fork(new URL(${JSON.stringify(child)}), { serialization: 'advanced', execArgv: [] })
        reader.once('message', resolve).once('error', reject).once('exit', reject)
        reader.send({ input: { kind, bytes, timeMs: 60_000 }, timeMs: 60_000, memoryMb: 1_000 })
      })
      const text = await read('text', new TextEncoder().encode('hello'))
      const { readFileSync } = await import('node:fs')
      const chinese = await read('pdf', new Uint8Array(readFileSync(${JSON.stringify(chinesePdf)})))
      const problems = []
      for (const kind of ['word', 'pdf', 'sheet', 'slides']) problems.push((await read(kind, new Uint8Array(9))).problem)
      process.stdout.write('\\n' + [text.extracted.text, chinese.extracted.text, problems].join(' '))`
    expect(runBundle('DocumentParser', script)).toBe(
      'hello 合同金额为五十万元。 unreadable,unreadable,unreadable,unreadable',
    )
  })

  it('leave out the schemas of routes that other functions serve', () => {
    expect(readCode('Chat')).not.toContain('user.two_factor_reset')
    expect(readCode('Admin')).toContain('user.two_factor_reset')
  })

  it('the health function loads at most 18 KB: no table, no tokens, no validation', () => {
    const size = sizeOfModules(folder('Health'), listModules('Health'))
    expect(size).toBeGreaterThan(1024)
    expect(size).toBeLessThanOrEqual(18 * 1024)
    for (const marker of [/DynamoDB_20120810|AWS4-HMAC/, /JWKS|jwks/, /safeParse/])
      expect([marker.source, marker.test(readCode('Health'))]).toEqual([marker.source, false])
    // they are found in bundles that use them
    for (const marker of [/DynamoDB_20120810|AWS4-HMAC/, /JWKS|jwks/, /safeParse/])
      expect([marker.source, marker.test(readCode('Sessions'))]).toEqual([marker.source, true])
  })

  it('of a client’s package.json a bundle contains the version', () => {
    const { version } = createRequire(import.meta.url)('@aws-sdk/client-dynamodb/package.json') as {
      version: string
    }
    expect(readCode('Chat')).toContain(`"${version}"`)
    expect(readCode('Chat')).not.toContain('devDependencies')
  })

  it('no bundle contains endpoint discovery: no function uses it', () => {
    expect(readCode('Chat')).toContain('endpoint discovery is not part of this bundle')
    expect(readCode('Chat')).not.toContain('mnemonist')
  })

  it('INFRA-12 DEC-194 the bundle contains of the openai package only what images and dictation need', () => {
    for (const words of [
      '/vector_stores',
      '/fine_tuning/jobs',
      '/audio/speech',
      'ANTHROPIC_API_KEY',
      'AI_APICallError',
    ])
      expect([words, readCode('Chat').includes(words)]).toEqual([words, false])
    for (const path of [
      '/chat/completions',
      '/responses',
      '/v1/messages',
      '/images/generations',
      'x-stainless',
    ])
      expect([path, readCode('Chat').toLowerCase().includes(path)]).toEqual([path, true])
  })
})
