/** After which text is delivered without a frame, which a hidden page does not have. Nobody sees that it is later than a frame would be. */
const hiddenPageDelayMs = 200

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
    const timer = setTimeout(flush, hiddenPageDelayMs)
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
