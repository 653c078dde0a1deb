/** How many requests of an app may run or wait for the user at once, so that an app cannot use up the connections of the browser. */
const maxRunningRequests = 4
/** How many requests an app may make within a minute: one a second is more than a person causes. */
const maxRequestsPerMinute = 60
const minuteMs = 60_000

/** The errors that a request of an app is answered with. */
export const requestErrors = {
  invalid: { code: -32_602, message: 'The parameters are not valid.' },
  unknown: { code: -32_601, message: 'The host does not support this.' },
  notReady: { code: -32_600, message: 'Send ui/initialize first.' },
  tooMany: { code: -32_000, message: 'Too many requests at once.' },
  failed: { code: -32_603, message: 'The host failed to do this.' },
  denied: { code: -32_000, message: 'The user declined this, or has to answer something else first.' },
} as const
type RpcError = (typeof requestErrors)[keyof typeof requestErrors]

/** Thrown to answer a request of an app with an error. */
export class RequestRefusedError extends Error {
  readonly error: RpcError

  constructor(error: RpcError) {
    super(error.message)
    this.error = error
  }
}

/** Runs the requests of one app, as many as it may make. */
export function createRequestLimiter() {
  /** the requests that have no response yet */
  const running = new Map<unknown, AbortController>()
  let times: number[] = []
  return {
    /** @throws RequestRefusedError for an id that is in use, and for too many requests; what `respond` throws */
    async run<Result>(
      id: string | number,
      respond: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      if (running.has(id)) throw new RequestRefusedError(requestErrors.invalid)
      const now = performance.now()
      times = times.filter((at) => now - at < minuteMs)
      if (running.size >= maxRunningRequests || times.length >= maxRequestsPerMinute)
        throw new RequestRefusedError(requestErrors.tooMany)
      times.push(now)
      const withdrawal = new AbortController()
      running.set(id, withdrawal)
      try {
        return await respond(withdrawal.signal)
      } finally {
        running.delete(id)
      }
    },
    /** Withdraws a request of the app. Does nothing if it has a response. */
    cancel(id: unknown): void {
      running.get(id)?.abort()
    },
    /** Withdraws all requests that have no response yet. */
    cancelAll(): void {
      for (const withdrawal of running.values()) withdrawal.abort()
    },
  }
}
