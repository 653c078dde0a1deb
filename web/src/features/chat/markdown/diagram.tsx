import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  diagramFrameFile,
  type DiagramFailure,
  type DrawRequest,
  type FrameMessage,
} from '#shared/diagram-frame.ts'
import { truncate } from '#shared/truncate.ts'
import { DrawingFrame } from '../../../components/drawing-frame.tsx'
import { useIsDark } from '../../../lib/browser/theme.ts'
import { listenToFrame } from '../listen-to-frame.ts'

interface DiagramProps {
  source: string
  /** the user has chosen to see the code instead */
  isHidden: boolean
  /** called when it was drawn or could not be drawn. @param failure absent if it was drawn */
  onResult: (failure?: DiagramFailure) => void
}

/** Names and reasons are shown inside one sentence. */
const maxTextCharacters = 200

/** Shortens a text of the frame, which may send anything; undefined for what is no text or is empty. */
const toShortText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? truncate(value, maxTextCharacters) : undefined

/** Validates the failure that the frame reports: it draws untrusted text, which may send any message. */
function parseFailure({
  line,
  found,
  isUnknown,
  reason,
}: Partial<Record<keyof DiagramFailure, unknown>>): DiagramFailure {
  const [foundText, reasonText] = [toShortText(found), toShortText(reason)]
  return {
    ...(Number.isSafeInteger(line) && { line: Number(line) }),
    ...(foundText !== undefined && { found: foundText }),
    ...(isUnknown === true && { isUnknown }),
    ...(reasonText !== undefined && { reason: reasonText }),
  }
}

/** A Mermaid diagram. It is drawn in a sandboxed frame, because its text is untrusted. */
export function Diagram({ source, isHidden, onResult }: DiagramProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  /** counts the documents that the frame has loaded: it loads another one if it is moved in the page */
  const [loadCount, setLoadCount] = useState(0)
  const [heightPx, setHeightPx] = useState<number>()
  const isDark = useIsDark()
  const report = useEffectEvent(onResult)

  useEffect(
    () =>
      listenToFrame<FrameMessage>(frame, (message) => {
        if (message?.state === 'ready') setLoadCount((count) => count + 1)
        if (message?.state === 'failed') {
          setHeightPx(undefined)
          report(parseFailure(message))
        }
        if (message?.state === 'drawn' && Number.isFinite(message.heightPx)) {
          setHeightPx(Number(message.heightPx))
          report()
        }
      }),
    [],
  )

  useEffect(() => {
    const request: DrawRequest = { source, isDark }
    // to any origin, because the sandboxed document has none
    if (loadCount > 0) frame.current?.contentWindow?.postMessage(request, '*')
  }, [loadCount, source, isDark])

  return (
    <DrawingFrame
      ref={frame}
      src={diagramFrameFile}
      title={t`Diagram`}
      heightPx={heightPx}
      isHidden={isHidden}
      isDark={isDark}
    />
  )
}
