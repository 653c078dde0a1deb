import { modelApis } from '#shared/model-apis.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { startStack } from '../support/local-stack.ts'
import { scenarios } from './model-scenarios.ts'
import {
  startAimock,
  startLiteLlm,
  startLlamaServer,
  startXllamacpp,
  versions,
  type JudgeServer,
  type StartedServer,
} from './model-servers.ts'
import type { Report } from './report.ts'

/** A scenario takes seconds at most; a real model on a processor reads its first prompt for minutes. */
const limits = { scriptedMs: 60_000, realMs: 300_000 }

/**
 * Runs what users do with a model over each API against servers that others wrote, through the whole product.
 * @param wanted names of servers, in lower case; all without one
 */
export async function judge(report: Report, wanted: readonly string[]): Promise<void> {
  const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)
  const aimock = isWanted('aimock') || isWanted('litellm') ? await startAimock() : undefined
  try {
    if (aimock && isWanted('aimock')) await judgeServer(report, 'aimock', aimock)
    if (aimock && isWanted('litellm'))
      await judgeServer(report, 'LiteLLM', 'missing' in aimock ? aimock : await startLiteLlm(aimock))
    if (isWanted('xllamacpp'))
      for (const version of versions.xllamacpp)
        await judgeServer(report, `xllamacpp ${version}`, await startXllamacpp(version))
    if (isWanted('llama-server')) await judgeServer(report, 'llama-server', await startLlamaServer())
  } finally {
    if (aimock && !('missing' in aimock)) await aimock.close()
  }
}

async function judgeServer(report: Report, name: string, server: StartedServer): Promise<void> {
  if ('missing' in server) return report.skip(name, server.missing)
  try {
    await judgeList(report, server)
    for (const api of modelApis) await judgeApi(report, server, api)
  } finally {
    // others use it as their upstream
    if (name !== 'aimock') await server.close()
  }
}

/** Nothing but the address and the key, as README says: the server's list is the menu, and its first model answers. */
async function judgeList(report: Report, server: JudgeServer): Promise<void> {
  const what = `${server.name}: its list is the menu`
  const stack = await startStack({
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: server.apiKey },
  })
  try {
    const user = await stack.newUser()
    const { models } = await user.call('models.list', {})
    const first = models.find(({ isDefault }) => isDefault)?.id ?? ''
    const isListed = stack
      .output()
      .includes(`The default model is ${first}. ${server.baseUrl} lists ${first}`)
    if (!isListed) return report.fail(what, stack.output().trim().replaceAll('\n', ' ').slice(-400))
    const { content, error } = await user.call('chat.send', {
      body: { messages: [{ role: 'user', content: 'JUDGE plain' }] },
    })
    if (error === null && content !== '') report.pass(what)
    else report.fail(what, error ?? 'an empty reply')
  } catch (error) {
    report.fail(what, error instanceof Error ? error.message.slice(0, 400) : String(error))
  } finally {
    await stack.stop()
  }
}

async function judgeApi(report: Report, server: JudgeServer, api: (typeof modelApis)[number]): Promise<void> {
  const stack = await startStack({
    env: {
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: server.apiKey,
      MODELS: JSON.stringify([{ id: server.model, api }]),
      RATE_LIMIT_FACTOR: '10',
    },
  })
  try {
    const user = await stack.newUser()
    await connectProvider(stack, user, 'gmail')
    const input = { user, model: server.model }
    const limitMs = server.isScripted ? limits.scriptedMs : limits.realMs
    for (const { name, isScripted, run } of scenarios) {
      if (isScripted !== server.isScripted || server.scenarios?.includes(name) === false) continue
      const what = `${server.name}, ${api}: ${name}`
      const problem = await Promise.race([
        run(input).catch((error: unknown) => (error instanceof Error ? error.message : String(error))),
        new Promise<string>((resolve) => {
          setTimeout(() => resolve(`no end after ${limitMs / 1_000} s`), limitMs).unref()
        }),
      ])
      if (problem === undefined) report.pass(what)
      else report.fail(what, problem.replaceAll('\n', ' ').slice(0, 400))
    }
  } finally {
    await stack.stop()
  }
}
