import { NodeHttpHandler } from '@smithy/node-http-handler'

const tickMs = 100

/**
 * A clock that counts only time in which this process could have read an answer: a tick that comes late, because the process was busy or
 * frozen, counts as one.
 */
class AttentiveClock {
  readonly #deadlines = new Map<() => void, number>()
  #timer: NodeJS.Timeout | undefined
  #nowMs = 0

  /** Calls back after that many milliseconds. @returns a function that cancels it */
  schedule(ms: number, callback: () => void): () => void {
    this.#deadlines.set(callback, this.#nowMs + ms)
    this.#timer ??= setInterval(() => this.#tick(), tickMs)
    return () => this.#remove(callback)
  }

  #tick(): void {
    this.#nowMs += tickMs
    for (const [callback, atMs] of this.#deadlines) {
      if (atMs > this.#nowMs) continue
      this.#remove(callback)
      callback()
    }
  }

  #remove(callback: () => void): void {
    this.#deadlines.delete(callback)
    if (this.#deadlines.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

const clock = new AttentiveClock()
/** More than any function sends at once: a request that waits for a socket would be timed as if the other side were slow. */
const maxSockets = 500

/** Ends requests to AWS that get no response headers in time. The SDK counts them as `TimeoutError`, and sends them again. */
class TimedHandler extends NodeHttpHandler {
  readonly #limitMs: number

  constructor(limitMs: number) {
    super({ httpAgent: { maxSockets }, httpsAgent: { maxSockets } })
    this.#limitMs = limitMs
  }

  override async handle(
    request: Parameters<NodeHttpHandler['handle']>[0],
    options: Parameters<NodeHttpHandler['handle']>[1] = {},
  ): ReturnType<NodeHttpHandler['handle']> {
    const timeout = new AbortController()
    const cancel = clock.schedule(this.#limitMs, () => timeout.abort())
    const { abortSignal } = options
    const signal =
      abortSignal instanceof AbortSignal ? AbortSignal.any([abortSignal, timeout.signal]) : timeout.signal
    try {
      return await super.handle(request, { ...options, abortSignal: signal })
    } catch (error) {
      if (!timeout.signal.aborted) throw error
      throw Object.assign(new Error(`no response within ${this.#limitMs} ms`, { cause: error }), {
        name: 'TimeoutError',
      })
    } finally {
      cancel()
    }
  }
}

/**
 * Timeouts of AWS clients. The SDK has none by default, so a connection that died while the function was frozen would hang a call until
 * Lambda ends the function.
 * @param requestMs until the response headers, for each attempt, connecting included
 */
export const clientTimeouts = (requestMs: number) => ({ requestHandler: new TimedHandler(requestMs) })
