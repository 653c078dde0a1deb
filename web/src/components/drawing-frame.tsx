import clsx from 'clsx'
import { createContext, use, useEffect, useState, type RefObject } from 'react'

/** A taller drawing scrolls in the frame, so that the text after it stays within reach. */
const maxHeightPx = 1200

/** Browsers load lazy frames several screens away: a reply of ten diagrams would draw all of them at once. */
const nearPx = 100

/** Whether drawings are made before they are scrolled to, as where they are printed. */
export const EagerDrawings = createContext(false)

/**
 * The frame that draws a chart or a diagram, without an origin, so that neither the model's text nor a bug of the library can access the
 * page. It takes no space until it is drawn.
 * @param heightPx of the drawing; undefined until it is drawn
 */
export function DrawingFrame({
  ref,
  src,
  title,
  heightPx,
  isHidden,
  isDark,
}: {
  ref: RefObject<HTMLIFrameElement | null>
  src: string
  title: string
  heightPx: number | undefined
  isHidden: boolean
  isDark: boolean
}) {
  const isEager = use(EagerDrawings)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    // its code, which stands around the frame until it is drawn, may be taller than the view
    const block = ref.current?.offsetParent ?? ref.current
    if (isEager || isNear || !block) return
    const observer = new IntersectionObserver(
      (entries) => setIsNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: `${nearPx}px`, scrollMargin: `${nearPx}px` },
    )
    observer.observe(block)
    return () => observer.disconnect()
  }, [ref, isEager, isNear])
  const isShown = heightPx !== undefined && !isHidden
  return (
    <iframe
      ref={ref}
      src={isEager || isNear ? src : undefined}
      title={title}
      sandbox="allow-scripts"
      {...(isShown ? {} : { 'aria-hidden': true, tabIndex: -1 })}
      className={clsx(
        isShown ? 'block w-full' : 'pointer-events-none invisible absolute inset-x-0 top-0 w-full',
        // paper is white: a drawing of the dark theme is inverted, because printing does not wait for another one
        isDark && 'print:hue-rotate-180 print:invert',
      )}
      style={{
        height: Math.max(1, Math.min(heightPx ?? 1, maxHeightPx)),
        colorScheme: isDark ? 'dark' : 'light',
      }}
    />
  )
}
