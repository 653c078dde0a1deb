import { t } from '@lingui/core/macro'
import { ExternalLink, MessageSquarePlus, ShieldCheck } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { AppApproval } from '#shared/contracts/apps.ts'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { alwaysAllowHint } from '../approvals/approval-card.tsx'
import { ServerHints } from '../approvals/request-details.tsx'
import { CardFrame } from '../approvals/card-frame.tsx'
import { ArgumentList } from '../calls/argument-list.tsx'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'

/** What an app asks the user: to approve a call, to open a page, or to take a text into the composer. */
export type AppQuestion =
  | { kind: 'call'; approval: AppApproval }
  | { kind: 'link'; url: URL }
  | { kind: 'message'; text: string }

/** The user's answer. */
export interface AppDecision {
  approved: boolean
  /** whether the tool may be called without asking from now on */
  always?: boolean
}

/** The title of a question; also announced to screen readers. */
export function getQuestionTitle(question: AppQuestion, server: string): string {
  if (question.kind === 'link') return t`The app from ${server} wants to open a page`
  if (question.kind === 'message') return t`The app from ${server} suggests a message`
  return t`${{ tool: revealHiddenCharacters(question.approval.title) }} with ${server}?`
}

interface QuestionProps {
  /** display name of the app's server */
  server: string
  onDecide: (decision: AppDecision) => void
}

/** A question of an app. It is part of the page, below the app, which can neither see nor cover it. It does not take the focus. */
export function AppQuestionCard({ question, ...props }: QuestionProps & { question: AppQuestion }) {
  const frame = {
    title: getQuestionTitle(question, props.server),
    error: undefined,
    isFirst: false,
  } as const
  switch (question.kind) {
    case 'link':
      return <LinkQuestion {...props} frame={frame} url={question.url} />
    case 'message':
      return <MessageQuestion {...props} frame={frame} text={question.text} />
    case 'call':
      return <CallQuestion {...props} frame={frame} approval={question.approval} />
  }
}

/** What the cards of all questions have in common. */
interface QuestionFrame {
  frame: Pick<ComponentProps<typeof CardFrame>, 'title' | 'error' | 'isFirst'>
}

function LinkQuestion({ frame, url, onDecide }: QuestionProps & QuestionFrame & { url: URL }) {
  return (
    <CardFrame
      {...frame}
      icon={ExternalLink}
      description={<bdi>{url.href}</bdi>}
      buttons={
        <>
          <a
            href={url.href}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass({ variant: 'primary' })}
            onClick={() => onDecide({ approved: true })}
            // the middle button opens the link in another tab, without a click event
            onAuxClick={({ button }) => {
              if (button === 1) onDecide({ approved: true })
            }}
          >
            {t`Open ${url.host}`}
          </a>
          <Button onClick={() => onDecide({ approved: false })}>{t`Dismiss`}</Button>
        </>
      }
    />
  )
}

function MessageQuestion({ frame, text, onDecide }: QuestionProps & QuestionFrame & { text: string }) {
  return (
    <CardFrame
      {...frame}
      icon={MessageSquarePlus}
      description={t`It is put into the message field. You decide whether to send it.`}
      buttons={
        <>
          <Button variant="primary" onClick={() => onDecide({ approved: true })}>
            {t`Use text`}
          </Button>
          <Button onClick={() => onDecide({ approved: false })}>{t`Dismiss`}</Button>
        </>
      }
    >
      <p className="rounded-md bg-surface-hover px-3.5 py-3 whitespace-pre-wrap wrap-anywhere">
        {revealHiddenCharacters(text)}
      </p>
    </CardFrame>
  )
}

function CallQuestion({
  frame,
  approval,
  server,
  onDecide,
}: QuestionProps & QuestionFrame & { approval: AppApproval }) {
  return (
    <CardFrame
      {...frame}
      icon={ShieldCheck}
      description={t`The app from ${server} wants to do this. This is exactly what will be sent:`}
      buttons={
        <>
          <Button variant="primary" onClick={() => onDecide({ approved: true })}>
            {t`Approve`}
          </Button>
          <Button onClick={() => onDecide({ approved: false })}>{t`Deny`}</Button>
          {!approval.once && (
            <Button
              variant="ghost"
              className="ms-auto"
              title={alwaysAllowHint}
              onClick={() => onDecide({ approved: true, always: true })}
            >
              {t`Always allow`}
            </Button>
          )}
        </>
      }
    >
      <div className="rounded-md bg-surface-hover px-3.5 py-3">
        {Object.keys(approval.arguments).length > 0 ? (
          <ArgumentList value={approval.arguments} isComplete />
        ) : (
          t`No arguments`
        )}
      </div>
      <ServerHints approval={{ ...approval, integration: server }} />
    </CardFrame>
  )
}
