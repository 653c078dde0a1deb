import { streamEnd } from '#shared/chat-events.ts'
import type { LocalStack } from './local-stack.ts'
import { ask, type ReadAlong } from './read-along.ts'
import type { StackUser } from './stack-user.ts'

/** Numbers in [0, 1) that follow from the seed alone, so that a failure can be had again (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Sent {
  sessionId: string
  messageId: string
  content: string
  reading: ReadAlong
}

const streamsAtOnce = 4
const mostEventsBeforeKill = 60

const acknowledged = ({ reading }: Sent) => reading.received.length > 0
const finished = ({ reading }: Sent) => reading.received.some(({ event }) => event === streamEnd)

/**
 * Sends messages, kills the product with SIGKILL once a random number of events has arrived, starts it again, and looks whether
 * everything that was acknowledged is there: a message whose stream had begun, a reply whose stream had ended. Repeats on the
 * same data, so that damage adds up.
 * @returns how many messages and replies were acknowledged and found
 * @throws Error naming what was lost, with the seed
 */
export async function survivesRandomKills(
  stack: LocalStack,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<{ messages: number; replies: number }> {
  const random = randomNumbers(seed)
  const user = await stack.newUser()
  const kept: Sent[] = []
  const totals = { messages: 0, replies: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const sent = Array.from({ length: streamsAtOnce }, (_, index) =>
      send(user, `round ${round}, message ${index}`),
    )
    await eventsArrived(sent, 1 + Math.floor(random() * mostEventsBeforeKill))
    await stack.kill('SIGKILL')
    await Promise.allSettled(sent.map(({ reading }) => reading.finished))
    await stack.restart()
    kept.push(...sent.filter(acknowledged))
    await check(user, kept.slice(-3 * streamsAtOnce), `seed ${seed}, round ${round}`)
  }
  await check(user, kept, `seed ${seed}, all rounds`)
  totals.messages = kept.length
  totals.replies = kept.filter(finished).length
  return totals
}

function send(user: StackUser, content: string): Sent {
  const sessionId = crypto.randomUUID()
  const messageId = crypto.randomUUID()
  const reading = ask(user, { messages: [{ role: 'user', content }], sessionId, messageId })
  return { sessionId, messageId, content, reading }
}

/** Waits until that many events have arrived over all streams, or all of them have ended. */
async function eventsArrived(sent: readonly Sent[], count: number): Promise<void> {
  const total = () => sent.reduce((sum, { reading }) => sum + reading.received.length, 0)
  const enough = () => total() >= count
  await Promise.race([
    ...sent.map(({ reading }) => reading.until(enough).catch(() => new Promise<void>(() => undefined))),
    Promise.allSettled(sent.map(({ reading }) => reading.finished)),
  ])
}

async function check(user: StackUser, kept: readonly Sent[], when: string): Promise<void> {
  for (const one of kept) {
    const { messages, session, run } = await user.call('sessions.read', {
      params: { sessionId: one.sessionId },
    })
    const [question, reply] = messages
    if (question?.id !== one.messageId || question.content !== one.content)
      throw new Error(`An acknowledged message is lost (${when}): ${one.content}`)
    if (finished(one) && reply?.content !== one.reading.text())
      throw new Error(`An acknowledged reply is lost (${when}): ${one.content}`)
    // a run that was cut counts as running until its heartbeat is old; then it is rescued, and counted
    if (run?.status !== 'running' && session.message_count !== messages.length)
      throw new Error(`The count is wrong (${when}): ${session.message_count} of ${messages.length}`)
  }
}
