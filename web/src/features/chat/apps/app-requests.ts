/** How many requests of an app may run or wait for the user at once. */
const maxRunningRequests = 4
/** How many requests an app may make within a minute. */
const maxRequestsPerMinute = 60

/** The errors that a request of an app is answered with. */
export const requestErrors = {
  invalid: { code: -32_602, message: 'The parameters are not valid.' },
  unknown: { code: -32_601, message: 'The host does not support this.' },
  notReady: { code: -32_600, message: 'Send ui/initialize first.' },
  tooMany: { code: -32_000, message: 'Too many requests at once.' },
  denied: { code: -32_000, message: 'The user did not want this.' },
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
  const running = new Map<string | number, AbortController>()
  let times: number[] = []
  return {
    /** @throws RequestRefusedError for an id that is in use, and for too many requests; what `respond` throws */
    async run<Result>(
      id: string | number,
      respond: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      if (running.has(id)) throw new RequestRefusedError(requestErrors.invalid)
      const now = performance.now()
      times = times.filter((at) => now - at < 60_000)
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
    /** The app withdraws a request. Does nothing if it has a response. */
    cancel(id: string | number): void {
      running.get(id)?.abort()
    },
  }
}
