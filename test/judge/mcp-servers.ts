import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { childEnvironment } from '../support/child-environment.ts'
import { findFreePort } from '../support/free-port.ts'
import { installPackage, installPython } from './cache.ts'

const startMs = 60_000
const everything = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)

/** A server of others, at one port, that can be killed and started again. */
export interface JudgeServer {
  name: string
  url: string
  host: string
  /** a call and its result as JSON; the call that changes something takes longer than the judge waits */
  reading: { tool: string; input: object; result: string }
  writing: { tool: string; input: object }
  /** how often the write was done; undefined if the server does not tell */
  countWrites?: () => number
  start(): Promise<void>
  kill(): void
}

export type MissingServer = { name: string; missing: string }

/** Starts and kills a command that listens at a port. */
function runServer(url: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  let child: ChildProcess | undefined
  // the group: gateways start the server that they speak for
  const kill = () => {
    try {
      if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // it has ended already
    }
  }
  process.once('exit', kill)
  return {
    kill,
    async start() {
      child = spawn(command, args, {
        env: { ...childEnvironment, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      // one that a judge does not kill ends with the judge
      child.unref()
      for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.unref()
      let output = ''
      child.stdout?.on('data', (text: Buffer) => (output = (output + String(text)).slice(-2_000)))
      child.stderr?.on('data', (text: Buffer) => (output = (output + String(text)).slice(-2_000)))
      const endsAtMs = Date.now() + startMs
      for (;;) {
        const isUp = await fetch(url, { method: 'DELETE' }).then(
          () => true,
          () => false,
        )
        if (isUp) return
        if (child.exitCode !== null || Date.now() > endsAtMs)
          throw new Error(`it did not start: ${output.slice(-500)}`)
        await wait(100)
      }
    },
  }
}

const pythonTools = {
  reading: { tool: 'read_id', input: { offset: 0 }, result: '{"id":9007199254740993}' },
  writing: { tool: 'create_ticket', input: {} },
}

async function openPython(
  name: string,
  version: string,
  library: 'fastmcp' | 'oauth' | 'mcp',
  ...requirements: readonly string[]
): Promise<JudgeServer | MissingServer> {
  const label = `${name} ${version}${library === 'oauth' ? ' with a sign-in' : ''}`
  const command = installPython(name, version, name, { also: requirements })
  if (command === undefined)
    return { name: label, missing: `it needs Python 3.10 with venv, and ${name} from PyPI` }
  const [port, folder] = [await findFreePort(), mkdtempSync(join(tmpdir(), 'judge-mcp-'))]
  const url = `http://127.0.0.1:${port}/mcp`
  const script = join(import.meta.dirname, 'mcp_server.py')
  const python = join(dirname(command), 'python')
  return {
    name: label,
    url,
    host: `127.0.0.1:${port}`,
    ...pythonTools,
    countWrites: () => readFileSync(join(folder, 'tickets'), 'utf8').split('\n').length - 1,
    ...runServer(url, python, [script, library, String(port), folder]),
  }
}

const everythingTools = {
  reading: { tool: 'echo', input: { message: 'hello' }, result: '"Echo: hello"' },
  writing: { tool: 'trigger-long-running-operation', input: { duration: 60, steps: 60 } },
}

async function openEverything(): Promise<JudgeServer> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/mcp`
  return {
    name: 'server-everything',
    url,
    host: `127.0.0.1:${port}`,
    ...everythingTools,
    ...runServer(url, process.execPath, [everything, 'streamableHttp'], { PORT: String(port) }),
  }
}

/** FastMCP's OAuth proxy, as its providers for Google, GitHub and others are, in front of oidc-provider. */
async function openOAuthProxy(): Promise<JudgeServer | MissingServer> {
  const label = 'FastMCP 4.2.3 with its OAuth proxy'
  const command = installPython('fastmcp', '4.2.3', 'fastmcp')
  if (command === undefined)
    return { name: label, missing: 'it needs Python 3.10 with venv, and fastmcp from PyPI' }
  const [port, providerPort] = [await findFreePort(), await findFreePort()]
  const [url, provider] = [`http://127.0.0.1:${port}/mcp`, `http://127.0.0.1:${providerPort}`]
  const scripts = ['oidc-server.ts', 'mcp_server.py'].map((name) => join(import.meta.dirname, name))
  const [oidc = '', script = ''] = scripts
  const folder = mkdtempSync(join(tmpdir(), 'judge-mcp-'))
  const upstream = runServer(`${provider}/mcp`, process.execPath, [
    oidc,
    String(providerPort),
    `http://127.0.0.1:${port}/auth/callback`,
  ])
  const python = join(dirname(command), 'python')
  let isUpstreamUp = false
  const proxy = runServer(url, python, [script, 'proxy', String(port), folder, provider])
  return {
    name: label,
    url,
    host: `127.0.0.1:${port}`,
    ...pythonTools,
    kill: proxy.kill,
    start: async () => {
      if (!isUpstreamUp) await upstream.start()
      isUpstreamUp = true
      await proxy.start()
    },
  }
}

async function openOidcProvider(): Promise<JudgeServer> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/mcp`
  const script = join(import.meta.dirname, 'oidc-server.ts')
  return {
    name: 'oidc-provider',
    url,
    host: `127.0.0.1:${port}`,
    ...everythingTools,
    ...runServer(url, process.execPath, [script, String(port)]),
  }
}

/** better-auth's plugin for MCP, which is its OAuth provider, with the JWTs of its own keys. */
async function openBetterAuth(): Promise<JudgeServer | MissingServer> {
  const version = '1.7.5'
  const label = `better-auth ${version}`
  // the newest of its parts wants another release of better-call, so npm is told all of them
  const also = [`better-auth@${version}`, `@better-auth/core@${version}`, 'better-call@1.4.0']
  const folder = installPackage('@better-auth/mcp', version, { also })
  if (folder === undefined) return { name: label, missing: 'npm could not install it' }
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/mcp`
  const script = join(import.meta.dirname, 'better-auth-server.ts')
  return {
    name: label,
    url,
    host: `127.0.0.1:${port}`,
    ...everythingTools,
    ...runServer(url, process.execPath, [script, String(port), folder]),
  }
}

async function openSupergateway(): Promise<JudgeServer | MissingServer> {
  const folder = installPackage('supergateway', '4.0.0')
  if (folder === undefined) return { name: 'supergateway 4.0.0', missing: 'npm could not install it' }
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/mcp`
  const gateway = [join(folder, 'dist/index.js'), '--outputTransport', 'streamableHttp', '--stateful']
  const stdio = ['--stdio', `${process.execPath} ${everything} stdio`, '--port', String(port)]
  return {
    name: 'supergateway 4.0.0',
    url,
    host: `127.0.0.1:${port}`,
    ...everythingTools,
    ...runServer(url, process.execPath, [...gateway, ...stdio]),
  }
}

/** The servers that judge the product, by the name that chooses one. */
export const openServers = {
  fastmcp: () => openPython('fastmcp', '4.2.3', 'fastmcp'),
  'fastmcp-oauth': () => openPython('fastmcp', '4.2.3', 'oauth'),
  'proxy-oauth': openOAuthProxy,
  'oidc-oauth': openOidcProvider,
  'better-auth-oauth': openBetterAuth,
  // the last line of the SDK whose servers answer a forgotten session with 400
  'python-sdk': () => openPython('mcp', '1.13.1', 'mcp', 'pydantic==2.11.9'),
  everything: openEverything,
  supergateway: openSupergateway,
} satisfies Record<string, () => Promise<JudgeServer | MissingServer>>
