type Clock = typeof import('../../functions/platform/clock.ts')

/** Waits up to 3 s, as polls have, end at once; the longer ones of time limits stay. */
export const skipPolls = ({ wait }: Clock): Clock => ({
  wait: async (ms, options) => {
    if (ms > 3_000) await wait(ms, options)
  },
})
