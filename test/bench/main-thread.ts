import type { Browser, Page } from 'playwright-core'

/** One frame at 60 a second. */
export const frameMs = 1_000 / 60

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  dur?: number
  args?: { name?: string }
}

/**
 * What the page's main thread did while something went on: script, styles, layout and painting, everything that keeps it from
 * the next frame.
 * @returns busy milliseconds of each frame's time in which there was any work, and the longest task
 */
export async function mainThread(browser: Browser, page: Page, during: () => Promise<unknown>) {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] })
  await during()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const mains = traceEvents
    .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
    .map(({ pid, tid }) => `${pid} ${tid}`)
  const byThread = new Map<string, { ts: number; ms: number }[]>()
  for (const { name, ph, pid, tid, ts, dur = 0 } of traceEvents) {
    const thread = `${pid} ${tid}`
    if (ph !== 'X' || !name.endsWith('RunTask') || !mains.includes(thread)) continue
    const known = byThread.get(thread) ?? []
    known.push({ ts, ms: dur / 1_000 })
    byThread.set(thread, known)
  }
  const busyMs = (tasks: { ms: number }[]) => tasks.reduce((sum, { ms }) => sum + ms, 0)
  const [tasks = []] = [...byThread.values()].toSorted((a, b) => busyMs(b) - busyMs(a))
  const frames = new Map<number, number>()
  for (const { ts, ms } of tasks) {
    // a task that lasts over several frames fills the first ones
    let left = ms
    for (let frame = Math.floor(ts / 1_000 / frameMs); left > 0; frame += 1) {
      const share = Math.min(left, frameMs)
      frames.set(frame, (frames.get(frame) ?? 0) + share)
      left -= share
    }
  }
  return {
    busyMs: [...frames.values()],
    longestTaskMs: tasks.reduce((most, { ms }) => Math.max(most, ms), 0),
  }
}

/** In the page: the time between frames while something goes on; told by `takeFrames`. */
export function noteFrames(): void {
  const times: number[] = []
  Object.assign(globalThis, { frameTimes: times })
  let last = performance.now()
  const next = () => {
    const now = performance.now()
    times.push(now - last)
    last = now
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
}

/** In the page: what was noted since the last call. */
export const takeFrames = (): number[] =>
  (globalThis as unknown as { frameTimes: number[] }).frameTimes.splice(0)
