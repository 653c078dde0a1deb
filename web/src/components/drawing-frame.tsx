import clsx from 'clsx'
import { createContext, use, type Ref } from 'react'

/** A taller drawing scrolls in the frame, so that the text after it stays within reach. */
const maxHeightPx = 1200

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
  ref: Ref<HTMLIFrameElement>
  src: string
  title: string
  heightPx: number | undefined
  isHidden: boolean
  isDark: boolean
}) {
  const isEager = use(EagerDrawings)
  const isShown = heightPx !== undefined && !isHidden
  return (
    <iframe
      ref={ref}
      src={src}
      title={title}
      sandbox="allow-scripts"
      loading={isEager ? 'eager' : 'lazy'}
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
