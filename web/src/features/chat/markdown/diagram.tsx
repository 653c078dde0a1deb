import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  diagramFrameFile,
  type DiagramFailure,
  type DrawRequest,
  type FrameMessage,
} from '#shared/diagram-frame.ts'
import { useIsDark } from '../../../lib/theme.ts'

/** Taller diagrams scroll inside the frame. */
const maxHeightPx = 1200

interface DiagramProps {
  source: string
  /** the user has chosen to see the code instead */
  isHidden: boolean
  /** @param failure absent once it is drawn */
  onResult: (failure?: DiagramFailure) => void
}

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, 200) : undefined

/** The frame draws a stranger's text: what it says is checked as such. */
function readFailure({
  line,
  found,
  isUnknown,
  reason,
}: Record<keyof DiagramFailure, unknown>): DiagramFailure {
  const [foundText, reasonText] = [toText(found), toText(reason)]
  return {
    ...(Number.isSafeInteger(line) && { line: Number(line) }),
    ...(foundText !== undefined && { found: foundText }),
    ...(isUnknown === true && { isUnknown }),
    ...(reasonText !== undefined && { reason: reasonText }),
  }
}

/**
 * A diagram, drawn in a frame without an origin, so that neither the model's text nor a bug of the renderer can access the page. It takes
 * no space until it is drawn.
 */
export function Diagram({ source, isHidden, onResult }: DiagramProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const [heightPx, setHeightPx] = useState<number>()
  const isDark = useIsDark()
  const report = useEffectEvent(onResult)

  useEffect(() => {
    const listen = (
      event: MessageEvent<(Partial<FrameMessage> & Record<keyof DiagramFailure, unknown>) | null>,
    ) => {
      // the frame is identified by its window, because it has no origin; checked before `data`, which may be expensive to read
      if (!event.source || event.source !== frame.current?.contentWindow) return
      const { data } = event
      if (data?.state === 'ready') setReady(true)
      if (data?.state === 'failed') {
        setHeightPx(undefined)
        report(readFailure(data))
      }
      if (data?.state === 'drawn' && Number.isFinite(data.heightPx)) {
        setHeightPx(data.heightPx)
        report()
      }
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])

  useEffect(() => {
    const request: DrawRequest = { source, isDark }
    if (isReady) frame.current?.contentWindow?.postMessage(request, '*')
  }, [isReady, source, isDark])

  const isShown = heightPx !== undefined && !isHidden
  return (
    <iframe
      ref={frame}
      src={diagramFrameFile}
      title={t`Diagram`}
      sandbox="allow-scripts"
      loading="lazy"
      {...(isShown ? {} : { 'aria-hidden': true, tabIndex: -1 })}
      className={isShown ? 'block w-full' : 'pointer-events-none invisible absolute inset-x-0 top-0 w-full'}
      style={{
        height: Math.max(1, Math.min(heightPx ?? 1, maxHeightPx)),
        colorScheme: isDark ? 'dark' : 'light',
      }}
    />
  )
}
