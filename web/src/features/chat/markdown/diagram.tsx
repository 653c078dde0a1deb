import { useEffect, useRef, useState } from 'react'
import { diagramFrameFile, type DrawRequest, type FrameMessage } from '#shared/diagram-frame.ts'
import { useIsDark } from '../../../lib/theme.ts'
import * as texts from './texts.ts'

/** Higher ones scroll inside themselves. */
const maxHeightPx = 1200

interface DiagramProps {
  source: string
  /** shown instead of the diagram until it is drawn, and if it cannot be */
  isHidden: boolean
  onDrawn: (isDrawn: boolean) => void
}

/**
 * A diagram, drawn in a frame that has no origin: nothing that a model wrote, and no fault of what draws it, gets at the page. It takes
 * no room until it is drawn.
 */
export function Diagram({ source, isHidden, onDrawn }: DiagramProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const [heightPx, setHeightPx] = useState<number>()
  const dark = useIsDark()

  useEffect(() => {
    const listen = (event: MessageEvent<Partial<FrameMessage> | null>) => {
      // it has no origin to be known by; reading the data of others' messages may cost a lot
      if (!event.source || event.source !== frame.current?.contentWindow) return
      const { data } = event
      if (data?.state === 'ready') setReady(true)
      if (data?.state === 'failed') onDrawn(false)
      if (data?.state === 'drawn' && Number.isFinite(data.heightPx)) {
        setHeightPx(data.heightPx)
        onDrawn(true)
      }
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [onDrawn])

  useEffect(() => {
    const request: DrawRequest = { source, dark }
    if (isReady) frame.current?.contentWindow?.postMessage(request, '*')
  }, [isReady, source, dark])

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
        colorScheme: dark ? 'dark' : 'light',
      }}
    />
  )
}
