import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { Credentials } from '../../../infra/operate/sign-in.ts'
import type { Report } from '../report.ts'
import { type Caller, signIn, type Site } from './journeys.ts'

/** How many people send a message at once. */
const people = 50
const prompt = '/echo Everybody gets the whole of this sentence, and pays for it once.'
const expected = prompt.replace('/echo ', '')

interface Attempt {
  readonly status: number
  /** of a refusal */
  readonly code: string | undefined
  readonly ms: number
}

/** Sends the message of a conversation as an API client does. Sent again with the same ids, it is the same message. */
async function attempt(user: Caller, sessionId: string, messageId: string): Promise<Attempt> {
  const startedAtMs = performance.now()
  const { status, body } = await user.send('chat.send', {
    body: { messages: [{ role: 'user', content: prompt }], sessionId, messageId },
    headers: { accept: 'text/event-stream' },
  })
  const code = status === 200 ? undefined : JSON.stringify(body).slice(0, 200)
  return { status, code, ms: Math.round(performance.now() - startedAtMs) }
}

type Usage = RouteResponse<'account.usage'>['total']
const readUsage = async (user: Caller): Promise<Usage> => (await user.call('account.usage')).total

/**
 * Lets many people send a message at once: nobody meets a server error, every reply is whole and stored once, and each costs what it
 * costs somebody who is alone. A refusal with 429 is allowed, and sent again.
 */
export async function judgeLoad(
  report: Report,
  site: Site,
  newUser: (name: string) => Promise<Credentials>,
): Promise<void> {
  try {
    // what costs a computer most, signing in, comes before
    const callers: Caller[] = []
    for (let at = 0; at <= people; at += 1) callers.push(await signIn(site, await newUser(`crowd-${at}`)))
    const [alone, ...crowd] = callers
    if (!alone) throw new Error('nobody')
    const first = await attempt(alone, crypto.randomUUID(), crypto.randomUUID())
    if (first.status !== 200) throw new Error(`somebody alone: ${first.status} ${first.code}`)
    const price = await readUsage(alone)

    const conversations = crowd.map((user) => ({
      user,
      sessionId: crypto.randomUUID(),
      messageId: crypto.randomUUID(),
    }))
    const startedAtMs = performance.now()
    const outcomes = await Promise.all(
      conversations.map(({ user, sessionId, messageId }) => attempt(user, sessionId, messageId)),
    )
    const seconds = (performance.now() - startedAtMs) / 1_000
    const wrong = outcomes.filter(({ status }) => status !== 200 && status !== 429)
    if (wrong.length > 0)
      throw new Error(`${wrong.length} of ${people}: ${wrong[0]?.status} ${wrong[0]?.code}`)
    const refused = conversations.filter((_, at) => outcomes[at]?.status === 429)
    for (const { user, sessionId, messageId } of refused) {
      const again = await attempt(user, sessionId, messageId)
      if (again.status !== 200) throw new Error(`sent again: ${again.status} ${again.code}`)
    }
    for (const { user, sessionId } of conversations) {
      const { messages } = await user.call('sessions.read', { params: { sessionId } })
      const texts = messages.map(({ role, content }) => `${role}: ${content}`)
      if (texts.join('\n') !== `user: ${prompt}\nassistant: ${expected}`)
        throw new Error(`a conversation is not whole: ${JSON.stringify(texts).slice(0, 300)}`)
      const { replies, outputTokens } = await readUsage(user)
      if (replies !== price.replies || outputTokens !== price.outputTokens)
        throw new Error(
          `charged ${replies} replies and ${outputTokens} tokens, and not ${price.replies} and ${price.outputTokens}`,
        )
    }
    const times = outcomes.flatMap(({ status, ms }) => (status === 200 ? [ms] : [])).toSorted((a, b) => a - b)
    const toSeconds = (ms = 0) => (ms / 1_000).toFixed(1)
    report.pass(
      `${people} people at once: ${times.length} replies and ${refused.length} refusals in ${seconds.toFixed(1)} s; the fastest after ${toSeconds(times[0])} s, half after ${toSeconds(times[Math.floor(times.length / 2)])} s, the last after ${toSeconds(times.at(-1))} s (alone: ${toSeconds(first.ms)} s); each whole, stored once and charged once`,
    )
  } catch (error) {
    report.fail(`${people} people at once`, error instanceof Error ? error.message : String(error))
  }
}
