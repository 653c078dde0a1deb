import { vi } from 'vitest'

/**
 * Holds the timeouts of one length that start from now on, so that a test can look at a state that passes by itself on any machine.
 * @param ms their length
 * @returns lets them fire
 */
export function holdTimers(ms: number): () => void {
  const { setTimeout, clearTimeout } = globalThis
  const held = new Map<unknown, () => void>()
  const hold = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    callback: () => void,
    delay?: number,
  ) => {
    if (delay !== ms) return setTimeout(callback, delay)
    const id = {}
    held.set(id, callback)
    return id
  }) as typeof setTimeout)
  const forget = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((id) => {
    if (!held.delete(id)) clearTimeout(id)
  })
  return () => {
    hold.mockRestore()
    forget.mockRestore()
    for (const fire of held.values()) fire()
  }
}
