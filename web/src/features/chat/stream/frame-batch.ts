/** A hidden page has no animation frames: its text is delivered by a timer. */
const hiddenTabIntervalMs = 200

/**
 * Collects text and delivers it once per frame, so that a fast reply does not block typing.
 * @returns `flush` delivers what has been collected at once
 */
export function createFrameBatch(onText: (text: string) => void) {
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
    add: (delta: string) => {
      text += delta
      if (!cancel) schedule()
    },
    flush,
  }
}
