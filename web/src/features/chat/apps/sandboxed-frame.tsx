import clsx from 'clsx'
import type { CSSProperties, RefObject } from 'react'
import { flushSync } from 'react-dom'
import { useFocusGuard } from './use-focus-guard.ts'

/**
 * A frame on the sandbox's origin. A button covers it until the user has moved the focus into the section around it.
 * @param frameRef set to the frame
 * @param onTakeover called when the frame has taken the focus from elsewhere; has to remove the frame at once
 */
export function SandboxedFrame({
  frameRef,
  origin,
  title,
  buttonLabel,
  isFullHeight = false,
  style,
  onTakeover,
}: {
  frameRef: RefObject<HTMLIFrameElement | null>
  origin: string
  title: string
  buttonLabel: string
  isFullHeight?: boolean
  style: CSSProperties
  onTakeover: () => void
}) {
  const { isUsable } = useFocusGuard(frameRef, (restoreFocus) => {
    // removed before the focus moves: a frame that is still there could take it again
    flushSync(onTakeover)
    restoreFocus()
  })
  return (
    <div className={clsx('relative', isFullHeight && 'h-full')}>
      <iframe
        ref={frameRef}
        src={`${origin}/`}
        title={title}
        // its origin is not that of the page: it keeps it, so that its messages can be told from others
        sandbox="allow-scripts allow-same-origin allow-forms"
        referrerPolicy="no-referrer"
        className={clsx('block w-full', isFullHeight && 'h-full')}
        style={style}
      />
      {/* after the frame in the tab order, so that Shift+Tab from outside the section reaches the button and not the frame */}
      <button
        type="button"
        onClick={() => frameRef.current?.focus({ preventScroll: true })}
        className={clsx(
          'group absolute inset-0 grid place-items-end p-2 -outline-offset-2',
          isUsable && 'pointer-events-none',
        )}
      >
        <span className="rounded-sm bg-surface-overlay px-2 py-1 text-xs opacity-0 shadow-dialog outline outline-line group-hover:opacity-100 group-focus-visible:opacity-100">
          {buttonLabel}
        </span>
      </button>
    </div>
  )
}
