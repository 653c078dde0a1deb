import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { Credentials } from '../../../infra/operate/sign-in.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoModel } from '../../support/model-server/server.ts'
import type { Report } from '../report.ts'
import { slowReply } from './failed-update.ts'
import { type Caller, signIn, type Site } from './journeys.ts'

/** How many people send a message at once. */
const people = 50
const prompt = '/slow'
/** Replies are held until all have begun, for this long at most. */
const maxHeldMs = 240_000

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
/** How long a function may take to count a reply after its last event, which clients do not wait for. */
const maxSettleMs = 60_000

/** What a user has used, once as many replies are counted; after `maxSettleMs` whatever is counted. */
async function readUsage(user: Caller, replies: number): Promise<Usage> {
  const startedAtMs = performance.now()
  for (;;) {
    const { total } = await user.call('account.usage')
    if (total.replies >= replies || performance.now() - startedAtMs > maxSettleMs) return total
    await sleep(500)
  }
}

/**
 * Lets many people send a message at once: nobody meets a server error, every reply is whole and stored once, and each costs what it
 * costs somebody who is alone. A refusal with 429 is allowed, and sent again.
 */
export async function judgeLoad(
  report: Report,
  {
    site,
    model,
    hold,
    newUser,
  }: {
    site: Site
    model: DemoModel
    /** what `holdReplies` was given */
    hold: { isOn: boolean }
    newUser: (name: string) => Promise<Credentials>
  },
): Promise<void> {
  try {
    // what costs a computer most, signing in, comes before
    const callers: Caller[] = []
    for (let at = 0; at <= people; at += 1) callers.push(await signIn(site, await newUser(`crowd-${at}`)))
    const [alone, ...crowd] = callers
    if (!alone) throw new Error('nobody')
    const first = await attempt(alone, crypto.randomUUID(), crypto.randomUUID())
    if (first.status !== 200) throw new Error(`somebody alone: ${first.status} ${first.code}`)
    const price = await readUsage(alone, 1)

    const conversations = crowd.map((user) => ({
      user,
      sessionId: crypto.randomUUID(),
      messageId: crypto.randomUUID(),
    }))
    hold.isOn = true
    let ended = 0
    const attempts = conversations.map(async ({ user, sessionId, messageId }) => {
      const outcome = await attempt(user, sessionId, messageId)
      ended += 1
      return outcome
    })
    const startedAtMs = performance.now()
    let streaming = 0
    while (streaming + ended < people && performance.now() - startedAtMs < maxHeldMs) {
      await sleep(100)
      streaming = Math.max(streaming, model.openRequests())
    }
    const begunMs = performance.now() - startedAtMs
    hold.isOn = false
    const outcomes = await Promise.all(attempts)
    const wholeMs = performance.now() - startedAtMs
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
      if (texts.join('\n') !== `user: ${prompt}\nassistant: ${slowReply}`)
        throw new Error(`a conversation is not whole: ${JSON.stringify(texts).slice(0, 300)}`)
      const { replies, outputTokens } = await readUsage(user, price.replies)
      if (replies !== price.replies || outputTokens !== price.outputTokens)
        throw new Error(
          `charged ${replies} replies and ${outputTokens} tokens, and not ${price.replies} and ${price.outputTokens}`,
        )
    }
    const toSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
    report.pass(
      `${people} people at once: ${people - refused.length} replies and ${refused.length} refusals; ${streaming} streamed at the same time after ${toSeconds(begunMs)}, all were whole after ${toSeconds(wholeMs)} (alone: ${toSeconds(first.ms)}); each is stored once and charged once`,
    )
  } catch (error) {
    report.fail(`${people} people at once`, error instanceof Error ? error.message : String(error))
  } finally {
    hold.isOn = false
  }
}
