/**
 * Waits of the product: `vi.useFakeTimers` replaces the global timers, not those of `node:timers/promises`.
 * @param options.ref false: the process may end meanwhile
 * @throws the signal's reason if it aborts first
 */
export const wait = (
  ms: number,
  { signal, ref = true }: { signal?: AbortSignal; ref?: boolean } = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (!ref) timer.unref()
    signal?.addEventListener('abort', onAbort, { once: true })
  })
