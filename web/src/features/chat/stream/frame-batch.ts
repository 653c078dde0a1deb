/** While the page is hidden no frame is drawn; text is handed on this often then. */
const hiddenTabIntervalMs = 200

/** Collects text and hands it on once a frame, so that a fast reply leaves time for typing. */
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
    // a frame that was asked for before the page was hidden may never come, hence both
    const timer = setTimeout(flush, hiddenTabIntervalMs)
    const frame = requestAnimationFrame(flush)
    cancel = () => {
      clearTimeout(timer)
      cancelAnimationFrame(frame)
    }
  }

  return {
    add(delta: string) {
      text += delta
      if (!cancel) schedule()
    },
    flush,
  }
}
