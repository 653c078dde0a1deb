import { useEffect, useRef, useState } from 'react'
import { diagramFrameFile, type DrawRequest, type FrameMessage } from '#shared/diagram-frame.ts'
import { useIsDark } from '../../../lib/theme.ts'
import * as texts from './texts.ts'

/** Taller diagrams scroll inside the frame. */
const maxHeightPx = 1200

interface DiagramProps {
  source: string
  /** the user has chosen to see the code instead */
  isHidden: boolean
  onDrawnChange: (isDrawn: boolean) => void
}

/**
 * A diagram, drawn in a frame without an origin, so that neither the model's text nor a bug of the renderer can access the page. It takes
 * no space until it is drawn.
 */
export function Diagram({ source, isHidden, onDrawnChange }: DiagramProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const [heightPx, setHeightPx] = useState<number>()
  const isDark = useIsDark()

  useEffect(() => {
    const listen = (event: MessageEvent<Partial<FrameMessage> | null>) => {
      // the frame is identified by its window, because it has no origin; checked before `data`, which may be expensive to read
      if (!event.source || event.source !== frame.current?.contentWindow) return
      const { data } = event
      if (data?.state === 'ready') setReady(true)
      if (data?.state === 'failed') {
        setHeightPx(undefined)
        onDrawnChange(false)
      }
      if (data?.state === 'drawn' && Number.isFinite(data.heightPx)) {
        setHeightPx(data.heightPx)
        onDrawnChange(true)
      }
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [onDrawnChange])

  useEffect(() => {
    const request: DrawRequest = { source, isDark }
    if (isReady) frame.current?.contentWindow?.postMessage(request, '*')
  }, [isReady, source, isDark])

  const isShown = heightPx !== undefined && !isHidden
  return (
    <iframe
      ref={frame}
      src={diagramFrameFile}
      title={texts.diagram}
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
