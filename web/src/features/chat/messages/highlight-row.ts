/** How long a found message is highlighted. */
const highlightMs = 2_500
/** The space above a message that is higher than half of the window. */
const marginPx = 16
/** For so many frames, rows around the message may be laid out for the first time and move it. */
const layoutFrames = 20

/** Events by which a user begins to scroll. */
const userScrollEvents = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/** Scrolls to a row, focuses it and highlights it for a moment. @returns a cleanup function */
export function highlightRow(row: HTMLElement, scroller: HTMLElement): () => void {
  let framesLeft = layoutFrames
  let frame = 0
  const stop = () => {
    framesLeft = 0
  }
  const keepInView = () => {
    if (framesLeft <= 0) return
    framesLeft -= 1
    scrollToRow(row, scroller)
    if (framesLeft === layoutFrames - 1) focusRow(row)
    frame = requestAnimationFrame(keepInView)
  }
  // a frame later, so that the click that led here does not count as scrolling, and new elements have taken the focus
  frame = requestAnimationFrame(() => {
    // stop when the user scrolls
    for (const eventName of userScrollEvents) addEventListener(eventName, stop, { passive: true })
    frame = requestAnimationFrame(keepInView)
  })
  row.dataset['found'] = ''
  // a collapsed text opens when it is scrolled
  row.querySelector('[data-collapsed]')?.dispatchEvent(new Event('scroll'))
  const removeHighlight = () => delete row.dataset['found']
  const timer = setTimeout(removeHighlight, highlightMs)
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    removeHighlight()
    for (const eventName of userScrollEvents) removeEventListener(eventName, stop)
  }
}

/** Scrolls to the middle, or to the top of a long message. `scrollIntoView` would scroll the page around it, too. */
function scrollToRow(row: HTMLElement, scroller: HTMLElement) {
  const { top, height } = row.getBoundingClientRect()
  const space = scroller.clientHeight - height
  scroller.scrollTop +=
    top - scroller.getBoundingClientRect().top - (space > scroller.clientHeight / 2 ? space / 2 : marginPx)
}

/** Screen readers continue from here. A text field with a draft keeps the focus. */
function focusRow(row: HTMLElement) {
  const { activeElement } = document
  if (activeElement instanceof HTMLTextAreaElement && activeElement.value !== '') return
  row.tabIndex = -1
  row.addEventListener('blur', () => row.removeAttribute('tabindex'), { once: true })
  row.focus({ preventScroll: true })
}
