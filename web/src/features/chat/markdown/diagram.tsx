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
import { useIsDark } from '../../../lib/theme.ts'
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

/** A short text of the frame, which may send anything; undefined if it is none. */
const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? truncate(value, maxTextCharacters) : undefined

/** Validates the failure that the frame reports: it draws untrusted text, which may send any message. */
function parseFailure({
  line,
  found,
  isUnknown,
  reason,
}: Partial<Record<keyof DiagramFailure, unknown>>): DiagramFailure {
  const [foundText, reasonText] = [toText(found), toText(reason)]
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
  const [isReady, setReady] = useState(false)
  const [heightPx, setHeightPx] = useState<number>()
  const isDark = useIsDark()
  const report = useEffectEvent(onResult)

  useEffect(
    () =>
      listenToFrame<FrameMessage>(frame, (message) => {
        if (message?.state === 'ready') setReady(true)
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
    if (isReady) frame.current?.contentWindow?.postMessage(request, '*')
  }, [isReady, source, isDark])

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
