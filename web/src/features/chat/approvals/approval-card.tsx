import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { ApprovalRequest } from '#shared/contracts/sessions.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Notice } from '../../../components/ui/callout.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { ArgumentList } from '../tools/argument-list.tsx'
import { visibly } from '../tools/hidden-characters.ts'
import { MailFields, mailOf } from './mail-fields.tsx'
import type { CardProps } from './card-frame.tsx'
import { QuestionFrame } from './card-frame.tsx'

/** Shows exactly what will be done, and does it only when the user says so. An e-mail can be changed before. */
export function ApprovalCard({ question, assistantName, problem, first, busy, onAnswer }: CardProps) {
  const [mail, setMail] = useState(() => mailOf(question.arguments))
  const edited = mail && isChanged(question, mail) ? { ...question.arguments, ...mail } : undefined
  const approve = (always: boolean) =>
    onAnswer({ approved: true, ...(always && { always }), ...(edited && { arguments: edited }) })
  const incomplete = mail !== undefined && mail.to.trim() === ''
  const title = visibly(question.title)
  const waits = busy !== undefined
  return (
    <QuestionFrame
      icon={ShieldCheck}
      title={question.integration === null ? `${title}?` : `${title} with ${describeOwner(question)}?`}
      about={
        mail
          ? `It goes out in your name. What is sent cannot be called back.`
          : `${assistantName} does this only when you approve it. This is exactly what will be sent:`
      }
      problem={problem}
      first={first}
      buttons={
        <>
          <Button
            tone="primary"
            busy={busy === 'approved'}
            disabled={incomplete || (waits && busy !== 'approved')}
            onClick={() => approve(false)}
          >
            Approve
          </Button>
          <Button
            busy={busy === 'denied'}
            disabled={waits && busy !== 'denied'}
            onClick={() => onAnswer({ approved: false })}
          >
            Deny
          </Button>
          <span className="grow" />
          <Tooltip text="This tool never asks again. You can take that back in the settings." side="top">
            <Button
              tone="ghost"
              busy={busy === 'always'}
              disabled={incomplete || (waits && busy !== 'always')}
              onClick={() => approve(true)}
            >
              Always allow
            </Button>
          </Tooltip>
        </>
      }
    >
      {mail ? (
        <MailFields mail={mail} disabled={waits} onChange={setMail} />
      ) : (
        Object.keys(question.arguments).length > 0 && (
          <div className="rounded-md bg-surface-hover px-3.5 py-3">
            <ArgumentList value={question.arguments} whole />
          </div>
        )
      )}
      <ServerHints question={question} />
    </QuestionFrame>
  )
}

/** What the tool's server says that it does: its own words, which nobody has checked. */
function ServerHints({ question }: { question: ApprovalRequest }) {
  const { description, destructive } = question
  const server = visibly(question.integration ?? 'The server')
  return (
    <>
      {description !== undefined && (
        <p className="text-sm whitespace-pre-wrap text-ink-muted [overflow-wrap:anywhere]">
          {server} describes this tool as: “<bdi>{visibly(description)}</bdi>”
        </p>
      )}
      {destructive && (
        <Notice tone="danger">{server} says that this tool may delete or overwrite things.</Notice>
      )}
    </>
  )
}

/** The integration, with who published its server where that is somebody of the catalogue. */
const describeOwner = ({ integration, namespace }: ApprovalRequest) =>
  visibly([integration, namespace].filter((part) => typeof part === 'string').join(' · '))

const isChanged = ({ arguments: given }: ApprovalRequest, mail: object) =>
  Object.entries(mail).some(([name, value]) => given[name] !== value)
