type Timers = typeof import('node:timers/promises')

/** Waits of `node:timers/promises` up to 3 s, as polls have, end at once; the longer ones of time limits stay. */
export const skipPolls = (timers: Timers) => ({
  ...timers,
  setTimeout: async (ms: number, ...rest: [undefined?, { signal?: AbortSignal }?]) => {
    if (ms > 3_000) await timers.setTimeout(ms, ...rest)
  },
})
