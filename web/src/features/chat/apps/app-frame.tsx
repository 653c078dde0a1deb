import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { OpenedApp } from '#shared/contracts/apps.ts'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { appHeightPx } from '#shared/mcp-apps.ts'
import { announce } from '../../../lib/announce.ts'
import { callApi } from '../../../lib/call-api.ts'
import { getErrorMessage } from '../../../lib/api-errors.ts'
import { useConfig } from '../../../lib/config.ts'
import { useIsDark } from '../../../lib/theme.ts'
import { findComposer, insertIntoComposer } from '../../../lib/composer-text.ts'
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

/** Longer than the timeout of the server, which is 29 s. */
const callTimeoutMs = 35_000

interface AppFrameProps {
  /** the origin of the sandbox, another one than that of the page */
  origin: string
  app: OpenedApp
  call: ToolCall
  mcpId: string
  context: AppConversation
  /** set to a function that shuts the app down before it is closed */
  closeRef: RefObject<(() => Promise<void>) | undefined>
  /** called when the app took the keyboard from elsewhere; has to remove the app */
  onTakeover: () => void
}

interface PendingQuestion {
  question: AppQuestion
  resolve: (decision: AppDecision) => void
}

/** A running app and its questions. The frame is on another origin, and the app inside it is in a frame without an origin. */
export function AppFrame({ origin, app, call, mcpId, context, closeRef, onTakeover }: AppFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [heightPx, setHeightPx] = useState(160)
  const [pendingQuestion, setPendingQuestion] = useState<PendingQuestion>()
  const openQuestion = useRef<PendingQuestion>(undefined)
  const showQuestion = (question: PendingQuestion | undefined) => {
    openQuestion.current = question
    setPendingQuestion(question)
  }
  const bridge = useRef<ReturnType<typeof createAppBridge>>(undefined)
  const isDark = useIsDark()
  const version = useConfig()?.version ?? '0'
  const callTool = useToolCalls(mcpId, context)

  /** Asks the user, one question at a time. @returns undefined while another one waits, or if the app withdraws it */
  const ask = async (question: AppQuestion, signal: AbortSignal): Promise<AppDecision | undefined> => {
    if (openQuestion.current || signal.aborted) return undefined
    stopFollowingEnd(frame.current)
    announce(getQuestionTitle(question, app.integration))
    try {
      return await new Promise<AppDecision | undefined>((resolve) => {
        signal.addEventListener('abort', () => resolve(undefined), { once: true })
        showQuestion({ question, resolve })
      })
    } finally {
      showQuestion(undefined)
    }
  }

  const decide = (decision: AppDecision) => {
    // the pressed button disappears, so the app gets the focus
    frame.current?.focus({ preventScroll: true })
    pendingQuestion?.resolve(decision)
  }

  const connect = useEffectEvent(() =>
    createAppBridge(
      { app, call },
      {
        version,
        post: (message) => frame.current?.contentWindow?.postMessage(message, origin),
        // not while a question is shown, whose buttons must not move under the pointer
        setHeight: (next) => {
          if (!openQuestion.current) setHeightPx(next)
        },
        callTool: (name, args, signal) => callTool(name, args, (question) => ask(question, signal)),
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
  useEffect(() => {
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
        useLabel={t`Use app from ${{ server: app.integration }}`}
        style={{ height: Math.min(heightPx, appHeightPx.max), colorScheme: isDark ? 'dark' : 'light' }}
        onTakeover={onTakeover}
      />
      {pendingQuestion && (
        <div ref={scrollIntoView} className="scroll-mb-48 border-t border-line p-3">
          <AppQuestionCard question={pendingQuestion.question} server={app.integration} onDecide={decide} />
        </div>
      )}
    </>
  )
}

/** Scrolls a question into view when it appears. */
const scrollIntoView = (node: HTMLElement | null) => node?.scrollIntoView({ block: 'nearest' })

/** Sends the calls of an app to the server, which says whether the user has to approve them first. */
function useToolCalls(mcpId: string, { conversation, isTemporary }: AppConversation) {
  return async (
    name: string,
    args: Record<string, unknown>,
    ask: (question: AppQuestion) => Promise<AppDecision | undefined>,
  ): Promise<ToolCall['result']> => {
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
      callApi('apps.call', { body: { ...body, ...(decision && { decision }) } }, { timeoutMs: callTimeoutMs })
    try {
      let response = await send()
      if (response.approval) {
        const { approval } = response
        const decision = await ask({ kind: 'call', approval })
        if (!decision)
          return {
            success: false,
            error: t`Not done: another request of this app waits for the user, or this one was withdrawn.`,
          }
        response = await send({ ...decision, fingerprint: approval.fingerprint })
      }
      // the definition of the tool has changed: it would need another approval
      return (
        response.result ?? { success: false, error: t`Not done: the tool has changed meanwhile. Try again.` }
      )
    } catch (error) {
      return { success: false, error: getErrorMessage(error) }
    }
  }
}

/** Adds a text at the end of the message that is being written. It is never sent automatically. */
function appendToComposer(text: string): void {
  const composer = findComposer()
  if (!composer) return
  const { value } = composer
  insertIntoComposer(composer, value === '' ? text : `\n${text}`, value.length, value.length)
}
