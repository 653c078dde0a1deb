import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { OpenedApp } from '#shared/contracts/apps.ts'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { announce } from '../../../lib/browser/announce.ts'
import { useConfig } from '../../../lib/api/config.ts'
import { useIsDark } from '../../../lib/browser/theme.ts'
import { findComposer, insertIntoComposer } from '../../../lib/input/composer-text.ts'
import { getErrorMessage } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { stopFollowingEnd } from '../use-stick-to-bottom.ts'
import { createAppBridge } from './app-bridge.ts'
import type { AppConversation } from './app-context.ts'
import {
  AppQuestionCard,
  getQuestionTitle,
  type AppDecision,
  type AppQuestion,
} from './app-question-card.tsx'
import { SandboxedFrame } from './sandboxed-frame.tsx'

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

/** Longer than the timeout of the server, which is 29 s. */
const timeoutMs = 35_000

interface AppToolCall {
  mcpId: string
  context: AppConversation
  name: string
  args: Record<string, unknown>
}

/**
 * Sends a call of an app to the server, which says whether the user has to approve it first.
 * @param ask asks the user; resolves to undefined if they cannot be asked now, or the app has withdrawn the call
 * @returns the result for the app; a failure if the call was not made, with the reason
 */
async function callAppTool(
  { mcpId, context: { conversation, isTemporary }, name, args }: AppToolCall,
  ask: (question: AppQuestion) => Promise<AppDecision | undefined>,
): Promise<ToolCall['result']> {
  // read for each call: the user may have turned tools off since the app was opened
  const { disabledTools } = conversation.getState()
  const body = {
    mcp_id: mcpId,
    name,
    arguments: args,
    disabledTools: [...disabledTools],
    ...(isTemporary ? { keep: false } : { session_id: conversation.id }),
  }
  const send = async (decision?: AppDecision & { fingerprint: string }) =>
    callApi('apps.call', { body: { ...body, ...(decision && { decision }) } }, { timeoutMs })
  try {
    let response = await send()
    if (response.approval) {
      const { approval } = response
      const decision = await ask({ kind: 'call', approval })
      if (!decision)
        return toFailure(
          t`Not done: another request of this app waits for the user, or this one was withdrawn.`,
        )
      response = await send({ ...decision, fingerprint: approval.fingerprint })
    }
    // the definition of the tool has changed: it would need another approval
    return response.result ?? toFailure(t`Not done: the tool has changed meanwhile. Try again.`)
  } catch (error) {
    return toFailure(getErrorMessage(error))
  }
}

const toFailure = (error: string) => ({ success: false, error })

interface PendingQuestion {
  question: AppQuestion
  resolve: (decision: AppDecision) => void
}

/**
 * The questions of an app, one at a time.
 * @param onAsk called before a question is shown
 * @returns `ask` resolves to undefined while another question waits, or if the app withdraws its own; `pending` is the one that is shown
 */
function useAppQuestions(onAsk: (question: AppQuestion) => void) {
  const [pending, setPending] = useState<PendingQuestion>()
  /** as `pending`, for requests that come before the page has rendered again */
  const current = useRef<PendingQuestion>(undefined)
  const show = (question: PendingQuestion | undefined) => {
    current.current = question
    setPending(question)
  }
  const ask = async (question: AppQuestion, signal: AbortSignal): Promise<AppDecision | undefined> => {
    if (current.current || signal.aborted) return undefined
    onAsk(question)
    try {
      return await new Promise<AppDecision | undefined>((resolve) => {
        signal.addEventListener('abort', () => resolve(undefined), { once: true })
        show({ question, resolve })
      })
    } finally {
      show(undefined)
    }
  }
  return { pending, ask }
}
