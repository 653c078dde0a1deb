import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { findFreePort } from '../support/free-port.ts'
import { installPackage, installPython } from './cache.ts'
import { fixtures } from './model-fixtures.ts'

/** Versions that the product was last judged with; docs/models.md names them. */
export const versions = {
  aimock: '1.43.0',
  litellm: '1.108.7',
  /** of llama.cpp's builds b9713 and b10229, which refuse long repetitions in a grammar, and of a newer one */
  xllamacpp: ['2026.6.9713', '2026.8.10229', '2026.10.11549'],
} as const

/** A server of others that is running. */
export interface JudgeServer {
  name: string
  /** with `/v1` */
  baseUrl: string
  apiKey: string
  /** its name of the model */
  model: string
  /** answers as model-fixtures.ts says; otherwise a real model answers */
  isScripted: boolean
  /** the scenarios that it has answers for; all without it */
  scenarios?: readonly string[]
  close(): Promise<void>
}

export type StartedServer = JudgeServer | { missing: string }

/** The part of aimock that is used: https://aimock.copilotkit.dev/docs */
interface Mock {
  on(match: object, response: object, options?: object): unknown
  start(): Promise<string>
  stop(): Promise<void>
}

/** A double of OpenAI's and Anthropic's APIs that others wrote, with our answers. 12 MB, without dependencies. */
export async function startAimock(): Promise<StartedServer> {
  const folder = installPackage('@copilotkit/aimock', versions.aimock)
  if (folder === undefined)
    return { missing: `@copilotkit/aimock ${versions.aimock} could not be installed.` }
  const module = (await import(pathToFileURL(join(folder, 'dist/index.js')).href)) as {
    LLMock: new (options: object) => Mock
  }
  const mock = new module.LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' })
  for (const { words, hasToolResult, response, options } of fixtures)
    mock.on({ userMessage: words, ...(hasToolResult !== undefined && { hasToolResult }) }, response, options)
  const url = await mock.start()
  return {
    name: `aimock ${versions.aimock}`,
    baseUrl: `${url}/v1`,
    apiKey: 'judge',
    model: 'judge',
    isScripted: true,
    close: () => mock.stop(),
  }
}

/** Starts a command and waits until its address answers. @throws Error with the end of its output */
async function startCommand(
  command: string,
  args: readonly string[],
  { url, env, limitMs }: { url: string; env: NodeJS.ProcessEnv; limitMs: number },
) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const collect = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000))
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const untilMs = Date.now() + limitMs
  while (child.exitCode === null && Date.now() < untilMs) {
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return close
    await sleep(250)
  }
  await close()
  throw new Error(`${command} did not answer at ${url}:\n${output}`)
}

/** LiteLLM's proxy, a gateway, in front of another server. 750 MB, in a virtual environment of its own. */
export async function startLiteLlm(upstream: JudgeServer): Promise<StartedServer> {
  const command = installPython('litellm[proxy]', versions.litellm, 'litellm')
  if (command === undefined)
    return { missing: `litellm ${versions.litellm} could not be installed: it needs python3 with venv.` }
  const folder = mkdtempSync(join(tmpdir(), 'judge-litellm-'))
  const config = join(folder, 'config.yaml')
  writeFileSync(
    config,
    JSON.stringify({
      model_list: [
        {
          model_name: 'judge',
          litellm_params: { model: `openai/${upstream.model}`, api_base: upstream.baseUrl, api_key: 'judge' },
        },
      ],
      general_settings: { master_key: 'sk-judge' },
      // errors are passed on as they come
      router_settings: { num_retries: 0, disable_cooldowns: true },
      litellm_settings: { num_retries: 0, telemetry: false },
    }),
  )
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const close = await startCommand(
    command,
    ['--config', config, '--host', '127.0.0.1', '--port', String(port)],
    {
      url: `${baseUrl}/health/liveliness`,
      // it would fetch a list of prices
      env: { PATH: process.env['PATH'], HOME: folder, LITELLM_LOCAL_MODEL_COST_MAP: 'True', NO_PROXY: '*' },
      limitMs: 120_000,
    },
  )
  return {
    name: `LiteLLM ${versions.litellm}`,
    baseUrl: `${baseUrl}/v1`,
    apiKey: 'sk-judge',
    model: 'judge',
    isScripted: true,
    close: async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What a model that writes whole answers can be asked. */
const llamaScenarios = ['plain', 'tool', 'approval', 'parallel calls', 'usage']

/** The answers of model-fixtures.ts as the model writes them: words of the question, the answer, the answer after the results of tools. */
function listAnswers(): [string, string, string][] {
  const write = ({ content = '', toolCalls = [] }: { content?: string; toolCalls?: WrittenCall[] }) =>
    [
      content,
      ...toolCalls.map(
        (call) => `<tool_call>\n{"name": "${call.name}", "arguments": ${call.arguments}}\n</tool_call>`,
      ),
    ]
      .filter((part) => part !== '')
      .join('\n')
  return ['JUDGE plain', 'JUDGE tool', 'JUDGE approval', 'JUDGE parallel'].map((words) => {
    const [first, after = first] = fixtures.filter((fixture) => fixture.words === words)
    return [words, write(first?.response ?? {}), write(after?.response ?? {})]
  })
}
interface WrittenCall {
  name: string
  /** JSON */
  arguments: string
}

/** A build of llama.cpp's server that Python has, with a model of a few kilobytes that has our answers. 60 MB. */
export async function startXllamacpp(version: string): Promise<StartedServer> {
  const python = installPython('xllamacpp', version, 'python', { also: ['gguf==0.19.0', 'numpy==2.4.6'] })
  if (python === undefined)
    return { missing: `xllamacpp ${version} could not be installed: it needs python3 with venv.` }
  const folder = mkdtempSync(join(tmpdir(), 'judge-llama-'))
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const script = join(import.meta.dirname, 'llama_server.py')
  const args = [script, join(folder, 'judge.gguf'), String(port), JSON.stringify(listAnswers())]
  const close = await startCommand(python, args, {
    url: `${baseUrl}/health`,
    env: { PATH: process.env['PATH'], HOME: folder },
    limitMs: 120_000,
  })
  return {
    name: `llama.cpp b${version.split('.')[2]}`,
    baseUrl: `${baseUrl}/v1`,
    apiKey: 'none',
    model: 'judge',
    isScripted: true,
    scenarios: llamaScenarios,
    close: async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** llama.cpp's server, where it is installed, with a model of the person who runs the judge. */
export async function startLlamaServer(): Promise<StartedServer> {
  const { status, stdout, stderr } = spawnSync('llama-server', ['--version'], { encoding: 'utf8' })
  if (status !== 0) return { missing: 'llama-server is not installed.' }
  const model = process.env['JUDGE_GGUF']
  if (!model) return { missing: 'JUDGE_GGUF names no model (a .gguf file).' }
  const version = /version: (\S+)/.exec(stdout + stderr)?.[1] ?? 'of an unknown version'
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const close = await startCommand(
    'llama-server',
    ['-m', model, '--host', '127.0.0.1', '--port', String(port), '--jinja', '-c', '16384'],
    { url: `${baseUrl}/health`, env: process.env, limitMs: 300_000 },
  )
  return {
    name: `llama-server ${version}`,
    baseUrl: `${baseUrl}/v1`,
    apiKey: 'none',
    model: 'judge',
    isScripted: false,
    close,
  }
}
