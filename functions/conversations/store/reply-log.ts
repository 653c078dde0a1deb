import type { ChatEvent } from '#shared/chat-events.ts'
import { foldReply } from '#shared/reply/fold-reply.ts'
import { emptyReply, type ReplyState } from '#shared/reply/reply-state.ts'

/** Neighbouring deltas of one text, one stretch of reasoning or the arguments of one call; `textId` names which. */
interface LogText {
  from: number
  to: number
  textId: string
  text: string
  /** absent: text of the reply */
  kind?: 'reasoning' | 'tool-input'
}

/** An event, or consecutive deltas; `from` is the position before it, `to` the one after it. */
export type LogPart = { from: number; to: number; event: ChatEvent } | LogText

/** The part as an event, starting at a position inside it. */
export function toEvent(part: LogPart, position: number): ChatEvent {
  if ('event' in part) return part.event
  const delta = part.text.slice(Math.max(0, position - part.from))
  if (part.kind === 'tool-input')
    return { type: 'tool-input-delta', toolCallId: part.textId, inputTextDelta: delta }
  return { type: part.kind === 'reasoning' ? 'reasoning-delta' : 'text-delta', id: part.textId, delta }
}

/** @returns undefined for events that are no deltas */
function toText(event: ChatEvent): Pick<LogText, 'textId' | 'text' | 'kind'> | undefined {
  switch (event.type) {
    case 'text-delta':
      return { textId: event.id, text: event.delta }
    case 'reasoning-delta':
      return { textId: event.id, text: event.delta, kind: 'reasoning' }
    case 'tool-input-delta':
      return { textId: event.toolCallId, text: event.inputTextDelta, kind: 'tool-input' }
    default:
      return undefined
  }
}

/**
 * The events of one reply in order, each with its position: an event counts 1, a delta its UTF-16 units. Neighbouring deltas
 * are one part, so a slow reader costs no more memory than the reply itself, and a reader can continue inside a delta.
 */
export class ReplyLog {
  #parts: LogPart[] = []
  #end: number
  #closed = false
  #paused = false
  #waiters: (() => void)[] = []
  /** the position that its first event follows */
  readonly start: number
  #reply: ReplyState

  /** @param position at which a resumed reply starts @param reply what it has by then */
  constructor(position = 0, reply: ReplyState = emptyReply) {
    this.start = position
    this.#end = position
    this.#reply = reply
  }

  /** The reply so far, as its events tell it. */
  get reply(): ReplyState {
    return this.#reply
  }

  get position(): number {
    return this.#end
  }

  get isClosed(): boolean {
    return this.#closed
  }

  push(event: ChatEvent): void {
    this.#reply = foldReply(this.#reply, event)
    const delta = toText(event)
    if (delta) this.#pushText(delta)
    else {
      this.#parts.push({ from: this.#end, to: this.#end + 1, event })
      this.#end += 1
    }
    this.#notify()
  }

  #pushText(delta: Pick<LogText, 'textId' | 'text' | 'kind'>): void {
    const { textId, text, kind } = delta
    if (text === '') return
    const last = this.#parts.at(-1)
    const to = this.#end + text.length
    if (last && 'text' in last && last.textId === textId && last.kind === kind) {
      last.text += text
      last.to = to
    } else this.#parts.push({ from: this.#end, to, ...delta })
    this.#end = to
  }

  /** Readers get nothing until `resume`: the first event confirms that their message is stored. */
  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#notify()
  }

  /** No event follows. */
  close(): void {
    this.#closed = true
    this.#notify()
  }

  /** The parts after a position, the first one cut at the position; none while paused. */
  readAfter(position: number): LogPart[] {
    const parts: LogPart[] = []
    if (this.#paused) return parts
    for (let index = this.#parts.length - 1; index >= 0; index -= 1) {
      const part = this.#parts[index]
      if (!part || part.to <= position) break
      parts.unshift(sliceFrom(part, position))
    }
    return parts
  }

  /** Resolves when readers can get something after the position, or the log was closed, or the time is over. */
  async waitForChange(position: number, timeoutMs: number): Promise<void> {
    if (!this.#paused && (this.#closed || this.#end > position)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, timeoutMs)
      function done() {
        clearTimeout(timer)
        resolve()
      }
      this.#waiters.push(done)
    })
  }

  #notify(): void {
    if (this.#paused) return
    const waiting = this.#waiters
    this.#waiters = []
    for (const wake of waiting) wake()
  }
}

/** A copy of the part that begins at the position, if that is inside it. */
export function sliceFrom(part: LogPart, position: number): LogPart {
  if ('event' in part || position <= part.from) return { ...part }
  return { ...part, from: position, text: part.text.slice(position - part.from) }
}
