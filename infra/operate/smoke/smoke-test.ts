import * as z from 'zod'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { routePath } from '#shared/routes.ts'
import { securityHeaders } from '../../aws/security-headers.ts'
import { createCaller, eraseAccount, signInBySrp } from '../sign-in.ts'
import { type Deployment, pageConfig } from '../stage.ts'
import { readReply } from './read-reply.ts'
import { createUser, deleteUser, newTemporaryUser } from './temporary-user.ts'
import { callMs, checkToolCall, documentQuestion, uploadDocument } from './test-document.ts'

export interface StepResult {
  readonly name: string
  readonly ok: boolean
  readonly ms: number
  /** the observation, or the reason of the failure */
  readonly detail: string
  /** advice for a failure */
  readonly advice?: string
}

interface SmokeOptions {
  readonly report: (result: StepResult) => void
  /** aborted: the test ends, and cleans up */
  readonly signal: AbortSignal
  /** keeps the user and the conversation */
  readonly keep: boolean
}

/** Ends the test after its failure was reported. */
class StepFailed extends Error {}

/** A reply ends after this time at the latest, by the function's own deadline. */
const replyMs = 300_000
/** Long enough to arrive in several pieces from any model. */
const question = 'Count from one to sixty in words, one number a line, and nothing else.'

/**
 * Does what users do, once: opens the page, signs in, sends a message and a file, reads the streamed replies, finds the conversation. A
 * temporary user is created for it and erased with all its data, however the test ends.
 * @returns whether every step passed, including the clean-up
 */
export async function runSmokeTest(
  deployment: Deployment,
  { report, signal, keep }: SmokeOptions,
): Promise<boolean> {
  const { origin, userPoolId, pools } = deployment
  const user = newTemporaryUser()
  let mayExist = false
  let accessToken: string | undefined

  async function step<Result>(
    name: string,
    advice: string,
    run: () => Promise<{ detail: string; result: Result }>,
  ): Promise<Result> {
    const startedAt = performance.now()
    const ms = () => Math.round(performance.now() - startedAt)
    try {
      const { detail, result } = await run()
      report({ name, ok: true, ms: ms(), detail })
      return result
    } catch (error) {
      report({ name, ok: false, ms: ms(), detail: formatReason(error), ...(!signal.aborted && { advice }) })
      throw new StepFailed(name, { cause: error })
    }
  }
  const within = (ms: number) => AbortSignal.any([signal, AbortSignal.timeout(ms)])
  const get = async (path: string, status = 200) => {
    const response = await fetch(`${origin}${path}`, { redirect: 'manual', signal: within(callMs) })
    if (response.status !== status)
      throw new Error(`${path} answered ${response.status} instead of ${status}`)
    return response
  }

  const steps = async () => {
    const config = await step('configuration', advice.site, async () => {
      const response = await get('/config.json')
      expectHeader(response, 'cache-control', 'no-store')
      const read = pageConfig.parse(await response.json())
      if (read.userPoolId !== userPoolId)
        throw new Error(`the page signs in at ${read.userPoolId}, but the stack's user pool is ${userPoolId}`)
      return { detail: `version ${read.version}`, result: read }
    })

    await step('page', advice.site, async () => {
      const response = await get('/')
      checkHeaders(response, {
        pool: config.userPoolEndpoint ?? `https://cognito-idp.${config.region}.amazonaws.com`,
        dictation: config.dictation === true,
      })
      const script = /<script[^>]+src="(\/assets\/[^"]+)"/.exec(await response.text())?.[1]
      if (!script) throw new Error('the page names no script')
      const asset = await get(script)
      await asset.body?.cancel()
      expectHeader(asset, 'cache-control', 'public, max-age=31536000, immutable')
      return { detail: 'with its security headers and its script', result: undefined }
    })

    await step('health', advice.api, async () => {
      const response = await get(routePath('health', {}))
      const { version } = (await response.json()) as RouteResponse<'health'>
      if (version !== config.version)
        throw new Error(`functions are of version ${version}, the page is of ${config.version}`)
      return { detail: `version ${version}`, result: undefined }
    })

    await step('without sign-in', advice.open, async () => {
      const response = await get(routePath('sessions.list', {}), 401)
      await response.body?.cancel()
      return { detail: 'refused with 401', result: undefined }
    })

    if (config.passwordSignIn === false) {
      report({ name: 'sign-in', ok: true, ms: 0, detail: withoutPasswords })
      return
    }

    await step('temporary user', advice.user, async () => {
      mayExist = true
      // not stopped by Ctrl-C, which could leave a user behind
      await createUser(pools, userPoolId, user, AbortSignal.timeout(callMs))
      return { detail: user.email, result: undefined }
    })
    signal.throwIfAborted()

    const token = await step('sign-in', advice.signIn, async () => ({
      detail: 'by SRP, as the page does',
      result: await signInBySrp(config, user),
    }))
    accessToken = token
    signal.throwIfAborted()

    const call = createCaller(origin, token)
    const sessionId = crypto.randomUUID()
    await step('streamed reply', advice.reply, async () => {
      const { firstTextMs, pieces, ms } = await readReply(
        call('chat.send', {
          signal: within(replyMs),
          params: {},
          body: { messages: [{ role: 'user', content: question }], sessionId },
        }),
      )
      if (pieces < 2) throw new Error(`the whole reply came in one piece, after ${firstTextMs} ms`)
      return { detail: `first text after ${firstTextMs} ms, ${pieces} pieces in ${ms} ms`, result: undefined }
    })

    const { id } = await step('file', advice.file, async () => ({
      detail: 'uploaded, and its text extracted',
      result: await uploadDocument(call, signal),
    }))
    await step('tool call', advice.tool, async () => {
      const reply = await readReply(
        call('chat.send', {
          signal: within(replyMs),
          params: {},
          body: { messages: [{ role: 'user', content: documentQuestion, attachments: [{ id }] }], sessionId },
        }),
      )
      return { detail: checkToolCall(reply), result: undefined }
    })

    await step('conversation', advice.conversation, async () => {
      const { sessions } = (await (
        await call('sessions.list', { signal: within(callMs), params: {} })
      ).json()) as RouteResponse<'sessions.list'>
      const found = sessions.find(({ id }) => id === sessionId)
      if (!found) throw new Error('the conversation is not in the list')
      return { detail: `listed as "${found.title}"`, result: undefined }
    })
  }

  /** Not stopped by Ctrl-C: everything created is deleted. */
  async function cleanUp(): Promise<void> {
    const byHand = `Remove the user by hand: npm run erase -- --email ${user.email}, with the same -c`
    await step('clean up', byHand, async () => {
      try {
        if (accessToken) await eraseAccount(origin, accessToken)
      } finally {
        await deleteUser(pools, userPoolId, user)
      }
      return { detail: 'the user and all it left are gone', result: undefined }
    })
  }

  const tryRun = async (work: () => Promise<void>) => {
    try {
      await work()
      return true
    } catch (error) {
      if (error instanceof StepFailed || signal.aborted) return false
      throw error
    }
  }
  const hasPassed = await tryRun(steps)
  if (!mayExist) return hasPassed
  if (keep) {
    report({
      name: 'clean up',
      ok: true,
      ms: 0,
      detail: `left out: ${user.email}, password ${user.password}`,
    })
    return hasPassed
  }
  return (await tryRun(cleanUp)) && hasPassed
}

const withoutPasswords =
  'left out, with all that needs it: passwordSignIn is off, and this test has no account at an identity provider. Sign in on the page and ask something.'

const advice = {
  site: 'Deploy the web stack again. A new address takes some minutes, and DNS longer, until it answers everywhere.',
  api: 'Look into the log groups of Health and AccessLogs in the api stack; if only the versions differ, deploy all stacks again.',
  open: 'Roll back now: conversations must not be answered without a sign-in (docs/operations.md, Day two).',
  user: 'Your credentials need cognito-idp:AdminCreateUser, AdminSetUserPassword and AdminDeleteUser on the user pool; a trigger of the auth stack may have failed, too.',
  signIn:
    'Deploy the web stack again, which holds the app client; look into the log groups of the auth stack.',
  reply:
    'A refused key: put the right one into the secret ModelKeySecret (docs/deploy.md). On Bedrock: npm run doctor calls the model and says what is missing. An unknown model: openaiModel. Else the log group of Chat in the api stack says more. In one piece: something before the gateway collects the answer.',
  file: 'Look into the log groups of Files, Documents and DocumentParser in the api stack. A refused upload: the uploads bucket of the data stack.',
  tool: 'Choose a model that calls tools (openaiModel, models, modelApi: docs/models.md). Without tools there are no integrations and no long documents. Else the log group of Chat in the api stack says more.',
  conversation: 'Look into the log groups of Chat and Sessions in the api stack.',
}

function formatReason(error: unknown): string {
  if (error instanceof z.ZodError) return `config.json: ${z.prettifyError(error)}`
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return 'no answer in time'
  if (name === 'AbortError') return 'interrupted'
  return cause instanceof Error ? `${message}: ${cause.message}` : `${message}`
}

function expectHeader({ headers, url }: Response, name: string, expected: string): void {
  const sent = headers.get(name)
  if (sent !== expected)
    throw new Error(`${new URL(url).pathname}: ${name} is ${sent ?? 'missing'} instead of ${expected}`)
}

/**
 * Checks the security headers against infra/aws/security-headers.ts. Directives of the content security policy that name hosts of this
 * deployment are compared up to these hosts, and the user pool has to be one that the page may call.
 */
function checkHeaders(response: Response, { pool, dictation }: { pool: string; dictation: boolean }): void {
  const { 'content-security-policy': policy = '', ...others } = securityHeaders({
    connectOrigins: [],
    imageOrigins: [],
    dictation,
    https: response.url.startsWith('https:'),
  })
  for (const [name, value] of Object.entries(others)) expectHeader(response, name, value)
  const sent = directives(response.headers.get('content-security-policy') ?? '')
  for (const [name, sources] of directives(policy)) {
    const sentSources = sent.get(name)
    const comparedSources = ['connect-src', 'img-src', 'media-src'].includes(name)
      ? sentSources?.slice(0, sources.length)
      : sentSources
    if (comparedSources?.join(' ') !== sources.join(' '))
      throw new Error(`the content security policy has ${name} ${sentSources?.join(' ') ?? 'missing'}`)
  }
  if (!sent.get('connect-src')?.includes(new URL(pool).origin))
    throw new Error(`the content security policy forbids the user pool ${pool}`)
}

const directives = (policy: string) =>
  new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources] as const
    }),
  )
