import type { Browser, Page } from 'playwright-core'

/** One frame at 60 a second. */
export const frameMs = 1_000 / 60

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  /** wall-clock time in microseconds */
  dur?: number
  /** CPU time in microseconds; the rest went to other processes */
  tdur?: number
  args?: { name?: string }
}

/** The trace's names for the parts of a frame's work. */
const parts = {
  script: ['FunctionCall', 'EvaluateScript'],
  styles: ['UpdateLayoutTree'],
  layout: ['Layout'],
  painting: ['PrePaint', 'Paint', 'Layerize', 'Commit'],
}

const scriptNames = new Set([...parts.script, 'RunMicrotasks'])

/**
 * The work of the page's main thread during a measurement: script, styles, layout and painting, everything that delays the next
 * frame.
 * @returns CPU time of each frame with any work, in ms; that of the longest task; the seconds of script, and those with the page's
 *   workers and all microtasks; a summary of the seconds by part
 */
export async function measureMainThread(browser: Browser, page: Page, during: () => Promise<unknown>) {
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
  })
  await during()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const lasting = traceEvents.filter(({ ph }) => ph === 'X')
  const mains = new Map<string, number>()
  for (const { name, args, pid, tid } of traceEvents)
    if (name === 'thread_name' && args?.name === 'CrRendererMain') mains.set(`${pid} ${tid}`, 0)
  for (const { name, pid, tid, dur = 0 } of lasting) {
    const known = mains.get(`${pid} ${tid}`)
    if (known !== undefined && name === 'RunTask') mains.set(`${pid} ${tid}`, known + dur)
  }
  // the page's renderer is the busiest process
  const [main] = [...mains].toSorted(([, a], [, b]) => b - a)[0] ?? []
  const own = lasting.filter(({ pid, tid }) => `${pid} ${tid}` === main)
  const frames = new Map<number, number>()
  let longestTaskMs = 0
  for (const { name, ts, dur = 0, tdur = dur } of own) {
    if (name !== 'RunTask' || dur === 0) continue
    longestTaskMs = Math.max(longestTaskMs, tdur / 1_000)
    // a task that spans several frames is split among them
    const endMs = (ts + dur) / 1_000
    for (let atMs = ts / 1_000; atMs < endMs;) {
      const frame = Math.floor(atMs / frameMs)
      const untilMs = Math.min(endMs, (frame + 1) * frameMs)
      frames.set(frame, (frames.get(frame) ?? 0) + (untilMs - atMs) * (tdur / dur))
      // rounding must not keep the loop in the same frame
      atMs = Math.max(untilMs, atMs + 0.001)
    }
  }
  const sumSeconds = (names: readonly string[]) =>
    own.reduce((sum, { name, dur = 0, tdur = dur }) => sum + (names.includes(name) ? tdur / 1e6 : 0), 0)
  return {
    busyMs: [...frames.values()],
    longestTaskMs,
    scriptSeconds: sumSeconds(parts.script),
    allScriptSeconds: sumScript(lasting.filter(({ pid }) => main?.startsWith(`${pid} `))),
    partSummary: Object.entries(parts)
      .map(([part, names]) => `${part} ${sumSeconds(names).toFixed(1)} s`)
      .join(', '),
  }
}

/** @returns seconds of CPU time in which any of these threads ran script, microtasks included */
function sumScript(events: readonly TraceEvent[]): number {
  const ends = new Map<number, number>()
  let seconds = 0
  for (const { name, tid, ts, dur = 0, tdur = dur } of events.toSorted((a, b) => a.ts - b.ts)) {
    // script within script is counted once
    if (!scriptNames.has(name) || ts < (ends.get(tid) ?? 0)) continue
    ends.set(tid, ts + dur)
    seconds += tdur / 1e6
  }
  return seconds
}

/** Runs in the page: records the times between frames; `takeFrames` returns them. */
export function recordFrames(): void {
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

/** Runs in the page: the recorded times since the last call. */
export const takeFrames = (): number[] =>
  (globalThis as unknown as { frameTimes: number[] }).frameTimes.splice(0)
