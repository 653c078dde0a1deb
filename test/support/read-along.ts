import { streamEnd, type ChatEvent } from '#shared/chat-events.ts'
import type { StreamedEvent } from './caller.ts'
import type { StackUser } from './stack-user.ts'

/** A streamed reply, read in the background: a test can wait for its parts and disconnect at any time. */
export interface ReadAlong {
  readonly received: readonly StreamedEvent[]
  /** the text so far */
  readonly text: () => string
  /** types of the events so far, `[DONE]` included, neighbouring deltas counted once */
  readonly types: () => string[]
  /** @throws Error when the stream ends without it */
  until(isThere: (reading: ReadAlong) => boolean): Promise<void>
  /** settles with the stream: all events, or the error */
  readonly finished: Promise<readonly StreamedEvent[]>
  /** closes the connection, and waits until it is closed on this side */
  leave(): Promise<void>
}

type Open = (signal: AbortSignal) => AsyncGenerator<StreamedEvent>

/** Sends a message and reads its reply. */
export const ask = (user: Pick<StackUser, 'stream'>, body: Parameters<StackUser['stream']>[0]): ReadAlong =>
  readAlong((signal) => user.stream(body, { signal }))

/** Reads the reply of a conversation from a position, as a second tab or a reload does. */
export const reattach = (
  user: Pick<StackUser, 'events'>,
  sessionId: string,
  lastEventId?: string,
): ReadAlong =>
  readAlong((signal) => user.events(sessionId, { signal, ...(lastEventId !== undefined && { lastEventId }) }))

function readAlong(open: Open): ReadAlong {
  const leaving = new AbortController()
  const received: StreamedEvent[] = []
  let hasEnded = false
  let waiters: (() => void)[] = []
  const wakeWaiters = () => {
    const wokenWaiters = waiters
    waiters = []
    for (const resolve of wokenWaiters) resolve()
  }
  const read = async () => {
    try {
      for await (const event of open(leaving.signal)) {
        received.push(event)
        wakeWaiters()
      }
    } catch (error) {
      if (!leaving.signal.aborted) throw error
    } finally {
      hasEnded = true
      wakeWaiters()
    }
    return received
  }
  const finished = read()
  // a test that waits for something else reports that first
  finished.catch(() => undefined)

  const reading: ReadAlong = {
    received,
    finished,
    text: () => joinText(received),
    types: () => listTypes(received),
    async until(isThere) {
      while (!isThere(reading)) {
        if (hasEnded) {
          await finished
          throw new Error(`The stream ended without it: ${JSON.stringify(received)}`)
        }
        await new Promise<void>((resolve) => waiters.push(resolve))
      }
    },
    async leave() {
      leaving.abort()
      await finished
    },
  }
  return reading
}

const toEvents = (received: readonly StreamedEvent[]): ChatEvent[] =>
  received.flatMap(({ event }) => (event === streamEnd ? [] : [event]))

export const joinText = (received: readonly StreamedEvent[]): string =>
  toEvents(received)
    .map((event) => (event.type === 'text-delta' ? event.delta : ''))
    .join('')

export const listTypes = (received: readonly StreamedEvent[]): string[] =>
  received
    .map(({ event }) => (event === streamEnd ? event : event.type))
    .filter((type, index, all) => type !== 'text-delta' || all[index - 1] !== type)

/** The one event of a type. @throws Error when there is none, or more than one */
export function findOnlyEvent<Type extends ChatEvent['type']>(
  received: readonly StreamedEvent[],
  type: Type,
): Extract<ChatEvent, { type: Type }> {
  const found = toEvents(received).filter((event) => event.type === type)
  if (found.length !== 1) throw new Error(`${found.length} events ${type} in ${JSON.stringify(received)}`)
  return found[0] as Extract<ChatEvent, { type: Type }>
}
