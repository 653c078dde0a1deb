/** A hidden page has no animation frames: its text is delivered by a timer. */
const hiddenTabIntervalMs = 200

interface FrameBatch {
  /** collects text, which is delivered with the next frame */
  add: (delta: string) => void
  /** delivers at once what has been collected */
  flush: () => void
}

/** Collects text and delivers it once per frame, so that a fast reply does not block typing. */
export function createFrameBatch(onText: (text: string) => void): FrameBatch {
  let text = ''
  let cancel: (() => void) | undefined

  const flush = () => {
    cancel?.()
    cancel = undefined
    if (text === '') return
    const collected = text
    text = ''
    onText(collected)
  }

  const schedule = () => {
    // a frame that was requested before the page was hidden may never come
    const timer = setTimeout(flush, hiddenTabIntervalMs)
    const frame = requestAnimationFrame(flush)
    cancel = () => {
      clearTimeout(timer)
      cancelAnimationFrame(frame)
    }
  }

  return {
    add: (delta) => {
      text += delta
      if (!cancel) schedule()
    },
    flush,
  }
}
