import { streamEnd } from '#shared/chat-events.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { connect } from './belongings.ts'
import type { LocalStack } from './local-stack.ts'
import { ask, type ReadAlong } from './read-along.ts'
import { signInUser, type StackUser } from './stack-user.ts'
import { uploadFile } from './upload.ts'

/** Numbers in [0, 1) that depend on the seed alone, so that a failure can be reproduced (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface SentMessage {
  sessionId: string
  messageId: string
  content: string
  reading: ReadAlong
}

const streamsAtOnce = 4
const mostEventsBeforeKill = 60

const isAcknowledged = ({ reading }: SentMessage) => reading.received.length > 0
const isFinished = ({ reading }: SentMessage) => reading.received.some(({ event }) => event === streamEnd)

/** A save of another kind than a message; the number tells its writes apart. */
type Save = (user: StackUser, number: number) => Promise<unknown>

/** How to make a kind of save, and how to find acknowledged saves that are missing. */
interface KindOfSave {
  save: Save
  /** @param acknowledged numbers of the last round, in their order; @param newest the newest number, acknowledged or not */
  missing(user: StackUser, acknowledged: readonly number[], newest: number): Promise<readonly number[]>
}

const nameFor = (number: number) => `Ann ${number}`
const fileFor = (number: number) => ({ name: `${number}.txt`, type: 'text/plain', content: `File ${number}` })

/** Of an overwritten value the last acknowledged one is there, or one that was in flight at the kill. */
const findLostValues = (acknowledged: readonly number[], newest: number, found: number) =>
  acknowledged.filter((number) => number > found || found > newest)

/** Files on all pages: uploads that were stored, but not acknowledged before the kill, add up to more than one. */
async function listFiles(user: StackUser): Promise<Attachment[]> {
  const found: Attachment[] = []
  for (;;) {
    const query = { limit: 100, offset: found.length }
    const { attachments, total } = await user.call('files.list', { query })
    found.push(...attachments)
    if (attachments.length === 0 || found.length >= total) return found
  }
}

const saves: Record<string, KindOfSave> = {
  'display name': {
    save: (user, number) => user.call('account.save', { body: { display_name: nameFor(number) } }),
    async missing(user, acknowledged, newest) {
      const { profile } = await user.call('account.read')
      return findLostValues(acknowledged, newest, Number(/\d+$/.exec(profile.display_name)?.[0] ?? -1))
    },
  },
  upload: {
    save: (user, number) => uploadFile(user, fileFor(number)),
    async missing(user, acknowledged) {
      const attachments = await listFiles(user)
      const missing: number[] = []
      for (const number of acknowledged) {
        const { name, content } = fileFor(number)
        const found = attachments.find((one) => one.name === name)
        if (!found?.url || (await (await fetch(found.url)).text()) !== content) missing.push(number)
        else await user.call('files.delete', { params: { attachmentId: found.id } })
      }
      return missing
    },
  },
  connection: {
    save: connect,
    async missing(user, acknowledged) {
      const [row] = await user.call('integrations.list').then(({ integrations }) => integrations)
      return row?.token_status === 'active' && row.credential ? [] : acknowledged
    },
  },
}

/** Makes saves of one kind, one after another, until the product is killed. */
async function saveOn(user: StackUser, { save }: KindOfSave, from: number, onSaved: () => void) {
  const acknowledged: number[] = []
  for (let number = from; ; number += 1)
    try {
      await save(user, number)
      acknowledged.push(number)
      onSaved()
    } catch {
      // the kill: the interrupted save was not acknowledged
      return { acknowledged, attempted: number }
    }
}

/**
 * Sends messages and makes other saves, kills the product with SIGKILL after a random number of events, restarts it, and checks that
 * everything acknowledged is there: messages whose stream had started, replies whose stream had ended, saves with a response. Repeats
 * on the same data, so that damage adds up.
 * @returns how many of each were acknowledged and found
 * @throws Error naming what was lost, with the seed
 */
export async function runRandomKills(
  stack: LocalStack,
  { rounds, seed, onRound }: { rounds: number; seed: number; onRound?: (ended: number) => void },
): Promise<{ messages: number; replies: number; saves: Record<string, number> }> {
  const random = randomNumbers(seed)
  let user = await stack.newUser()
  const allAcknowledged: SentMessage[] = []
  const totals = { messages: 0, replies: 0, saves: {} as Record<string, number> }
  const next: Record<string, number> = {}
  const firstSaves = new Map(Object.keys(saves).map((kind) => [kind, Promise.withResolvers<void>()]))
  for (let round = 0; round < rounds; round += 1) {
    const sent = Array.from({ length: streamsAtOnce }, (_, index) =>
      send(user, `round ${round}, message ${index}`),
    )
    const saving = Object.entries(saves).map(
      async ([kind, how]) =>
        [kind, how, await saveOn(user, how, next[kind] ?? 0, () => firstSaves.get(kind)?.resolve())] as const,
    )
    await waitForEvents(sent, 1 + Math.floor(random() * mostEventsBeforeKill))
    // of each kind of save at least one is acknowledged, however fast replies are
    if (round === rounds - 1)
      await Promise.race([
        Promise.all([...firstSaves.values()].map(({ promise }) => promise)),
        Promise.all(saving),
      ])
    await stack.kill('SIGKILL')
    await Promise.allSettled(sent.map(({ reading }) => reading.finished))
    const saved = await Promise.all(saving)
    await stack.restart()
    user = await signInUser({ origin: stack.origin, cognito: (await stack.endpoints()).cognito }, user)
    allAcknowledged.push(...sent.filter(isAcknowledged))
    await check(user, allAcknowledged.slice(-3 * streamsAtOnce), `seed ${seed}, round ${round}`)
    for (const [kind, how, { acknowledged: numbers, attempted: begun }] of saved) {
      next[kind] = begun + 1
      totals.saves[kind] = (totals.saves[kind] ?? 0) + numbers.length
      const missing = await how.missing(user, numbers, begun)
      if (missing.length > 0)
        throw new Error(
          `Acknowledged saves are lost (seed ${seed}, round ${round}): ${kind} ${missing.join(', ')}`,
        )
    }
    onRound?.(round + 1)
  }
  await check(user, allAcknowledged, `seed ${seed}, all rounds`)
  totals.messages = allAcknowledged.length
  totals.replies = allAcknowledged.filter(isFinished).length
  return totals
}

function send(user: StackUser, content: string): SentMessage {
  const sessionId = crypto.randomUUID()
  const messageId = crypto.randomUUID()
  const reading = ask(user, { messages: [{ role: 'user', content }], sessionId, messageId })
  return { sessionId, messageId, content, reading }
}

/** Waits until that many events have arrived over all streams, or all of them have ended. */
async function waitForEvents(sent: readonly SentMessage[], count: number): Promise<void> {
  const total = () => sent.reduce((sum, { reading }) => sum + reading.received.length, 0)
  const haveArrived = () => total() >= count
  await Promise.race([
    ...sent.map(({ reading }) => reading.until(haveArrived).catch(() => new Promise<void>(() => undefined))),
    Promise.allSettled(sent.map(({ reading }) => reading.finished)),
  ])
}

async function check(user: StackUser, allAcknowledged: readonly SentMessage[], when: string): Promise<void> {
  for (const one of allAcknowledged) {
    const { messages, session, run } = await user.call('sessions.read', {
      params: { sessionId: one.sessionId },
    })
    const [question, reply] = messages
    if (question?.id !== one.messageId || question.content !== one.content)
      throw new Error(`An acknowledged message is lost (${when}): ${one.content}`)
    if (isFinished(one) && reply?.content !== one.reading.text())
      throw new Error(`An acknowledged reply is lost (${when}): ${one.content}`)
    // an interrupted run counts as running until its heartbeat is old; then it is recovered and counted
    if (run?.status !== 'running' && session.message_count !== messages.length)
      throw new Error(`The count is wrong (${when}): ${session.message_count} of ${messages.length}`)
  }
}
