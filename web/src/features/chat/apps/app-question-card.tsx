import { ExternalLink, MessageSquarePlus, ShieldCheck } from 'lucide-react'
import type { AppApproval } from '#shared/contracts/apps.ts'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { ServerHints } from '../approvals/approval-card.tsx'
import { CardFrame } from '../approvals/card-frame.tsx'
import * as approvalTexts from '../approvals/texts.tsx'
import { ArgumentList } from '../tools/argument-list.tsx'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import * as texts from './texts.tsx'

/** What an app asks the user. */
export type AppQuestion =
  | { kind: 'call'; approval: AppApproval }
  | { kind: 'link'; url: URL }
  | { kind: 'message'; text: string }

export interface AppDecision {
  approved: boolean
  always?: boolean
}

/** The title of a question; also announced to screen readers. */
export function getQuestionTitle(question: AppQuestion, server: string): string {
  if (question.kind === 'link') return texts.linkTitle(server)
  if (question.kind === 'message') return texts.messageTitle(server)
  return texts.ask(revealHiddenCharacters(question.approval.title), server)
}

/** A question of an app, shown by the page below the app, which can neither see nor cover it. It never takes the focus. */
export function AppQuestionCard({
  question,
  server,
  onDecide,
}: {
  question: AppQuestion
  server: string
  onDecide: (decision: AppDecision) => void
}) {
  const denyButton = (
    <Button onClick={() => onDecide({ approved: false })}>
      {question.kind === 'call' ? approvalTexts.deny : texts.dismiss}
    </Button>
  )
  const shared = { title: getQuestionTitle(question, server), error: undefined, isFirst: false } as const
  if (question.kind === 'link') {
    const { url } = question
    return (
      <CardFrame
        {...shared}
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
              {texts.open(url.host)}
            </a>
            {denyButton}
          </>
        }
      />
    )
  }
  if (question.kind === 'message')
    return (
      <CardFrame
        {...shared}
        icon={MessageSquarePlus}
        description={texts.messageHint}
        buttons={
          <>
            <Button variant="primary" onClick={() => onDecide({ approved: true })}>
              {texts.use}
            </Button>
            {denyButton}
          </>
        }
      >
        <p className="rounded-md bg-surface-hover px-3.5 py-3 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {revealHiddenCharacters(question.text)}
        </p>
      </CardFrame>
    )
  const { approval } = question
  return (
    <CardFrame
      {...shared}
      icon={ShieldCheck}
      description={texts.callHint(server)}
      buttons={
        <>
          <Button variant="primary" onClick={() => onDecide({ approved: true })}>
            {approvalTexts.approve}
          </Button>
          {denyButton}
          <Button
            variant="ghost"
            className="ms-auto"
            title={approvalTexts.alwaysAllowHint}
            onClick={() => onDecide({ approved: true, always: true })}
          >
            {approvalTexts.alwaysAllow}
          </Button>
        </>
      }
    >
      <div className="rounded-md bg-surface-hover px-3.5 py-3">
        {Object.keys(approval.arguments).length > 0 ? (
          <ArgumentList value={approval.arguments} isComplete />
        ) : (
          texts.noArguments
        )}
      </div>
      <ServerHints approval={{ ...approval, integration: server }} />
    </CardFrame>
  )
}
