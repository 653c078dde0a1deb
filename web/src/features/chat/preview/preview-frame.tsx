import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { dialogLabels } from '../apps/dialog-labels.ts'
import { createFrameDocument, type PreviewStorage, type PreviewAnswers } from '../apps/frame-document.ts'
import { SandboxedFrame } from '../apps/sandboxed-frame.tsx'
import type { PreviewKind } from '../preview-context.ts'
import { parsePreviewMessage, type PreviewNotice } from './preview-messages.ts'
import { createSvgDocument } from './svg-document.ts'

/** Why a preview was stopped. */
export type StopReason = 'silent' | 'takeover' | 'unguarded'

const pingEveryMs = 1_000
/** A preview that does not answer so many pings is stopped: it is in an endless loop, or has navigated away. */
const maxUnansweredPings = 6
/** As many while the sandbox is loading, which a slow connection delays: a limit, so that one that cannot be loaded does not stay blank. */
const maxLoadingPings = 30
const ping = { jsonrpc: '2.0', method: 'preview/ping' }

/** A preview may connect to no origin and load nothing. */
const noDomains = { connect: [], resource: [] }

interface PreviewFrameProps {
  /** the origin of the sandbox */
  origin: string
  kind: PreviewKind
  code: string
  title: string
  /** the storage of the previews in this panel, which the frame reads and replaces */
  storage: RefObject<PreviewStorage>
  /** the answers to the dialogs that the document opens while it is loading */
  answers: PreviewAnswers
  /** called when the frame has to be removed */
  onStop: (reason: StopReason) => void
  onNotice: (notice: PreviewNotice) => void
  /** called when the document has to be loaded again, with these answers */
  onRestart: (answers: PreviewAnswers) => void
}

/** Runs code in the sandbox of MCP apps: on another origin, and there in a frame without origin and without network. */
export function PreviewFrame({
  origin,
  kind,
  code,
  title,
  storage,
  answers,
  ...handlers
}: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const stop = useEffectEvent(handlers.onStop)
  const createDocument = useEffectEvent(() =>
    createFrameDocument({
      html: kind === 'svg' ? createSvgDocument(code) : code,
      domains: noDomains,
      labels: dialogLabels,
      preview: { storage: storage.current, answers },
    }),
  )
  const notify = useEffectEvent(handlers.onNotice)
  const restart = useEffectEvent(handlers.onRestart)
  useEffect(() => {
    let unansweredPings = 0
    let pingLimit = maxLoadingPings
    const post = (message: object) => frame.current?.contentWindow?.postMessage(message, origin)
    const listen = (event: MessageEvent<unknown>) => {
      // checked before `data`, which may be expensive to read
      if (!event.source || event.source !== frame.current?.contentWindow || event.origin !== origin) return
      const message = parsePreviewMessage(event.data)
      switch (message?.kind) {
        case 'pong':
          unansweredPings = 0
          break
        case 'ready':
          unansweredPings = 0
          pingLimit = maxUnansweredPings
          void createDocument().then((params) =>
            post({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params }),
          )
          break
        case 'unguarded':
          stop('unguarded')
          break
        case 'notice':
          notify(message.notice)
          break
        case 'storage':
          storage.current = message.storage
          break
        case 'restart':
          restart(message.answers)
          break
        default: // the code in the frame may send anything
      }
    }
    const timer = setInterval(() => {
      unansweredPings += 1
      if (unansweredPings > pingLimit) stop('silent')
      else post(ping)
    }, pingEveryMs)
    addEventListener('message', listen)
    return () => {
      removeEventListener('message', listen)
      clearInterval(timer)
    }
  }, [origin, storage])
  return (
    <SandboxedFrame
      isFullHeight
      frameRef={frame}
      origin={origin}
      title={title}
      buttonLabel={t`Use preview`}
      // code without a background of its own expects that of a browser, also in the dark theme
      style={{ colorScheme: 'light', background: 'white' }}
      onTakeover={() => handlers.onStop('takeover')}
    />
  )
}
