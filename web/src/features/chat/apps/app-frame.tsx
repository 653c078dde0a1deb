import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { OpenedApp } from '#shared/contracts/apps.ts'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { announce } from '../../../lib/announce.ts'
import { useConfig } from '../../../lib/config.ts'
import { useIsDark } from '../../../lib/theme.ts'
import { findComposer, insertIntoComposer } from '../../../lib/composer-text.ts'
import { stopFollowingEnd } from '../use-stick-to-bottom.ts'
import { createAppBridge } from './app-bridge.ts'
import type { AppConversation } from './app-context.ts'
import { AppQuestionCard, getQuestionTitle, type AppDecision } from './app-question-card.tsx'
import { callAppTool } from './call-app-tool.ts'
import { SandboxedFrame } from './sandboxed-frame.tsx'
import { useAppQuestions } from './use-app-questions.ts'

/** The height of an app that has not reported its own. */
const firstHeightPx = 160

interface AppFrameProps {
  /** the origin of the sandbox, another one than that of the page */
  origin: string
  app: OpenedApp
  call: ToolCall
  mcpId: string
  context: AppConversation
  /** set to a function that shuts the app down before it is closed */
  closeRef: RefObject<(() => Promise<void>) | undefined>
  /** called when the app took the keyboard from elsewhere, or was not opened; has to remove the app */
  onClose: (reason: 'takeover' | 'unguarded') => void
}

/** A running app and its questions. The frame is on another origin, and the app inside it is in a frame without an origin. */
export function AppFrame({ origin, app, call, mcpId, context, closeRef, onClose }: AppFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [reportedHeightPx, setReportedHeightPx] = useState(firstHeightPx)
  const bridge = useRef<ReturnType<typeof createAppBridge>>(undefined)
  const isDark = useIsDark()
  const version = useConfig()?.version ?? '0'
  const { pending, ask } = useAppQuestions((question) => {
    stopFollowingEnd(frame.current)
    announce(getQuestionTitle(question, app.integration))
  })
  const heightPx = useShownHeight(reportedHeightPx, pending !== undefined)
  const decide = (decision: AppDecision) => {
    // the pressed button disappears, so the app gets the focus
    frame.current?.focus({ preventScroll: true })
    pending?.resolve(decision)
  }

  const connect = useEffectEvent(() =>
    createAppBridge(
      { app, call },
      {
        version,
        onUnguarded: () => onClose('unguarded'),
        post: (message) => frame.current?.contentWindow?.postMessage(message, origin),
        setHeight: setReportedHeightPx,
        callTool: (name, args, signal) =>
          callAppTool({ mcpId, context, name, args }, (question) => ask(question, signal)),
        openLink: async (url, signal) => (await ask({ kind: 'link', url }, signal))?.approved === true,
        suggestMessage: async (text, signal) => {
          const isApproved = (await ask({ kind: 'message', text }, signal))?.approved === true
          if (isApproved) appendToComposer(text)
          return isApproved
        },
      },
      { isDark },
    ),
  )
  // a layout effect, so that nothing is asked for a frame that is gone
  useLayoutEffect(() => {
    const current = connect()
    bridge.current = current
    closeRef.current = () => current.close()
    const listen = (event: MessageEvent<unknown>) => {
      // an app may also post to the page itself: the data of such a message, of any size, is not read
      if (!event.source || event.source !== frame.current?.contentWindow || event.origin !== origin) return
      current.receive(event.data)
    }
    addEventListener('message', listen)
    return () => {
      removeEventListener('message', listen)
      current.dispose()
      closeRef.current = undefined
    }
  }, [origin, closeRef])
  useEffect(() => bridge.current?.update({ isDark }), [isDark])

  return (
    <>
      <SandboxedFrame
        frameRef={frame}
        origin={origin}
        title={t`App from ${{ server: app.integration }}`}
        buttonLabel={t`Use app from ${{ server: app.integration }}`}
        style={{ height: heightPx, colorScheme: isDark ? 'dark' : 'light' }}
        onTakeover={() => onClose('takeover')}
      />
      {pending && (
        <div ref={scrollIntoView} className="scroll-mb-48 border-t border-line p-3">
          <AppQuestionCard question={pending.question} server={app.integration} onDecide={decide} />
        </div>
      )}
    </>
  )
}

/** The height of an app: the last one that it has reported. It stays while a question is shown, whose buttons must not move under the pointer. */
function useShownHeight(reportedPx: number, isAsking: boolean): number {
  const [heightPx, setHeightPx] = useState(reportedPx)
  if (!isAsking && heightPx !== reportedPx) setHeightPx(reportedPx)
  return heightPx
}

/** Scrolls a question into view when it appears. */
const scrollIntoView = (node: HTMLElement | null) => node?.scrollIntoView({ block: 'nearest' })

/** Adds a text at the end of the message that is being written. It is never sent automatically. */
function appendToComposer(text: string): void {
  const composer = findComposer()
  if (!composer) return
  const { value } = composer
  insertIntoComposer(composer, value === '' ? text : `\n${text}`, value.length, value.length)
}
