import { useEffect, useEffectEvent, useRef } from 'react'
import { appPolicy } from '#shared/mcp-apps.ts'
import { SandboxedFrame } from '../apps/sandboxed-frame.tsx'
import type { PreviewKind } from './preview-context.ts'
import * as texts from './texts.ts'

/** Why a preview was stopped. */
export type StopReason = 'silent' | 'takeover'

/** A preview that leaves this many questions unanswered, a second apart, is stopped: it loops, or has navigated away. */
const maxUnansweredPings = 6
const pingEveryMs = 1_000

const ping = { jsonrpc: '2.0', method: 'preview/ping' }
const pongMethod = 'preview/pong'

/**
 * Runs before the preview's own code: answers pings, and keeps links and forms from leading to the browser's error page, as the policy lets
 * neither load. What it allows is nothing that the code could not do without it.
 */
const guardScript = `<script>(function () {
  addEventListener('message', function (event) {
    if (event.data && event.data.method === '${ping.method}') parent.postMessage({ jsonrpc: '2.0', method: '${pongMethod}' }, '*')
  })
  HTMLFormElement.prototype.submit = function () {}
  addEventListener('submit', function (event) { event.preventDefault() })
  addEventListener('click', function (event) {
    var link = event.target instanceof Element && event.target.closest('a')
    var address = link && (link.getAttribute('href') || link.getAttribute('xlink:href'))
    if (address && address.charAt(0) !== '#') event.preventDefault()
  })
})()</script>`

const svgStyle =
  '<style>html,body{margin:0;height:100%}body{display:grid;place-items:center}svg{max-width:100%;max-height:100%}</style>'

const createDocument = (kind: PreviewKind, code: string) =>
  `${guardScript}${kind === 'svg' ? svgStyle : ''}${code}`

/** No connections, and nothing from elsewhere. */
const policy = appPolicy({ connect: [], resource: [] })

/** Code that runs in the sandbox of MCP apps: another origin, and inside it a frame without an origin and without network. */
export function PreviewFrame({
  origin,
  kind,
  code,
  title,
  onStop,
}: {
  /** of the sandbox */
  origin: string
  kind: PreviewKind
  code: string
  title: string
  /** called when it has to be removed */
  onStop: (reason: StopReason) => void
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const stop = useEffectEvent(() => onStop('silent'))
  useEffect(() => {
    let unansweredPings = 0
    const post = (message: object) => frame.current?.contentWindow?.postMessage(message, origin)
    const listen = (event: MessageEvent<{ method?: unknown } | null>) => {
      // checked before `data`, which may be expensive to read
      if (!event.source || event.source !== frame.current?.contentWindow || event.origin !== origin) return
      const method = event.data?.method
      if (method === pongMethod) unansweredPings = 0
      if (method === 'ui/notifications/sandbox-proxy-ready')
        post({
          jsonrpc: '2.0',
          method: 'ui/notifications/sandbox-resource-ready',
          params: { html: createDocument(kind, code), policy },
        })
    }
    const timer = setInterval(() => {
      unansweredPings += 1
      if (unansweredPings > maxUnansweredPings) stop()
      else post(ping)
    }, pingEveryMs)
    addEventListener('message', listen)
    return () => {
      removeEventListener('message', listen)
      clearInterval(timer)
    }
  }, [origin, kind, code])
  return (
    <SandboxedFrame
      isFullHeight
      frameRef={frame}
      origin={origin}
      title={title}
      useLabel={texts.use}
      style={{ colorScheme: 'light', background: 'white' }}
      onTakeover={() => onStop('takeover')}
    />
  )
}
